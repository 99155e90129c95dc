// The rules of the layout, held by themselves: a folder of src/ uses only folders that stand above it in
// src/README.md, and just those that its CMakeLists.txt declares; a stage of a folder, those that its row has
// before it.
#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bnnplan/base/text_file.hpp"

namespace bnnplan {
namespace {

const std::filesystem::path source = std::filesystem::path(BNNPLAN_SOURCE_DIR) / "src";

// The folders in the order of the table: "| base | text, numbers | ...".
std::vector<std::string> folders_of_the_table() {
  std::vector<std::string> folders;
  const std::string text = read_text_file(source / "README.md");
  LineReader lines(text);
  const std::regex row(R"(^\| ([a-z]+) \|.*)");
  for (std::string_view line; lines.next(line);) {
    std::cmatch match;
    if (std::regex_match(line.data(), line.data() + line.size(), match, row) && match[1] != "folder")
      folders.push_back(match[1]);
  }
  return folders;
}

std::set<std::string> folders_on_the_disk() {
  std::set<std::string> folders;
  for (const auto& entry : std::filesystem::directory_iterator(source)) {
    if (entry.is_directory()) folders.insert(entry.path().filename().string());
  }
  return folders;
}

struct Include {
  std::string file, folder;
};

std::vector<std::filesystem::path> sources_below(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension().string();
    if (extension == ".cpp" || extension == ".hpp") files.push_back(entry.path());
  }
  return files;
}

// What the sources of a folder include from folders of src/, itself left out. The public headers are those of
// api.
std::vector<Include> includes_of(const std::string& folder) {
  std::vector<Include> includes;
  std::vector<std::filesystem::path> files = sources_below(source / folder);
  if (folder == "api") {
    const auto headers = sources_below(source.parent_path() / "include");
    files.insert(files.end(), headers.begin(), headers.end());
  }
  const std::regex include(R"(^#include ["<]bnnplan/([a-z_]+)(?:/|\.hpp).*)");
  for (const auto& file : files) {
    const std::string text = read_text_file(file);
    LineReader lines(text);
    for (std::string_view line; lines.next(line);) {
      std::cmatch match;
      if (!std::regex_match(line.data(), line.data() + line.size(), match, include)) continue;
      const std::string used = line.find('/') == line.rfind('/') ? "api" : match[1].str();
      if (used != folder)
        includes.push_back({std::filesystem::relative(file, source.parent_path()).string(), used});
    }
  }
  return includes;
}

// What the folder's CMakeLists.txt declares: DEPENDS of a library, or what the program links.
std::set<std::string> declared_by(const std::string& folder) {
  const std::string text = read_text_file(source / folder / "CMakeLists.txt");
  const bool library = text.find("bnnplan_library(") != std::string::npos;
  const std::regex list(library ? R"(DEPENDS\s+([a-z_\s]+))"
                                : R"(target_link_libraries\(\s*bnnplan(?:-mpi)? PRIVATE ([^)]*)\))");
  const std::regex name(library ? "([a-z]+)" : "bnnplan_([a-z]+)");
  std::set<std::string> declared;
  std::smatch found;
  if (!std::regex_search(text, found, list)) return declared;
  const std::string names = found[1];
  for (auto it = std::sregex_iterator(names.begin(), names.end(), name); it != std::sregex_iterator(); ++it)
    declared.insert((*it)[1]);
  declared.erase(folder);  // what a program shares with others
  return declared;
}

TEST(Layout, TheTableListsEveryFolder) {
  const std::vector<std::string> table = folders_of_the_table();
  EXPECT_EQ(std::set<std::string>(table.begin(), table.end()), folders_on_the_disk());
  EXPECT_EQ(table.size(), folders_on_the_disk().size()) << "a folder stands twice";
}

TEST(Layout, AFolderUsesOnlyThoseAboveIt) {
  std::map<std::string, std::size_t> place;
  for (const std::string& folder : folders_of_the_table()) place.emplace(folder, place.size());
  std::size_t looked_at = 0;
  for (const auto& [folder, own_place] : place) {
    for (const Include& include : includes_of(folder)) {
      ++looked_at;
      EXPECT_LT(place[include.folder], own_place)
          << include.file << " includes " << include.folder << "/, which stands below in src/README.md";
    }
  }
  EXPECT_GT(looked_at, 300u);
}

