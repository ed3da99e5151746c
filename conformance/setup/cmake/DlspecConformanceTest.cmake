# dlspec_add_conformance_test(NAME name PLUGIN target|ADAPTER file [BASELINE file] [RULES glob] [ROLES role...]
#                             [PYTHON interpreter] [LABELS label...])
#
# A ctest for each role, name.producer and name.consumer, with the labels `dlspec` and the role. PLUGIN is a library that
# dlspec_add_plugin or add_library(MODULE) made, or the path of one; ADAPTER a Python file. A test fails on what the
# baseline does not accept (exit status 1 or 4), and when the library cannot be judged (3).
#
# dlspec_add_plugin(target source...): a library that `dlspec run` loads.
#
# The command is the target `dlspec` of the same build, or DLSPEC_COMMAND, or the one that was installed with this file.
function(dlspec_add_plugin target)
  add_library(${target} MODULE ${ARGN})
  set_target_properties(${target} PROPERTIES PREFIX "" SUFFIX ".so")
  target_link_libraries(${target} PRIVATE dlspec::plugin)
endfunction()

# The program that tests call.
function(dlspec_command_for result)
  if(TARGET dlspec)
    set(${result} "$<TARGET_FILE:dlspec>" PARENT_SCOPE)
    return()
  endif()
  find_program(DLSPEC_COMMAND dlspec HINTS "${DLSPEC_COMMAND_FOLDER}")
  if(NOT DLSPEC_COMMAND)
    message(FATAL_ERROR "The command dlspec was not found: pip install dlspec, or set DLSPEC_COMMAND")
  endif()
  set(${result} "${DLSPEC_COMMAND}" PARENT_SCOPE)
endfunction()

function(dlspec_add_conformance_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;PLUGIN;ADAPTER;BASELINE;RULES;PYTHON" "ROLES;LABELS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_NAME)
    message(FATAL_ERROR "dlspec_add_conformance_test(NAME name PLUGIN target|ADAPTER file …): not understood: ${arg_UNPARSED_ARGUMENTS}")
  elseif((arg_PLUGIN AND arg_ADAPTER) OR NOT (arg_PLUGIN OR arg_ADAPTER))
    message(FATAL_ERROR "dlspec_add_conformance_test(NAME ${arg_NAME} …) takes one of PLUGIN and ADAPTER")
  endif()
  if(TARGET "${arg_PLUGIN}")
    set(subject "$<TARGET_FILE:${arg_PLUGIN}>")
  else()
    cmake_path(ABSOLUTE_PATH arg_PLUGIN BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" OUTPUT_VARIABLE subject)
    if(arg_ADAPTER)
      cmake_path(ABSOLUTE_PATH arg_ADAPTER BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" OUTPUT_VARIABLE subject)
    endif()
  endif()
  set(options)
  if(arg_BASELINE)
    cmake_path(ABSOLUTE_PATH arg_BASELINE BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
    list(APPEND options --baseline "${arg_BASELINE}")
  endif()
  if(arg_RULES)
    list(APPEND options --rules "${arg_RULES}")
  endif()
  if(arg_PYTHON)
    list(APPEND options --python "${arg_PYTHON}")
  endif()
  if(NOT arg_ROLES)
    set(arg_ROLES producer consumer)
  endif()
  dlspec_command_for(command)
  foreach(role IN LISTS arg_ROLES)
    add_test(NAME "${arg_NAME}.${role}" COMMAND "${command}" run "${subject}" --role ${role} ${options} --color never)
    set_tests_properties("${arg_NAME}.${role}" PROPERTIES LABELS "dlspec;${role};${arg_LABELS}" TIMEOUT 900)
  endforeach()
endfunction()
