#include "server/http_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace telamalloc::server {
namespace {

// Sends `text` and reads until the other side closes.
std::string Exchange(int port, const std::string& text) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::string reply;
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0 &&
      ::send(socket, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size())) {
    std::array<char, 4096> chunk{};
    ssize_t read = 0;
    while ((read = ::recv(socket, chunk.data(), chunk.size(), 0)) > 0) {
      reply.append(chunk.data(), static_cast<std::size_t>(read));
    }
  }
  ::close(socket);
  return reply;
}

}  // namespace

HttpReply HttpRequest(int port, const std::string& method, const std::string& path) {
  const std::string text = Exchange(
      port, absl::StrCat(method, " ", path, " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
  const std::size_t end = text.find("\r\n\r\n");
  HttpReply reply;
  // "HTTP/1.1 200 OK"
  if (end == std::string::npos || text.size() < 12 || !absl::SimpleAtoi(text.substr(9, 3), &reply.status)) {
    return reply;
  }
  reply.head = text.substr(0, end);
  reply.body = text.substr(end + 4);
  return reply;
}

}  // namespace telamalloc::server
