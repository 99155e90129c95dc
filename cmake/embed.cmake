# Run by cmake -P at build time: writes a C++ source that holds files as bytes, each behind a function
# NAME_EXTENSION() of the namespace bnnplan that returns a std::string_view.
#   cmake -DHEADER=folder/file.hpp -DOUTPUT=file.cpp "-DFILES=a.html;b.css" -P embed.cmake
set(source "// Made by cmake/embed.cmake.\n#include \"${HEADER}\"\n\nnamespace bnnplan {\n")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME)
  string(REPLACE "." "_" name ${name})
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND source "\nnamespace {\nconst unsigned char ${name}_bytes[] = {${bytes}};\n}\n"
         "std::string_view ${name}() {\n"
         "  return {reinterpret_cast<const char*>(${name}_bytes), sizeof ${name}_bytes};\n}\n")
endforeach()
string(APPEND source "\n}  // namespace bnnplan\n")
file(WRITE ${OUTPUT} "${source}")
