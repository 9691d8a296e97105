// A quota holds for a cgroup with all below it, so that every folder on the way up counts. In a container the
// path often names a folder that is not visible inside; the mount's root is then the container's own.
#include "server/cpus.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace telamalloc::server {
namespace {

std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// `quota` of `period` microseconds. "max" and -1 mean none.
std::optional<double> CpusOf(absl::string_view quota, absl::string_view period) {
  double quota_us = 0;
  double period_us = 0;
  if (!absl::SimpleAtod(quota, &quota_us) || !absl::SimpleAtod(period, &period_us)) return std::nullopt;
  if (quota_us <= 0 || period_us <= 0) return std::nullopt;
  return quota_us / period_us;
}

std::optional<double> CpusOfFolderV2(const std::string& folder) {
  const std::string text = ReadFile(absl::StrCat(folder, "/cpu.max"));
  const std::vector<absl::string_view> parts =
      absl::StrSplit(text, absl::ByAnyChar(" \n"), absl::SkipEmpty());
  return parts.size() == 2 ? CpusOf(parts[0], parts[1]) : std::nullopt;
}

std::optional<double> CpusOfFolderV1(const std::string& folder) {
  return CpusOf(ReadFile(absl::StrCat(folder, "/cpu.cfs_quota_us")),
                ReadFile(absl::StrCat(folder, "/cpu.cfs_period_us")));
}

// The least over `path` below `mount` and everything above it.
std::optional<double> LeastUpwards(const std::string& mount, std::string path,
                                   std::optional<double> (*cpus_of)(const std::string&)) {
  std::optional<double> least;
  while (true) {
    const std::optional<double> cpus = cpus_of(absl::StrCat(mount, path));
    if (cpus && (!least || *cpus < *least)) least = cpus;
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) return least;
    path.resize(slash);
  }
}

bool HasController(absl::string_view list, absl::string_view name) {
  const std::vector<absl::string_view> names = absl::StrSplit(list, ',');
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

std::optional<double> CgroupCpus(const std::string& proc_self_cgroup, const std::string& cgroup_root) {
  std::optional<double> least;
  for (const absl::string_view line : absl::StrSplit(proc_self_cgroup, '\n')) {
    // hierarchy:controllers:path, of v2 "0::path"
    const std::vector<std::string> parts = absl::StrSplit(line, absl::MaxSplits(':', 2));
    if (parts.size() != 3) continue;
    std::optional<double> cpus;
    if (parts[1].empty()) {
      cpus = LeastUpwards(cgroup_root, parts[2], CpusOfFolderV2);
    } else if (HasController(parts[1], "cpu")) {
      cpus = LeastUpwards(absl::StrCat(cgroup_root, "/", parts[1]), parts[2], CpusOfFolderV1);
      const std::optional<double> alias =
          LeastUpwards(absl::StrCat(cgroup_root, "/cpu"), parts[2], CpusOfFolderV1);
      if (alias && (!cpus || *alias < *cpus)) cpus = alias;
    }
    if (cpus && (!least || *cpus < *least)) least = cpus;
  }
  return least;
}

int UsableCpus() {
  int cpus = static_cast<int>(std::thread::hardware_concurrency());
  cpu_set_t mask;
  if (sched_getaffinity(0, sizeof(mask), &mask) == 0) cpus = CPU_COUNT(&mask);
  const std::optional<double> quota = CgroupCpus(ReadFile("/proc/self/cgroup"), "/sys/fs/cgroup");
  if (quota && *quota < cpus) cpus = static_cast<int>(std::ceil(*quota));
  return std::max(cpus, 1);
}

}  // namespace telamalloc::server
