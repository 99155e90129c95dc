// Random calls: which, on what, with which options. Options are drawn from their descriptions (options_of),
// so that a new one is tried as soon as it is described: words that are allowed, numbers from the lower end
// of their range (all that is done here is small), and now and then a value that is not allowed.
#include "call_sequence.hpp"

#include <array>
#include <map>
#include <sstream>

#include <bnnplan/bnnplan.hpp>
#include <fmt/format.h>

#include "support/formula_families.hpp"

namespace bnnplan::fuzz {

namespace {

using testing::below;
using testing::Random;
using Drawn = std::vector<std::pair<std::string, std::string>>;

bool chance(Random& random, int percent) { return below(random, 100) < percent; }

template <class List>
auto& one(Random& random, List& list) {
  return list[static_cast<std::size_t>(below(random, static_cast<std::int64_t>(std::size(list))))];
}

std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

std::string random_integer(Random& random, const Option& option, bool allowed) {
  const auto* stated = std::get_if<IntegerRange>(&option.range);
  const IntegerRange range = stated != nullptr ? *stated : option.field.fits;
  constexpr std::int64_t most = 5;
  if (allowed) return fmt::format("{}", std::max<std::int64_t>(range.least, 0) + below(random, most));
  if (range.least > INT64_MIN && (range.most == INT64_MAX || chance(random, 50)))
    return fmt::format("{}", range.least - 1);
  return fmt::format("{}", range.most < INT64_MAX ? range.most + 1 : 0);
}

std::string random_number(Random& random, const Option& option, bool allowed) {
  const auto* range = std::get_if<RealRange>(&option.range);
  if (!allowed) {
    constexpr std::array<const char*, 4> wrong = {"-1", "nan", "inf", "0"};
    return one(random, wrong);
  }
  if (range == nullptr || range->most > 1e9) {
    constexpr std::array<const char*, 5> seconds = {"1e-9", "0.0001", "0.001", "0.01", "5"};
    return one(random, seconds);
  }
  return fmt::format(
      "{:.3f}", range->least + (range->most - range->least) * static_cast<double>(below(random, 11)) / 10);
}

// What the texts of options that no list of words describes may be.
std::string random_text(Random& random, const Option& option, bool allowed) {
  if (!allowed) return "nonsense";
  if (!option.field.words.empty()) return one(random, option.field.words);
  if (option.name == "determinize") {
    constexpr std::array<const char*, 5> ways = {"most-likely", "mean", "threshold=0.4", "sample=3",
                                                 "hindsight=2"};
    return one(random, ways);
  }
  if (option.name == "cost-at-most" || option.name == "until")
    return fmt::format("{}{}", below(random, 12) - 3, chance(random, 30) ? ".55" : "");
  if (option.name == "discount") return chance(random, 50) ? "ignore" : "digits=3";
  if (option.name == "solver") return chance(random, 50) ? "true" : "false";
  return "nonsense";
}

// A value for an option that is not a file.
std::string random_value(Random& random, const Option& option, bool allowed) {
  switch (option.field.kind) {
    case OptionKind::flag:
      return chance(random, 80) ? "1" : "0";
    case OptionKind::integer:
      return random_integer(random, option, allowed);
    case OptionKind::integers:
      return random_integer(random, option, allowed) +
             (chance(random, 50) ? "," + random_integer(random, option, true) : "");
    case OptionKind::number:
      return random_number(random, option, allowed);
    case OptionKind::text:
    case OptionKind::texts:
      return random_text(random, option, allowed);
  }
  __builtin_unreachable();
}

// About `share` percent of the options; one in forty of the values is not allowed.
Drawn random_options(Random& random, const std::vector<Option>& options, int share) {
  Drawn drawn;
  for (const Option& option : options) {
    if (option.file || !chance(random, share)) continue;
    if (option.name.starts_with("solver") && !chance(random, 5)) continue;
    drawn.emplace_back(option.name, random_value(random, option, !chance(random, 3)));
  }
  return drawn;
}

template <class Options>
Drawn random_options(Random& random, int share) {
  Options options;
  return random_options(random, options_of(options), share);
}

void maybe_cancel(Random& random, Drawn& options) {
  if (chance(random, 8)) options.emplace_back("cancel", fmt::format("{}", below(random, 4)));
}

std::string random_seed(Random& random) { return fmt::format("{}", below(random, 1000)); }

class Drawing {
 public:
  explicit Drawing(std::uint64_t seed) : random_(seed) {
    for (std::int64_t count = 1 + below(random_, 3); count > 0; --count) problems_.push_back(a_problem());
    constexpr std::array<const char*, 4> domains = {"navigation_3x3", "inventory_2", "sysadmin_4",
                                                    "cellda_x"};
    domain_ = one(random_, domains);
    network_ = "network:" + random_seed(random_);
  }

