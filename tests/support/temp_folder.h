// A folder of a test's own: no other test has it, in this process or in one that runs beside it.
#ifndef TELAMALLOC_TESTS_SUPPORT_TEMP_FOLDER_H_
#define TELAMALLOC_TESTS_SUPPORT_TEMP_FOLDER_H_

#include <string>

#include "absl/strings/string_view.h"

namespace telamalloc::testing {

// Made under the system's folder for such things; removed with all that is in it at the end.
class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  TempFolder(TempFolder&&) = delete;
  TempFolder& operator=(TempFolder&&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  // Writes `text` to the file `name` (folders in between are made). Returns the file's path.
  [[nodiscard]] std::string Write(absl::string_view name, absl::string_view text) const;

 private:
  std::string path_;
};

}  // namespace telamalloc::testing

#endif  // TELAMALLOC_TESTS_SUPPORT_TEMP_FOLDER_H_
