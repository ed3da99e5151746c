# cmake --install: headers under include/dlspec/, find_package(dlspec), the libraries, and (with
# DLSPEC_BUILD_CONFORMANCE) the command, adapters, schemas and the Python package.
include(CMakePackageConfigHelpers)

set(targets dlspec_vocabulary dlspec_reference dlspec_optimized)
if(TARGET dlspec_plugin)
  list(APPEND targets dlspec_plugin)
endif()
if(TARGET dlspec_infiniop)
  list(APPEND targets dlspec_infinirt dlspec_infiniop)
endif()
install(TARGETS ${targets} EXPORT dlspecTargets
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
foreach(target IN LISTS targets)
  get_property(headers GLOBAL PROPERTY dlspec_headers_${target})
  foreach(header IN LISTS headers)
    cmake_path(GET header PARENT_PATH folder)
    file(REAL_PATH "${PROJECT_BINARY_DIR}/include/${target}/${header}" file)
    install(FILES "${file}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/${folder}")
  endforeach()
endforeach()

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/dlspec")
install(EXPORT dlspecTargets NAMESPACE dlspec:: DESTINATION "${package_dir}")
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/dlspecConfig.cmake.in"
                              "${PROJECT_BINARY_DIR}/dlspecConfig.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/dlspecConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/dlspecConfig.cmake" "${PROJECT_BINARY_DIR}/dlspecConfigVersion.cmake"
        DESTINATION "${package_dir}")