  Call call(std::size_t number) {
    const std::int64_t kind = below(random_, 100);
    if (kind < 40) return plan(number);
    if (kind < 46) return {"read_back", problem(), {}};
    if (kind < 50) return {"set_horizon", problem(), {{"to", fmt::format("{}", below(random_, 6))}}};
    if (kind < 58) return {"check", problem(), {{"seed", random_seed(random_)}}};
    if (kind < 62) return {"check_proof", problem(), {{"of", "p" + fmt::format("{}", below(random_, 12))}}};
    if (kind < 72) {
      Drawn options = random_options<EncodeOptions>(random_, 40);
      if (chance(random_, 30)) options.emplace_back("simplify", chance(random_, 50) ? "1" : "0");
      if (chance(random_, 30)) options.emplace_back("strategy", chance(random_, 50) ? "core" : "improve");
      if (chance(random_, 30)) options.emplace_back("seed", random_seed(random_));
      if (chance(random_, 30)) options.emplace_back("proof", "o");
      if (chance(random_, 5)) options.emplace_back("cancel", "0");
      return {"encode", problem(), options};
    }
    if (kind < 78)
      return {"replan",
              problem(),
              {{"seed", random_seed(random_)}, {"to", fmt::format("{}", 1 + below(random_, 4))}}};
    if (kind < 84) return question();
    if (kind < 88) return learning();
    return of_domain();
  }

  // Calls that leave their objects alone.
  Call beside(std::size_t number) {
    Call made = call(number);
    constexpr std::array<std::string_view, 5> unsafe = {"read_back", "set_horizon", "replan", "episode",
                                                        "check_proof"};
    if (std::find(unsafe.begin(), unsafe.end(), made.name) != unsafe.end()) made = plan(number);
    made.beside = true;
    return made;
  }

 private:
  std::string a_problem() {
    const std::int64_t kind = below(random_, 10);
    if (kind < 7) return "random:" + random_seed(random_);
    if (kind < 8) return fmt::format("shift:{}:{}", 2 + below(random_, 3), 2 + below(random_, 3));
    if (kind < 9) return fmt::format("ring:{}:{}", 3 + below(random_, 3), 1 + below(random_, 3));
    return "dense:" + random_seed(random_);
  }

  const std::string& problem() { return one(random_, problems_); }

