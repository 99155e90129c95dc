# Run by CTest (see CMakeLists.txt beside): install, build a project that uses the library, run it.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

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
foreach(file share/man/man1/bnnplan.1.gz share/bash-completion/completions/bnnplan share/zsh/site-functions/_bnnplan)
  if(NOT EXISTS ${WORK_DIR}/prefix/${file})
    message(FATAL_ERROR "${file} is not installed")
  endif()
endforeach()
