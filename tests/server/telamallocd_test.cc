// The program as a process: starts, says where it listens, ends by signal.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace {

// telamallocd with its standard error in a pipe.
class Process {
 public:
  explicit Process(std::vector<std::string> arguments) {
    std::array<int, 2> pipe_ends{};
    EXPECT_EQ(pipe(pipe_ends.data()), 0);
    pid_ = fork();
    if (pid_ == 0) {
      dup2(pipe_ends[1], STDERR_FILENO);
      dup2(pipe_ends[1], STDOUT_FILENO);
      close(pipe_ends[0]);
      arguments.insert(arguments.begin(), TELAMALLOCD);
      std::vector<char*> argv;
      argv.reserve(arguments.size() + 1);
      for (std::string& argument : arguments) argv.push_back(argument.data());
      argv.push_back(nullptr);
      execv(TELAMALLOCD, argv.data());
      _exit(127);
    }
    close(pipe_ends[1]);
    output_ = pipe_ends[0];
  }
  ~Process() {
    if (!ended_) kill(pid_, SIGKILL);
    if (!ended_) waitpid(pid_, nullptr, 0);
    close(output_);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  Process(Process&&) = delete;
  Process& operator=(Process&&) = delete;

  // Reads until `text` was seen or the output ends; all that was read.
  const std::string& ReadUntil(const std::string& text) {
    std::array<char, 512> chunk{};
    while (seen_.find(text) == std::string::npos) {
      const ssize_t count = read(output_, chunk.data(), chunk.size());
      if (count <= 0) break;
      seen_.append(chunk.data(), static_cast<std::size_t>(count));
    }
    return seen_;
  }
  void Signal(int number) const { kill(pid_, number); }
  // Waits for the end.
  int ExitCode() {
    int status = 0;
    waitpid(pid_, &status, 0);
    ended_ = true;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

 private:
  pid_t pid_ = -1;
  int output_ = -1;
  bool ended_ = false;
  std::string seen_;
};

std::vector<std::string> FreePorts() {
  return {"--listen_address=127.0.0.1:0", "--admin_address=127.0.0.1:0"};
}

std::vector<std::string> FreePortsAnd(const std::string& flag) {
  std::vector<std::string> flags = FreePorts();
  flags.push_back(flag);
  return flags;
}

TEST(Telamallocd, DrainsAtTheFirstSignal) {
  for (const int signal : {SIGTERM, SIGINT}) {
    Process process(FreePorts());
    ASSERT_NE(process.ReadUntil("started").find("started"), std::string::npos);
    process.Signal(signal);
    EXPECT_NE(process.ReadUntil("stopped").find("stopped"), std::string::npos);
    EXPECT_EQ(process.ExitCode(), 0);
  }
}

TEST(Telamallocd, EndsAtOnceAtTheSecond) {
  Process process(FreePortsAnd("--predrain=1h"));
  ASSERT_NE(process.ReadUntil("started").find("started"), std::string::npos);
  process.Signal(SIGTERM);
  ASSERT_NE(process.ReadUntil("draining").find("draining"), std::string::npos);
  process.Signal(SIGTERM);
  EXPECT_EQ(process.ExitCode(), 128 + SIGTERM);
}

TEST(Telamallocd, SaysItsVersionAndItsSettings) {
  Process version({"--version"});
  EXPECT_NE(version.ReadUntil("telamallocd ").find("telamallocd "), std::string::npos);
  EXPECT_EQ(version.ExitCode(), 0);
  Process config({"--print_config", "--workers=7"});
  EXPECT_NE(config.ReadUntil("}").find("\"workers\": 7"), std::string::npos);
  EXPECT_EQ(config.ExitCode(), 0);
  Process valid({"--validate_config"});
  EXPECT_EQ(valid.ExitCode(), 0);
}

TEST(Telamallocd, RefusesBadSettings) {
  Process range({"--validate_config", "--workers=-1"});
  EXPECT_NE(range.ReadUntil("got -1").find("workers: must lie in"), std::string::npos);
  EXPECT_EQ(range.ExitCode(), 2);
  Process address({"--listen_address=127.0.0.1:0", "--admin_address=nowhere:1"});
  EXPECT_NE(address.ReadUntil("nowhere:1").find("admin_address"), std::string::npos);
  EXPECT_EQ(address.ExitCode(), 1);
}

}  // namespace