  Call plan(std::size_t number) {
    Drawn options = random_options<PlanOptions>(random_, 25);
    const auto add = [&](const char* name, std::string value) {
      std::erase_if(options, [&, &name = name](const auto& option) { return option.first == name; });
      options.emplace_back(name, std::move(value));
    };
    // Most calls are allowed ones: an engine that can do what else is asked for.
    constexpr std::array<const char*, 3> provers = {"auto", "search", "neuron"};
    constexpr std::array<const char*, 4> clausal = {"auto", "neuron", "maxsat", "maxsat"};
    const auto given = [&](std::string_view name) {
      return std::any_of(options.begin(), options.end(), [&](const auto& o) { return o.first == name; });
    };
    const std::int64_t files = below(random_, 10);
    if (given("neurons") && chance(random_, 90)) add("engine", one(random_, clausal));
    if (files < 3) {
      add("proof", fmt::format("p{}", number));
      if (!given("neurons") && chance(random_, 90)) add("engine", one(random_, provers));
    } else if (given("proof-version") && chance(random_, 95)) {
      std::erase_if(options, [](const auto& o) { return o.first == "proof-version"; });
    }
    if (chance(random_, 40)) add("threads", "1");  // the same twice
    std::string object = problem();
    const auto saves = [&] {
      if (!given("neurons") && chance(random_, 90)) add("engine", chance(random_, 50) ? "search" : "auto");
    };
    if (files == 3 || files == 4) {
      add("checkpoint", fmt::format("c{}", number));
      saves();
      if (chance(random_, 80)) add("time-limit", chance(random_, 50) ? "1e-9" : "0.0005");
      checkpoints_.push_back({object, fmt::format("c{}", number)});
    } else if (given("checkpoint-every") && chance(random_, 95)) {
      std::erase_if(options, [](const auto& o) { return o.first == "checkpoint-every"; });
    }
    if (files >= 5 && files < 8 && !checkpoints_.empty()) {
      const auto& [of, file] = one(random_, checkpoints_);
      if (chance(random_, 90)) object = of;
      add("resume", file);
      saves();
    }
    if ((given("checkpoint") || given("resume")) && chance(random_, 90)) add("seed", "0");
    maybe_cancel(random_, options);
    if (chance(random_, 20)) options.emplace_back("best-so-far", "1");
    return {"plan", object, options};
  }

  Call question() {
    constexpr std::array<const char*, 4> kinds = {"verify", "explain", "count", "compare"};
    const std::string name = one(random_, kinds);
    Drawn options;
    if (name == "verify") {
      options = random_options<VerifyRequest>(random_, 20);
      if (chance(random_, 30)) options.emplace_back("proof", "v");
    }
    options.emplace_back("input", random_seed(random_));
    options.emplace_back("norm", std::string(one(random_, verification::norm_names)));
    options.emplace_back("ties", std::string(one(random_, verification::tie_rule_names)));
    if (chance(random_, 50)) options.emplace_back("epsilon", fmt::format("{}", below(random_, 4)));
    if (name == "verify") maybe_cancel(random_, options);
    return {name, network_, options};
  }

  Call learning() {
    Drawn options = random_options<LearnOptions>(random_, 12);
    std::erase_if(options, [](const auto& option) { return option.first == "epochs"; });
    options.emplace_back("epochs", fmt::format("{}", 1 + below(random_, 4)));
    // Choosing everything takes seconds.
    constexpr std::array<std::pair<const char*, const char*>, 3> quick = {
        {{"hidden", "3"}, {"technique", "cover"}, {"time-limit", "0.05"}}};
    if (chance(random_, 90)) options.push_back(one(random_, quick));
    maybe_cancel(random_, options);
    return {"learn", chance(random_, 70) ? "data:" + random_seed(random_) : domain_, options};
  }

  Call of_domain() {
    switch (below(random_, 6)) {
      case 0:
        return {"episode", domain_, {{"seed", random_seed(random_)}, {"to", "8"}}};
      case 1:
        return {"simulate", domain_, random_options<SimulateOptions>(random_, 30)};
      case 2:
        return {"compile", domain_, random_options<CompileOptions>(random_, 20)};
      case 3:
        return {"repair", domain_, {{"to", fmt::format("{}", 1 + below(random_, 4))}}};
      case 4: {
        Drawn options = random_options<DiscoverySettings>(random_, 15);
        std::erase_if(options, [](const auto& option) { return option.first == "horizon"; });
        options.emplace_back("horizon", fmt::format("{}", 1 + below(random_, 5)));
        if (chance(random_, 70)) options.emplace_back("questions", fmt::format("{}", 1 + below(random_, 40)));
        maybe_cancel(random_, options);
        return {"discover", domain_, options};
      }
      default: {
        Drawn options = random_options<ClosedLoopOptions>(random_, 15);
        for (const auto& [name, most] : {std::pair{"episodes", 2}, {"steps", 3}, {"lookahead", 2}}) {
          std::erase_if(options, [&, &name = name](const auto& option) { return option.first == name; });
          options.emplace_back(name, fmt::format("{}", 1 + below(random_, most)));
        }
        options.emplace_back("policy", fmt::format("{}", below(random_, 3)));
        return {"run_policy", domain_, options};
      }
    }
  }

