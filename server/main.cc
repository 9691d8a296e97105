// telamallocd: reads its settings, serves until SIGTERM or SIGINT, drains, exits 0. A second signal ends it
// at once.
//
// Signals are blocked in every thread and taken by this one with sigwait, so that no handler ever interrupts
// code: shutting gRPC down is nothing a handler may do. The drain runs beside, and ends the wait with a
// signal of its own.
#include <pthread.h>
#include <signal.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "server/flags.h"
#include "server/server.h"

namespace {

using telamalloc::server::Action;
using telamalloc::server::AllocationServer;
using telamalloc::server::Invocation;

constexpr int kBadSettings = 2;
constexpr int kCannotStart = 1;
// As a shell reports a process that a signal ended.
constexpr int kEndedBySignal = 128;
constexpr int kDrained = SIGUSR1;

std::optional<std::string> LookUp(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

// Blocks them in this thread and in all that it starts.
sigset_t BlockSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : {SIGTERM, SIGINT, kDrained}) sigaddset(&signals, number);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

int Await(const sigset_t& signals) {
  int number = 0;
  while (sigwait(&signals, &number) != 0) {
  }
  return number;
}

int Serve(const telamalloc::server::Settings& settings) {
  const sigset_t signals = BlockSignals();
  const absl::StatusOr<std::unique_ptr<AllocationServer>> server = AllocationServer::Start(settings);
  if (!server.ok()) {
    std::cerr << "telamallocd: " << server.status().message() << "\n";
    return kCannotStart;
  }
  while (Await(signals) == kDrained) {
  }
  const pthread_t main_thread = pthread_self();
  std::jthread drain([&server, main_thread] {
    (*server)->Drain();
    pthread_kill(main_thread, kDrained);
  });
  if (const int number = Await(signals); number != kDrained) std::_Exit(kEndedBySignal + number);
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
  // Debian builds Abseil with its checks for deadlocks, all under one lock.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  const absl::StatusOr<Invocation> invocation = telamalloc::server::ReadInvocation(argc, argv, LookUp);
  if (!invocation.ok()) {
    std::cerr << "telamallocd: " << invocation.status().message() << "\n";
    return kBadSettings;
  }
  switch (invocation->action) {
    case Action::kPrintConfig:
      std::cout << telamalloc::server::ConfigFromFlags() << "\n";
      return EXIT_SUCCESS;
    case Action::kValidateConfig:
      std::cout << "settings are valid\n";
      return EXIT_SUCCESS;
    case Action::kServe:
      return Serve(invocation->settings);
  }
}
