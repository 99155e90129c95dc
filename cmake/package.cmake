# `make package`: Debian packages through CPack. bnnplan is the program with its manual, models, domains and documentation;
# libbnnplan-dev the C++ library. What they depend on is found by dpkg-shlibdeps.
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
foreach(component program development)
  set(package bnnplan)
  if(component STREQUAL "development")
    set(package libbnnplan-dev)
  endif()
  install(FILES ${made}/copyright ${made}/changelog.gz DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${package}
          COMPONENT ${component})
endforeach()
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/bnnplan COMPONENT program)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/bnnplan COMPONENT program)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME bnnplan)
set(CPACK_PACKAGE_VENDOR "the bnnplan authors")
set(CPACK_PACKAGE_CONTACT ${people})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
                                                WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME bnnplan)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS clasp)
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
include(CPack)
