// Standard streams are files, so that nothing blocks on a full pipe.
#include "client/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace telamalloc {
namespace {

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Runs `command` to its end.
Finished Run(std::vector<std::string> command, const std::string& input, std::vector<std::string> variables) {
  const TemporaryFolder folder;
  posix_spawn_file_actions_t streams;
  posix_spawn_file_actions_init(&streams);
  constexpr int kWrite = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&streams, 0, folder.Write("in", input).c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&streams, 1, folder.Path("out").c_str(), kWrite, 0600);
  posix_spawn_file_actions_addopen(&streams, 2, folder.Path("err").c_str(), kWrite, 0600);
  pid_t pid = 0;
  const int failed = posix_spawn(&pid, command.front().c_str(), &streams, nullptr, Pointers(command).data(),
                                 Pointers(variables).data());
  posix_spawn_file_actions_destroy(&streams);
  if (failed != 0) throw std::runtime_error("cannot start " + command.front());

  int status = 0;
  waitpid(pid, &status, 0);
  return {.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          .out = folder.Read("out"),
          .err = folder.Read("err")};
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  folder_ = (std::filesystem::temp_directory_path() / "telamalloc-XXXXXX").string();
  if (mkdtemp(folder_.data()) == nullptr) throw std::runtime_error("cannot create a temporary folder");
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string TemporaryFolder::Write(const std::string& name, const std::string& text) const {
  std::ofstream(Path(name), std::ios::binary) << text;
  return Path(name);
}

std::string TemporaryFolder::Read(const std::string& name) const {
  std::ostringstream text;
  text << std::ifstream(Path(name), std::ios::binary).rdbuf();
  return text.str();
}

Finished RunCli(const std::vector<std::string>& arguments, const std::string& input,
                const std::vector<std::string>& environment) {
  std::vector<std::string> command = {TELAMALLOC_CLI};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return Run(std::move(command), input, environment);
}

Finished RunShell(const std::string& script) {
  return Run({"/bin/sh", "-c", script}, "", {"CLI=" TELAMALLOC_CLI, "PATH=/usr/bin:/bin"});
}

}  // namespace telamalloc
