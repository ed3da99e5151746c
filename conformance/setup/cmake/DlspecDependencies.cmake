# The C++ libraries that the command is made of, in one of three ways, DLSPEC_DEPENDENCIES:
#
#   system  the distribution's packages, shared libraries among them (an ordinary build)
#   static  the distribution's headers and archives; what it has not got is fetched (a wheel, by default)
#   fetch   fetched, all of them: releases at fixed addresses whose hashes are checked (a wheel for many distributions)
include(DlspecFetch)

set(DLSPEC_DEPENDENCIES "system" CACHE STRING "Where C++ libraries come from: system, static or fetch")
set_property(CACHE DLSPEC_DEPENDENCIES PROPERTY STRINGS system static fetch)
if(NOT DLSPEC_DEPENDENCIES MATCHES "^(system|static|fetch)$")
  message(FATAL_ERROR "DLSPEC_DEPENDENCIES is '${DLSPEC_DEPENDENCIES}'; it is system, static or fetch")
endif()

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

# The package from the system, else fetched as this target: dlspec_find_or_fetch(package target name definition...).
macro(dlspec_find_or_fetch package)
  dlspec_find(${package})
  if(NOT dlspec_found)
    dlspec_fetched(${ARGN})
  endif()
endmacro()

dlspec_find_or_fetch(nlohmann_json nlohmann_json::nlohmann_json nlohmann_json)
dlspec_find_or_fetch(CLI11 CLI11::CLI11 cli11)

# The package as this target. A fetched copy is compiled with `definition`; `shared` is the target of an ordinary build,
# `static` the one that needs no shared library.
macro(dlspec_library package target name definition shared static)
  dlspec_find(${package})
  if(NOT dlspec_found)
    dlspec_fetched(${target} ${name} ${definition})
  else()
    add_library(${target} INTERFACE)
    if(DLSPEC_DEPENDENCIES STREQUAL "static" AND TARGET ${static})
      target_link_libraries(${target} INTERFACE ${static})
    else()
      target_link_libraries(${target} INTERFACE ${shared})
    endif()
  endif()
endmacro()

# An ordinary build links fmt: its definitions in every file take 2.1 s of the 3.6 s that one needs.
dlspec_library(fmt dlspec_fmt fmt FMT_HEADER_ONLY=1 fmt::fmt fmt::fmt-header-only)
dlspec_library(pugixml dlspec_pugixml pugixml PUGIXML_HEADER_ONLY pugixml::pugixml pugixml::static)

dlspec_find(tomlplusplus)
if(NOT dlspec_found)
  dlspec_fetched(dlspec_toml tomlplusplus)
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
