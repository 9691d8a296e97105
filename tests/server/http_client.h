// Just enough HTTP to read a page.
#ifndef TELAMALLOC_TESTS_SERVER_HTTP_CLIENT_H_
#define TELAMALLOC_TESTS_SERVER_HTTP_CLIENT_H_

#include <string>

namespace telamalloc::server {

struct HttpReply {
  int status = 0;
  std::string head;
  std::string body;
};

// Asks 127.0.0.1:`port`. A status of 0: no reply.
HttpReply HttpRequest(int port, const std::string& method, const std::string& path);

inline HttpReply HttpGet(int port, const std::string& path) { return HttpRequest(port, "GET", path); }

}  // namespace telamalloc::server

#endif  // TELAMALLOC_TESTS_SERVER_HTTP_CLIENT_H_
