# The functions of vcpkg that the port calls, for a machine without vcpkg: cmake -DARCHIVE=… -DPORT=… -DWORK=… -DVERSION=…
# [-DBUILD=ON] -P functions.cmake. What vcpkg would refuse is an error.
cmake_minimum_required(VERSION 3.25)
set(CURRENT_PACKAGES_DIR "${WORK}/package")
file(REMOVE_RECURSE "${WORK}")

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(vcpkg_download_distfile result)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "URLS;FILENAME;SHA512" "")
  file(SHA512 "${ARCHIVE}" hash)
  if(NOT hash STREQUAL arg_SHA512)
    message(FATAL_ERROR "${arg_FILENAME} has another hash than ${arg_SHA512}")
  endif()
  cmake_path(GET ARCHIVE FILENAME name)
  if(NOT name STREQUAL arg_FILENAME OR NOT arg_URLS MATCHES "^https://.*/${name}$")
    message(FATAL_ERROR "${arg_URLS} does not lead to ${arg_FILENAME}")
  endif()
  set(${result} "${ARCHIVE}" PARENT_SCOPE)
endfunction()

function(vcpkg_extract_source_archive result)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "ARCHIVE" "")
  file(ARCHIVE_EXTRACT INPUT "${arg_ARCHIVE}" DESTINATION "${WORK}/source")
  set(${result} "${WORK}/source/dlspec-${VERSION}" PARENT_SCOPE)
endfunction()

function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
  run("${CMAKE_COMMAND}" -G Ninja -S "${arg_SOURCE_PATH}" -B "${WORK}/build" -DCMAKE_BUILD_TYPE=Release
      "-DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR}" -DCMAKE_INSTALL_LIBDIR=lib ${arg_OPTIONS})
endfunction()

function(vcpkg_cmake_install)
  if(BUILD)
    run("${CMAKE_COMMAND}" --build "${WORK}/build" --target install)
  endif()
endfunction()

function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "PACKAGE_NAME;CONFIG_PATH" "")
  if(BUILD AND NOT EXISTS "${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH}/${arg_PACKAGE_NAME}Config.cmake")
    message(FATAL_ERROR "there is no ${arg_CONFIG_PATH}/${arg_PACKAGE_NAME}Config.cmake in the package")
  endif()
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
  file(COPY_FILE "${arg_FILE_LIST}" "${CURRENT_PACKAGES_DIR}/copyright")
endfunction()

file(MAKE_DIRECTORY "${CURRENT_PACKAGES_DIR}")
include("${PORT}")
