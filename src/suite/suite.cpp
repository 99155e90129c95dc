// Making a suite: problem by problem, and for each its files, its optimum and its proof.
//
// The index is rewritten, through a temporary file, after every file, and a file exists (written the same
// way) before its line. So a line means a complete file, whenever the run ends, and the index is the only
// memory of earlier runs. The fingerprint of the problem detects models that have changed, and a program
// version that makes a different problem for the same name.
#include "bnnplan/suite/suite.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/base/decimal.hpp"
#include "bnnplan/base/fingerprint.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/output_folder.hpp"
#include "bnnplan/base/sha256.hpp"
#include "bnnplan/base/temporary_path.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/check/problem_proof.hpp"
#include "bnnplan/engines/checked_run.hpp"
#include "bnnplan/formats/file_numbering.hpp"
#include "bnnplan/model/simplify.hpp"
#include "bnnplan/model/unroll.hpp"
#include "bnnplan/network/network_file.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "bnnplan/suite/file_figures.hpp"

namespace bnnplan::suite {

namespace {

double number_or(const std::string& text, double otherwise) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : otherwise;
}

// Replaces an older line of the same file, if there is one.
void put_entry(const SuiteEntry& entry, std::vector<SuiteEntry>& entries) {
  const auto same = std::find_if(entries.begin(), entries.end(), [&](const SuiteEntry& known) {
    return known.at("name") == entry.at("name") && known.at("file") == entry.at("file");
  });
  if (same != entries.end()) {
    *same = entry;
  } else {
    entries.push_back(entry);
  }
}

// In the order of the whole suite; then, for the ladder, in that of the wanted problems of other sizes.
void sort_entries(const SuiteOptions& options, std::vector<SuiteEntry>& entries) {
  SuiteOptions whole = options;
  whole.only.clear();
  whole.family.clear();
  std::map<std::string, std::size_t> order;
  for (const SuiteOptions* of : {&std::as_const(whole), &options}) {
    for (const WantedProblem& problem : wanted_problems(*of)) order.emplace(problem.name, order.size());
  }
  const auto place = [&](const SuiteEntry& entry) {
    const auto known = order.find(entry.at("name"));
    return known == order.end() ? order.size() : known->second;
  };
  std::stable_sort(entries.begin(), entries.end(),
                   [&](const SuiteEntry& a, const SuiteEntry& b) { return place(a) < place(b); });
}

// What the engines found for a problem: the columns of the index that all of its files share.
constexpr std::array<std::string_view, 8> answer_columns = {
    "status", "optimum", "lower_bound", "upper_bound", "times", "limit", "proof", "proof_sha256"};

class SuiteMaker {
 public:
  explicit SuiteMaker(const SuiteOptions& options)
      : options_(options), wanted_(wanted_problems(options)), index_file_(options.output / "index.csv") {
    for (const std::string& engine : options.engines) {
      if (engines::find_engine(engine) == nullptr)
        throw InputError(fmt::format("no engine '{}'", printable(engine)));
    }
    options_.limits = on_this_machine(options.limits);
    for (const std::string& name : options.formats) {
      const formats::ModelFormat* format = formats::find_model_format(name);
      if (format == nullptr) throw InputError(fmt::format("no format '{}'", printable(name)));
      if (options.gap_free && !can_be_numbered(*format))
        throw InputError(fmt::format(
            "numbers without gaps are for wcnf, wcnf-classic, cnf and opb, not for {}", format->name));
      formats_.push_back(format);
    }
  }

  SuiteResult make() {
    const OutputFolder folder(options_.output);
    if (std::filesystem::exists(index_file_))
      result_.entries = parse_suite_index(read_text_file(index_file_), index_file_.string());
    for (std::size_t i = 0; i < wanted_.size() && !result_.interrupted; ++i) {
      if (options_.limits.interrupt != nullptr && *options_.limits.interrupt) {
        result_.interrupted = true;
        break;
      }
      try {
        make_one(i);
      } catch (const LimitReached&) {
        result_.interrupted = true;
      }
    }
    return std::move(result_);
  }

