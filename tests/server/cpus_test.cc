#include "server/cpus.h"

#include <gtest/gtest.h>

#include <optional>

#include "support/temp_folder.h"

namespace telamalloc::server {
namespace {

using ::telamalloc::testing::TempFolder;

TEST(CgroupCpus, TakesTheLeastQuotaOnTheWayUp) {
  const TempFolder cgroup;
  (void)cgroup.Write("pod/cpu.max", "150000 100000\n");
  (void)cgroup.Write("pod/container/cpu.max", "400000 100000\n");
  EXPECT_EQ(CgroupCpus("0::/pod/container\n", cgroup.path()), 1.5);
  EXPECT_EQ(CgroupCpus("0::/pod/container/absent\n", cgroup.path()), 1.5);
}

TEST(CgroupCpus, TakesNoQuotaForNoLimit) {
  const TempFolder cgroup;
  (void)cgroup.Write("cpu.max", "max 100000\n");
  EXPECT_EQ(CgroupCpus("0::/\n", cgroup.path()), std::nullopt);
  (void)cgroup.Write("cpu.max", "garbage\n");
  EXPECT_EQ(CgroupCpus("0::/\n", cgroup.path()), std::nullopt);
  EXPECT_EQ(CgroupCpus("", cgroup.path()), std::nullopt);
}

TEST(CgroupCpus, SeesTheRootOfAContainer) {
  const TempFolder cgroup;
  (void)cgroup.Write("cpu.max", "50000 100000\n");
  EXPECT_EQ(CgroupCpus("0::/system.slice/docker-1234.scope\n", cgroup.path()), 0.5);
}

TEST(CgroupCpus, ReadsVersionOne) {
  const TempFolder cgroup;
  (void)cgroup.Write("cpu,cpuacct/job/cpu.cfs_quota_us", "300000\n");
  (void)cgroup.Write("cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(CgroupCpus("5:memory:/job\n4:cpu,cpuacct:/job\n", cgroup.path()), 3);
  (void)cgroup.Write("cpu,cpuacct/job/cpu.cfs_quota_us", "-1\n");
  EXPECT_EQ(CgroupCpus("4:cpu,cpuacct:/job\n", cgroup.path()), std::nullopt);
  (void)cgroup.Write("cpu/job/cpu.cfs_quota_us", "200000\n");
  (void)cgroup.Write("cpu/job/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(CgroupCpus("4:cpu,cpuacct:/job\n", cgroup.path()), 2);
}

TEST(UsableCpus, IsAtLeastOne) { EXPECT_GE(UsableCpus(), 1); }

}  // namespace
}  // namespace telamalloc::server
