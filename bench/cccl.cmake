# bench_cccl: libbench_cccl.so, copies by CCCL that bench_cuda is measured against, where nvcc and CCCL's headers are;
# elsewhere a target that builds nothing. And a library of the same name for the emulated GPU, where CCCL's headers are.
add_custom_target(bench_cccl ALL)
if(NOT DLSPEC_BUILD_CUDA OR NOT DLSPEC_NVCC)
  return()
endif()
get_filename_component(nvcc "${DLSPEC_NVCC}" REALPATH)
get_filename_component(toolkit "${nvcc}" DIRECTORY)
get_filename_component(toolkit "${toolkit}" DIRECTORY)
# The transformation is the newest of what the source needs.
find_path(DLSPEC_CCCL_INCLUDE cub/device/device_transform.cuh
  HINTS "${toolkit}/include/cccl" "${toolkit}/include" DOC "Headers of CCCL 2.8 or newer")
find_path(DLSPEC_CUDART_INCLUDE cuda_runtime_api.h HINTS "${toolkit}/include")
if(NOT DLSPEC_CCCL_INCLUDE OR NOT DLSPEC_CUDART_INCLUDE)
  message(STATUS "CCCL was not found (package index: nvidia-cuda-cccl): bench_cuda does not compare with it")
  return()
endif()

# Code for one architecture, which newer GPUs compile: bench/cuda.sh names that of the GPU alone.
list(GET DLSPEC_CUDA_ARCHITECTURES 0 oldest)
set(source "${CMAKE_CURRENT_SOURCE_DIR}/peer_cccl.cu")
set(library "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/libbench_cccl.so")
add_custom_command(OUTPUT "${library}"
  COMMAND "${DLSPEC_NVCC}" -std=c++20 -O3 "-I${DLSPEC_CCCL_INCLUDE}" -Xcompiler -fPIC,-fvisibility=hidden
          -gencode "arch=compute_${oldest},code=[sm_${oldest},compute_${oldest}]" -shared -cudart static
          -Xlinker --no-undefined "${source}" -o "${library}"
  DEPENDS "${source}" peer_cccl.h VERBATIM)
add_custom_target(bench_cccl_library DEPENDS "${library}")
add_dependencies(bench_cccl bench_cccl_library)

if(TARGET dlspec_fake_gpu)
  set_source_files_properties("${source}" PROPERTIES LANGUAGE CXX)
  add_library(bench_fake_cccl SHARED "${source}")
  # The doubles come before CCCL's own headers.
  target_include_directories(bench_fake_cccl PRIVATE testing)
  target_include_directories(bench_fake_cccl SYSTEM PRIVATE "${DLSPEC_CCCL_INCLUDE}" "${DLSPEC_CUDART_INCLUDE}")
  target_link_libraries(bench_fake_cccl PRIVATE dlspec_options)
  set_target_properties(bench_fake_cccl PROPERTIES OUTPUT_NAME bench_cccl
    LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/fake")
endif()
