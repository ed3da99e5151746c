# Compares what PROGRAM prints of FOLDER's cases with FOLDER/choices.md; with DLSPEC_UPDATE_GOLDEN set, writes it there.
execute_process(COMMAND "${PROGRAM}" "${FOLDER}/rearrange_cases.json" "${FOLDER}/model_cases.json"
  OUTPUT_VARIABLE printed RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} ended with ${status}")
endif()
if(DEFINED ENV{DLSPEC_UPDATE_GOLDEN})
  file(WRITE "${FOLDER}/choices.md" "${printed}")
endif()
file(READ "${FOLDER}/choices.md" page)
if(NOT printed STREQUAL page)
  message(FATAL_ERROR "Other choices than ${FOLDER}/choices.md has: if they are meant, run this with DLSPEC_UPDATE_GOLDEN=1")
endif()
