// telamallocd as a library: listens, serves, drains.
//
//   absl::StatusOr<std::unique_ptr<AllocationServer>> server = AllocationServer::Start({.listen_address =
//   "..."});
//   ... clients call 127.0.0.1:(*server)->port() ...
//   (*server)->Drain();
#ifndef TELAMALLOC_SERVER_SERVER_H_
#define TELAMALLOC_SERVER_SERVER_H_

#include <memory>

#include "absl/status/statusor.h"
#include "server/service_state.h"
#include "server/settings.h"

namespace telamalloc::server {

// A running server. Thread-safe. Several may run in one process.
class AllocationServer {
 public:
  // Binds both ports and starts every thread; ready when it returns.
  //
  // Errors: kInvalidArgument for settings out of range; kUnavailable when a port cannot be bound, also when
  //   another process has it.
  static absl::StatusOr<std::unique_ptr<AllocationServer>> Start(const Settings& settings);
  // With another function in the place of Solve on the workers, for tests.
  static absl::StatusOr<std::unique_ptr<AllocationServer>> Start(const Settings& settings,
                                                                 SolveFunction solve);

  // Ends at once what still runs; call Drain() first to end in order.
  ~AllocationServer();
  AllocationServer(const AllocationServer&) = delete;
  AllocationServer& operator=(const AllocationServer&) = delete;
  AllocationServer(AllocationServer&&) = delete;
  AllocationServer& operator=(AllocationServer&&) = delete;

  // The ports that were bound; admin_port() is 0 without an admin address.
  [[nodiscard]] int port() const;
  [[nodiscard]] int admin_port() const;

  // Shuts down in order and returns when nothing runs any more:
  //   1. not ready (health NOT_SERVING, /readyz 503), still serving, for `predrain`;
  //   2. new requests get UNAVAILABLE; waiting ones their best placement so far;
  //   3. running ones may finish for `drain_timeout`, then get their best placement so far.
  // A second call waits for the first to return.
  void Drain();

  // Returns when a Drain() has returned.
  void Wait();

  // Parts, for tests and for others inside this folder.
  struct Parts;
  [[nodiscard]] Parts& parts() { return *parts_; }

 private:
  explicit AllocationServer(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace telamalloc::server

#endif  // TELAMALLOC_SERVER_SERVER_H_
