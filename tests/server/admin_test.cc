// What an operator sees over HTTP.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "server/http_client.h"
#include "server/test_server.h"
#include "support/temp_folder.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc::server {
namespace {

using ::telamalloc::testing::TempFolder;
using ::testing::HasSubstr;
using ::testing::Not;

// One of each: solved, infeasible, refused, timed out, shed.
void MakeTraffic(TestServer& server) {
  SolveInFlight(server, RequestFor(EasyProblem()), kLong).status();
  Problem too_large = EasyProblem();
  too_large.capacity = 7;
  SolveInFlight(server, RequestFor(too_large), kLong).status();
  v1::SolveAllocationRequest invalid = RequestFor(EasyProblem());
  invalid.mutable_options()->set_solver("<oracle>");
  SolveInFlight(server, invalid, kLong).status();
  const BusyWorkers busy(server);
  v1::SolveAllocationRequest hard = HardRequest(1, 100);
  hard.mutable_options()->mutable_solve_budget()->set_nanos(10'000'000);
  SolveInFlight(server, hard, kLong).status();
}

TEST(Metrics, CountWhatHappened) {
  TestServer server;
  MakeTraffic(server);
  const HttpReply reply = HttpGet(server.server().admin_port(), "/metrics");
  EXPECT_EQ(reply.status, 200);
  EXPECT_THAT(reply.head, HasSubstr("text/plain; version=0.0.4"));
  for (const char* line :
       {"telamalloc_requests_total{code=\"OK\",rpc=\"SolveAllocation\"} 3\n",
        "telamalloc_requests_total{code=\"INVALID_ARGUMENT\",rpc=\"SolveAllocation\"} 1\n",
        "telamalloc_errors_total{reason=\"INVALID_REQUEST\"} 1\n",
        "telamalloc_results_total{method=\"GREEDY\",outcome=\"FEASIBLE\"} 1\n",
        "telamalloc_results_total{method=\"LOAD_BOUND\",outcome=\"INFEASIBLE\"} 1\n",
        "telamalloc_stop_reasons_total{reason=\"COMPLETED\"} 2\n",
        "telamalloc_stop_reasons_total{reason=\"TIME\"} 1\n",
        "telamalloc_fallbacks_total{cause=\"time\"} 1\n", "telamalloc_verification_failures_total 0\n",
        "telamalloc_late_replies_total 0\n", "telamalloc_workers 1\n", "telamalloc_queue_depth 0\n",
        "telamalloc_queue_bytes 0\n", "telamalloc_reply_slack_seconds_count 4\n", "telamalloc_ready 1\n"}) {
    EXPECT_THAT(reply.body, HasSubstr(line));
  }
}

TEST(Metrics, HaveEverySeriesFromTheStart) {
  TestServer server;
  const std::string body = HttpGet(server.server().admin_port(), "/metrics").body;
  for (const char* series :
       {"telamalloc_requests_total{code=\"UNAVAILABLE\",rpc=\"VerifyAllocation\"} 0\n",
        "telamalloc_request_duration_seconds_bucket{rpc=\"GetCapabilities\",le=\"+Inf\"} 0\n",
        "telamalloc_errors_total{reason=\"VERIFICATION_FAILED\"} 0\n",
        "telamalloc_results_total{method=\"TELAMALLOC\",outcome=\"OPTIMAL\"} 0\n",
        "telamalloc_stop_reasons_total{reason=\"DRAIN\"} 0\n",
        "telamalloc_fallbacks_total{cause=\"overload\"} 0\n",
        "telamalloc_fallbacks_total{cause=\"drain\"} 0\n",
        "telamalloc_queue_wait_seconds_count 0\n",
        "telamalloc_solve_duration_seconds_count 0\n",
        "telamalloc_search_nodes_total 0\n",
        "telamalloc_minor_backtracks_total 0\n",
        "telamalloc_major_backtracks_total 0\n",
        "telamalloc_workers_busy 0\n",
        "telamalloc_intake_depth 0\n",
        "telamalloc_requests_in_flight 0\n",
        "telamalloc_over_capacity_results_total 0\n",
        "telamalloc_build_info{version=",
        "process_cpu_seconds_total ",
        "process_resident_memory_bytes ",
        "process_open_fds ",
        "process_max_fds ",
        "process_threads ",
        "process_start_time_seconds "}) {
    EXPECT_THAT(body, HasSubstr(series));
  }
}

#ifdef TELAMALLOC_PROMTOOL
TEST(Metrics, PassPrometheusOwnCheck) {
  TestServer server;
  MakeTraffic(server);
  const TempFolder folder;
  const std::string file =
      folder.Write("metrics.txt", HttpGet(server.server().admin_port(), "/metrics").body);
  const std::string report = file + ".report";
  const int status =
      std::system(absl::StrCat(TELAMALLOC_PROMTOOL " check metrics <", file, " >", report, " 2>&1").c_str());
  std::ifstream lines(report);
  EXPECT_EQ(status, 0) << std::string(std::istreambuf_iterator<char>(lines), {});
}
#endif

TEST(Admin, AnswersProbes) {
  TestServer server;
  const int port = server.server().admin_port();
  EXPECT_EQ(HttpGet(port, "/livez").status, 200);
  EXPECT_EQ(HttpGet(port, "/readyz").status, 200);
  EXPECT_EQ(HttpGet(port, "/readyz").body, "ok\n");
}

TEST(Admin, ServesNothingElse) {
  TestServer server;
  const int port = server.server().admin_port();
  for (const char* path : {"/", "/metrics/x", "/livezz", "/../etc/passwd", "/etc/passwd"}) {
    EXPECT_GE(HttpGet(port, path).status, 400) << path;
  }
  EXPECT_EQ(HttpRequest(port, "POST", "/livez").status, 405);
  EXPECT_EQ(HttpRequest(port, "HEAD", "/livez").status, 200);
  EXPECT_EQ(HttpRequest(port, "HEAD", "/livez").body, "");
}

TEST(Admin, ShowsTheLastRequests) {
  TestServer server;
  MakeTraffic(server);
  const HttpReply page = HttpGet(server.server().admin_port(), "/statusz");
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.head, HasSubstr("text/html"));
  for (const char* text : {"SolveAllocation", "INFEASIBLE", "LOAD_BOUND", "INVALID_ARGUMENT", "0 of 1"}) {
    EXPECT_THAT(page.body, HasSubstr(text));
  }
  EXPECT_THAT(page.body, Not(HasSubstr("<oracle>")));
}

}  // namespace
}  // namespace telamalloc::server
