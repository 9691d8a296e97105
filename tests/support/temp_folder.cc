// mkdtemp picks the name, because ctest runs every test in a process of its own and several at a time: a name
// made of a counter, or of a process id that another container counts too, is shared sooner or later.
#include "support/temp_folder.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "absl/strings/str_cat.h"

namespace telamalloc::testing {

TempFolder::TempFolder() : path_(absl::StrCat(::testing::TempDir(), "/telamalloc.XXXXXX")) {
  if (mkdtemp(path_.data()) == nullptr) std::abort();
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TempFolder::Write(absl::string_view name, absl::string_view text) const {
  const std::string file = absl::StrCat(path_, "/", name);
  std::filesystem::create_directories(std::filesystem::path(file).parent_path());
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.flush();
  EXPECT_TRUE(stream.good()) << file;
  return file;
}

}  // namespace telamalloc::testing
