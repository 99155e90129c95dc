// Reads WCNF: the MaxSAT Evaluation's format of 2022 and the two classic ones, and plain CNF.
//
// The file is read as a stream of characters (input_stream.cpp), because formulas of 300 MB are common here
// and need not be in memory twice. About 60 MB/s on one core.
//
// How strict? A formula that is truncated, or written by a program with a different idea of the format, must
// not be solved as if nothing had happened. So a wrong clause count and a variable beyond the announced ones
// are errors. The 2022 format announces nothing, and there each clause must end with a 0 on its own line: a
// forgotten 0 would otherwise silently join two clauses. Classic files may break lines anywhere, as in
// DIMACS.
#include "bnnplan/formats/wcnf_reader.hpp"

#include <cerrno>
#include <cstring>
#include <optional>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/input_stream.hpp"

namespace bnnplan::formats {

namespace {

// Characters one by one, from memory or from a file.
class CharacterSource {
 public:
  static constexpr int end = -1;

  explicit CharacterSource(std::string_view text) : next_(text.data()), last_(text.data() + text.size()) {}

  explicit CharacterSource(const std::filesystem::path& path)
      : name_(path == "-" ? "standard input" : path.string()) {
    const int descriptor = path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) fail(std::strerror(errno));
    struct stat status {};
    if (::fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
      ::close(descriptor);
      fail(std::strerror(EISDIR));
    }
    stream_.emplace(name_, descriptor);
    buffer_.resize(buffer_bytes);
  }
  CharacterSource(const CharacterSource&) = delete;
  CharacterSource& operator=(const CharacterSource&) = delete;

  int peek() {
    if (next_ == last_ && !refill()) return end;
    return static_cast<unsigned char>(*next_);
  }
  void skip() { ++next_; }  // requires peek() != end

 private:
  static constexpr std::size_t buffer_bytes = std::size_t{1} << 18;

  [[noreturn]] void fail(std::string_view why) {
    throw InputError(name_, fmt::format("cannot read: {}", why));
  }

  bool refill() {
    if (!stream_) return false;
    const std::size_t got = stream_->read(buffer_.data(), buffer_bytes);
    next_ = buffer_.data();
    last_ = next_ + got;
    return got > 0;
  }

  const char* next_ = nullptr;
  const char* last_ = nullptr;
  std::string name_;
  std::optional<InputStream> stream_;
  std::vector<char> buffer_;
};

class WcnfParser {
 public:
  WcnfParser(CharacterSource& source, std::string_view name) : source_(source), name_(name) {}

  Wcnf parse() {
    while (next_token()) {
      if (source_.peek() == 'p') {
        parse_header();
      } else {
        parse_clause();
      }
    }
    if (announced_clauses_ && clauses_ != *announced_clauses_) {
      fail(fmt::format("the file ends after {}, the p line announces {}", count_text(clauses_, "clause"),
                       *announced_clauses_));
    }
    return std::move(formula_);
  }

 private:
  enum class Format { unknown, modern, classic, cnf };

  static bool is_blank(int c) { return c == ' ' || c == '\t' || c == '\r'; }
  static bool is_digit(int c) { return c >= '0' && c <= '9'; }

  [[noreturn]] void fail(std::string_view message) const { throw InputError(name_, line_, message); }
  [[noreturn]] void fail_at_token(std::string_view expected) {
    const int c = source_.peek();
    if (c == CharacterSource::end) fail(fmt::format("the file ends here, expected {}", expected));
    if (c == '\n') fail(fmt::format("the line ends here, expected {}", expected));
    const std::string word = read_word();
    if (printable(word) != word) fail(fmt::format("binary data, expected {}", expected));
    fail(fmt::format("'{}', expected {}", printable(word, 40), expected));
  }

  std::string read_word() {
    std::string word;
    for (int c = source_.peek(); c != CharacterSource::end && c != '\n' && !is_blank(c) && word.size() < 80;
         c = source_.peek()) {
      word.push_back(static_cast<char>(c));
      source_.skip();
    }
    return word;
  }

  void skip_blanks() {
    while (is_blank(source_.peek())) source_.skip();
  }

  // Skips blanks, line ends and comment lines; false at the end of the file.
  bool next_token() {
    while (true) {
      skip_blanks();
      const int c = source_.peek();
      if (c == CharacterSource::end) return false;
      if (c == '\n') {
        source_.skip();
        ++line_;
      } else if (c == 'c') {
        while (source_.peek() != '\n' && source_.peek() != CharacterSource::end) source_.skip();
      } else {
        return true;
      }
    }
  }

  // An unsigned number, followed by a blank or the end of the line or file.
  std::uint64_t read_number(std::string_view expected) {
    if (!is_digit(source_.peek())) fail_at_token(expected);
    std::uint64_t number = 0;
    bool too_large = false;
    for (int c = source_.peek(); is_digit(c); c = source_.peek()) {
      too_large |= __builtin_mul_overflow(number, 10u, &number) ||
                   __builtin_add_overflow(number, static_cast<unsigned>(c - '0'), &number);
      source_.skip();
    }
    const int after = source_.peek();
    if (after != CharacterSource::end && after != '\n' && !is_blank(after)) fail_at_token(expected);
    if (too_large) fail(fmt::format("a number of 2^64 or more, expected {}", expected));
    return number;
  }

