# SPDX-License-Identifier: MIT
# `cpack -G DEB`: hqe, the command with its manual, completion, documentation and demo pool; libhqe-dev, the library.
set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL command development)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_CONTACT "The HQE developers <hqe@example.org>")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME hqe)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_COMMAND_DESCRIPTION "Finds the small team of trained classifiers worth shipping, from their
predictions alone, and says how far that can be trusted.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libhqe-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libfmt-dev, zlib1g-dev")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Headers, a static library and a CMake package of the engine behind hqe.")

# Debian wants a copyright and a changelog in each package, under its name.
file(READ ${PROJECT_SOURCE_DIR}/LICENSE hqe_licence)
string(REGEX REPLACE "\n\n" "\n.\n" hqe_licence "${hqe_licence}")
string(REGEX REPLACE "\n([^\n])" "\n \\1" hqe_licence "${hqe_licence}")
file(WRITE ${PROJECT_BINARY_DIR}/copyright
     "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: hqe\n\nFiles: *\n"
     "Copyright: 2026 The HQE developers\nLicense: Expat\n ${hqe_licence}")
file(WRITE ${PROJECT_BINARY_DIR}/changelog
     "hqe (${PROJECT_VERSION}) unstable; urgency=medium\n\n  * What is new is in CHANGELOG.md beside this file.\n\n"
     " -- ${CPACK_PACKAGE_CONTACT}  Sat, 01 Jan 2000 00:00:00 +0000\n")
execute_process(COMMAND gzip -9nf ${PROJECT_BINARY_DIR}/changelog COMMAND_ERROR_IS_FATAL ANY)
foreach(pair "command;hqe" "development;libhqe-dev")
  list(GET pair 0 component)
  list(GET pair 1 package)
  install(FILES ${PROJECT_BINARY_DIR}/copyright ${PROJECT_BINARY_DIR}/changelog.gz ${PROJECT_SOURCE_DIR}/CHANGELOG.md
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/hqe COMPONENT command)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/hqe/docs
        COMPONENT command FILES_MATCHING PATTERN "*.md" PATTERN "*.svg")
include(CPack)
