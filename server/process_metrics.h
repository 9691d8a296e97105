// What the kernel knows of this process, under the names that Prometheus's own clients use.
#ifndef TELAMALLOC_SERVER_PROCESS_METRICS_H_
#define TELAMALLOC_SERVER_PROCESS_METRICS_H_

#include <prometheus/metric_family.h>

#include <vector>

namespace telamalloc::server {

// process_cpu_seconds_total, process_resident_memory_bytes, process_virtual_memory_bytes, process_open_fds,
// process_max_fds, process_threads, process_start_time_seconds; what cannot be read is left out.
std::vector<prometheus::MetricFamily> ProcessMetrics();

}  // namespace telamalloc::server

#endif  // TELAMALLOC_SERVER_PROCESS_METRICS_H_
