// Series are looked up once, at the start, and then reached by position: counting takes no lock on a map.
#include "server/metrics.h"

#include <grpcpp/support/status.h>
#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "server/deadline.h"
#include "server/errors.h"
#include "server/process_metrics.h"
#include "telamalloc/solver.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc::server {
namespace {

using prometheus::BuildCounter;
using prometheus::BuildGauge;
using prometheus::BuildHistogram;
using prometheus::Counter;
using prometheus::Gauge;
using prometheus::Histogram;
using prometheus::Labels;
using prometheus::Registry;

constexpr std::size_t kCodeCount = 17;
constexpr std::array<absl::string_view, kAllRpcs.size()> kRpcNames = {"SolveAllocation", "VerifyAllocation",
                                                                      "GetCapabilities"};
// Those that a result can have.
constexpr std::array kStopReasons = {v1::STOP_REASON_COMPLETED, v1::STOP_REASON_TIME, v1::STOP_REASON_NODES,
                                     v1::STOP_REASON_OVERLOAD, v1::STOP_REASON_DRAIN};
constexpr std::array kOutcomes = {v1::OUTCOME_OPTIMAL, v1::OUTCOME_FEASIBLE, v1::OUTCOME_INFEASIBLE,
                                  v1::OUTCOME_NO_SOLUTION_FOUND};
constexpr std::array kMethods = {v1::METHOD_UNSPECIFIED, v1::METHOD_LOAD_BOUND, v1::METHOD_GREEDY,
                                 v1::METHOD_TELAMALLOC, v1::METHOD_EXACT};
// Why a fallback was sent: the stop reasons that have one, and their names.
constexpr std::array kFallbackCauses = {v1::STOP_REASON_TIME, v1::STOP_REASON_OVERLOAD,
                                        v1::STOP_REASON_DRAIN};
constexpr std::array kFallbackNames = {"time", "overload", "drain"};

double Seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

Histogram::BucketBoundaries DurationBuckets() {
  return {0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
          0.25,   0.5,     1,      2.5,   5,      10,    25,   60,    300};
}

// Position of `value` in `table`; the last one if it is not there.
template <typename Table, typename Value>
std::size_t IndexIn(const Table& table, Value value) {
  std::size_t index = 0;
  while (index + 1 < table.size() && table[index] != value) ++index;
  return index;
}

// "COMPLETED" of STOP_REASON_COMPLETED.
std::string Without(absl::string_view prefix, const std::string& name) { return name.substr(prefix.size()); }

Counter& MakeCounter(Registry& registry, const char* name, const char* help) {
  return BuildCounter().Name(name).Help(help).Register(registry).Add({});
}

Gauge& MakeGauge(Registry& registry, const char* name, const char* help) {
  return BuildGauge().Name(name).Help(help).Register(registry).Add({});
}

Histogram& MakeHistogram(Registry& registry, const char* name, const char* help) {
  return BuildHistogram().Name(name).Help(help).Register(registry).Add({}, DurationBuckets());
}

}  // namespace

absl::string_view Name(Rpc rpc) { return kRpcNames.at(static_cast<std::size_t>(rpc)); }

struct Metrics::Series {
  Series() {
    AddRequests();
    AddResults();
  }

  void AddRequests() {
    auto& by_code = BuildCounter()
                        .Name("telamalloc_requests_total")
                        .Help("Requests answered, by RPC and status code.")
                        .Register(registry);
    auto& durations = BuildHistogram()
                          .Name("telamalloc_request_duration_seconds")
                          .Help("Arrival of a request until its reply was handed to gRPC.")
                          .Register(registry);
    for (const Rpc rpc : kAllRpcs) {
      const std::string name(Name(rpc));
      for (std::size_t code = 0; code < kCodeCount; ++code) {
        const std::string code_name(server::Name(static_cast<grpc::StatusCode>(code)));
        requests.at(static_cast<std::size_t>(rpc)).at(code) =
            &by_code.Add({{"rpc", name}, {"code", code_name}});
      }
      request_durations.at(static_cast<std::size_t>(rpc)) =
          &durations.Add({{"rpc", name}}, DurationBuckets());
    }
    auto& by_reason = BuildCounter()
                          .Name("telamalloc_errors_total")
                          .Help("Requests answered with an error of the server's own, by reason.")
                          .Register(registry);
    for (const Reason reason : kAllReasons) {
      errors.at(static_cast<std::size_t>(reason)) =
          &by_reason.Add({{"reason", absl::StrCat(server::Name(reason))}});
    }
  }

