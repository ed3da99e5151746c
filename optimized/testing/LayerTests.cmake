# optimized may include the vocabulary and itself, never the reference. The include roots enforce that; these tests
# check the include roots, and what they cannot catch.
function(dlspec_layer_compile_test name source)
  add_test(NAME ${name} COMMAND_EXPAND_LISTS
    COMMAND "${CMAKE_CXX_COMPILER}" -std=c++20 -fsyntax-only
            "-I$<JOIN:$<TARGET_PROPERTY:dlspec_optimized,INCLUDE_DIRECTORIES>,;-I>" -xc++
            "${CMAKE_CURRENT_SOURCE_DIR}/testing/${source}")
endfunction()
dlspec_layer_compile_test(optimized_layer_reference_is_invisible includes_reference.cc.in)
set_tests_properties(optimized_layer_reference_is_invisible PROPERTIES
  PASS_REGULAR_EXPRESSION "reference/validate/validate.h.*(No such file|not found)")
# The valid twin: a permitted include compiles with the same flags.
dlspec_layer_compile_test(optimized_layer_vocabulary_is_visible includes_vocabulary.cc.in)

# Relative paths and hand-declared functions bypass the include roots.
if(CMAKE_GENERATOR MATCHES "Ninja")
  add_test(NAME optimized_layer_headers_read
    COMMAND "${CMAKE_COMMAND}" "-DNINJA=${CMAKE_MAKE_PROGRAM}" "-DSOURCE_DIR=${PROJECT_SOURCE_DIR}"
            "-DBINARY_DIR=${CMAKE_BINARY_DIR}" "-DOBJECTS=$<JOIN:$<TARGET_OBJECTS:dlspec_optimized>,|>"
            -P "${CMAKE_CURRENT_LIST_DIR}/check_headers_read.cmake")
endif()
add_test(NAME optimized_layer_symbols_wanted
  COMMAND "${CMAKE_COMMAND}" "-DNM=${CMAKE_NM}" "-DARCHIVE=$<TARGET_FILE:dlspec_optimized>"
          -P "${CMAKE_CURRENT_LIST_DIR}/check_symbols_wanted.cmake")
