# SPDX-License-Identifier: MIT
# What `cmake --install` puts where: the library with its public headers and a package that
# find_package(hqe) finds, the command, and the demo pool beside it. The tree may be moved.
include(CMakePackageConfigHelpers)

set(hqe_package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/hqe)

install(TARGETS hqe EXPORT hqe-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(EXPORT hqe-targets NAMESPACE hqe:: DESTINATION ${hqe_package_folder} COMPONENT development)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/hqe-config.cmake.in
  ${PROJECT_BINARY_DIR}/hqe-config.cmake INSTALL_DESTINATION ${hqe_package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/hqe-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/hqe-config.cmake ${PROJECT_BINARY_DIR}/hqe-config-version.cmake
  DESTINATION ${hqe_package_folder} COMPONENT development)

if(TARGET hqe_cli)
  install(TARGETS hqe_cli DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT command)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/fashion-mnist/
    DESTINATION ${CMAKE_INSTALL_DATADIR}/hqe/demo COMPONENT command)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT command)

# Manual pages and completion are what the command says of itself; another processor's cannot be asked here.
if(TARGET hqe_cli AND NOT CMAKE_CROSSCOMPILING)
  install(CODE "set(hqe \"$<TARGET_FILE:hqe_cli>\")\ninclude(\"${CMAKE_CURRENT_LIST_DIR}/InstallManners.cmake\")"
          COMPONENT command)
endif()

if(PROJECT_IS_TOP_LEVEL)
  include(HqePackages)
endif()