  void AddResults() {
    auto& by_outcome = BuildCounter()
                           .Name("telamalloc_results_total")
                           .Help("Results sent, by outcome and by the method that produced them.")
                           .Register(registry);
    for (std::size_t outcome = 0; outcome < kOutcomes.size(); ++outcome) {
      for (std::size_t method = 0; method < kMethods.size(); ++method) {
        results.at(outcome).at(method) =
            &by_outcome.Add({{"outcome", Without("OUTCOME_", v1::Outcome_Name(kOutcomes.at(outcome)))},
                             {"method", Without("METHOD_", v1::Method_Name(kMethods.at(method)))}});
      }
    }
    auto& by_stop = BuildCounter()
                        .Name("telamalloc_stop_reasons_total")
                        .Help("Results sent, by why the search stopped.")
                        .Register(registry);
    for (std::size_t stop = 0; stop < kStopReasons.size(); ++stop) {
      stops.at(stop) =
          &by_stop.Add({{"reason", Without("STOP_REASON_", v1::StopReason_Name(kStopReasons.at(stop)))}});
    }
    auto& by_cause =
        BuildCounter()
            .Name("telamalloc_fallbacks_total")
            .Help("Results sent that were the best at hand instead of a finished search, by cause.")
            .Register(registry);
    for (std::size_t cause = 0; cause < kFallbackCauses.size(); ++cause) {
      fallbacks.at(cause) = &by_cause.Add({{"cause", kFallbackNames.at(cause)}});
    }
    BuildGauge()
        .Name("telamalloc_build_info")
        .Help("1, labelled with the version.")
        .Register(registry)
        .Add({{"version", absl::StrCat(SolverVersion())}})
        .Set(1);
  }

  Registry registry;
  std::array<std::array<Counter*, kCodeCount>, kAllRpcs.size()> requests{};
  std::array<Histogram*, kAllRpcs.size()> request_durations{};
  std::array<Counter*, kAllReasons.size()> errors{};
  std::array<std::array<Counter*, kMethods.size()>, kOutcomes.size()> results{};
  std::array<Counter*, kStopReasons.size()> stops{};
  std::array<Counter*, kFallbackCauses.size()> fallbacks{};

  Counter& over_capacity = MakeCounter(registry, "telamalloc_over_capacity_results_total",
                                       "Results sent whose placement does not fit the capacity.");
  Counter& late = MakeCounter(registry, "telamalloc_late_replies_total",
                              "Replies that were ready only after the caller's deadline.");
  Counter& verification_failures =
      MakeCounter(registry, "telamalloc_verification_failures_total",
                  "Placements that failed verification and were withheld. Always 0 unless there is a bug.");
  Counter& nodes =
      MakeCounter(registry, "telamalloc_search_nodes_total", "Search decisions taken by finished solves.");
  Counter& minor_backtracks = MakeCounter(registry, "telamalloc_minor_backtracks_total",
                                          "Placements undone with the next one tried.");
  Counter& major_backtracks =
      MakeCounter(registry, "telamalloc_major_backtracks_total", "Jumps to an earlier decision.");
  Histogram& queue_wait = MakeHistogram(registry, "telamalloc_queue_wait_seconds",
                                        "Arrival of a request until a worker took it.");
  Histogram& solve_duration =
      MakeHistogram(registry, "telamalloc_solve_duration_seconds", "Time of a solve on a worker.");
  Histogram& reply_slack = MakeHistogram(registry, "telamalloc_reply_slack_seconds",
                                         "Reply until the caller's deadline, where there was one.");
  Gauge& queue_entries = MakeGauge(registry, "telamalloc_queue_depth", "Requests that wait for a worker.");
  Gauge& queue_bytes =
      MakeGauge(registry, "telamalloc_queue_bytes", "Estimated memory of the requests that wait.");
  Gauge& queue_capacity =
      MakeGauge(registry, "telamalloc_queue_capacity", "Most requests that may wait for a worker.");
  Gauge& intake_entries =
      MakeGauge(registry, "telamalloc_intake_depth", "Requests that wait to be read and placed greedily.");
  Gauge& in_flight =
      MakeGauge(registry, "telamalloc_requests_in_flight", "Requests that arrived and are not finished.");
  Gauge& workers = MakeGauge(registry, "telamalloc_workers", "Solver threads.");
  Gauge& workers_busy = MakeGauge(registry, "telamalloc_workers_busy", "Solver threads at work.");
  Gauge& reply_margin = MakeGauge(registry, "telamalloc_reply_margin_seconds",
                                  "How long before the deadline a reply leaves, as learnt so far.");
  Gauge& ready = MakeGauge(registry, "telamalloc_ready", "1 while ready, 0 while starting or draining.");
};

