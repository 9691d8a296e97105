// What an AllocationServer is made of.
#ifndef TELAMALLOC_SERVER_PARTS_H_
#define TELAMALLOC_SERVER_PARTS_H_

#include <grpcpp/server.h>

#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "server/admin.h"
#include "server/allocation_service.h"
#include "server/deadline.h"
#include "server/server.h"
#include "server/service_state.h"
#include "server/settings.h"

namespace telamalloc::server {

// In the order in which they depend on each other.
struct AllocationServer::Parts {
  Parts(const Settings& settings, SolveFunction solve) : state(settings, std::move(solve)), service(state) {}

  // Drain() with spans of its own choice.
  void Stop(Duration predrain, Duration drain_timeout) ABSL_LOCKS_EXCLUDED(stop_mutex);

  ServiceState state;
  AllocationService service;
  int port = 0;
  std::unique_ptr<grpc::Server> server;
  std::unique_ptr<Admin> admin;

  absl::Mutex stop_mutex;  // held by who stops the server, until it has stopped
  bool stopped ABSL_GUARDED_BY(stop_mutex) = false;
  absl::CondVar has_stopped;
};

}  // namespace telamalloc::server

#endif  // TELAMALLOC_SERVER_PARTS_H_
