// The language of comments, messages and pages: phrases that a native engineer would not write, each with what to
// write instead; comments within the column limit; no type on another line than its name.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bnnplan/base/text_file.hpp"

namespace bnnplan {
namespace {

const std::filesystem::path root = BNNPLAN_SOURCE_DIR;
constexpr std::size_t column_limit = 110;  // of .clang-format, which does not lay out comments

struct Phrase {
  std::string words, instead;
  std::vector<std::string> fine_before =
      {};                                    // fine English with one of these among the three words before it
  std::vector<std::string> fine_after = {};  // or with one of these as the next word
};

std::vector<Phrase> phrases_to_avoid() {
  std::vector<Phrase> phrases = {
      {"whoever", "name it: \"the thread that is free\", \"regardless of the engine\""},
      {"somebody", "name it: \"the user\", \"another thread\"; in a tutorial, \"someone\""},
      {"nobody", "name it: \"no engine\", \"no other thread\"; in a tutorial, \"no one\""},
      {"so many", "\"this number of\", \"N\", or \"that number\""},
      {"that many", "\"that number of\"", {}, {"of"}},
      {"shall", "\"must\", \"should\" or \"will\""},
      {"likewise", "\"also\", \"in the same way\", or repeat the verb"},
      {"anew", "\"again\" or \"from the start\""},
      {"for lack of", "\"because there is no\" or \"without\""},
      {"of which none", "\"none of which\""},
      {"as is one of", "say what the other one is"},
      {"be it", "\"whether it is\""},
      {"go on", "\"continue\""},
      {"goes on", "\"continues\""},
      {"went on", "\"continued\""},
      {"was come by", "\"was found\""},
      {"were come by", "\"were found\""},
      {"what is none", "name it: \"an invalid tensor\""},
  };
  for (const std::string verb : {"is", "are", "was", "were", "be"}) {
    phrases.push_back(
        {verb + " no",
         "\"" + verb + " not a ...\" (\"there " + verb + " no ...\" is fine)",
         {"there"},
         {"longer", "more", "better", "worse", "larger", "smaller", "less", "fewer", "reason", "use"}});
    phrases.push_back({verb + " none", "\"" + verb + " not one\" or \"" + verb + " not valid\"", {"there"}});
  }
  return phrases;
}

struct Word {
  std::string text;
  std::size_t line = 0;
};

// Words, without a capital at the beginning, and punctuation marks, across the ends of lines of a comment or of a string.
std::vector<Word> words_of(const std::string& text) {
  std::vector<Word> words;
  LineReader lines(text);
  std::size_t number = 0;
  const auto in_word = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-' || c >= 0x80; };
  for (std::string_view line; lines.next(line);) {
    ++number;
    line.remove_prefix(std::min(line.find_first_not_of(" \t/#*\""), line.size()));
    for (std::size_t i = 0; i < line.size();) {
      std::size_t end = i;
      while (end < line.size() && in_word(static_cast<unsigned char>(line[end]))) ++end;
      if (end == i) ++end;
      std::string word(line.substr(i, end - i));
      if (word != "None")  // of Python
        word[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(word[0])));
      const bool string_ends = word == "\"" && end == line.size();
      if (word != " " && !string_ends) words.push_back({std::move(word), number});
      i = end;
    }
  }
  return words;
}

std::vector<std::string> split(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

bool contains(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// Where the phrase begins in the text: line numbers.
std::vector<std::size_t> lines_with(const std::vector<Word>& words, const Phrase& phrase) {
  std::vector<std::size_t> found;
  const std::vector<std::string> wanted = split(phrase.words);
  for (std::size_t i = 0; i + wanted.size() <= words.size(); ++i) {
    bool equal = true;
    for (std::size_t k = 0; equal && k < wanted.size(); ++k) equal = words[i + k].text == wanted[k];
    if (!equal) continue;
    bool fine =
        i + wanted.size() < words.size() && contains(phrase.fine_after, words[i + wanted.size()].text);
    for (std::size_t k = 1; k <= std::min<std::size_t>(i, 3); ++k)
      fine = fine || contains(phrase.fine_before, words[i - k].text);
    if (!fine) found.push_back(words[i].line);
  }
  return found;
}

// All text that people read or write here. Data, and the phrases above, are not.
std::vector<std::filesystem::path> texts() {
  std::vector<std::filesystem::path> files = {root / "README.md", root / "CONTRIBUTING.md"};
  const std::vector<std::string> kinds = {".cpp", ".hpp", ".h", ".c", ".py", ".pyi", ".md", ".js"};
  for (const char* folder : {"src", "include", "python", "tools", "docs", "tests", "fuzz", "bench"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      const std::filesystem::path& file = entry.path();
      if (!entry.is_regular_file() || file.filename() == "language_test.cpp") continue;
      const bool script = file.extension().empty() && file.parent_path() == root / "tools";
      if (script || contains(kinds, file.extension().string()) || file.filename() == "CMakeLists.txt")
        files.push_back(file);
    }
  }
  return files;
}

std::size_t columns(std::string_view line) {
  return static_cast<std::size_t>(std::count_if(line.begin(), line.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;  // not within a UTF-8 character
  }));
}

TEST(SourceLanguage, PhrasesToAvoid) {
  const std::vector<Phrase> phrases = phrases_to_avoid();
  const std::vector<std::filesystem::path> files = texts();
  EXPECT_GT(files.size(), 1000u);
  for (const auto& file : files) {
    const std::vector<Word> words = words_of(read_text_file(file));
    for (const Phrase& phrase : phrases)
      for (const std::size_t line : lines_with(words, phrase))
        ADD_FAILURE() << std::filesystem::relative(file, root).string() << ":" << line << ": \""
                      << phrase.words << "\": write " << phrase.instead;
  }
}

TEST(SourceLanguage, PhrasesAreFoundWhereTheyAreOdd) {
  const auto hits = [](const std::string& text) {
    std::size_t count = 0;
    for (const Phrase& phrase : phrases_to_avoid()) count += lines_with(words_of(text), phrase).size();
    return count;
  };
  EXPECT_EQ(hits("// A file that is no plan."), 1u);
  EXPECT_EQ(hits("x is None, and the answer is \"no\"."), 0u);
  EXPECT_EQ(hits("  // A file that is\n  // no plan."), 1u);
  EXPECT_EQ(hits("\"'{}' is \"\n    \"no plan\""), 1u);
  EXPECT_EQ(hits("There is no plan; there may be no plan; it is no longer a plan; is there no plan?"), 0u);
  EXPECT_EQ(hits("Whoever has none, and there is none."), 1u);
  EXPECT_EQ(hits("nobody_id, \"shallow\""), 0u);
}

TEST(SourceLanguage, CommentsFitTheColumns) {
  const std::regex type_alone(R"(^\s*(?!return\b|else\b|case\b)[A-Za-z_][\w:<>,&* ]*[\w>&*]$)");
  const std::regex name_alone(R"(^\s+\w+(\{[^;]*\}| = [^;]*)?;\s+//.*)");
  for (const auto& file : texts()) {
    if (file.extension() != ".cpp" && file.extension() != ".hpp") continue;
    const std::string text = read_text_file(file);
    LineReader lines(text);
    std::size_t number = 0;
    std::string before;
    for (std::string_view line; lines.next(line); before = line) {
      ++number;
      const std::size_t comment = line.find("//");
      const std::string place = std::filesystem::relative(file, root).string() + ":" + std::to_string(number);
      const bool whole = comment != line.npos && line.find_first_not_of(' ') == comment;
      const bool trailing = comment != line.npos && line.find(";  //") != line.npos;
      if (whole || trailing) {
        EXPECT_LE(columns(line), column_limit) << place << ": break the comment";
      }
      const bool torn = trailing && std::regex_match(line.begin(), line.end(), name_alone) &&
                        std::regex_match(before, type_alone);
      EXPECT_FALSE(torn) << place << ": put the comment above, so that the type stays beside its name";
    }
  }
}

}  // namespace
}  // namespace bnnplan
