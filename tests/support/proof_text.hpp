#pragma once

#include <string>
#include <vector>

namespace bnnplan::testing {

// The steps as a proof of either version. They are written without the end of the line, solutions as
// "improve" and "show", and a half of a definition with a ':' before its witness.
inline std::string proof_of(const std::string& version, int constraints,
                            const std::vector<std::string>& steps) {
  const bool by_lines = version == "1.2";
  std::string text = "pseudo-Boolean proof version " + version + "\n";
  const auto add = [&](std::string step) {
    const auto replace = [&](const std::string& word, const char* old_word, const char* new_word) {
      if (step.starts_with(word)) step.replace(0, word.size(), by_lines ? old_word : new_word);
    };
    replace("improve", "o", "soli");
    replace("show", "v", "sol");
    if (const std::size_t witness = step.find(':');
        by_lines && step.starts_with("red") && witness < step.size())
      step[witness] = ';';
    text += step + (by_lines && !step.starts_with("rup") ? "\n" : " ;\n");
  };
  add("f " + std::to_string(constraints));
  for (const std::string& step : steps) add(step);
  return text;
}

inline std::string conclusion(const std::string& text) {
  return "output NONE ;\nconclusion " + text + " ;\nend pseudo-Boolean proof";
}

}  // namespace bnnplan::testing
