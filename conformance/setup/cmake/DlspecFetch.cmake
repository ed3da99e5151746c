# dlspec_fetched(TARGET NAME DEFINITION...): an interface library of a release's headers. The releases, their addresses
# and hashes stand in conformance/setup/dependencies.txt; an archive with another hash ends the configuration.
#
# FETCHCONTENT_SOURCE_DIR_<NAME> names an unpacked release where there is no network, and DLSPEC_DEPENDENCY_MIRROR a folder
# with the archives, or its address. Only headers are used: nothing that is fetched is configured, built or installed.
include(FetchContent)

set(DLSPEC_DEPENDENCY_TABLE "${CMAKE_CURRENT_LIST_DIR}/../dependencies.txt" CACHE FILEPATH "Releases of the C++ libraries")
set(DLSPEC_DEPENDENCY_MIRROR "" CACHE STRING "A folder with the archives of the C++ libraries, or its address")
mark_as_advanced(DLSPEC_DEPENDENCY_TABLE)

# In dlspec_file, dlspec_hash, dlspec_folder and dlspec_address: the row of NAME that can be had.
function(dlspec_find_release name)
  file(STRINGS "${DLSPEC_DEPENDENCY_TABLE}" rows REGEX "^${name} ")
  string(TOUPPER "FETCHCONTENT_SOURCE_DIR_${name}" unpacked)
  foreach(row IN LISTS rows)
    string(REPLACE " " ";" fields "${row}")
    list(GET fields 1 file)
    list(GET fields 4 address)
    if(DLSPEC_DEPENDENCY_MIRROR)
      set(address "${DLSPEC_DEPENDENCY_MIRROR}/${file}")
    endif()
    # An unpacked release is taken for the one of the first row.
    if(address MATCHES "^https?://" OR EXISTS "${address}" OR ${unpacked})
      list(GET fields 2 hash)
      list(GET fields 3 folder)
      foreach(value IN ITEMS file hash folder address)
        set(dlspec_${value} "${${value}}" PARENT_SCOPE)
      endforeach()
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "There is no archive of ${name} in '${DLSPEC_DEPENDENCY_MIRROR}'; ${DLSPEC_DEPENDENCY_TABLE} names those "
                      "that would do, and conformance/setup/fetch-dependencies brings them")
endfunction()

function(dlspec_fetched target name)
  dlspec_find_release(${name})
  # There is no folder of this name: the release is unpacked and its CMakeLists.txt left alone.
  FetchContent_Declare(${name} URL "${dlspec_address}" URL_HASH SHA256=${dlspec_hash} DOWNLOAD_NAME "${dlspec_file}"
                       SOURCE_SUBDIR none DOWNLOAD_EXTRACT_TIMESTAMP TRUE)
  FetchContent_MakeAvailable(${name})
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} INTERFACE "${${name}_SOURCE_DIR}/${dlspec_folder}")
  target_compile_definitions(${target} INTERFACE ${ARGN})
endfunction()
