# Runs a command that must succeed; what it prints is in ${output} then.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN}\nfailed (${result}):\n${output}${errors}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# What it printed matches this.
function(expect pattern)
  if(NOT output MATCHES "${pattern}")
    message(FATAL_ERROR "no ${pattern} in:\n${output}")
  endif()
endfunction()
