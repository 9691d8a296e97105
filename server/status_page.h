// A page for people who look at a server: how it is, and what it did last.
#ifndef TELAMALLOC_SERVER_STATUS_PAGE_H_
#define TELAMALLOC_SERVER_STATUS_PAGE_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "server/deadline.h"
#include "server/metrics.h"
#include "server/recent_requests.h"

namespace telamalloc::server {

struct StatusFacts {
  std::string server_id;
  absl::string_view version;
  Duration uptime{0};
  Levels levels;
  std::vector<RequestRecord> recent;
};

// HTML without scripts or links to elsewhere. Everything that came from outside is escaped.
std::string StatusPage(const StatusFacts& facts);

}  // namespace telamalloc::server

#endif  // TELAMALLOC_SERVER_STATUS_PAGE_H_
