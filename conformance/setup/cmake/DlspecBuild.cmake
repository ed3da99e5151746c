# How a folder of the project becomes part of a target.
#
#   dlspec_room(TARGET DIR PREFIX)     adds DIR's sources, and its headers as <dlspec/PREFIX/...>
#   dlspec_headers(TARGET DIR PREFIX)  the headers alone
#   dlspec_conformance_room(FLOOR DIR USES ROOM... LIBRARIES TARGET... PRIVATE TARGET...)  a room of conformance/
#   dlspec_floor(NAME)                 a library of all rooms that were given to this floor
#   dlspec_exports(TARGET PATTERN...)  a module exports what matches and nothing else
#   dlspec_tests(NAME [TEST NAME] [ROOMS] DIRS DIR... LIBRARIES ...)  one program of all *_test.cc in these folders; ctest
#                                      calls it TEST, if that is given; ROOMS: they are rooms of conformance/
#
# Each target has an include root of its own, build/<preset>/include/<target>/, filled with links to
# its headers: a target that does not link another cannot see that one's headers. Real files are
# installed (links would point into the source tree).
include(GNUInstallDirs)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 99)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_BUILD_TYPE Release)
endif()
if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
  set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
  set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
endif()

add_library(dlspec_options INTERFACE)
target_compile_features(dlspec_options INTERFACE cxx_std_20)
target_compile_options(dlspec_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wconversion -Wshadow>
  $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wpedantic -Wconversion -Wshadow>
  # g++ 12 warns of an overlap inside std::string's operator+ when it optimises (its bug 105651).
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>
  # Nor does it see that a vector of another allocation is freed (its bug 104475).
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-free-nonheap-object>
  # The headers read once are 100 MB of live data: collections of garbage took a tenth of the time to build.
  "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:SHELL:--param ggc-min-heapsize=1000000>"
  $<$<BOOL:${DLSPEC_WARNINGS_AS_ERRORS}>:-Werror>)