// The subfolders that the folder's row names as `stage`, in this order; none of most folders.
std::vector<std::string> stages_of(const std::string& folder) {
  const std::string text = read_text_file(source / "README.md");
  std::vector<std::string> stages;
  LineReader lines(text);
  const std::regex word("`([a-z]+)`");
  for (std::string_view line; lines.next(line);) {
    if (!line.starts_with("| " + folder + " |")) continue;
    for (std::cregex_iterator it(line.data(), line.data() + line.size(), word); it != std::cregex_iterator();
         ++it) {
      const std::string name = (*it)[1];
      if (std::filesystem::is_directory(source / folder / name)) stages.push_back(name);
    }
  }
  return stages;
}

TEST(Layout, AStageUsesOnlyThoseBeforeIt) {
  std::size_t looked_at = 0;
  for (const std::string& folder : folders_of_the_table()) {
    const std::vector<std::string> stages = stages_of(folder);
    if (stages.empty()) continue;
    for (const auto& entry : std::filesystem::directory_iterator(source / folder))
      EXPECT_TRUE(entry.path().filename() == "CMakeLists.txt" ||
                  std::count(stages.begin(), stages.end(), entry.path().filename().string()) == 1)
          << entry.path() << " is in none of the stages of " << folder;
    const std::regex include("#include \"bnnplan/" + folder + "/([a-z]+)/.*");
    for (auto stage = stages.begin(); stage != stages.end(); ++stage) {
      for (const auto& entry : std::filesystem::directory_iterator(source / folder / *stage)) {
        const std::string text = read_text_file(entry.path());
        LineReader lines(text);
        for (std::string_view line; lines.next(line);) {
          std::cmatch match;
          if (!std::regex_match(line.data(), line.data() + line.size(), match, include)) continue;
          ++looked_at;
          EXPECT_NE(std::find(stages.begin(), stage + 1, match[1].str()), stage + 1)
              << entry.path() << " includes " << match[1] << "/, which comes after " << *stage;
        }
      }
    }
  }
  EXPECT_GT(looked_at, 50u);
}

TEST(Layout, WhatIsIncludedIsDeclaredAndTheOtherWayRound) {
  for (const std::string& folder : folders_of_the_table()) {
    const std::set<std::string> declared = declared_by(folder);
    std::set<std::string> included;
    for (const Include& include : includes_of(folder)) {
      included.insert(include.folder);
      EXPECT_TRUE(declared.contains(include.folder))
          << include.file << " includes " << include.folder << "/, which src/" << folder
          << "/CMakeLists.txt does not declare";
    }
    for (const std::string& name : declared)
      EXPECT_TRUE(included.contains(name))
          << "src/" << folder << " declares " << name << " and does not use it";
  }
}

// A proof or a plan is worth what its checker is worth, so the checker has its own unrolling, formulas,
// normal forms and readers of OPB and WCNF. It shares plain data, and the readers of problems, networks and
// questions.
TEST(Layout, TheCheckerSharesNothingWithWhatWritesOrSolves) {
  const std::set<std::string> plain = {"base", "network", "problem", "query"};
  for (const Include& include : includes_of("check"))
    EXPECT_TRUE(plain.contains(include.folder)) << include.file << " includes " << include.folder << "/";
  const std::set<std::string> of_base = {"bit_value.hpp",    "checked.hpp",     "count_text.hpp",
                                         "exact_number.hpp", "input_error.hpp", "limits.hpp",
                                         "literal.hpp"};
  const std::regex base(R"re(#include "bnnplan/base/([a-z_.]+)")re");
  for (const auto& file : sources_below(source / "check")) {
    const std::string text = read_text_file(file);
    for (std::sregex_iterator it(text.begin(), text.end(), base); it != std::sregex_iterator(); ++it)
      EXPECT_TRUE(of_base.contains((*it)[1])) << file << " includes base/" << (*it)[1];
  }
  for (const char* folder : {"query", "network", "problem", "model", "encode", "formats", "maxsat", "ipamir",
                             "cdcl", "ranks", "discover", "verify", "learn", "rddl", "exchange"}) {
    for (const Include& include : includes_of(folder))
      EXPECT_NE(include.folder, "check") << include.file << " uses the checker";
  }
  // Engines have their plans checked, and use nothing else of it.
  const std::regex checker(R"re(#include "bnnplan/check/([a-z_.]+)")re");
  std::size_t looked_at = 0;
  for (const auto& file : sources_below(source / "engines")) {
    const std::string text = read_text_file(file);
    for (std::sregex_iterator it(text.begin(), text.end(), checker); it != std::sregex_iterator(); ++it) {
      ++looked_at;
      EXPECT_EQ((*it)[1], "plan_check.hpp") << file;
    }
  }
  EXPECT_GT(looked_at, 2u);
}

