# cmake --install, by component:
#
#   command      the command, adapters, schemas, the Python package (DLSPEC_BUILD_CONFORMANCE)
#   plugin       the headers of plug-ins and find_package(dlspec) with dlspec::plugin and dlspec_add_conformance_test
#   development  the libraries, their headers and find_package(dlspec) with their targets
#
# A wheel has the first two.
include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/dlspec")

# dlspec_install(COMPONENT EXPORT TARGET...): targets, headers, and the file that find_package reads them from.
function(dlspec_install component export)
  install(TARGETS ${ARGN} EXPORT ${export}
          ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT ${component}
          LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT ${component})
  foreach(target IN LISTS ARGN)
    get_property(headers GLOBAL PROPERTY dlspec_headers_${target})
    foreach(header IN LISTS headers)
      cmake_path(GET header PARENT_PATH folder)
      file(REAL_PATH "${PROJECT_BINARY_DIR}/include/${target}/${header}" file)
      install(FILES "${file}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/${folder}" COMPONENT ${component})
    endforeach()
  endforeach()
  install(EXPORT ${export} NAMESPACE dlspec:: DESTINATION "${package_dir}" COMPONENT ${component})
endfunction()

set(targets dlspec_vocabulary dlspec_reference dlspec_optimized)
if(TARGET dlspec_infiniop)
  list(APPEND targets dlspec_infinirt dlspec_infiniop)
endif()
dlspec_install(development dlspecTargets ${targets})
if(TARGET dlspec_plugin)
  dlspec_install(plugin dlspecPluginTargets dlspec_plugin)
endif()

if(TARGET dlspec_fuzz)
  dlspec_install(development dlspecFuzzTargets dlspec_fuzz)
endif()

configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/dlspecConfig.cmake.in"
                              "${PROJECT_BINARY_DIR}/dlspecConfig.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/dlspecConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
foreach(component IN ITEMS plugin development)
  install(FILES "${PROJECT_BINARY_DIR}/dlspecConfig.cmake" "${PROJECT_BINARY_DIR}/dlspecConfigVersion.cmake"
                "${CMAKE_CURRENT_LIST_DIR}/DlspecConformanceTest.cmake"
          DESTINATION "${package_dir}" COMPONENT ${component})
endforeach()
