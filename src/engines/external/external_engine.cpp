// The model goes into a private temporary folder, the solver runs on it under the limits, and its output is
// not trusted: everything that can be checked is.
#include "bnnplan/engines/external/external_engine.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>

#include <fmt/format.h>
#include <unistd.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/base/child_process.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/temporary_path.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/engines/external/judge_answer.hpp"
#include "bnnplan/engines/external/known_solvers.hpp"
#include "bnnplan/formats/model_format.hpp"
#include "bnnplan/formats/solver_answer.hpp"
#include "bnnplan/model/simplify.hpp"
#include "bnnplan/model/unroll.hpp"
#include "bnnplan/problem/worth.hpp"

namespace bnnplan::engines {

namespace {

// A private folder, removed by the destructor.
class PrivateFolder {
 public:
  PrivateFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "bnnplan-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr)
      throw InputError(pattern, fmt::format("cannot create a temporary folder: {}", std::strerror(errno)));
    path_ = pattern;
    named_.emplace(pattern);
  }
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  ~PrivateFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
  std::optional<TemporaryPath> named_;
};

std::string last_line(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  const std::size_t newline = text.rfind('\n');
  return printable(newline == std::string_view::npos ? text : text.substr(newline + 1), 200);
}

class ExternalEngine {
 public:
  ExternalEngine(const Problem& problem, const EngineRequest& request)
      : problem_(problem),
        request_(request),
        watch_(request.limits),
        bounds_(request),
        words_(command_words(request.solver)),
        format_(choose_format()) {
    name_ = printable(std::filesystem::path(words_.front()).filename().string());
  }

  Outcome solve() {
    outcome_.engine = "external";
    const PrivateFolder folder;
    const std::string model_file = folder / fmt::format("model.{}", format_.extension);
    const std::string solution_file = folder / "solution";
    const TemporaryPath model_named(model_file), solution_named(solution_file);
    try {
      watch_.check_memory(model::unrolled_bytes(problem_));
      write_model(model_file);
      const ChildResult child = run_solver(model_file, solution_file);
      judge(child, solution_file);
    } catch (const LimitReached&) {
      // While writing the model: the solver has not been started.
    }
    if (outcome_.stopped == StopReason::none) outcome_.stopped = watch_.reason();
    if (outcome_.status == Status::optimal || outcome_.status == Status::infeasible)
      outcome_.stopped = StopReason::none;  // it finished just in time
    outcome_.seconds = watch_.seconds();
    outcome_.bounds = bounds_.finish(outcome_.seconds);
    if (outcome_.status != Status::infeasible) outcome_.lower_bound = bounds_.lower();
    outcome_.statistics.emplace_back("solver", request_.solver);
    outcome_.statistics.emplace_back("format", std::string(format_.name));
    return std::move(outcome_);
  }

 private:
  const formats::ModelFormat& choose_format() const {
    std::string_view name = request_.solver_format;
    if (name.empty()) {
      const KnownSolver* known = find_known_solver(words_.front());
      if (known == nullptr) {
        throw InputError(
            fmt::format("which format does '{}' read? expected a solver format, or one of the known "
                        "solvers: {}",
                        printable(words_.front()), known_solver_names()));
      }
      name = known->format;
    }
    const formats::ModelFormat* format = formats::find_model_format(name);
    if (format == nullptr) throw InputError(fmt::format("unknown solver format '{}'", printable(name)));
    if (!format->objective && !request_.first && !problem_.objective.terms.empty()) {
      throw InputError(
          fmt::format("format {} has no objective, expected another format or a request for any plan", name));
    }
    return *format;
  }

  void write_model(const std::string& file_name) {
    tell("encoding");
    model::ZeroOneModel model = model::begin_unroll(problem_);
    if (!request_.first) bounds_.raise_lower(model.offset, watch_.seconds());
    model::unroll_rest(problem_, model, &watch_);
    model = model::simplify(std::move(model), &watch_).model;
    if (request_.first) model.objective.clear();
    layout_ = model.layout;
    offset_ = formats::objective_offset(format_, model);
    OutputFile file(file_name);
    file.set_watch(&watch_);
    encoding::LoweringOptions options(request_.neurons.value_or(encoding::NeuronEncoding::automatic));
    options.watch = &watch_;
    format_.write(model, options, file);
    file.commit();
    watch_.check();
  }

