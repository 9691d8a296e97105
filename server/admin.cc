#include "server/admin.h"

#include <arpa/inet.h>
#include <civetweb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "server/deadline.h"
#include "server/service_state.h"
#include "server/status_page.h"
#include "telamalloc/solver.h"

namespace telamalloc::server {
namespace {

struct Page {
  int status = 200;
  const char* type = "text/plain; charset=utf-8";
  std::string body;
};

// Sends what `page` holds; nothing but GET and HEAD is served.
int Send(mg_connection* connection, const Page& page) {
  const absl::string_view method = mg_get_request_info(connection)->request_method;
  const bool allowed = method == "GET" || method == "HEAD";
  const int status = allowed ? page.status : 405;
  const std::string& body = allowed ? page.body : "only GET is served\n";
  const std::string head = absl::StrCat(
      "HTTP/1.1 ", status, " ", mg_get_response_code_text(connection, status),
      "\r\nContent-Type: ", page.type, "\r\nContent-Length: ", body.size(),
      "\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff", "\r\nConnection: close\r\n\r\n");
  mg_write(connection, head.data(), head.size());
  if (method != "HEAD") mg_write(connection, body.data(), body.size());
  return status;
}

// Connects to the listening port now and then until it is told to stop: civetweb notices only between two
// connections, or every two seconds, that it should end.
class Nudge {
 public:
  explicit Nudge(int port) : thread_([port](const std::stop_token& stop) { Run(port, stop); }) {}

 private:
  static void Run(int port, const std::stop_token& stop) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    while (!stop.stop_requested()) {
      const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
      [[maybe_unused]] const int connected =
          connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address));
      close(fd);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

  std::jthread thread_;
};

}  // namespace

struct Admin::Impl {
  explicit Impl(ServiceState& the_state) : state(&the_state), started(Clock::now()) {}
  ~Impl() {
    if (context == nullptr) return;
    const Nudge nudge(port);
    mg_stop(context);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  Impl(Impl&&) = delete;
  Impl& operator=(Impl&&) = delete;

  [[nodiscard]] Page Metrics() const {
    return {.type = "text/plain; version=0.0.4; charset=utf-8",
            .body = state->metrics.Render(state->GetLevels())};
  }
  [[nodiscard]] Page Status() const {
    return {.type = "text/html; charset=utf-8",
            .body = StatusPage({.server_id = state->server_id,
                                .version = SolverVersion(),
                                .uptime = Clock::now() - started,
                                .levels = state->GetLevels(),
                                .recent = state->recent.Get()})};
  }
  [[nodiscard]] Page Live() const { return {.body = "ok\n"}; }
  [[nodiscard]] Page Ready() const {
    return state->ready ? Page{.body = "ok\n"} : Page{.status = 503, .body = "draining\n"};
  }

  template <Page (Impl::*kMake)() const>
  void Serve(const char* path) {
    mg_set_request_handler(
        context, path,
        [](mg_connection* connection, void* self) {
          return Send(connection, (static_cast<const Impl*>(self)->*kMake)());
        },
        this);
  }

  ServiceState* state;
  TimePoint started;
  mg_context* context = nullptr;
  int port = 0;
};

absl::StatusOr<std::unique_ptr<Admin>> Admin::Start(const std::string& address, ServiceState& state) {
  auto impl = std::make_unique<Impl>(state);
  std::array<const char*, 11> options = {"listening_ports",
                                         address.c_str(),
                                         "num_threads",
                                         "2",
                                         "request_timeout_ms",
                                         "5000",
                                         "enable_keep_alive",
                                         "no",
                                         "linger_timeout_ms",
                                         "0",
                                         nullptr};
  const mg_callbacks callbacks = {};
  impl->context = mg_start(&callbacks, nullptr, options.data());
  mg_server_port port = {};
  if (impl->context == nullptr || mg_get_server_ports(impl->context, 1, &port) != 1) {
    return absl::UnavailableError(absl::StrCat("admin_address: cannot listen at ", address));
  }
  impl->port = port.port;
  // civetweb takes "/metrics" for everything below it too; "$" ends the pattern.
  impl->Serve<&Impl::Metrics>("/metrics$");
  impl->Serve<&Impl::Live>("/livez$");
  impl->Serve<&Impl::Ready>("/readyz$");
  impl->Serve<&Impl::Status>("/statusz$");
  return std::unique_ptr<Admin>(new Admin(std::move(impl)));
}

Admin::Admin(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Admin::~Admin() = default;

int Admin::port() const { return impl_->port; }

}  // namespace telamalloc::server
