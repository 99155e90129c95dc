// Runs readers without libFuzzer: on every file of the corpus, then on mutations of them from a fixed seed.
// The tests run this, with any compiler; it has no coverage feedback.
//
//   replay READER [--mutations N] [--seed S] [--words DICTIONARY] FILE|FOLDER...
//
// A mutation is one to eight of: a bit flipped, bytes removed, repeated, overwritten, swapped with those of
// another file, a word of the dictionary or an extreme number inserted. Each input is kept in memory while it
// runs; if the process ends, a handler writes it to ./crash-READER, to be added to the corpus.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "fuzz_target.hpp"

namespace {

using Random = std::mt19937_64;

std::string current;     // the input that is being tried
std::string crash_file;  // for the handler: crash-READER

void save_and_end(int signal) {
  const int file = ::open(crash_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file >= 0 && ::write(file, current.data(), current.size()) >= 0) {
    constexpr std::string_view text = "fuzz: the input is in ./crash-...\n";
    if (::write(STDERR_FILENO, text.data(), text.size()) < 0) ::_exit(3);
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

std::string content(const std::filesystem::path& path) {
  std::string text;
  if (std::FILE* file = std::fopen(path.c_str(), "rb")) {
    char buffer[1 << 16];
    while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, file)) text.append(buffer, got);
    std::fclose(file);
  }
  return text;
}

// The words of a libFuzzer dictionary: one quoted string per line, with \" \\ \xNN.
std::vector<std::string> dictionary_words(const std::filesystem::path& path) {
  std::vector<std::string> words;
  const std::string text = content(path);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    const auto first = line.find('"'), last = line.rfind('"');
    if (line.starts_with("#") || first == last) continue;
    std::string word;
    for (std::size_t i = first + 1; i < last; ++i) {
      if (line[i] != '\\') {
        word += line[i];
      } else if (i + 3 < last && line[i + 1] == 'x') {
        word += static_cast<char>(std::strtol(line.substr(i + 2, 2).c_str(), nullptr, 16));
        i += 3;
      } else {
        word += line[++i];
      }
    }
    words.push_back(word);
  }
  return words;
}

class Mutator {
 public:
  Mutator(std::uint64_t seed, const std::vector<std::string>& files, const std::vector<std::string>& words)
      : random_(seed), files_(files), words_(words) {
    for (const char* number : {"0", "-1", "9223372036854775807", "-9223372036854775808", "4294967296",
                               "1e999999999", "0.000000000000000000001"})
      words_.emplace_back(number);
  }

  std::string next() {
    std::string text = files_[below(files_.size())];
    for (std::size_t steps = 1 + below(8); steps > 0; --steps) mutate(text);
    return text;
  }

 private:
  std::size_t below(std::size_t bound) { return bound == 0 ? 0 : random_() % bound; }

  void mutate(std::string& text) {
    const std::size_t at = below(text.size());
    const std::size_t length = std::min(text.size() - at, 1 + below(1 + below(64)));
    switch (below(6)) {
      case 0:
        if (!text.empty()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(at, length));
        break;
      case 3: {
        const std::string& other = files_[below(files_.size())];
        text.replace(at, length, other.substr(below(other.size()), 1 + below(200)));
        break;
      }
      case 4:
        text.replace(at, below(2) * length, words_[below(words_.size())]);
        break;
      default:
        for (std::size_t i = at; i < at + length; ++i) text[i] = static_cast<char>(below(256));
    }
  }

  Random random_;
  const std::vector<std::string>& files_;
  std::vector<std::string> words_;
};

}  // namespace

int main(int argc, char** argv) {
  const std::string target = argc > 1 ? argv[1] : "";
  const bnnplan::fuzz::Reader* reader = bnnplan::fuzz::find_reader(target);
  if (reader == nullptr) {
    std::fprintf(stderr, "replay: there is no reader '%s'\n", target.c_str());
    return 1;
  }
  crash_file = "crash-" + target;
  std::uint64_t mutations = 0, seed = 1;
  std::vector<std::string> words;
  std::vector<std::filesystem::path> paths;
  for (int i = 2; i < argc; ++i) {
    const std::string argument = argv[i];
    const bool option = argument == "--mutations" || argument == "--seed" || argument == "--words";
    if (option && i + 1 == argc) {
      std::fprintf(stderr, "%s needs a value\n", argv[i]);
      return 1;
    }
    if (argument == "--mutations") {
      mutations = std::strtoull(argv[++i], nullptr, 10);
    } else if (argument == "--seed") {
      seed = std::strtoull(argv[++i], nullptr, 10);
    } else if (argument == "--words") {
      words = dictionary_words(argv[++i]);
    } else if (std::filesystem::is_directory(argument)) {
      for (const auto& entry : std::filesystem::recursive_directory_iterator(argument))
        if (entry.is_regular_file()) paths.push_back(entry.path());
    } else {
      paths.emplace_back(argument);
    }
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> files;
  for (const auto& path : paths) files.push_back(content(path));
  if (files.empty()) {
    std::fprintf(stderr, "no files: the corpus of %s is missing\n", target.c_str());
    return 1;
  }
  for (const int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGBUS, SIGILL, SIGALRM})
    std::signal(signal, save_and_end);
  constexpr unsigned most_seconds = 60;  // per input: more is a hang
  std::uint64_t runs = 0, accepted = 0;
  const auto run = [&](std::string input) {
    current = std::move(input);
    ::alarm(most_seconds);
    accepted += bnnplan::fuzz::accepted(*reader, current) ? 1 : 0;
    ++runs;
  };
  for (const std::string& file : files) run(file);
  Mutator mutator(seed, files, words);
  for (std::uint64_t i = 0; i < mutations; ++i) run(mutator.next());
  std::printf("%s: %llu inputs (%zu files), %llu accepted, the others refused in one line\n", target.c_str(),
              static_cast<unsigned long long>(runs), files.size(), static_cast<unsigned long long>(accepted));
  return accepted > 0 ? 0 : 1;  // a corpus without any accepted input tests little
}
