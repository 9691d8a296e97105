#include "server/status_page.h"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "server/deadline.h"
#include "server/errors.h"
#include "server/metrics.h"
#include "server/recent_requests.h"

namespace telamalloc::server {
namespace {

constexpr absl::string_view kHead = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>telamallocd</title><style>
body { font: 15px/1.4 sans-serif; margin: 2em; color: #222; }
table { border-collapse: collapse; margin: 0 0 2em; }
th, td { text-align: left; padding: .2em .9em .2em 0; border-bottom: 1px solid #ddd; }
td.number { text-align: right; }
</style></head><body>
<h1>telamallocd</h1>
)";

std::string Escape(absl::string_view text) {
  return absl::StrReplaceAll(text, {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}});
}

std::string Milliseconds(Duration duration) {
  return absl::StrFormat("%.2f", std::chrono::duration<double, std::milli>(duration).count());
}

std::string Facts(const StatusFacts& facts) {
  const Levels& levels = facts.levels;
  const std::vector<std::pair<const char*, std::string>> rows = {
      {"State", levels.ready ? "ready" : "draining"},
      {"Server", facts.server_id},
      {"Version", absl::StrCat(facts.version)},
      {"Uptime", absl::FormatDuration(
                     absl::Seconds(std::chrono::duration_cast<std::chrono::seconds>(facts.uptime).count()))},
      {"Workers busy", absl::StrCat(levels.workers_busy, " of ", levels.workers)},
      {"Queue", absl::StrCat(levels.queue_entries, " of ", levels.queue_capacity, " requests, ",
                             levels.queue_bytes, " bytes")},
      {"Requests in intake", absl::StrCat(levels.intake_entries)},
      {"Requests in flight", absl::StrCat(levels.in_flight)},
      {"Reply margin", absl::StrCat(Milliseconds(levels.reply_margin), " ms")},
  };
  std::string html = "<table>\n";
  for (const auto& [name, value] : rows) {
    absl::StrAppend(&html, "<tr><th>", name, "</th><td>", Escape(value), "</td></tr>\n");
  }
  return absl::StrCat(html, "</table>\n");
}

std::string Row(const RequestRecord& record) {
  std::string html = "<tr>";
  const auto cell = [&html](absl::string_view value) {
    absl::StrAppend(&html, "<td>", Escape(value), "</td>");
  };
  const auto number = [&html](absl::string_view value) {
    absl::StrAppend(&html, "<td class=\"number\">", value, "</td>");
  };
  cell(absl::FormatTime("%H:%M:%E3S", absl::FromChrono(record.arrival), absl::UTCTimeZone()));
  cell(Name(record.rpc));
  cell(record.id);
  cell(Name(record.code));
  cell(record.outcome.empty() ? record.message : record.outcome);
  cell(record.method);
  cell(record.stop_reason);
  number(absl::StrCat(record.buffers));
  number(absl::StrCat(record.peak));
  number(Milliseconds(record.queued));
  number(Milliseconds(record.solved));
  number(Milliseconds(record.total));
  return absl::StrCat(html, "</tr>\n");
}

}  // namespace

std::string StatusPage(const StatusFacts& facts) {
  std::string html = absl::StrCat(
      kHead, Facts(facts), "<h2>Last requests</h2>\n<table><tr><th>Arrival (UTC)</th><th>RPC</th><th>Id</th>",
      "<th>Code</th><th>Outcome</th><th>Method</th><th>Stopped by</th><th>Buffers</th><th>Peak</th>",
      "<th>Waited, ms</th><th>Solved, ms</th><th>Total, ms</th></tr>\n");
  for (const RequestRecord& record : facts.recent) absl::StrAppend(&html, Row(record));
  return absl::StrCat(html, "</table>\n<p><a href=\"/metrics\">metrics</a></p></body></html>\n");
}

}  // namespace telamalloc::server
