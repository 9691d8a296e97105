# What `cmake --install` installs, and the package that find_package(telamalloc) finds.
#
#   component core    libtelamalloc and its public headers; needs Abseil only
#   component client  the client library and its public header; needs gRPC and protobuf too
#   component tools   telamallocd and telamalloc
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/telamalloc)

# telamalloc_install(COMPONENT core TARGETS telamalloc ...)
#
# Library targets with their public headers, exported as telamalloc::<name without the prefix telamalloc_>.
function(telamalloc_install)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "COMPONENT" "TARGETS")
  foreach(target IN LISTS arg_TARGETS)
    string(REGEX REPLACE "^telamalloc_" "" export_name ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${export_name})
    get_target_property(header_sets ${target} INTERFACE_HEADER_SETS)
    set(headers)
    if(header_sets)
      set(headers FILE_SET HEADERS COMPONENT ${arg_COMPONENT})
    endif()
    install(TARGETS ${target} EXPORT telamalloc-${arg_COMPONENT}
      ARCHIVE COMPONENT ${arg_COMPONENT}
      LIBRARY COMPONENT ${arg_COMPONENT}
      ${headers})
  endforeach()
  install(EXPORT telamalloc-${arg_COMPONENT} NAMESPACE telamalloc:: DESTINATION ${package_dir}
    COMPONENT ${arg_COMPONENT})
endfunction()

telamalloc_install(COMPONENT core TARGETS telamalloc telamalloc_warnings)
if(TELAMALLOC_BUILD_SERVICE)
  telamalloc_install(COMPONENT client TARGETS telamalloc_client telamalloc_convert telamalloc_proto)
  install(TARGETS telamallocd telamalloc_cli RUNTIME COMPONENT tools)
  # For clients in other languages.
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/proto/telamalloc DESTINATION ${CMAKE_INSTALL_DATADIR}/telamalloc/proto
    COMPONENT client FILES_MATCHING PATTERN "*.proto")
endif()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/telamallocConfig.cmake.in
  ${PROJECT_BINARY_DIR}/telamallocConfig.cmake INSTALL_DESTINATION ${package_dir}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/telamallocConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/telamallocConfig.cmake
  ${PROJECT_BINARY_DIR}/telamallocConfigVersion.cmake
  DESTINATION ${package_dir} COMPONENT core)