// The files that these include, and the sources of those headers, and so on.
std::set<std::string> all_used_by(std::vector<std::string> files) {
  std::set<std::string> used;
  const std::regex include(R"re(#include "bnnplan/([a-z_]+/[a-z_/.]+)")re");
  while (!files.empty()) {
    const std::string file = files.back();
    files.pop_back();
    if (!std::filesystem::exists(source / file) || !used.insert(file).second) continue;
    if (file.ends_with(".hpp")) files.push_back(file.substr(0, file.size() - 3) + "cpp");
    const std::string text = read_text_file(source / file);
    for (std::sregex_iterator it(text.begin(), text.end(), include); it != std::sregex_iterator(); ++it)
      files.push_back((*it)[1]);
  }
  return used;
}

// What the checker shares, with the readers of what it checks, as docs/trust.md counts it: files of each
// folder, and their lines in hundreds.
TEST(Layout, WhatTheCheckerSharesIsCounted) {
  std::vector<std::string> files = {"problem/problem_file.hpp", "problem/plan_file.hpp",
                                    "network/network_file.hpp", "query/query_file.hpp",
                                    "query/vnnlib.hpp",         "query/input_values.hpp"};
  for (const auto& file : sources_below(source / "check"))
    files.push_back(std::filesystem::relative(file, source).string());
  std::map<std::string, std::pair<std::size_t, std::size_t>> counts;
  for (const std::string& file : all_used_by(files)) {
    const std::string text = read_text_file(source / file);
    auto& [count, lines] = counts[file.substr(0, file.find('/'))];
    ++count;
    lines += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }
  const std::string page = read_text_file(source.parent_path() / "docs" / "trust.md");
  for (const auto& [folder, counted] : counts) {
    const std::string row = "| " + folder + " | " + std::to_string(counted.first) + " | " +
                            std::to_string((counted.second + 50) / 100 * 100) + " |";
    EXPECT_NE(page.find("\n" + row), std::string::npos) << "docs/trust.md should say: " << row;
  }
  EXPECT_EQ(counts.size(), 7u) << "the checker, and six folders that it shares";
}

// Standard generators give the same numbers everywhere, what is built on them does not.
TEST(Layout, RandomNumbersHaveOneSource) {
  const std::regex other(
      R"(mt19937|random_device|_distribution\b|std::(shuffle|sample|ranges::shuffle)|\brand\()");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source)) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".cpp" && extension != ".hpp") continue;
    if (std::filesystem::relative(entry.path(), source) == "base/random.hpp") continue;
    const std::string text = read_text_file(entry.path());
    std::smatch match;
    EXPECT_FALSE(std::regex_search(text, match, other)) << entry.path() << " has " << match.str();
  }
}

// "| rddl | `bnnplan::rddl` | ...": the namespace of each folder. That of the public headers is `bnnplan`.
std::map<std::string, std::string> namespaces_of_the_table() {
  std::map<std::string, std::string> namespaces = {{"bnnplan", "bnnplan"}};
  const std::string text = read_text_file(source / "README.md");
  LineReader lines(text);
  const std::regex row(R"(^\| ([a-z]+) \| `([a-z:]+)` \|.*)");
  for (std::string_view line; lines.next(line);) {
    std::cmatch match;
    if (std::regex_match(line.data(), line.data() + line.size(), match, row))
      namespaces.emplace(match[1], match[2]);
  }
  return namespaces;
}

