# SPDX-License-Identifier: MIT
# The only helpers: hqe_strict(), hqe_unhurried(), hqe_module(), hqe_kernels(), hqe_write_kernels(), hqe_test_code(), hqe_test_options(),
# hqe_test(), hqe_fuzzer().
include(CTest)
include(GNUInstallDirs)

find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(hwy REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(tomlplusplus REQUIRED)

# Modules whose unit tests start threads; ThreadSanitizer runs these (label threads).
set(hqe_threaded_modules base predictions scan failures diversity votes evaluation calibration serving verbs methods)

# Which modules are compiled as one with HQE_MERGE: their headers are read once, and what they instantiate alike is compiled
# once. Alike in how much a run wants of them; as many as keep two cores busy. What a module calls HURRIED is compiled with
# what reads predictions. The longest is first, since ninja begins in this order: what is last should be short.
set(hqe_merged_formats base text files tables archives formats digest synth documents saved)
set(hqe_merged_search study search trust verbs methods report pictures)
set(hqe_merged_hurried predictions scan serving)
set(hqe_merged_teams diversity votes evaluation decision)
set(hqe_merged_counting bits ensemble statistics agreement failures calibration pruning)
set(hqe_merged formats search hurried teams counting)

# Modules that hold and read words: a half of their compilation would be the optimiser's, and no run spends its time there,
# but in what they call HURRIED. Not the readers where there are fuzzers, which want them fast.
set(hqe_unhurried_modules ${hqe_merged_search})
if(NOT HQE_BUILD_FUZZERS)
  list(APPEND hqe_unhurried_modules ${hqe_merged_formats})
endif()

# How they are compiled. -Og takes a quarter less of their time than -O1, and no command was seen to take longer.
if(HQE_SANITIZE)
  set(hqe_unhurried_options -O0)
else()
  set(hqe_unhurried_options $<$<CONFIG:Release>:-Og>)
endif()

# Modules that read what strangers wrote: the fuzzers are led by the branches taken in these.
set(hqe_fuzzed_modules ${hqe_merged_hurried} ${hqe_merged_formats})

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

# Every CPU must give the same bits, so no compiler may fuse a*b+c.
add_compile_options(-ffp-contract=off)
# g++ would collect its garbage all the time, a tenth of its own, for a quarter less of the 1.6 GB that the largest unit takes.
add_compile_options("$<$<CXX_COMPILER_ID:GNU>:SHELL:--param ggc-min-heapsize=4194304>")

if(HQE_BUILD_FUZZERS)
  add_custom_target(fuzzers)
endif()

if(HQE_SANITIZE)
  add_compile_definitions(HQE_SANITIZED)
  add_compile_options(-fsanitize=${HQE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${HQE_SANITIZE} $<$<CXX_COMPILER_ID:Clang>:-fuse-ld=lld>)  # A third of the other's time.
endif()

# Strict flags live on the targets, so that users of the library never inherit them. They are for the builds that only tests
# need, by clang and by g++ for ARM64: who compiles HQE to use it need not wait for warnings that have been seen to.
# libstdc++ 12's own stable_sort uses what clang 19 calls deprecated.
# -Wrestrict of g++ 12 warns falsely of "text" + std::to_string(n) (GCC bug 105651).
function(hqe_strict target)
  if(NOT HQE_STRICT)
    return()
  endif()
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                                           -Wno-sign-conversion $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
                                           $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>
                                           -Wno-missing-field-initializers -Werror)
endfunction()

# hqe_unhurried(target): compiled as those modules are.
function(hqe_unhurried target)
  target_compile_options(${target} PRIVATE ${hqe_unhurried_options})
endfunction()

# hqe_module(name SOURCES a.cpp b.cpp HURRIED b.cpp HEADERS a.h NEIGHBOURS b.h TESTS a_test.cpp): adds to
# the one library, and makes the executable hqe_<name>_test of the module's unit tests. HEADERS are public
# and installed; NEIGHBOURS are for other modules and for what else is in this repository; all other
# headers are private to the module (scripts/lint/lint-private.py). With HQE_MERGE the sources of
# several modules are compiled as one, which takes a third of the time, so private names differ
# between modules too; not SIMD kernels, which include themselves and are merged with each other
# (hqe_kernels).
function(hqe_module name)
  cmake_parse_arguments(ARG "" "" "SOURCES;HURRIED;HEADERS;NEIGHBOURS;TESTS" ${ARGN})
  list(TRANSFORM ARG_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  list(TRANSFORM ARG_HURRIED PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  list(TRANSFORM ARG_HEADERS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  set(options)
  if(name IN_LIST hqe_unhurried_modules)
    list(APPEND options ${hqe_unhurried_options})
  endif()
  if(HQE_BUILD_FUZZERS AND name IN_LIST hqe_fuzzed_modules)
    list(APPEND options -fsanitize=fuzzer-no-link)
  endif()
  if(HQE_MERGE)
    foreach(together IN LISTS hqe_merged)
      if(name IN_LIST hqe_merged_${together})
        set(group ${together})
      endif()
    endforeach()
    set(compiled ${PROJECT_BINARY_DIR}/src/hqe/CMakeFiles/hqe.dir/Unity/unity_${group}_cxx.cxx)
    foreach(source IN LISTS ARG_SOURCES)
      file(STRINGS ${source} kernel REGEX "foreach_target.h" LIMIT_COUNT 1)
      if(kernel)
        set_property(GLOBAL APPEND PROPERTY hqe_kernel_sources ${source})
        set_source_files_properties(${source} TARGET_DIRECTORY hqe PROPERTIES HEADER_FILE_ONLY ON)
      elseif(source IN_LIST ARG_HURRIED)
        set_source_files_properties(${source} TARGET_DIRECTORY hqe PROPERTIES UNITY_GROUP hurried)
      else()
        set_source_files_properties(${source} TARGET_DIRECTORY hqe PROPERTIES UNITY_GROUP ${group})
      endif()
    endforeach()
  else()
    set(compiled ${ARG_SOURCES})
    list(REMOVE_ITEM compiled ${ARG_HURRIED})
  endif()
  if(options)
    set_source_files_properties(${compiled} TARGET_DIRECTORY hqe PROPERTIES COMPILE_OPTIONS "${options}")
  endif()
  target_sources(hqe PRIVATE ${ARG_SOURCES})
  target_sources(hqe PUBLIC FILE_SET HEADERS FILES ${ARG_HEADERS})
  if(HQE_BUILD_TESTS AND ARG_TESTS)
    hqe_test(hqe_${name}_test ${ARG_TESTS})
    if(name IN_LIST hqe_threaded_modules)
      set_tests_properties(hqe_${name}_test PROPERTIES LABELS threads)
    endif()
  endif()
endfunction()

# hqe_kernels(): the SIMD kernels of all modules, compiled as one. Highway has a file include itself once a target; here one
# file that includes kernels does, so that Highway's own headers, a quarter of the kernels' compilation, are read once a target.
# hqe_write_kernels() writes that file, when all modules have named theirs.
function(hqe_kernels)
  add_library(hqe_kernel_objects OBJECT ${PROJECT_BINARY_DIR}/src/hqe/Unity/kernels.cpp)
  foreach(property IN ITEMS COMPILE_DEFINITIONS COMPILE_OPTIONS COMPILE_FEATURES INCLUDE_DIRECTORIES)
    set_property(TARGET hqe_kernel_objects PROPERTY ${property} $<TARGET_PROPERTY:hqe,${property}>)
  endforeach()
  target_include_directories(hqe_kernel_objects PRIVATE ${PROJECT_BINARY_DIR}/src/hqe)
endfunction()

function(hqe_write_kernels)
  get_property(kernels GLOBAL PROPERTY hqe_kernel_sources)
  list(TRANSFORM kernels REPLACE "${PROJECT_SOURCE_DIR}/src/(.+)" "#include \"\\1\"")
  list(JOIN kernels "\n" includes)
  # Each kernel names itself as what is included; the last word is this file's.
  set(itself "#undef HWY_TARGET_INCLUDE\n#define HWY_TARGET_INCLUDE \"Unity/kernels.cpp\"")
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/src/hqe/Unity/kernels.cpp
       CONTENT "${itself}\n#include \"hwy/foreach_target.h\"\n${includes}\n${itself}\n" @ONLY)
endfunction()

# hqe_test_code(target): what tests are made of. A third of its compilation would be checks of UndefinedBehaviorSanitizer for
# code that is not shipped. The library has them, also in what a test instantiates of it and the library does too: the
# library's is linked (hqe_test).
function(hqe_test_code target)
  hqe_strict(${target})
  if(HQE_SANITIZE MATCHES undefined)
    target_compile_options(${target} PRIVATE -fno-sanitize=undefined)
  endif()
endfunction()

# hqe_test_options(target): a test. Half of its compilation would be the optimiser's, for code that runs once; one that
# something throws has no use for its result.
function(hqe_test_options target)
  hqe_test_code(${target})
  target_compile_options(${target} PRIVATE -O0 $<$<CXX_COMPILER_ID:Clang>:-Wno-unused-result>)
endfunction()

# The main() of every test program, compiled once.
if(HQE_BUILD_TESTS)
  find_package(doctest REQUIRED)
  add_library(hqe_doctest_main STATIC ${PROJECT_SOURCE_DIR}/tests/support/doctest_main.cpp)
  target_link_libraries(hqe_doctest_main PUBLIC doctest::doctest fmt::fmt nlohmann_json::nlohmann_json)
  # An exception within a CHECK ends its case, which names it: a tenth of the compilation of tests. A CHECK is one call.
  target_compile_definitions(hqe_doctest_main PUBLIC DOCTEST_CONFIG_NO_TRY_CATCH_IN_ASSERTS DOCTEST_CONFIG_SUPER_FAST_ASSERTS)
  set(hqe_is_slow OFF)
  if(HQE_SANITIZE OR CMAKE_CROSSCOMPILING)
    set(hqe_is_slow ON)  # Each case takes ten times as long then.
  endif()
  option(HQE_FEWER_CASES "Tests go through exhaustive lists in strides" ${hqe_is_slow})
  if(HQE_FEWER_CASES)
    target_compile_definitions(hqe_doctest_main PUBLIC HQE_FEWER_CASES)
  endif()
  hqe_test_options(hqe_doctest_main)
  # What stands still and every test includes is read once a build. None of our own headers: one that changes would have every
  # test compiled again. Not by g++, which would be no faster.
  set(hqe_precompiled OFF)
  if(HQE_MERGE AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    set(hqe_precompiled ON)
    # An executable's options, or no test could use it; without a time in it, or ccache could not.
    target_precompile_headers(hqe_doctest_main PRIVATE ${PROJECT_SOURCE_DIR}/tests/support/precompiled.h)
    set_target_properties(hqe_doctest_main PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(hqe_doctest_main PRIVATE -fPIE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endif()

# hqe_test(name sources...): a doctest executable, run by ctest in one go. A test case that cannot run
# is skipped by a decorator with a description, its reason; scripts/test counts and names those.
function(hqe_test name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE hqe::hqe hqe_doctest_main)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  hqe_test_options(${name})
  if(HQE_MERGE)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
  if(hqe_precompiled)
    target_precompile_headers(${name} REUSE_FROM hqe_doctest_main)
  endif()
  # Linked before the test's own objects: of a template that both hold the first is taken, and the tests' are not optimised.
  target_link_options(${name} BEFORE PRIVATE LINKER:--whole-archive $<TARGET_FILE:hqe> LINKER:--no-whole-archive)
  add_test(NAME ${name} COMMAND ${name})
endfunction()

# hqe_fuzzer(name source.cpp): the libFuzzer program fuzz_<name>; its corpus is
# tests/fuzz/corpus/<name>/. Only with HQE_BUILD_FUZZERS.
function(hqe_fuzzer name source)
  if(NOT HQE_BUILD_FUZZERS)
    return()
  endif()
  add_executable(fuzz_${name} EXCLUDE_FROM_ALL ${source})
  target_link_libraries(fuzz_${name} PRIVATE hqe::hqe)
  target_include_directories(fuzz_${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  hqe_strict(fuzz_${name})
  add_dependencies(fuzzers fuzz_${name})
endfunction()
