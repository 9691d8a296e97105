// From /proc/self. In its stat, fields are counted after the command's name, which stands in parentheses and
// may hold anything, so that they are looked for after the last of those.
#include "server/process_metrics.h"

#include <dirent.h>
#include <prometheus/client_metric.h>
#include <prometheus/metric_family.h>
#include <prometheus/metric_type.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstddef>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace telamalloc::server {
namespace {

// Positions in /proc/self/stat, counted from the state as 0 (field 3 in proc(5)).
constexpr std::size_t kUserTicks = 11;
constexpr std::size_t kSystemTicks = 12;
constexpr std::size_t kThreads = 17;
constexpr std::size_t kStartTicks = 19;
constexpr std::size_t kVirtualBytes = 20;
constexpr std::size_t kResidentPages = 21;

std::string ReadFile(const char* path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

double BootTimeSeconds() {
  for (const absl::string_view line : absl::StrSplit(ReadFile("/proc/stat"), '\n')) {
    double seconds = 0;
    if (line.substr(0, 6) == "btime " && absl::SimpleAtod(line.substr(6), &seconds)) return seconds;
  }
  return 0;
}

std::optional<double> OpenFds() {
  DIR* folder = opendir("/proc/self/fd");
  if (folder == nullptr) return std::nullopt;
  double count = 0;
  while (const dirent* entry = readdir(folder)) count += entry->d_name[0] == '.' ? 0 : 1;
  closedir(folder);
  return count - 1;  // without the one that reads
}

prometheus::MetricFamily Family(const char* name, const char* help, prometheus::MetricType type,
                                double value) {
  prometheus::ClientMetric metric;
  if (type == prometheus::MetricType::Counter) {
    metric.counter.value = value;
  } else {
    metric.gauge.value = value;
  }
  return {.name = name, .help = help, .type = type, .metric = {metric}};
}

}  // namespace

std::vector<prometheus::MetricFamily> ProcessMetrics() {
  using prometheus::MetricType;
  std::vector<prometheus::MetricFamily> families;
  const auto gauge = [&families](const char* name, const char* help, double value) {
    families.push_back(Family(name, help, MetricType::Gauge, value));
  };
  const std::string stat = ReadFile("/proc/self/stat");
  const std::size_t name_end = stat.rfind(") ");
  const std::vector<absl::string_view> fields =
      name_end == std::string::npos ? std::vector<absl::string_view>()
                                    : absl::StrSplit(absl::string_view(stat).substr(name_end + 2), ' ');
  if (fields.size() > kResidentPages) {
    const auto number = [&fields](std::size_t field) {
      double value = 0;
      return absl::SimpleAtod(fields[field], &value) ? value : 0;
    };
    const auto ticks_per_second = static_cast<double>(sysconf(_SC_CLK_TCK));
    families.push_back(Family("process_cpu_seconds_total", "User and system CPU time.", MetricType::Counter,
                              (number(kUserTicks) + number(kSystemTicks)) / ticks_per_second));
    gauge("process_threads", "Threads.", number(kThreads));
    gauge("process_start_time_seconds", "Start of the process, since the epoch.",
          BootTimeSeconds() + number(kStartTicks) / ticks_per_second);
    gauge("process_virtual_memory_bytes", "Virtual memory.", number(kVirtualBytes));
    gauge("process_resident_memory_bytes", "Resident memory.",
          number(kResidentPages) * static_cast<double>(sysconf(_SC_PAGESIZE)));
  }
  if (const std::optional<double> fds = OpenFds()) gauge("process_open_fds", "Open file descriptors.", *fds);
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    gauge("process_max_fds", "Most file descriptors that may be open.", static_cast<double>(limit.rlim_cur));
  }
  return families;
}

}  // namespace telamalloc::server
