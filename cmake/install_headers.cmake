# Run by `cmake --install`: the public headers as <bnnplan/...>, and those of src/ that they need as <bnnplan/parts/...>, so that
# nothing of ours lands on the include path of others as base/ or problem/. What is included as "folder/file.hpp" in the source
# tree is included as "bnnplan/parts/folder/file.hpp" there.
set(target "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${include_folder}/bnnplan")
file(GLOB folders RELATIVE "${source}/src" "${source}/src/*/CMakeLists.txt")
list(TRANSFORM folders REPLACE "/CMakeLists.txt$" "")
list(REMOVE_ITEM folders cli)
list(JOIN folders "|" folder_pattern)

function(install_header from to)
  file(READ "${from}" text)
  string(REGEX REPLACE "(#include )\"((${folder_pattern})/[^\"\n]+)\"" "\\1\"bnnplan/parts/\\2\"" text "${text}")
  file(WRITE "${to}" "${text}")
  message(STATUS "Installing: ${to}")
endfunction()

file(GLOB public RELATIVE "${source}/include/bnnplan" "${source}/include/bnnplan/*.hpp" "${source}/include/bnnplan/*.h")
foreach(header ${public})
  install_header("${source}/include/bnnplan/${header}" "${target}/${header}")
endforeach()
install_header("${source}/src/ipamir/ipamir.h" "${target}/ipamir.h")
foreach(folder ${folders})
  file(GLOB_RECURSE headers RELATIVE "${source}/src" "${source}/src/${folder}/*.hpp")
  foreach(header ${headers})
    install_header("${source}/src/${header}" "${target}/parts/${header}")
  endforeach()
endforeach()
