// The project's own files as text, for checks on how they are laid out.
#ifndef TELAMALLOC_TESTS_LAYERING_SOURCE_TREE_H_
#define TELAMALLOC_TESTS_LAYERING_SOURCE_TREE_H_

#include <filesystem>
#include <string>
#include <vector>

namespace telamalloc::layering {

struct SourceFile {
  std::string path;  // from the root of the project, with '/'
  std::vector<std::string> lines;
};

// Every file that people write by hand below the project's folders (sources, headers, protos, build files,
// scripts), ordered by path. Data, pictures, documents and build results are left out.
std::vector<SourceFile> ReadSourceTree(const std::filesystem::path& root);

}  // namespace telamalloc::layering

#endif  // TELAMALLOC_TESTS_LAYERING_SOURCE_TREE_H_
