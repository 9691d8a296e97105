// Runs the command line as a process, as a script would.
#ifndef TELAMALLOC_TESTS_CLIENT_PROCESS_H_
#define TELAMALLOC_TESTS_CLIENT_PROCESS_H_

#include <string>
#include <vector>

namespace telamalloc {

struct Finished {
  int exit_code = -1;  // -1: it did not exit by itself
  std::string out;
  std::string err;
};

// An empty folder that is removed with everything in it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  TemporaryFolder(TemporaryFolder&&) = delete;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;

  [[nodiscard]] std::string Path(const std::string& name) const { return folder_ + "/" + name; }
  // Writes a file and returns its path.
  [[nodiscard]] std::string Write(const std::string& name, const std::string& text) const;
  [[nodiscard]] std::string Read(const std::string& name) const;

 private:
  std::string folder_;
};

// telamalloc `arguments`, with `input` on stdin and `environment` ("NAME=value") in place of ours.
Finished RunCli(const std::vector<std::string>& arguments, const std::string& input = "",
                const std::vector<std::string>& environment = {});

// A script for /bin/sh, in which "$CLI" is telamalloc: for what only a shell sets up.
Finished RunShell(const std::string& script);

}  // namespace telamalloc

#endif  // TELAMALLOC_TESTS_CLIENT_PROCESS_H_
