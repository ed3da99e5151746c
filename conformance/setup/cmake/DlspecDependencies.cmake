# The C++ libraries that the command is made of, in one of three ways, DLSPEC_DEPENDENCIES:
#
#   system  the distribution's packages, shared libraries among them (an ordinary build)
#   static  the distribution's headers and archives; what it has not got is fetched (a wheel, by default)
#   fetch   fetched, all of them: releases at fixed addresses whose hashes are checked (a wheel for many distributions)
#
# FETCHCONTENT_SOURCE_DIR_<NAME> names an unpacked release, and DLSPEC_DEPENDENCY_MIRROR a folder with the archives, where
# there is no network. Only headers are used of what is fetched: nothing of it is configured, built or installed.
include(FetchContent)

set(DLSPEC_DEPENDENCIES "system" CACHE STRING "Where C++ libraries come from: system, static or fetch")
set_property(CACHE DLSPEC_DEPENDENCIES PROPERTY STRINGS system static fetch)
set(DLSPEC_DEPENDENCY_MIRROR "" CACHE PATH "A folder with the archives of the C++ libraries")
if(NOT DLSPEC_DEPENDENCIES MATCHES "^(system|static|fetch)$")
  message(FATAL_ERROR "DLSPEC_DEPENDENCIES is '${DLSPEC_DEPENDENCIES}'; it is system, static or fetch")
endif()

# dlspec_fetched(TARGET NAME FILE URL HASH INCLUDE DEFINITION...): an interface library of the release's headers.
function(dlspec_fetched target name file url hash include)
  set(addresses "${url}")
  if(DLSPEC_DEPENDENCY_MIRROR)
    set(addresses "${DLSPEC_DEPENDENCY_MIRROR}/${file}")
  endif()
  # There is no such folder: the release is unpacked and its CMakeLists.txt left alone.
  FetchContent_Declare(${name} URL ${addresses} URL_HASH SHA256=${hash} DOWNLOAD_NAME "${file}" SOURCE_SUBDIR none
                       DOWNLOAD_EXTRACT_TIMESTAMP TRUE)
  FetchContent_MakeAvailable(${name})
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} INTERFACE "${${name}_SOURCE_DIR}/${include}")
  target_compile_definitions(${target} INTERFACE ${ARGN})
endfunction()

# In dlspec_found, whether the package is to be taken from the system and was found there.
macro(dlspec_find package)
  set(dlspec_found FALSE)
  if(DLSPEC_DEPENDENCIES STREQUAL "system")
    find_package(${package} REQUIRED)
    set(dlspec_found TRUE)
  elseif(DLSPEC_DEPENDENCIES STREQUAL "static")
    find_package(${package} QUIET)
    set(dlspec_found ${${package}_FOUND})
  endif()
endmacro()

dlspec_find(nlohmann_json)
if(NOT dlspec_found)
  dlspec_fetched(nlohmann_json::nlohmann_json nlohmann_json nlohmann_json-3.11.2.tar.gz
                 https://github.com/nlohmann/json/archive/refs/tags/v3.11.2.tar.gz
                 d69f9deb6a75e2580465c6c4c5111b89c4dc2fa94e3a85fcd2ffcd9a143d9273 include)
endif()

dlspec_find(fmt)
if(NOT dlspec_found)
  dlspec_fetched(fmt::fmt-header-only fmt fmt-9.1.0.tar.gz https://github.com/fmtlib/fmt/archive/refs/tags/9.1.0.tar.gz
                 5dea48d1fcddc3ec571ce2058e13910a0d4a6bab4cc09a809d8b1dd1c88ae6f2 include FMT_HEADER_ONLY=1)
endif()

dlspec_find(CLI11)
if(NOT dlspec_found)
  dlspec_fetched(CLI11::CLI11 cli11 cli11-2.1.2.tar.gz https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.1.2.tar.gz
                 26291377e892ba0e5b4972cdfd4a2ab3bf53af8dac1f4ea8fe0d1376b625c8cb include)
endif()

dlspec_find(pugixml)
if(NOT dlspec_found)
  dlspec_fetched(dlspec_pugixml pugixml pugixml-1.13.tar.gz https://github.com/zeux/pugixml/archive/refs/tags/v1.13.tar.gz
                 5c5ad5d7caeb791420408042a7d88c2c6180781bf218feca259fd9d840a888e1 src PUGIXML_HEADER_ONLY)
else()
  add_library(dlspec_pugixml INTERFACE)
  if(DLSPEC_DEPENDENCIES STREQUAL "static" AND TARGET pugixml::static)
    target_link_libraries(dlspec_pugixml INTERFACE pugixml::static)
  else()
    target_link_libraries(dlspec_pugixml INTERFACE pugixml::pugixml)
  endif()
endif()

dlspec_find(tomlplusplus)
if(NOT dlspec_found)
  dlspec_fetched(dlspec_toml tomlplusplus tomlplusplus-3.3.0.tar.gz
                 https://github.com/marzer/tomlplusplus/archive/refs/tags/v3.3.0.tar.gz
                 fc1a5eb410f3c67e90e5ad1264a1386d020067cfb01b633cc8c0441789aa6cf2 include)
else()
  add_library(dlspec_toml INTERFACE)
  if(DLSPEC_DEPENDENCIES STREQUAL "static")
    # The package's target may be a shared library; its headers alone are a library as well.
    get_target_property(toml_headers tomlplusplus::tomlplusplus INTERFACE_INCLUDE_DIRECTORIES)
    target_include_directories(dlspec_toml SYSTEM INTERFACE "${toml_headers}")
    target_compile_definitions(dlspec_toml INTERFACE TOML_HEADER_ONLY=1)
  else()
    target_link_libraries(dlspec_toml INTERFACE tomlplusplus::tomlplusplus)
  endif()
endif()
