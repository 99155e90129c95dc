# Run by cmake -P at build time: writes a C++ source that holds files as bytes. Files of one extension are put one after
# the other, behind a function page_EXTENSION() of the namespace bnnplan::reporting that returns a std::string_view.
#   cmake -DHEADER=folder/file.hpp -DOUTPUT=file.cpp "-DFILES=a.html;b.css;c.js;d.js" -P embed.cmake
set(extensions "")
foreach(file ${FILES})
  get_filename_component(extension ${file} LAST_EXT)
  string(REPLACE "." "" extension ${extension})
  list(APPEND extensions ${extension})
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND bytes_${extension} "${bytes}\n")
endforeach()
list(REMOVE_DUPLICATES extensions)
set(source "// Made by cmake/embed.cmake.\n#include \"${HEADER}\"\n\nnamespace bnnplan::reporting {\n")
foreach(extension ${extensions})
  string(APPEND source "\nnamespace {\nconst unsigned char ${extension}_bytes[] = {\n${bytes_${extension}}};\n}\n"
         "std::string_view page_${extension}() {\n"
         "  return {reinterpret_cast<const char*>(${extension}_bytes), sizeof ${extension}_bytes};\n}\n")
endforeach()
string(APPEND source "\n}  // namespace bnnplan::reporting\n")
file(WRITE ${OUTPUT} "${source}")
