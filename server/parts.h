// What an AllocationServer is made of.
#ifndef TELAMALLOC_SERVER_PARTS_H_
#define TELAMALLOC_SERVER_PARTS_H_

#include <grpcpp/server.h>

#include <memory>

#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "server/admin.h"
#include "server/allocation_service.h"
#include "server/deadline.h"
#include "server/server.h"
#include "server/service_state.h"
#include "server/settings.h"

namespace telamalloc::server {

// In the order in which they depend on each other.
struct AllocationServer::Parts {
  explicit Parts(const Settings& settings) : state(settings), service(state) {}

  // Drain() with spans of its own choice.
  void Stop(Duration predrain, Duration drain_timeout);

  ServiceState state;
  AllocationService service;
  int port = 0;
  std::unique_ptr<grpc::Server> server;
  std::unique_ptr<Admin> admin;

  absl::Mutex stop_mutex;
  absl::Notification stopped;
};

}  // namespace telamalloc::server

#endif  // TELAMALLOC_SERVER_PARTS_H_
