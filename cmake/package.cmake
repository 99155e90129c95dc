# `make package`: Debian packages through CPack. bnnplan is the program with its manual, models, domains and documentation;
# libbnnplan-dev the C++ library; bnnplan-mpi, where it is built, the program for clusters; python3-bnnplan, where it is built, the Python package. What they depend on is found by dpkg-shlibdeps.
set(people "the bnnplan authors <authors@bnnplan.invalid>")  # Debian asks for an address; this one is nobody's

# What Debian wants in /usr/share/doc: the licence in its format, and a changelog, compressed.
set(made ${CMAKE_CURRENT_BINARY_DIR}/debian)
file(READ LICENSE licence)
string(REGEX REPLACE "^MIT License\n+(Copyright [^\n]*)\n+" "" licence_text "${licence}")
string(REGEX MATCH "Copyright \\(c\\) ([^\n]*)" ignored "${licence}")
set(holder "${CMAKE_MATCH_1}")
string(STRIP "${licence_text}" licence_text)
string(REPLACE "\n" "\n " licence_text "${licence_text}")
string(REPLACE "\n \n" "\n .\n" licence_text "${licence_text}")
file(WRITE ${made}/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: bnnplan

Files: *
Copyright: ${holder}
License: Expat

License: Expat
 ${licence_text}
")
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${made}/changelog "bnnplan (${PROJECT_VERSION}) unstable; urgency=medium

  * What has changed is said in CHANGELOG.md beside this file.

 -- ${people}  ${now}
")
file(ARCHIVE_CREATE OUTPUT ${made}/changelog.gz PATHS ${made}/changelog FORMAT raw COMPRESSION GZip COMPRESSION_LEVEL 9)
set(components program development)
set(package_of_program bnnplan)
set(package_of_development libbnnplan-dev)
set(package_of_python python3-bnnplan)
set(package_of_mpi bnnplan-mpi)
if(BNNPLAN_MPI)
  list(APPEND components mpi)
endif()
if(BNNPLAN_PYTHON)
  list(APPEND components python)
endif()
foreach(component ${components})
  set(only_asked_for "")
  if(component STREQUAL "python")  # no part of a plain `cmake --install`
    set(only_asked_for EXCLUDE_FROM_ALL)
  endif()
  install(FILES ${made}/copyright ${made}/changelog.gz
          DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${package_of_${component}} COMPONENT ${component} ${only_asked_for})
endforeach()
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/bnnplan COMPONENT program)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/bnnplan COMPONENT program)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME bnnplan)
set(CPACK_PACKAGE_VENDOR "the bnnplan authors")
set(CPACK_PACKAGE_CONTACT ${people})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL ${components})
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
                                                WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME bnnplan)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "clasp, python3")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
    "bnnplan learns how a world behaves as a binarized neural network and finds
provably optimal plans in it. It writes planning problems for any MaxSAT,
pseudo-Boolean, integer or constraint solver, turns their answers back into
plans, and checks plans and proofs of optimality independently.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libbnnplan-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libfmt-dev, libcadical-dev, libgmp-dev, zlib1g-dev, liblzma-dev, libprotobuf-dev")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
    "The static libraries, headers and CMake files of bnnplan, which finds
provably optimal plans in worlds learned as binarized neural networks.")

if(BNNPLAN_MPI)
  set(CPACK_DEBIAN_MPI_PACKAGE_NAME bnnplan-mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_SECTION science)
  set(CPACK_DEBIAN_MPI_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "bnnplan (= ${PROJECT_VERSION}), openmpi-bin")
  set(CPACK_COMPONENT_MPI_DESCRIPTION
      "bnnplan on clusters: one search by many processes on many machines, and suites,
comparisons and verifications handed out to them, by MPI.")
endif()

# Compiled for the machine's Python when it is installed, and taken away with what that made, as Debian's own packages do.
if(BNNPLAN_PYTHON)
  file(WRITE ${made}/python/postinst "#!/bin/sh\nset -e\nif command -v py3compile >/dev/null 2>&1; then\n  py3compile -p python3-bnnplan\nfi\n")
  file(WRITE ${made}/python/prerm "#!/bin/sh\nset -e\nif command -v py3clean >/dev/null 2>&1; then\n  py3clean -p python3-bnnplan\nfi\n")
  file(CHMOD ${made}/python/postinst ${made}/python/prerm
       PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  math(EXPR next_minor "${Python_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-bnnplan)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
      "python3 (>= 3.${Python_VERSION_MINOR}), python3 (<< 3.${next_minor}), python3-numpy")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS python3-pandas)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${made}/python/postinst ${made}/python/prerm)
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION
      "bnnplan for Python: planning problems built with expressions, networks called
on arrays, learning, simulation, verification, and provably optimal plans.")
endif()
include(CPack)
