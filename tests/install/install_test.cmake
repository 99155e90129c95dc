# Run by CTest (see CMakeLists.txt beside): install, build a project that uses the library, run it.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN}\nfailed (${result}):\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK_DIR}/prefix ${WORK_DIR}/project)
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/prefix)
run(${CMAKE_COMMAND} -S ${SOURCE_DIR}/examples/check_plan -B ${WORK_DIR}/project -G ${GENERATOR}
    -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix -DCMAKE_CXX_FLAGS=${CXX_FLAGS})
run(${CMAKE_COMMAND} --build ${WORK_DIR}/project)
run(${WORK_DIR}/project/check_plan ${SOURCE_DIR}/models/corridor.toml ${SOURCE_DIR}/models/corridor.plan.json)
if(NOT output MATCHES "cost 5\n$")
  message(FATAL_ERROR "unexpected output:\n${output}")
endif()
run(${WORK_DIR}/prefix/bin/bnnplan check ${SOURCE_DIR}/models/corridor.toml ${SOURCE_DIR}/models/corridor.plan.json)
