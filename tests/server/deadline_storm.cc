// Measures whether a server answers in time when it has far more to do than it can: a program to run by hand.
//
//   telamallocd &
//   deadline_storm --server=127.0.0.1:50551 --pid=$! --in_flight=2000 --seconds=10
//
// Keeps so many SolveAllocation calls in flight, of problems that the engine asked for does not solve, half
// with 80 buffers and half with 300, with deadlines from 100 ms to 4 s in turn. Waves (--waves) send all of
// them at once and wait for all; otherwise each answer is followed by the next call. A call is late if it
// ends here after its deadline, for whatever reason: this program, too, has to get the time to notice.
//
// Calls are serialised once, and answers read and verified after the storm, so that the program itself costs
// little.
#include <google/rpc/error_details.pb.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/impl/codegen/proto_utils.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/channel_arguments.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "server/test_server.h"
#include "telamalloc/problem.h"
#include "telamalloc/v1/allocation_service.pb.h"

ABSL_FLAG(std::string, server, "127.0.0.1:50551", "host:port");
ABSL_FLAG(int, pid, 0, "the server's process, to count its threads; 0: do not");
ABSL_FLAG(int, in_flight, 2000, "calls at a time");
ABSL_FLAG(int, channels, 2, "connections");
ABSL_FLAG(int, seconds, 10, "how long to keep them in flight");
ABSL_FLAG(int, ramp_ms, 1000, "over which the first calls are spread");
ABSL_FLAG(int, waves, 0, "instead: how often to send them all at once");
ABSL_FLAG(std::string, solver, "telamalloc", "engine asked for");

namespace telamalloc::server {
namespace {

using SteadyClock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::array kDeadlines = {milliseconds(100), milliseconds(150),  milliseconds(250),
                                   milliseconds(500), milliseconds(1000), milliseconds(2000),
                                   milliseconds(4000)};
constexpr std::array kSizes = {80, 300};
constexpr int kProblemsPerSize = 8;

struct Case {
  Problem problem;
  grpc::ByteBuffer request;
};

struct Ended {
  std::size_t problem = 0;
  std::size_t deadline = 0;
  SteadyClock::duration slack{};  // until the deadline; negative: late
  grpc::Status status;
  grpc::ByteBuffer response;
};

struct Call {
  grpc::ClientContext context;
  SteadyClock::time_point due;
  Ended ended;
};

std::vector<Case> MakeCases() {
  std::vector<Case> cases;
  for (int k = 0; k < kProblemsPerSize; ++k) {
    for (const int size : kSizes) {
      Case& made = cases.emplace_back();
      made.problem = HardProblem(static_cast<std::uint64_t>(k), size);
      v1::SolveAllocationRequest request = RequestFor(made.problem);
      request.mutable_options()->set_solver(absl::GetFlag(FLAGS_solver));
      bool own = false;
      grpc::SerializationTraits<v1::SolveAllocationRequest>::Serialize(request, &made.request, &own);
    }
  }
  return cases;
}

// Threads of a process, as the kernel counts them.
int ThreadsOf(int pid) {
  std::ifstream status(absl::StrCat("/proc/", pid, "/status"));
  std::string line;
  while (std::getline(status, line)) {
    if (absl::StartsWith(line, "Threads:")) return std::atoi(line.c_str() + line.find(':') + 1);
  }
  return 0;
}

class Storm {
 public:
  Storm() : cases_(MakeCases()) {
    for (int k = 0; k < absl::GetFlag(FLAGS_channels); ++k) {
      grpc::ChannelArguments arguments;
      arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
      arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
      channels_.push_back(grpc::CreateCustomChannel(absl::GetFlag(FLAGS_server),
                                                    grpc::InsecureChannelCredentials(), arguments));
      channels_.back()->WaitForConnected(std::chrono::system_clock::now() + std::chrono::seconds(10));
      stubs_.push_back(std::make_unique<grpc::GenericStub>(channels_.back()));
    }
  }

  // Sends `count` calls, spread over `ramp`; until `span` is over, each that ends is followed by another.
  void Run(int count, SteadyClock::duration ramp, SteadyClock::duration span) {
    const SteadyClock::time_point start = SteadyClock::now();
    stop_ = start + span;
    for (int k = 0; k < count; ++k) {
      if (ramp > SteadyClock::duration::zero()) std::this_thread::sleep_until(start + ramp * k / count);
      Send();
    }
  }

  void Wait() {
    while (pending_ > 0) std::this_thread::sleep_for(milliseconds(1));
  }

  std::vector<Ended> Take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(ended_, {});
  }

  [[nodiscard]] const Problem& problem(std::size_t k) const { return cases_[k].problem; }

