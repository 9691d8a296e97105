# Warnings and sanitizers, through one interface target that every target of ours links privately.
add_library(telamalloc_warnings INTERFACE)
set(warnings
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wold-style-cast -Wnon-virtual-dtor
  -Woverloaded-virtual -Wcast-qual -Wimplicit-fallthrough
  # A field that a designated initialiser leaves out has the default that its declaration documents.
  -Wno-missing-field-initializers
  $<$<CXX_COMPILER_ID:Clang>:-Wthread-safety>
  # GCC 12 warns falsely of operator+ on std::string at -O3.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  $<$<BOOL:${TELAMALLOC_WARNINGS_AS_ERRORS}>:-Werror>)
# The installed package names this target too; there it is empty, since our warnings are for our sources alone.
target_compile_options(telamalloc_warnings INTERFACE "$<BUILD_INTERFACE:${warnings}>")

if(TELAMALLOC_SANITIZE)
  add_compile_options(-fsanitize=${TELAMALLOC_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${TELAMALLOC_SANITIZE})
endif()
