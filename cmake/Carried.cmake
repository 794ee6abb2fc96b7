# SPDX-License-Identifier: MIT
# The libraries HQE is made of, out of a folder that scripts/packing/carried.py made, not off this system: for a
# command that needs no other file, for another processor, for an older C library.
#
#   cmake -DCMAKE_PROJECT_TOP_LEVEL_INCLUDES=cmake/Carried.cmake -DHQE_CARRIED=FOLDER
#
# FOLDER/zlib and FOLDER/fmt are sources, compiled here; FOLDER/include has the headers of the others, for
# compilers that do not look into /usr/include.
set(HQE_INSTALL OFF CACHE BOOL "Of what is carried no package is made")
option(HQE_CARRIED_HEADERS "The compiler does not find the system's headers" OFF)

set(hqe_zlib_sources adler32 crc32 inffast inflate inftrees zutil deflate trees compress)

function(hqe_carry target)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  if(HQE_CARRIED_HEADERS)
    target_include_directories(${target} SYSTEM INTERFACE ${HQE_CARRIED}/include)
  endif()
endfunction()

macro(hqe_provide method package)
  set(${package}_FOUND TRUE)
  if("${package}" STREQUAL "ZLIB")
    enable_language(C)
    list(TRANSFORM hqe_zlib_sources REPLACE "(.+)" "${HQE_CARRIED}/zlib/\\1.c")
    add_library(hqe_carried_zlib STATIC EXCLUDE_FROM_ALL ${hqe_zlib_sources})
    # Not where the system's own does: with one more folder the compiler's cache would find nothing.
    if(HQE_CARRIED_HEADERS OR CMAKE_CROSSCOMPILING)
      target_include_directories(hqe_carried_zlib SYSTEM INTERFACE ${HQE_CARRIED}/zlib)
    endif()
    set_target_properties(hqe_carried_zlib PROPERTIES POSITION_INDEPENDENT_CODE ON)
    add_library(ZLIB::ZLIB ALIAS hqe_carried_zlib)
  elseif("${package}" STREQUAL "fmt")
    hqe_carry(fmt_headers)
    add_library(hqe_carried_fmt STATIC EXCLUDE_FROM_ALL ${HQE_CARRIED}/fmt/src/format.cc)
    target_link_libraries(hqe_carried_fmt PUBLIC fmt_headers)
    # As Debian's own does, so that the compiler's cache finds what it compiled for the shared library.
    target_compile_definitions(hqe_carried_fmt INTERFACE FMT_SHARED)
    set_target_properties(hqe_carried_fmt PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_STANDARD 20)
    add_library(fmt::fmt ALIAS hqe_carried_fmt)
  elseif("${package}" MATCHES "^(nlohmann_json|tomlplusplus|hwy|CLI11|doctest)$")
    hqe_carry(${package}::${package})
  else()
    unset(${package}_FOUND)
    find_package(${package} ${ARGN} BYPASS_PROVIDER)
  endif()
endmacro()
# A command of one file is to be small, and a wheel: what no run spends its time in is optimised for size. Counting, scoring
# and reading are not. Units of HQE_MERGE, which alone is made so.
option(HQE_SMALL "Optimise for size where time is not spent" OFF)
set(hqe_small_units search formats)
function(hqe_make_small)
  foreach(unit IN LISTS hqe_small_units)
    if(NOT unit IN_LIST hqe_merged)
      message(FATAL_ERROR "cmake/HqeTargets.cmake merges nothing into ${unit}; what is small is to be chosen again")
    endif()
    set_source_files_properties(${PROJECT_BINARY_DIR}/src/hqe/CMakeFiles/hqe.dir/Unity/unity_${unit}_cxx.cxx
      TARGET_DIRECTORY hqe PROPERTIES COMPILE_OPTIONS -Os)
  endforeach()
  foreach(target hqe_options hqe_cli)
    if(TARGET ${target})
      target_compile_options(${target} PRIVATE -Os $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)  # g++ 12 warns falsely.
    endif()
  endforeach()
endfunction()
if(HQE_SMALL)
  cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR} CALL hqe_make_small)
endif()

# Debian's Python.h includes a pyconfig.h by the processor's name, which lies among what is carried.
function(hqe_carry_pyconfig)
  get_property(targets DIRECTORY ${CMAKE_SOURCE_DIR}/python PROPERTY BUILDSYSTEM_TARGETS)
  list(FILTER targets INCLUDE REGEX "^nanobind-static")
  foreach(target IN LISTS targets)
    target_include_directories(${target} SYSTEM PRIVATE ${HQE_CARRIED}/include)
  endforeach()
  # nanobind writes to stderr, and the stable ABI's Python.h declares none; libstdc++ does so by chance.
  if("nanobind-static-abi3" IN_LIST targets)
    target_compile_options(nanobind-static-abi3 PRIVATE -include stdio.h)
    target_compile_options(hqe_python PRIVATE -include stdio.h)
  endif()
endfunction()
if(HQE_BUILD_PYTHON)
  cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR} CALL hqe_carry_pyconfig)
endif()

cmake_language(SET_DEPENDENCY_PROVIDER hqe_provide SUPPORTED_METHODS FIND_PACKAGE)