  ChildResult run_solver(const std::string& model_file, const std::string& solution_file) {
    ChildRequest child;
    child.command = solver_arguments(words_, model_file, solution_file);
    child.limits = request_.limits;
    child.limits.seconds = time_left(child.limits.seconds, watch_.seconds());
    std::size_t& memory = child.limits.memory_bytes;  // the limit is for both processes together
    if (memory != std::numeric_limits<std::size_t>::max()) memory -= std::min(resident_memory(), memory / 2);
    child.most_output = most_answer();
    child.line = [this](std::string_view line) { follow(line); };
    tell(fmt::format("{} is running", name_));
    return run_child(child);
  }

  // The largest answer in bytes: literals of all variables, plus other solver output.
  std::size_t most_answer() const {
    return (std::size_t{64} << 20) + std::size_t{64} * layout_.variable_count();
  }

  // o lines are only progress: no plan comes with them yet.
  void follow(std::string_view line) {
    if (request_.first) return;
    const auto value = formats::claimed_value(line);
    std::int64_t cost = 0;
    if (!value || __builtin_add_overflow(*value, offset_, &cost)) return;
    ++claims_;
    tell(fmt::format("{} claims {}", name_, worth_text(problem_, cost)));
  }

  [[noreturn]] void blame(const std::string& what) const {
    throw InputError(fmt::format("solver '{}' {}", printable(name_), what));
  }

  void judge(const ChildResult& child, const std::string& solution_file) {
    outcome_.statistics.emplace_back("claims", claims_);
    outcome_.statistics.emplace_back("solver_seconds", child.seconds);
    outcome_.statistics.emplace_back("solver_cpu_seconds", child.cpu_seconds);
    outcome_.statistics.emplace_back("solver_bytes", static_cast<std::int64_t>(child.peak_bytes));
    const std::string errors = last_line(child.errors);
    const std::string why = errors.empty() ? "" : ": " + errors;
    switch (child.end) {
      case ChildEnd::not_started:
        throw InputError(
            fmt::format("cannot run '{}': {}", printable(words_.front()), std::strerror(child.code)));
      case ChildEnd::killed:
        blame(fmt::format("crashed: signal {} ({}){}", child.code, ::strsignal(child.code), why));
      case ChildEnd::endless:
        blame(fmt::format("printed more than {} MiB and was stopped", child.output.size() >> 20));
      case ChildEnd::stopped:
        outcome_.stopped = child.reason;
        try {
          read_answer(answer_text(child, solution_file));
        } catch (const InputError&) {
          // An answer cut off in the middle is not an error.
          outcome_.plan.reset();
          outcome_.cost.reset();
          outcome_.status = Status::unknown;
        }
        return;
      case ChildEnd::exited:
        if (const std::string text = answer_text(child, solution_file);
            text.find_first_not_of(" \t\r\n") != std::string::npos) {
          return read_answer(text);
        }
        blame(fmt::format("gave no answer, exit code {}{}", child.code, why));
    }
  }

  std::string answer_text(const ChildResult& child, const std::string& solution_file) const {
    std::error_code ignored;
    if (std::filesystem::exists(solution_file, ignored))
      return read_regular_file(solution_file, most_answer());
    return child.output;
  }

  void read_answer(const std::string& text) {
    AskedQuestion question{problem_, layout_, request_.first, name_, {}};
    question.values_of_cost = [&](std::int64_t cost, std::int64_t) {
      return std::vector{checked_add(cost, checked_negate(offset_))};
    };
    Outcome judged = judge_answer(text, fmt::format("answer of {}", name_), question);
    outcome_.status = judged.status;
    outcome_.claimed_by = std::move(judged.claimed_by);
    if (!judged.plan) return;
    outcome_.cost = judged.cost;
    outcome_.plan = std::move(judged.plan);
    bounds_.improve({watch_.seconds(), *outcome_.cost, [&] { return *outcome_.plan; }});
    if (judged.lower_bound) bounds_.raise_lower(*judged.lower_bound, watch_.seconds());
  }

  void tell(const std::string& activity) {
    if (!request_.callbacks.progress) return;
    Progress progress;
    progress.seconds = watch_.seconds();
    progress.activity = activity;
    progress.memory_bytes = resident_memory();
    request_.callbacks.progress(progress);
  }

  const Problem& problem_;
  const EngineRequest& request_;
  LimitWatch watch_;
  BoundLog bounds_;
  std::vector<std::string> words_;
  const formats::ModelFormat& format_;
  std::string name_;
  model::ModelLayout layout_;
  std::int64_t offset_ = 0;
  std::int64_t claims_ = 0;
  Outcome outcome_;
};

}  // namespace

Outcome run_external(const Problem& problem, const EngineRequest& request) {
  return ExternalEngine(problem, request).solve();
}

}  // namespace bnnplan::engines