 private:
  static bool can_be_numbered(const formats::ModelFormat& format) {
    return format.clauses || format.name == "opb";
  }

  std::string packed(const std::string& name) const {
    return options_.packing.empty() ? name : name + "." + options_.packing;
  }

  void make_one(std::size_t number) {
    const WantedProblem& wanted = wanted_[number];
    const std::string& name = wanted.name;
    report(number, name, "making", false);
    Limits limits;  // only an interrupt ends making and writing: the time limit is for the engines
    limits.interrupt = options_.limits.interrupt;
    LimitWatch watch(limits);
    Problem problem = wanted.make(watch);
    if (problem.network) problem.network_file = name + ".bnn";
    const std::string made_of =
        fingerprint(problem_text(problem) + (problem.network ? network_text(*problem.network) : ""));
    SuiteEntry entry;
    for (const std::string& column : suite_columns()) entry[column] = "";
    entry["name"] = name;
    entry["family"] = wanted.family;
    entry["horizon"] = fmt::format("{}", problem.horizon);
    entry["seed"] = wanted.seed;
    entry["version"] = options_.version;
    entry["shape"] = problem.network ? shape_text(*problem.network) : "";
    entry["problem"] = made_of;
    write_problem(options_.output / (name + ".toml"), problem);
    const bool known = take_answer(entry);
    bool all_there = known;
    for (const formats::ModelFormat* format : formats_) {
      SuiteEntry of_file = entry;
      describe_file(of_file, *format);
      all_there = all_there && complete(of_file);
    }
    if (all_there) {
      result_.kept += formats_.size();
      count_answer(entry);
      report(number, name, "complete already", true);
      return;
    }
    model::ZeroOneModel model = model::unroll(problem, &watch);
    if (!known) {
      report(number, name, "planning", false);
      solve(problem, entry);
      if (result_.interrupted) return;
    }
    for (const formats::ModelFormat* format : formats_) {
      SuiteEntry of_file = entry;
      describe_file(of_file, *format);
      if (complete(of_file)) {
        ++result_.kept;
        continue;
      }
      report(number, name, fmt::format("writing {}", of_file["file"]), false);
      write(model, *format, of_file, watch);
      store(of_file);
      ++result_.made;
    }
    count_answer(entry);
    report(number, name, answer_text(entry), true);
  }

  static std::string answer_text(const SuiteEntry& entry) {
    const std::string& status = entry.at("status");
    if (status == "optimal") return fmt::format("optimal {}", entry.at("optimum"));
    if (status == "infeasible") return status;
    return fmt::format("{}, between {} and {}", status,
                       entry.at("lower_bound").empty() ? "-" : entry.at("lower_bound"),
                       entry.at("upper_bound").empty() ? "-" : entry.at("upper_bound"));
  }

  void count_answer(const SuiteEntry& entry) {
    if (entry.at("status") != "optimal" && entry.at("status") != "infeasible") ++result_.unproved;
    if (!entry.at("proof").empty()) ++result_.proofs;
  }

  void describe_file(SuiteEntry& entry, const formats::ModelFormat& format) const {
    const std::string extension(format.name == "wcnf-classic" ? "classic.wcnf" : format.extension);
    // Unusual encodings are part of the name, so that several fit into one folder.
    const std::string encoding(format.clauses ? encoding::describe(options_.neurons).name : "");
    const bool usual = !format.clauses || options_.neurons == encoding::NeuronEncoding::automatic;
    entry["format"] = format.name;
    entry["encoding"] = encoding;
    entry["numbering"] = options_.gap_free ? "gap-free" : "model";
    entry["file"] = packed(fmt::format("{}{}{}.{}", entry["name"], usual ? "" : "." + encoding,
                                       options_.gap_free ? ".gapfree" : "", extension));
    entry["map"] = can_be_numbered(format)
                       ? packed(entry["file"].substr(0, entry["file"].size() - packed("").size()) + ".map")
                       : "";
  }

