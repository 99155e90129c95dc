// VeriPB proofs, version 1.2 and 3.0. Every clause that the solver learns follows by unit propagation ("rup")
// from the formula and the clauses before it, because neurons and rows propagate in the checker as they do
// here; so a proof is a list of clauses, deletions, and solutions, each of which demands a better one.
// Counters are variables of their own, defined in both directions ("red"); bounds are added up ("pol").
//
//   1.2:  f N / rup 1 ~x3 1 x7 >= 1 ; / del id 812 / o x1 ~x2 ... / rup >= 1 ; / c 900
//         red 1 x1 1 x2 2 ~x8 >= 2 ; x8 -> 0 / red 1 ~x1 1 ~x2 1 x8 >= 1 ; x8 -> 1 / pol 7 812 3 * + s
//   3.0:  the same lines ended by ;, soli for o, and an explicit conclusion at the end
#include "bnnplan/cdcl/proof_writer.hpp"

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"

namespace bnnplan::cdcl {

ProofWriter::ProofWriter(OutputFile& file, ProofVersion version, std::int64_t constraints)
    : file_(file), version_(version), last_number_(static_cast<std::uint64_t>(constraints)) {
  file_.write(fmt::format("pseudo-Boolean proof version {}\nf {}",
                          version == ProofVersion::v1_2 ? "1.2" : "3.0", constraints));
  end_line();
}

void ProofWriter::end_line() { file_.write(version_ == ProofVersion::v1_2 ? "\n" : " ;\n"); }

void ProofWriter::write_literal(Lit literal) {
  file_.write(literal.negated() ? "~x" : "x");
  file_.write(std::int64_t{literal.var().index} + 1);
  file_.write(' ');
}

std::uint64_t ProofWriter::add_clause(std::span<const Lit> literals) {
  file_.write("rup ");
  for (const Lit literal : literals) {
    file_.write("1 ");
    write_literal(literal);
  }
  file_.write(">= 1 ;\n");
  return ++last_number_;
}

void ProofWriter::delete_clause(std::uint64_t number) {
  file_.write("del id ");
  file_.write(static_cast<std::int64_t>(number));
  end_line();
}

// One direction: the literal is false, or the sum (of the negated literals, if `negated`) reaches the bound.
void ProofWriter::write_half(std::span<const WeightedLit> sum, bool negated, Lit literal,
                             std::int64_t bound) {
  file_.write("red ");
  for (const auto& [coefficient, term] : sum) {
    file_.write(coefficient);
    file_.write(' ');
    write_literal(negated ? ~term : term);
  }
  file_.write(bound);
  file_.write(' ');
  write_literal(~literal);
  file_.write(">= ");
  file_.write(bound);
  file_.write(version_ == ProofVersion::v1_2 ? " ; " : " : ");
  write_literal(Lit::positive(literal.var()));
  file_.write(literal.negated() ? "-> 1" : "-> 0");
  end_line();
  ++last_number_;
}

std::uint64_t ProofWriter::define(Var variable, std::span<const WeightedLit> sum, std::int64_t bound) {
  std::int64_t total = 0;
  for (const WeightedLit& term : sum) total += term.coefficient;
  write_half(sum, false, Lit::positive(variable), bound);
  write_half(sum, true, Lit::negative(variable), total - bound + 1);
  return last_number_ - 1;
}

std::uint64_t ProofWriter::add_sum(std::span<const ProofSummand> summands, std::int64_t divisor) {
  file_.write("pol");
  for (std::size_t i = 0; i < summands.size(); ++i) {
    file_.write(' ');
    file_.write(static_cast<std::int64_t>(summands[i].number));
    if (summands[i].factor != 1) {
      file_.write(' ');
      file_.write(summands[i].factor);
      file_.write(" *");
    }
    if (i > 0) file_.write(" +");
  }
  if (divisor != 1) {
    file_.write(' ');
    file_.write(divisor);
    file_.write(" d");
  }
  file_.write(" s");
  end_line();
  return ++last_number_;
}

std::uint64_t ProofWriter::log_solution(std::span<const Lit> literals, bool objective) {
  if (version_ == ProofVersion::v1_2) {
    file_.write(objective ? "o " : "v ");
  } else {
    file_.write(objective ? "soli " : "sol ");
  }
  for (const Lit literal : literals) write_literal(literal);
  end_line();
  if (!objective && version_ == ProofVersion::v3_0) return 0;
  ++last_number_;
  if (objective) last_solution_ = last_number_;
  return last_number_;
}

void ProofWriter::contradiction() {
  add_clause({});
  if (version_ == ProofVersion::v1_2) file_.write(fmt::format("c {}\n", last_number_));
}

void ProofWriter::write_end(std::string_view conclusion) {
  if (version_ == ProofVersion::v1_2) return;
  file_.write(fmt::format("output NONE ;\nconclusion {} ;\nend pseudo-Boolean proof ;\n", conclusion));
}

void ProofWriter::conclude_optimal(std::int64_t optimum) {
  contradiction();
  write_end(fmt::format("BOUNDS {} : {} {}", optimum, last_number_, optimum));
}

void ProofWriter::conclude_infeasible() {
  contradiction();
  write_end(fmt::format("UNSAT : {}", last_number_));
}

void ProofWriter::conclude_satisfiable() { write_end("SAT"); }

}  // namespace bnnplan::cdcl