Metrics::Metrics() : series_(std::make_unique<Series>()) {}
Metrics::~Metrics() = default;

void Metrics::CountRequest(Rpc rpc, grpc::StatusCode code, Duration duration) {
  const auto index = static_cast<std::size_t>(rpc);
  series_->requests.at(index).at(static_cast<std::size_t>(code))->Increment();
  series_->request_durations.at(index)->Observe(Seconds(duration));
}

void Metrics::CountError(Reason reason) {
  series_->errors.at(static_cast<std::size_t>(reason))->Increment();
  if (reason == Reason::kVerificationFailed) series_->verification_failures.Increment();
}

void Metrics::CountResult(const v1::AllocationResult& result) {
  series_->results.at(IndexIn(kOutcomes, result.outcome()))
      .at(IndexIn(kMethods, result.method()))
      ->Increment();
  series_->stops.at(IndexIn(kStopReasons, result.stop_reason()))->Increment();
  if (result.provenance() == v1::PROVENANCE_FALLBACK) {
    series_->fallbacks.at(IndexIn(kFallbackCauses, result.stop_reason()))->Increment();
  }
  if (result.over_capacity()) series_->over_capacity.Increment();
}

void Metrics::CountSlack(Duration slack) {
  series_->reply_slack.Observe(Seconds(slack));
  if (slack < Duration::zero()) series_->late.Increment();
}

void Metrics::CountQueueWait(Duration wait) { series_->queue_wait.Observe(Seconds(wait)); }

void Metrics::CountSolve(Duration duration, const SolveStats& stats) {
  series_->solve_duration.Observe(Seconds(duration));
  series_->nodes.Increment(static_cast<double>(stats.nodes));
  series_->minor_backtracks.Increment(static_cast<double>(stats.minor_backtracks));
  series_->major_backtracks.Increment(static_cast<double>(stats.major_backtracks));
}

std::string Metrics::Render(const Levels& levels) {
  series_->queue_entries.Set(static_cast<double>(levels.queue_entries));
  series_->queue_bytes.Set(static_cast<double>(levels.queue_bytes));
  series_->queue_capacity.Set(static_cast<double>(levels.queue_capacity));
  series_->intake_entries.Set(static_cast<double>(levels.intake_entries));
  series_->in_flight.Set(static_cast<double>(levels.in_flight));
  series_->workers.Set(static_cast<double>(levels.workers));
  series_->workers_busy.Set(static_cast<double>(levels.workers_busy));
  series_->reply_margin.Set(Seconds(levels.reply_margin));
  series_->ready.Set(levels.ready ? 1 : 0);
  std::vector<prometheus::MetricFamily> families = series_->registry.Collect();
  for (prometheus::MetricFamily& family : ProcessMetrics()) families.push_back(std::move(family));
  return prometheus::TextSerializer().Serialize(families);
}

}  // namespace telamalloc::server