  const SuiteEntry* find_entry(const std::string& name, const std::string& file,
                               const std::string& problem) const {
    for (const SuiteEntry& known : result_.entries) {
      if (known.at("name") == name && (file.empty() || known.at("file") == file) &&
          known.at("problem") == problem)
        return &known;
    }
    return nullptr;
  }

  bool proved(const SuiteEntry& entry) const {
    return entry.at("status") == "optimal" || entry.at("status") == "infeasible";
  }

  // Takes the answer that an earlier run found, unless there is more time now, or there are other engines, or
  // a proof is wanted but missing although there is something to prove.
  bool take_answer(SuiteEntry& entry) const {
    const SuiteEntry* known = find_entry(entry["name"], "", entry["problem"]);
    if (known == nullptr) return false;
    constexpr double no_limit = 1e300;
    const double now = options_.limits.seconds.value_or(no_limit);
    if (!proved(*known) && number_or(known->at("limit"), no_limit) < now) return false;
    for (const std::string& engine : options_.engines) {
      if (known->at("times").find(engine + " ") == std::string::npos) return false;
    }
    if (options_.proof && proved(*known)) {
      std::error_code error;
      const std::filesystem::path proof = options_.output / known->at("proof");
      if (known->at("proof").empty() || !std::filesystem::is_regular_file(proof, error) ||
          file_sha256(proof) != known->at("proof_sha256"))
        return false;
    }
    for (const std::string_view column : answer_columns)
      entry[std::string(column)] = known->at(std::string(column));
    return true;
  }

  bool complete(const SuiteEntry& entry) const {
    const SuiteEntry* known = find_entry(entry.at("name"), entry.at("file"), entry.at("problem"));
    if (known == nullptr) return false;
    for (const std::string_view column : answer_columns) {
      if (known->at(std::string(column)) != entry.at(std::string(column))) return false;
    }
    std::error_code error;
    const std::filesystem::path file = options_.output / entry.at("file");
    const auto bytes = std::filesystem::file_size(file, error);
    return !error && fmt::format("{}", bytes) == known->at("bytes") &&
           file_sha256(file) == known->at("sha256") &&
           (entry.at("map").empty() || std::filesystem::exists(options_.output / entry.at("map")));
  }

  void solve(const Problem& problem, SuiteEntry& entry) {
    engines::Outcome best;
    std::string times;
    std::string proof;
    for (const std::string& engine : options_.engines) {
      engines::EngineRequest request;
      request.limits = options_.limits;
      // The first engine that can write a proof writes it.
      if (options_.proof && proof.empty() && (engine == "auto" || engine == "search" || engine == "neuron")) {
        request.proof = (options_.output / packed(entry["name"] + ".pbp")).string();
      }
      engines::Outcome outcome = engines::run_checked(*engines::find_engine(engine), problem, request);
      if (outcome.stopped == StopReason::interrupted) {
        result_.interrupted = true;
        return;
      }
      if (!outcome.proof.empty()) proof = packed(entry["name"] + ".pbp");
      const bool solved = outcome.status == Status::optimal || outcome.status == Status::infeasible;
      times += fmt::format("{}{} {}", times.empty() ? "" : ";", engine,
                           solved ? fmt::format("{:.3f}", outcome.seconds) : "-");
      join(best, std::move(outcome), entry["name"]);
    }
    const auto units = [&](const std::optional<std::int64_t>& cost) {
      return cost ? to_string(cost_in_units(problem, *cost)) : std::string();
    };
    entry["status"] = status_text(best.status);
    entry["optimum"] = best.status == Status::optimal ? units(best.cost) : "";
    entry["lower_bound"] = best.status == Status::infeasible ? "" : units(best.lower_bound);
    entry["upper_bound"] = units(best.cost);
    entry["times"] = times;
    entry["limit"] = options_.limits.seconds ? fmt::format("{}", *options_.limits.seconds) : "";
    entry["proof"] = proof;
    entry["proof_sha256"] = proof.empty() ? "" : checked_proof(problem, proof, best);
  }

