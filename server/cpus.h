// How many cores this process may use.
#ifndef TELAMALLOC_SERVER_CPUS_H_
#define TELAMALLOC_SERVER_CPUS_H_

#include <optional>
#include <string>

namespace telamalloc::server {

// The least of the cores in the affinity mask and the quota of every cgroup above the process (v2 cpu.max, v1
// cpu.cfs_quota_us), a part of a core counting as one; at least 1. What cannot be read does not limit.
int UsableCpus();

// The quota part alone: cores, or unset without one. `proc_self_cgroup` is the text of that file,
// `cgroup_root` the folder where the cgroup file systems are mounted.
std::optional<double> CgroupCpus(const std::string& proc_self_cgroup, const std::string& cgroup_root);

}  // namespace telamalloc::server

#endif  // TELAMALLOC_SERVER_CPUS_H_
