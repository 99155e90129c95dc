# `cmake --install`: the program, the libraries, their headers, models and domains, and the files for find_package(bnnplan).
include(CMakePackageConfigHelpers)

add_library(bnnplan_all INTERFACE)
add_library(bnnplan::bnnplan ALIAS bnnplan_all)
set_target_properties(bnnplan_all PROPERTIES EXPORT_NAME bnnplan)
get_property(libraries GLOBAL PROPERTY BNNPLAN_LIBRARIES)
target_link_libraries(bnnplan_all INTERFACE ${libraries})

set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/bnnplan)
install(TARGETS bnnplan RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(PROGRAMS tools/bench-tables DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME bnnplan-tables COMPONENT program)
if(BNNPLAN_MPI)
  install(TARGETS bnnplan-mpi RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT mpi)
endif()
install(TARGETS bnnplan_all ${libraries} EXPORT bnnplanTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
                                                                             COMPONENT development)
install(DIRECTORY include/bnnplan DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(DIRECTORY src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/bnnplan COMPONENT development FILES_MATCHING PATTERN "*.hpp"
                                                                                             PATTERN cli EXCLUDE PATTERN mpi EXCLUDE)
install(DIRECTORY models domains DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bnnplan COMPONENT program)
install(
  EXPORT bnnplanTargets
  NAMESPACE bnnplan::
  DESTINATION ${config_folder}
  COMPONENT development)
configure_package_config_file(cmake/bnnplanConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/bnnplanConfig.cmake
                              INSTALL_DESTINATION ${config_folder})
write_basic_package_version_file(bnnplanConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/bnnplanConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/bnnplanConfigVersion.cmake
        DESTINATION ${config_folder} COMPONENT development)
include(cmake/package.cmake)