  // Joins what two engines know about a problem.
  static void join(engines::Outcome& best, engines::Outcome other, const std::string& name) {
    const auto is_final = [](const engines::Outcome& outcome) {
      return outcome.status == Status::optimal || outcome.status == Status::infeasible;
    };
    const bool contradict = (best.status == Status::infeasible && other.cost) ||
                            (other.status == Status::infeasible && best.cost) ||
                            (best.lower_bound && other.cost && *other.cost < *best.lower_bound) ||
                            (other.lower_bound && best.cost && *best.cost < *other.lower_bound);
    if (contradict) throw std::logic_error("engines disagree on " + name);
    if (other.lower_bound && (!best.lower_bound || *best.lower_bound < *other.lower_bound))
      best.lower_bound = other.lower_bound;
    const bool better_plan = other.cost && (!best.cost || *other.cost < *best.cost);
    if (better_plan) best.cost = other.cost;
    if (is_final(best)) return;
    if (is_final(other) || better_plan) best.status = other.status;
    if (best.cost && best.lower_bound && *best.cost == *best.lower_bound) best.status = Status::optimal;
  }

  // Checks the proof against the problem; returns its SHA-256.
  std::string checked_proof(const Problem& problem, const std::string& file,
                            const engines::Outcome& outcome) const {
    const std::filesystem::path path = options_.output / file;
    const checking::ProblemProof shown =
        checking::check_proof(problem, read_text_file(path, checking::largest_proof()));
    const bool right =
        shown.check.accepted &&
        (outcome.status == Status::infeasible ? shown.check.claim == checking::ProofCheck::Claim::infeasible
                                              : shown.cost && shown.cost == outcome.cost);
    if (!right)
      throw std::logic_error(
          fmt::format("the proof {} is refused: {}", file,
                      shown.check.accepted ? "it shows something else" : shown.check.refusal));
    return file_sha256(path);
  }

  void write(const model::ZeroOneModel& unrolled, const formats::ModelFormat& format, SuiteEntry& entry,
             LimitWatch& watch) const {
    model::ZeroOneModel simplified;
    if (format.clauses) simplified = model::simplify(model::ZeroOneModel(unrolled), &watch).model;
    const model::ZeroOneModel& model = format.clauses ? simplified : unrolled;
    const std::filesystem::path path = options_.output / entry["file"];
    encoding::LoweringOptions lowering(options_.neurons);
    lowering.watch = &watch;
    const auto write_model = [&](const std::filesystem::path& to) {
      OutputFile file(to);
      file.set_watch(&watch);
      format.write(model, lowering, file);
      file.commit();
    };
    formats::FileNumbering numbering;
    if (options_.gap_free) {
      const std::filesystem::path gaps = options_.output / ("." + entry["name"] + ".gaps");
      const TemporaryPath registered(gaps.string());
      write_model(gaps);
      const formats::RenumberedFile renumbered = [&] {
        const std::string text = read_text_file(gaps, largest_file);
        return format.clauses ? formats::renumber_clauses(text) : formats::renumber_opb(text);
      }();
      std::filesystem::remove(gaps);
      write_text_file(path, renumbered.text);
      for (const std::uint32_t old : renumbered.old_variable)
        numbering.model_variable.push_back(
            old < model.layout.variable_count() ? old : formats::FileNumbering::none);
    } else {
      write_model(path);
      for (std::uint32_t v = 0; v < model.layout.variable_count(); ++v) numbering.model_variable.push_back(v);
    }
    if (!entry["map"].empty())
      write_text_file(options_.output / entry["map"],
                      formats::numbering_text(numbering, model, entry["file"]));
    add_figures(path, format, entry);
    add_values(model, format, entry);
  }

