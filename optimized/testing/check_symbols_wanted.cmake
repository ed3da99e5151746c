# Fails if the archive refers to a function of the reference. Variables: NM ARCHIVE.
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND "${NM}" -u -C "${ARCHIVE}" OUTPUT_VARIABLE wanted COMMAND_ERROR_IS_FATAL ANY)
if(wanted MATCHES "dlspec::(reference|testing)::[^\n]*")
  message(FATAL_ERROR "optimized calls the reference: ${CMAKE_MATCH_0}")
endif()
# It always refers to the vocabulary: proof that symbols are read and demangled.
if(NOT wanted MATCHES "dlspec::Findings::add")
  message(FATAL_ERROR "the symbols of ${ARCHIVE} were not understood:\n${wanted}")
endif()
