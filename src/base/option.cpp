// What options accept, and how errors about them are worded. 010 is not a number here, and neither is one
// that does not fit: the option parser of the command line would read them as 8 and as the largest number
// there is.
#include "bnnplan/base/option.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace bnnplan {

namespace {

std::string expected_words(const std::vector<std::string>& words, const std::string& given) {
  const std::string nearest = words.size() > 2 ? nearest_name(given, words) : "";
  return fmt::format("{}{}{}", words.size() > 1 ? "one of " : "", fmt::join(words, ", "),
                     nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest));
}

std::string expected_integer(const Option& option, std::int64_t given) {
  const IntegerRange* stated = std::get_if<IntegerRange>(&option.range);
  const IntegerRange& range = stated != nullptr ? *stated : option.field.fits;
  if (given >= range.least && given <= range.most) return "";
  return fmt::format("a whole number from {} to {}", range.least, range.most);
}

std::string expected_number(const Option& option, double given) {
  const RealRange* range = std::get_if<RealRange>(&option.range);
  if (!std::isfinite(given)) return "a finite number";
  if (range == nullptr || (given >= range->least && given <= range->most)) return "";
  if (range->most == above_zero.most) return "a number above 0";
  return fmt::format("a number from {} to {}", range->least, range->most);
}

// As an error shows it.
std::string shown(const OptionValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return fmt::format("'{}'", printable(*text));
  if (const auto* texts = std::get_if<std::vector<std::string>>(&value))
    return fmt::format("'{}'", printable(fmt::format("{}", fmt::join(*texts, ","))));
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&value))
    return printable(fmt::format("{}", fmt::join(*integers, ",")));
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *integer);
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  return "";
}

template <class Number>
std::optional<Number> parse_whole_text(const std::string& text) {
  Number number{};
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  if (error != std::errc() || end != last) return std::nullopt;
  return number;
}

std::optional<std::int64_t> parse_integer(const std::string& text) {
  const bool octal = text.size() > 1 && text.front() == '0';
  return octal ? std::nullopt : parse_whole_text<std::int64_t>(text);
}

}  // namespace

std::string refusal(const Option& option, const OptionValue& value) {
  const std::vector<std::string>& words = option.field.words;
  const auto is_word = [&](const std::string& text) {
    return std::find(words.begin(), words.end(), text) != words.end();
  };
  if (const auto* text = std::get_if<std::string>(&value)) {
    if (option.file && (text->empty() || *text == "-")) return "a file";
    if (option.field.expected) return option.field.expected(*text);
    return words.empty() || is_word(*text) ? "" : expected_words(words, *text);
  }
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return expected_integer(option, *integer);
  if (const auto* number = std::get_if<double>(&value)) return expected_number(option, *number);
  if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) {
    for (const std::string& text : *texts) {
      if (!words.empty() && !is_word(text)) return expected_words(words, text);
    }
  } else if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&value)) {
    for (const std::int64_t integer : *integers) {
      if (std::string expected = expected_integer(option, integer); !expected.empty()) return expected;
    }
  }
  return "";
}

OptionValue parse_option(const Option& option, const std::string& text) {
  switch (option.field.kind) {
    case OptionKind::flag:
      return true;
    case OptionKind::integer:
    case OptionKind::integers:
      if (const auto integer = parse_integer(text)) return *integer;
      return {};
    case OptionKind::number:
      if (const auto number = parse_whole_text<double>(text); number && std::isfinite(*number))
        return *number;
      return {};
    case OptionKind::text:
    case OptionKind::texts:
      return text;
  }
  __builtin_unreachable();
}