// The files of a folder are in its namespace, and no two types of a namespace have one name, which is
// undefined behaviour that no compiler sees.
TEST(Layout, AFolderIsANamespace) {
  const std::map<std::string, std::string> namespaces = namespaces_of_the_table();
  EXPECT_EQ(namespaces.size(), folders_on_the_disk().size() + 1);
  std::map<std::string, std::string> defined;
  const std::regex opening(R"(^namespace ([a-z:]+) \{$)"), forward(R"(^(class|struct) [A-Za-z]+;$)");
  const std::regex definition(R"(^(enum class|struct|class) ([A-Za-z]+)( final)?( :.*)? \{.*)");
  for (const auto& root : {source, source.parent_path() / "include"}) {
    for (const auto& file : sources_below(root)) {
      const std::string folder = std::filesystem::relative(file, root).begin()->string();
      const std::string& own = namespaces.at(folder);
      const std::string text = read_text_file(file);
      LineReader lines(text);
      std::string inside;
      for (std::string_view line; lines.next(line);) {
        std::cmatch match;
        const char *begin = line.data(), *end = begin + line.size();
        if (std::regex_match(begin, end, match, opening) && match[1].str().starts_with("bnnplan")) {
          inside = match[1];
        } else if (!inside.empty() && inside != own && !line.empty() && !line.starts_with("}")) {
          EXPECT_TRUE(std::regex_match(begin, end, forward))
              << file << " has more than declarations in " << inside << ", expected " << own << ": " << line;
        }
        if (line.starts_with("}  // namespace bnnplan")) inside.clear();
        if (file.extension() != ".hpp" || !std::regex_match(begin, end, match, definition)) continue;
        const auto [other, added] = defined.emplace(own + "::" + match[2].str(), file.string());
        EXPECT_TRUE(added) << match[2] << " is defined in " << file << " and in " << other->second;
      }
    }
  }
  EXPECT_GT(defined.size(), 100u);
}

// What a page tells users to include is there after `make install`: the public headers.
TEST(Layout, PagesIncludePublicHeaders) {
  const std::filesystem::path root = source.parent_path();
  std::vector<std::filesystem::path> pages = {root / "README.md"};
  for (const auto& entry : std::filesystem::directory_iterator(root / "docs"))
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  const std::regex include(R"(^ *#include ["<]([^">]+)[">].*)");
  for (const auto& page : pages) {
    const std::string text = read_text_file(page);
    LineReader lines(text);
    for (std::string_view line; lines.next(line);) {
      std::cmatch match;
      if (!std::regex_match(line.data(), line.data() + line.size(), match, include)) continue;
      const std::string name = match[1];
      const bool of_the_system = name.find('/') == std::string::npos && line.find('<') != line.npos;
      EXPECT_TRUE(of_the_system || name == "ipamir.h" ||
                  (name.starts_with("bnnplan/") && std::filesystem::exists(root / "include" / name)))
          << page << ": " << line;
    }
  }
}

// A newer compiler knows more warnings: they are errors for those who work on bnnplan, not for those who
// build it.
TEST(Layout, WarningsDoNotEndTheBuildOfUsers) {
  const std::string text = read_text_file(source.parent_path() / "CMakePresets.json");
  const std::size_t release = text.find("\"name\": \"release\""), next = text.find("\"name\": \"test\"");
  ASSERT_LT(release, next);
  EXPECT_EQ(text.substr(release, next - release).find("BNNPLAN_WERROR"), std::string::npos);
  EXPECT_NE(text.substr(next).find("\"BNNPLAN_WERROR\": \"ON\""), std::string::npos);
}

// Messages of the library write options as option_name("bits"), which is --bits on the command line and
// bits= in Python.
TEST(Layout, NoMessageOfTheLibraryNamesAFlag) {
  const std::set<std::string> with_commands = {// these make command lines of child processes
                                               "compare/matrix.cpp", "compare/measure.cpp",
                                               "engines/external/known_solvers.cpp", "suite/submission.cpp"};
  const std::string of_a_solver = "\\\"clasp --opt-strategy=usc\\\"";  // in the help of an option
  const std::regex flag("\"[^\"]*--[a-z]");
  std::size_t looked_at = 0;
  for (const auto& file : sources_below(source)) {
    const std::string name = std::filesystem::relative(file, source).string();
    if (name.starts_with("cli/") || name.starts_with("mpi/") || with_commands.count(name) > 0) continue;
    ++looked_at;
    const std::string text = read_text_file(file);
    LineReader lines(text);
    for (std::string_view line; lines.next(line);)
      EXPECT_TRUE(!std::regex_search(line.begin(), line.end(), flag) || line.find(of_a_solver) != line.npos)
          << name << ": " << line;
  }
  EXPECT_GT(looked_at, 400u);
}

}  // namespace
}  // namespace bnnplan