if(DLSPEC_SANITIZE)
  add_compile_options(-fsanitize=${DLSPEC_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${DLSPEC_SANITIZE})
  # g++ 12 with sanitizers takes members of std::function for uninitialized where std::regex is compiled.
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
  if(DLSPEC_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
endif()
if(DLSPEC_LIBFUZZER)
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_link_options(-fsanitize=fuzzer-no-link)
endif()

function(dlspec_headers target dir prefix)
  cmake_path(ABSOLUTE_PATH dir BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  set(root "${PROJECT_BINARY_DIR}/include/${target}")
  set(links "${root}/dlspec/${prefix}")
  file(MAKE_DIRECTORY "${links}")
  file(GLOB headers CONFIGURE_DEPENDS "${dir}/*.h" "${dir}/*.def")
  foreach(header IN LISTS headers)
    cmake_path(GET header FILENAME name)
    file(CREATE_LINK "${header}" "${links}/${name}" SYMBOLIC)
    set_property(GLOBAL APPEND PROPERTY dlspec_headers_${target} "dlspec/${prefix}/${name}")
  endforeach()
  get_target_property(type ${target} TYPE)
  set(scope PUBLIC)
  if(type STREQUAL INTERFACE_LIBRARY)
    set(scope INTERFACE)
  endif()
  target_include_directories(${target} ${scope}
    "$<BUILD_INTERFACE:${root}>" "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
endfunction()

function(dlspec_room target dir prefix)
  dlspec_headers(${target} "${dir}" "${prefix}")
  cmake_path(ABSOLUTE_PATH dir BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  file(GLOB sources CONFIGURE_DEPENDS "${dir}/*.cc")
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  target_sources(${target} PRIVATE ${sources})
endfunction()

# A library of the project: static, warnings on, named libdlspec_NAME.a, alias dlspec::NAME.
function(dlspec_library name)
  add_library(dlspec_${name} STATIC)
  add_library(dlspec::${name} ALIAS dlspec_${name})
  set_target_properties(dlspec_${name} PROPERTIES EXPORT_NAME ${name} OUTPUT_NAME dlspec_${name})
  target_link_libraries(dlspec_${name} PRIVATE $<BUILD_INTERFACE:dlspec_options>)
  target_compile_features(dlspec_${name} PUBLIC cxx_std_20)
endfunction()

# Building time is what the test command costs, and half of it is reading the same headers: those are read once, and the
# first TARGET of each GROUP, whose targets are compiled with the same options, keeps what was read for the others. A
# build without tests reads them file by file, so that a missing include is found there.
set(dlspec_read_once <algorithm> <array> <chrono> <cstdint> <filesystem> <fstream> <functional> <map> <memory> <optional>
                     <set> <span> <sstream> <string> <string_view> <utility> <variant> <vector> <fmt/format.h>)
function(dlspec_precompile target group)
  if(NOT DLSPEC_BUILD_TESTS)
    return()
  endif()
  get_property(keeper GLOBAL PROPERTY dlspec_precompiled_${group})
  if(keeper)
    target_precompile_headers(${target} REUSE_FROM ${keeper})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
    set_property(GLOBAL PROPERTY dlspec_precompiled_${group} ${target})
  endif()
endfunction()

# Sources that take long to compile and run briefly. clang refuses headers that were read with optimisation.
function(dlspec_compile_unoptimised)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -O0 SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# The folder DIR as an object library with an include root of its own, <dlspec/conformance/DIR/...>. It sees the rooms
# that it USES and the LIBRARIES; a room that names one which names it back does not configure.
function(dlspec_conformance_room floor dir)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "USES;LIBRARIES;PRIVATE")
  string(REPLACE "/" "_" name "${dir}")
  set(target dlspec_room_${name})
  add_library(${target} OBJECT)
  dlspec_room(${target} "${dir}" "conformance/${dir}")
  list(TRANSFORM arg_USES REPLACE "/" "_")
  list(TRANSFORM arg_USES PREPEND dlspec_room_)
  target_link_libraries(${target} PUBLIC ${arg_USES} ${arg_LIBRARIES} PRIVATE dlspec_options ${arg_PRIVATE})
  if("dlspec_room_core" IN_LIST arg_USES OR dir STREQUAL "core")
    dlspec_precompile(${target} rooms ${dlspec_read_once})
  endif()
  set_property(GLOBAL APPEND PROPERTY dlspec_rooms_${floor} ${target})
endfunction()

function(dlspec_floor name)
  get_property(rooms GLOBAL PROPERTY dlspec_rooms_${name})
  add_library(dlspec_${name} STATIC)
  set_target_properties(dlspec_${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(dlspec_${name} PUBLIC ${rooms} ${dlspec_floors})
  set(dlspec_floors "${dlspec_floors};dlspec_${name}" PARENT_SCOPE)
endfunction()

# What a module exports: the symbols of these patterns, and nothing of what is linked into it.
function(dlspec_exports target)
  set(patterns "")
  foreach(pattern IN LISTS ARGN)
    string(APPEND patterns "${pattern}; ")
  endforeach()
  if(APPLE)
    return()  # what is hidden stays hidden there, and two libraries of one symbol do not meet
  endif()
  set(map "${CMAKE_CURRENT_BINARY_DIR}/${target}.map")
  file(GENERATE OUTPUT "${map}" CONTENT "{global: ${patterns}local: *;};\n")
  target_link_options(${target} PRIVATE "-Wl,--version-script=${map}")
  set_target_properties(${target} PROPERTIES LINK_DEPENDS "${map}")
endfunction()

function(dlspec_tests name)
  if(NOT DLSPEC_BUILD_TESTS)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "ROOMS" "TEST" "DIRS;LIBRARIES;LABELS")
  set(frameworks <gtest/gtest.h> <rapidcheck/gtest.h> <rapidcheck.h>)
  set(sources)
  foreach(dir IN LISTS arg_DIRS)
    cmake_path(ABSOLUTE_PATH dir BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
    file(GLOB found CONFIGURE_DEPENDS "${dir}/*_test.cc")
    list(APPEND sources ${found})
  endforeach()
  if(NOT sources)
    return()
  endif()
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE dlspec_options ${arg_LIBRARIES} GTest::gtest GTest::gtest_main
                                        rapidcheck rapidcheck_gtest)
  if(arg_ROOMS)
    dlspec_precompile(${name} tests_of_rooms ${frameworks} ${dlspec_read_once})
  else()
    dlspec_precompile(${name} tests ${frameworks})
  endif()
  # Little is optimised. The frameworks' templates take longer without any of it: what is not inlined has to be written.
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(${name} PRIVATE -Og)
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  # Where the compiler ran: some compiler caches make __FILE__, by which tests find their data, relative to that place.
  if(NOT arg_TEST)
    set(arg_TEST ${name})
  endif()
  add_test(NAME ${arg_TEST} COMMAND ${name} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}")
  if(arg_LABELS)
    set_tests_properties(${arg_TEST} PROPERTIES LABELS "${arg_LABELS}")
  endif()
endfunction()

# Every header must compile when it is the only one included.
function(dlspec_check_headers target)
  if(NOT DLSPEC_BUILD_TESTS)
    return()
  endif()
  get_property(headers GLOBAL PROPERTY dlspec_headers_${target})
  set(sources)
  foreach(header IN LISTS headers)
    if(header MATCHES "\\.h$")
      string(MAKE_C_IDENTIFIER "${header}" identifier)
      set(source "${PROJECT_BINARY_DIR}/header_checks/${identifier}.cc")
      file(GENERATE OUTPUT "${source}" CONTENT "#include <${header}>\n")
      list(APPEND sources "${source}")
    endif()
  endforeach()
  add_library(${target}_headers OBJECT ${sources})
  target_link_libraries(${target}_headers PRIVATE dlspec_options ${target})
endfunction()