  Random random_;
  std::vector<std::string> problems_;
  std::vector<std::pair<std::string, std::string>> checkpoints_;  // problem and file
  std::string domain_, network_;
};

// The value of a text that a sequence gives, monostate if the field cannot hold it.
OptionValue value_of(const Option& option, const std::string& text, const std::string& folder) {
  const auto fits = [&](std::int64_t number) {
    return number >= option.field.fits.least && number <= option.field.fits.most;
  };
  try {
    switch (option.field.kind) {
      case OptionKind::flag:
        return text == "1";
      case OptionKind::integer: {
        const std::int64_t number = std::stoll(text);
        return fits(number) ? OptionValue(number) : OptionValue();
      }
      case OptionKind::integers: {
        std::vector<std::int64_t> numbers;
        for (const std::string& part : parts_of(text, ',')) numbers.push_back(std::stoll(part));
        return numbers;
      }
      case OptionKind::number:
        return std::stod(text);
      case OptionKind::text:
        return option.file ? folder + "/" + text : text;
      case OptionKind::texts:
        return parts_of(text, ',');
    }
  } catch (const std::logic_error&) {  // what std::stoll and std::stod throw
  }
  return {};
}

}  // namespace

std::optional<std::string> Call::option(std::string_view wanted) const {
  for (const auto& [given, value] : options) {
    if (given == wanted) return value;
  }
  return std::nullopt;
}

std::int64_t Call::number(std::string_view wanted) const {
  const auto text = option(wanted);
  return text ? std::strtoll(text->c_str(), nullptr, 10) : 0;
}

std::string text_of(const CallSequence& calls) {
  std::string text;
  for (const Call& call : calls) {
    text += fmt::format("{}{} {}", call.beside ? "& " : "", call.name, call.object);
    for (const auto& [name, value] : call.options) text += fmt::format(" {}={}", name, value);
    text += "\n";
  }
  return text;
}

CallSequence parse_calls(std::string_view text) {
  CallSequence calls;
  for (const std::string& line : parts_of(std::string(text), '\n')) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    Call call;
    words >> call.name;
    call.beside = call.name == "&";
    if (call.beside) words >> call.name;
    words >> call.object;
    for (std::string word; words >> word;) {
      const std::size_t equals = word.find('=');
      if (equals == word.npos) throw InputError(fmt::format("'{}' is not NAME=VALUE", word));
      call.options.emplace_back(word.substr(0, equals), word.substr(equals + 1));
    }
    calls.push_back(std::move(call));
  }
  return calls;
}

CallSequence random_calls(std::uint64_t seed) {
  Drawing drawing(seed);
  Random random(~seed);
  CallSequence calls;
  const auto count = static_cast<std::size_t>(3 + below(random, 10));
  while (calls.size() < count) {
    calls.push_back(drawing.call(calls.size()));
    if (chance(random, 10)) {
      calls.back() = drawing.beside(calls.size() - 1);
      calls.back().beside = false;
      calls.push_back(drawing.beside(calls.size()));
    }
  }
  return calls;
}

bool set_options(std::vector<Option> options, const Call& call, const std::string& folder) {
  bool allowed = true;
  std::map<std::string, std::string> given;  // the last of two counts
  for (const auto& [name, text] : call.options) given[name] = text;
  for (const auto& [name, text] : given) {
    for (const Option& option : options) {
      if (option.name != name) continue;
      const OptionValue value = value_of(option, text, folder);
      if (value.index() == 0 || value == option.field.get()) continue;
      const bool refused = !refusal(option, value).empty();
      // An enumeration has no value for such a word.
      if (refused && !option.field.words.empty()) {
        const OptionValue before = option.field.get();
        option.field.set(value);
        allowed = allowed && option.field.get() == before;
        continue;
      }
      try {
        option.field.set(value);
        allowed = allowed && !refused;
      } catch (const InputError&) {  // a text that is parsed at once
      }
    }
  }
  return allowed;
}

}  // namespace bnnplan::fuzz