  void parse_header() {
    if (format_ != Format::unknown) {
      fail(format_ == Format::modern ? "a p line after the first clause, expected it before all clauses"
                                     : "a second p line, expected one");
    }
    if (read_word() != "p") fail("expected 'p wcnf VARIABLES CLAUSES TOP'");
    skip_blanks();
    const std::string kind = read_word();
    if (kind != "wcnf" && kind != "cnf") {
      fail(fmt::format("'p {}', expected 'p wcnf' or 'p cnf'", printable(kind, 40)));
    }
    format_ = kind == "cnf" ? Format::cnf : Format::classic;
    skip_blanks();
    const std::uint64_t variables = read_number("the number of variables");
    if (variables > largest_wcnf_variable) {
      throw FormulaTooLarge(
          name_, line_, fmt::format("{} variables, expected at most {}", variables, largest_wcnf_variable));
    }
    formula_.variables = static_cast<std::uint32_t>(variables);
    skip_blanks();
    announced_clauses_ = read_number("the number of clauses");
    skip_blanks();
    if (format_ == Format::classic && source_.peek() != '\n' && source_.peek() != CharacterSource::end) {
      top_ = read_number("the weight of hard clauses");
      if (*top_ == 0) fail("hard clauses of weight 0, expected at least 1");
      skip_blanks();
    }
    if (source_.peek() != '\n' && source_.peek() != CharacterSource::end)
      fail_at_token("the end of the line");
  }

  void parse_clause() {
    if (format_ == Format::unknown) format_ = Format::modern;
    bool hard = format_ == Format::cnf;
    std::uint64_t weight = 0;
    const std::size_t start = line_;
    if (format_ == Format::modern && source_.peek() == 'h') {
      if (read_word() != "h") fail("expected 'h' and a blank at the start of a hard clause");
      hard = true;
    } else if (!hard) {
      weight = read_number(format_ == Format::modern ? "'h' or a weight (a whole number from 0)"
                                                     : "a weight (a whole number from 0)");
      hard = top_ && weight >= *top_;
    }
    clause_.clear();
    while (read_literal()) {
    }
    ++clauses_;
    if (announced_clauses_ && clauses_ > *announced_clauses_) {
      fail(fmt::format("more clauses than the {} that the p line announces", *announced_clauses_));
    }
    if (hard) {
      formula_.add_hard(clause_);
    } else {
      add_soft(weight, start);
    }
  }

  void add_soft(std::uint64_t weight, std::size_t line) {
    if (weight > largest_weight_sum - formula_.weight_sum)
      throw InputError(name_, line, "the soft weights sum up to 2^64 - 1 or more here, expected less");
    formula_.add_soft(clause_, weight);
  }

  // Appends the next literal of the clause; false if it was the closing 0.
  bool read_literal() {
    constexpr std::string_view expected = "a literal or the 0 that ends the clause";
    if (format_ == Format::modern) {
      skip_blanks();
    } else if (!next_token()) {
      fail_at_token(expected);
    }
    const bool negated = source_.peek() == '-';
    if (negated) source_.skip();
    const std::uint64_t number = read_number(expected);
    if (number == 0) {
      if (negated) fail(fmt::format("'-0', expected {}", expected));
      if (format_ != Format::modern) return false;
      skip_blanks();
      if (source_.peek() != '\n' && source_.peek() != CharacterSource::end) {
        fail_at_token("the end of the line after the 0 that ends a clause");
      }
      return false;
    }
    if (format_ != Format::modern && number > formula_.variables) {
      fail(fmt::format("variable {}, expected at most the {} that the p line announces", number,
                       formula_.variables));
    }
    if (number > largest_wcnf_variable) {
      throw FormulaTooLarge(name_, line_,
                            fmt::format("variable {}, expected at most {}", number, largest_wcnf_variable));
    }
    clause_.push_back(Lit::of({static_cast<std::uint32_t>(number - 1)}, negated));
    return true;
  }

  CharacterSource& source_;
  std::string name_;
  std::size_t line_ = 1;
  Format format_ = Format::unknown;
  std::optional<std::uint64_t> announced_clauses_;
  std::optional<std::uint64_t> top_;
  std::uint64_t clauses_ = 0;
  std::vector<Lit> clause_;
  Wcnf formula_;
};

}  // namespace

Wcnf read_wcnf(const std::filesystem::path& path) {
  CharacterSource source(path);
  return WcnfParser(source, path == "-" ? "<stdin>" : path.string()).parse();
}

Wcnf parse_wcnf(std::string_view text, std::string_view name) {
  CharacterSource source(text);
  return WcnfParser(source, name).parse();
}

}  // namespace bnnplan::formats