 private:
  void Send() {
    const int number = next_++;
    auto* call = new Call;
    call->ended.problem = static_cast<std::size_t>(number) % cases_.size();
    call->ended.deadline = static_cast<std::size_t>(number) % kDeadlines.size();
    const milliseconds span = kDeadlines.at(call->ended.deadline);
    ++pending_;
    call->due = SteadyClock::now() + span;
    call->context.set_deadline(std::chrono::system_clock::now() + span);
    grpc::GenericStub& stub = *stubs_[static_cast<std::size_t>(number) % stubs_.size()];
    stub.UnaryCall(&call->context, "/telamalloc.v1.AllocationService/SolveAllocation", {},
                   &cases_[call->ended.problem].request, &call->ended.response,
                   [this, call](grpc::Status status) { End(call, std::move(status)); });
  }

  void End(Call* call, grpc::Status status) {
    const SteadyClock::time_point now = SteadyClock::now();
    call->ended.slack = call->due - now;
    call->ended.status = std::move(status);
    {
      const std::lock_guard lock(mutex_);
      ended_.push_back(std::move(call->ended));
    }
    delete call;
    if (now < stop_.load()) Send();
    --pending_;
  }

  std::vector<Case> cases_;
  std::vector<std::shared_ptr<grpc::Channel>> channels_;
  std::vector<std::unique_ptr<grpc::GenericStub>> stubs_;
  std::atomic<SteadyClock::time_point> stop_;
  std::atomic<int> next_{0};
  std::atomic<int> pending_{0};
  std::mutex mutex_;
  std::vector<Ended> ended_;
};

struct Row {
  std::map<std::string, int> kinds;
  int late = 0;
  double least_slack_ms = 1e9;
};

// "ok TIME", "shed", ...
std::string KindOf(const Storm& storm, const Ended& ended) {
  if (!ended.status.ok()) {
    const std::string reason = ReasonOf(ended.status);
    return reason.empty() ? absl::StrCat("code ", ended.status.error_code()) : reason;
  }
  v1::SolveAllocationResponse response;
  grpc::ByteBuffer bytes = ended.response;
  if (!grpc::SerializationTraits<v1::SolveAllocationResponse>::Deserialize(&bytes, &response).ok())
    return "unreadable";
  const v1::AllocationResult& result = response.result();
  if (!IsSound(storm.problem(ended.problem), result)) return "UNSOUND";
  return v1::StopReason_Name(result.stop_reason()).substr(std::string("STOP_REASON_").size());
}

void Print(const Storm& storm, const std::vector<Ended>& all) {
  std::array<Row, kDeadlines.size()> rows;
  for (const Ended& ended : all) {
    Row& row = rows.at(ended.deadline);
    ++row.kinds[KindOf(storm, ended)];
    if (ended.slack < SteadyClock::duration::zero()) ++row.late;
    row.least_slack_ms =
        std::min(row.least_slack_ms, std::chrono::duration<double, std::milli>(ended.slack).count());
  }
  int late = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Row& row = rows.at(k);
    std::cout << absl::StrFormat("%5d ms: late %d, least slack %.1f ms;", kDeadlines.at(k).count(), row.late,
                                 row.least_slack_ms);
    for (const auto& [kind, count] : row.kinds) std::cout << " " << kind << " " << count;
    std::cout << "\n";
    late += row.late;
  }
  std::cout << "calls " << all.size() << ", late " << late << std::endl;
}

int Main() {
  Storm storm;
  const int pid = absl::GetFlag(FLAGS_pid);
  const int many = absl::GetFlag(FLAGS_in_flight);
  const auto threads = [&] { return pid == 0 ? 0 : ThreadsOf(pid); };
  storm.Run(1, milliseconds(0), milliseconds(0));
  std::this_thread::sleep_for(milliseconds(20));
  std::cout << "threads of the server with 1 in flight: " << threads() << std::endl;
  storm.Wait();
  storm.Take();
  std::vector<Ended> all;
  int most_threads = 0;
  if (absl::GetFlag(FLAGS_waves) > 0) {
    for (int wave = 0; wave < absl::GetFlag(FLAGS_waves); ++wave) {
      storm.Run(many, milliseconds(0), milliseconds(0));
      most_threads = std::max(most_threads, threads());
      storm.Wait();
      for (Ended& ended : storm.Take()) all.push_back(std::move(ended));
      std::this_thread::sleep_for(milliseconds(300));
    }
  } else {
    const auto span = std::chrono::seconds(absl::GetFlag(FLAGS_seconds));
    const auto end = SteadyClock::now() + span;
    storm.Run(many, milliseconds(absl::GetFlag(FLAGS_ramp_ms)), span);
    while (SteadyClock::now() < end) {
      most_threads = std::max(most_threads, threads());
      std::this_thread::sleep_for(milliseconds(50));
    }
    storm.Wait();
    all = storm.Take();
  }
  std::cout << "most threads with " << many << " in flight: " << most_threads << std::endl;
  Print(storm, all);
  return 0;
}

}  // namespace
}  // namespace telamalloc::server

int main(int argc, char** argv) {
  absl::ParseCommandLine(argc, argv);
  return telamalloc::server::Main();
}
