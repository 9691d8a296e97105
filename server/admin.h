// HTTP for operators: /metrics, /livez, /readyz, /statusz.
//
// On a port of its own, so that it can be kept from callers. It only reads.
#ifndef TELAMALLOC_SERVER_ADMIN_H_
#define TELAMALLOC_SERVER_ADMIN_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "server/service_state.h"

namespace telamalloc::server {

// Thread-safe.
class Admin {
 public:
  // `address` is host:port with a numeric host, or a port alone; port 0 takes a free one. `state` outlives
  // it. Errors: kUnavailable if the port cannot be bound.
  static absl::StatusOr<std::unique_ptr<Admin>> Start(const std::string& address, ServiceState& state);
  ~Admin();
  Admin(const Admin&) = delete;
  Admin& operator=(const Admin&) = delete;
  Admin(Admin&&) = delete;
  Admin& operator=(Admin&&) = delete;

  [[nodiscard]] int port() const;

 private:
  struct Impl;
  explicit Admin(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace telamalloc::server

#endif  // TELAMALLOC_SERVER_ADMIN_H_