void check_options(std::span<const Option> options, std::span<const Option> defaults) {
  const auto given = [&](std::string_view name) {
    for (std::size_t i = 0; i < options.size(); ++i) {
      if (options[i].name == name) return options[i].field.get() != defaults[i].field.get();
    }
    return false;
  };
  // A flag that is off, though it could have been left open, is as good as not given to other options.
  const auto is_on = [&](std::string_view name) {
    return given(name) && std::none_of(options.begin(), options.end(), [&](const Option& option) {
             return option.name == name && option.field.get() == OptionValue(false);
           });
  };
  for (const Option& option : options) {
    if (!given(option.name)) continue;
    const OptionValue value = option.field.get();
    if (const std::string expected = refusal(option, value); !expected.empty())
      throw OptionError(
          fmt::format("{} is {}, expected {}", option_name(option.name), shown(value), expected));
    for (const std::string& other : option.needs) {
      if (!is_on(other))
        throw OptionError(fmt::format("{} requires {}", option_name(option.name), option_name(other)));
    }
    for (const std::string& other : option.excludes) {
      if (is_on(other))
        throw OptionError(fmt::format("{} excludes {}", option_name(option.name), option_name(other)));
    }
  }
}

namespace describing {

OptionField one_of(std::string& place, std::vector<std::string> allowed) {
  OptionField made = field(place);
  made.words = std::move(allowed);
  return made;
}

OptionField some_of(std::vector<std::string>& place, std::vector<std::string> allowed) {
  OptionField made = field(place);
  made.words = std::move(allowed);
  return made;
}

namespace {

template <class Given>
OptionField parsed_as(OptionKind kind, std::function<void(const Given&)> parse) {
  const auto last = std::make_shared<OptionValue>();
  return {kind, [=] { return *last; },
          [=](const OptionValue& value) {
            parse(std::get<Given>(value));
            *last = value;
          }};
}

}  // namespace

OptionField parsed_text(std::function<void(const std::string&)> parse) {
  return parsed_as(OptionKind::text, std::move(parse));
}

OptionField parsed_texts(std::function<void(const std::vector<std::string>&)> parse) {
  return parsed_as(OptionKind::texts, std::move(parse));
}

std::vector<Option> limit_options(Limits& limits) {
  std::size_t* bytes = &limits.memory_bytes;
  OptionField mebibytes = field(limits.memory_bytes);
  mebibytes.get = [=] {
    return *bytes == Limits().memory_bytes ? OptionValue() : static_cast<std::int64_t>(*bytes >> 20);
  };
  mebibytes.set = [=](const OptionValue& value) {
    *bytes = static_cast<std::size_t>(std::get<std::int64_t>(value)) << 20;
  };
  return {{"time-limit", field(limits.seconds), "Stop after this many seconds of wall time", "S", above_zero},
          {"memory-limit", mebibytes,
           "Stop before using more memory (three quarters of the machine's if not given)", "MIB",
           IntegerRange{1, std::int64_t{1} << 40}},
          {"threads", field(limits.threads), "Threads to use (all of the machine if not given)", "N",
           thread_range},
          {"seed", field(limits.seed), "Seed of random choices (0)", "N", seed_range}};
}

std::vector<Option> proof_options(OptionField file, ProofVersion& version) {
  return {{.name = "proof",
           .field = std::move(file),
           .help = "Write a VeriPB proof of the answer to this file, see `bnnplan help check-proof`",
           .unit = "FILE",
           .file = true},
          {.name = "proof-version",
           .field = words(version, {{"1.2", ProofVersion::v1_2}, {"3.0", ProofVersion::v3_0}}),
           .help = "Version of the VeriPB format (3.0)",
           .unit = "V",
           .needs = {"proof"}}};
}

Option& option_named(std::vector<Option>& options, std::string_view name) {
  return *std::find_if(options.begin(), options.end(),
                       [&](const Option& option) { return option.name == name; });
}

std::vector<Option> only(std::vector<Option> options, const std::vector<std::string_view>& names) {
  std::vector<Option> chosen;
  for (const std::string_view name : names) chosen.push_back(option_named(options, name));
  return chosen;
}

void add(std::vector<Option>& options, std::vector<Option> more) {
  std::move(more.begin(), more.end(), std::back_inserter(options));
}

}  // namespace describing

}  // namespace bnnplan
