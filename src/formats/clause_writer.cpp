// DIMACS and WCNF. The writer is the clause sink itself: encodings write straight into the output buffer.
// Soft clauses are the negated objective literals with their weights: the weights of the falsified ones add
// up to the value.
#include "bnnplan/formats/clause_writer.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/formats/objective_comment.hpp"

namespace bnnplan::formats {

namespace {

std::int64_t dimacs(Lit lit) {
  const std::int64_t number = std::int64_t{lit.var().index} + 1;
  return lit.negated() ? -number : number;
}

class ClauseWriter final : public encoding::ClauseSink {
 public:
  ClauseWriter(std::string prefix, std::uint32_t next_variable, OutputFile& file)
      : prefix_(std::move(prefix)), next_variable_(next_variable), file_(file) {}

  using encoding::ClauseSink::add;
  Lit new_variable() override { return Lit::positive({next_variable_++}); }
  void add(std::span<const Lit> clause) override {
    file_.write(prefix_);
    for (const Lit lit : clause) {
      mentioned_ = std::max(mentioned_, lit.var().index + 1);
      file_.write(dimacs(lit));
      file_.write(' ');
    }
    file_.write("0\n");
  }

  // One above the highest variable in a clause.
  std::uint32_t mentioned() const { return mentioned_; }

 private:
  std::string prefix_;
  std::uint32_t next_variable_;
  std::uint32_t mentioned_ = 0;
  OutputFile& file_;
};

encoding::EncodingSize counted(const model::ZeroOneModel& model, const encoding::LoweringOptions& options) {
  encoding::CountingSink counter;
  encoding::lower(model, options, counter);
  return counter.size();
}

void write_soft_clauses(const model::ZeroOneModel& model, OutputFile& file) {
  for (const WeightedLit& term : model.objective) {
    file.write(term.coefficient);
    file.write(' ');
    file.write(dimacs(~term.literal));
    file.write(" 0\n");
  }
}

}  // namespace

void write_wcnf(const model::ZeroOneModel& model, const encoding::LoweringOptions& options,
                OutputFile& file) {
  file.write(header_comment(model, model.offset, "c "));
  ClauseWriter writer("h ", model.layout.variable_count(), file);
  encoding::lower(model, options, writer);
  // Without a p line a solver knows only the variables it sees: mention the last one, so that its answer has
  // a value for each.
  const Lit last = Lit::positive({model.layout.variable_count() - 1});
  if (writer.mentioned() <= last.var().index) writer.add({last, ~last});
  write_soft_clauses(model, file);
}

void write_wcnf_classic(const model::ZeroOneModel& model, const encoding::LoweringOptions& options,
                        OutputFile& file) {
  const encoding::EncodingSize size = counted(model, options);
  std::int64_t top = 1;
  for (const WeightedLit& term : model.objective) top = checked_add(top, term.coefficient);
  file.write(header_comment(model, model.offset, "c "));
  file.write(fmt::format("p wcnf {} {} {}\n", model.layout.variable_count() + size.variables,
                         size.clauses + static_cast<std::int64_t>(model.objective.size()), top));
  ClauseWriter writer(fmt::format("{} ", top), model.layout.variable_count(), file);
  encoding::lower(model, options, writer);
  write_soft_clauses(model, file);
}

void write_cnf(const model::ZeroOneModel& model, const encoding::LoweringOptions& options, OutputFile& file) {
  const encoding::EncodingSize size = counted(model, options);
  file.write(header_comment(model, model.offset, "c "));
  file.write(fmt::format("p cnf {} {}\n", model.layout.variable_count() + size.variables, size.clauses));
  ClauseWriter writer("", model.layout.variable_count(), file);
  encoding::lower(model, options, writer);
}

}  // namespace bnnplan::formats
