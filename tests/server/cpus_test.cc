#include "server/cpus.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

namespace telamalloc::server {
namespace {

// A folder that stands for /sys/fs/cgroup.
class CgroupFolder {
 public:
  CgroupFolder() : root_(::testing::TempDir() + "/cgroup." + std::to_string(++count)) {
    std::filesystem::remove_all(root_);
    std::filesystem::create_directories(root_);
  }
  ~CgroupFolder() { std::filesystem::remove_all(root_); }
  CgroupFolder(const CgroupFolder&) = delete;
  CgroupFolder& operator=(const CgroupFolder&) = delete;
  CgroupFolder(CgroupFolder&&) = delete;
  CgroupFolder& operator=(CgroupFolder&&) = delete;

  void Write(const std::string& path, const std::string& text) const {
    const std::filesystem::path file = root_ + "/" + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  [[nodiscard]] const std::string& root() const { return root_; }

 private:
  static inline int count = 0;
  std::string root_;
};

TEST(CgroupCpus, TakesTheLeastQuotaOnTheWayUp) {
  const CgroupFolder cgroup;
  cgroup.Write("pod/cpu.max", "150000 100000\n");
  cgroup.Write("pod/container/cpu.max", "400000 100000\n");
  EXPECT_EQ(CgroupCpus("0::/pod/container\n", cgroup.root()), 1.5);
  EXPECT_EQ(CgroupCpus("0::/pod/container/absent\n", cgroup.root()), 1.5);
}

TEST(CgroupCpus, TakesNoQuotaForNoLimit) {
  const CgroupFolder cgroup;
  cgroup.Write("cpu.max", "max 100000\n");
  EXPECT_EQ(CgroupCpus("0::/\n", cgroup.root()), std::nullopt);
  cgroup.Write("cpu.max", "garbage\n");
  EXPECT_EQ(CgroupCpus("0::/\n", cgroup.root()), std::nullopt);
  EXPECT_EQ(CgroupCpus("", cgroup.root()), std::nullopt);
}

TEST(CgroupCpus, SeesTheRootOfAContainer) {
  const CgroupFolder cgroup;
  cgroup.Write("cpu.max", "50000 100000\n");
  EXPECT_EQ(CgroupCpus("0::/system.slice/docker-1234.scope\n", cgroup.root()), 0.5);
}

TEST(CgroupCpus, ReadsVersionOne) {
  const CgroupFolder cgroup;
  cgroup.Write("cpu,cpuacct/job/cpu.cfs_quota_us", "300000\n");
  cgroup.Write("cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(CgroupCpus("5:memory:/job\n4:cpu,cpuacct:/job\n", cgroup.root()), 3);
  cgroup.Write("cpu,cpuacct/job/cpu.cfs_quota_us", "-1\n");
  EXPECT_EQ(CgroupCpus("4:cpu,cpuacct:/job\n", cgroup.root()), std::nullopt);
  cgroup.Write("cpu/job/cpu.cfs_quota_us", "200000\n");
  cgroup.Write("cpu/job/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(CgroupCpus("4:cpu,cpuacct:/job\n", cgroup.root()), 2);
}

TEST(UsableCpus, IsAtLeastOne) { EXPECT_GE(UsableCpus(), 1); }

}  // namespace
}  // namespace telamalloc::server