  static constexpr std::size_t largest_file = std::size_t{4} << 30;

  void add_figures(const std::filesystem::path& path, const formats::ModelFormat& format,
                   SuiteEntry& entry) const {
    entry["bytes"] = fmt::format("{}", std::filesystem::file_size(path));
    entry["sha256"] = file_sha256(path);
    const FileFigures figures = figures_of(path, format.name);
    if (figures.hard == 0 && figures.soft == 0) return;  // no reader for the format
    const auto add = [&](const char* column, std::int64_t value) {
      entry[column] = fmt::format("{}", value);
    };
    add("variables", figures.variables);
    add("used", figures.used);
    add("hard", figures.hard);
    add("soft", figures.soft);
    add("weight_sum", figures.weight_sum);
    add("distinct_weights", figures.distinct_weights);
    add("shortest", figures.shortest);
    add("longest", figures.longest);
    add("literals", figures.literals);
    add("clauses", figures.clauses);
    add("cardinalities", figures.cardinalities);
    add("equations", figures.equations);
    add("weighted", figures.weighted);
  }

  // The bounds in units of the file's own value: cost = (value + offset) / scale.
  static void add_values(const model::ZeroOneModel& model, const formats::ModelFormat& format,
                         SuiteEntry& entry) {
    if (!format.objective) return;
    const std::int64_t offset = formats::objective_offset(format, model);
    const auto value = [&](const std::string& cost) -> std::string {
      if (cost.empty()) return "";
      return fmt::format("{}",
                         checked_add(scaled(*parse_decimal(cost), model.decimals), checked_negate(offset)));
    };
    entry["value"] = value(entry["optimum"]);
    entry["value_lower"] = value(entry["lower_bound"]);
    entry["value_upper"] = value(entry["upper_bound"]);
  }

  void store(const SuiteEntry& entry) {
    put_entry(entry, result_.entries);
    sort_entries(options_, result_.entries);
    write_text_file(index_file_, suite_index_text(result_.entries));
  }

  void report(std::size_t number, const std::string& name, const std::string& activity, bool finished) const {
    if (options_.progress)
      options_.progress({number + (finished ? 1 : 0), wanted_.size(), name, activity, finished});
  }

  SuiteOptions options_;
  std::vector<const formats::ModelFormat*> formats_;
  std::vector<WantedProblem> wanted_;
  std::filesystem::path index_file_;
  SuiteResult result_;
};

}  // namespace

SuiteResult make_suite(const SuiteOptions& options) { return SuiteMaker(options).make(); }

void take_suite_part(const std::filesystem::path& part, const SuiteOptions& options) {
  const std::filesystem::path from = part / "index.csv", to = options.output / "index.csv";
  const std::vector<SuiteEntry> added = parse_suite_index(read_text_file(from), from.string());
  std::vector<SuiteEntry> entries;
  if (std::filesystem::exists(to)) entries = parse_suite_index(read_text_file(to), to.string());
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator(part)) {
    // Files left behind by a killed process do not belong to the suite.
    const bool unfinished = file.path().extension() == ".tmp" || file.path().filename().string()[0] == '.';
    if (file.path().filename() != "index.csv" && !unfinished) files.push_back(file.path());
  }
  for (const std::filesystem::path& file : files) {
    std::error_code error;
    std::filesystem::rename(file, options.output / file.filename(), error);
    if (error) throw InputError(file.string(), "cannot be moved: " + error.message());
  }
  for (const SuiteEntry& entry : added) put_entry(entry, entries);
  sort_entries(options, entries);
  write_text_file(to, suite_index_text(entries));
}

}  // namespace bnnplan::suite
