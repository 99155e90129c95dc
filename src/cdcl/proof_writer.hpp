#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "bnnplan/base/output_file.hpp"
#include "bnnplan/base/proof_version.hpp"
#include "bnnplan/cdcl/proof_sink.hpp"

namespace bnnplan::cdcl {

// Writes a VeriPB proof about a pseudo-Boolean formula (docs/proofs.md). Variable v is written x(v + 1); the
// constraints of the formula have the numbers 1 to `constraints`, an equation counting as two.
class ProofWriter final : public ProofSink {
 public:
  ProofWriter(OutputFile& file, ProofVersion version, std::int64_t constraints);
  using ProofSink::add_sum;

  std::uint64_t add_clause(std::span<const Lit> literals) override;
  void delete_clause(std::uint64_t number) override;
  std::uint64_t define(Var variable, std::span<const WeightedLit> sum, std::int64_t bound) override;
  std::uint64_t add_sum(std::span<const ProofSummand> summands, std::int64_t divisor) override;
  void conclude_optimal(std::int64_t optimum) override;
  void conclude_infeasible() override;
  void conclude_satisfiable() override;

 private:
  std::uint64_t log_solution(std::span<const Lit> literals, bool objective) override;
  void write_literal(Lit literal);
  void write_half(std::span<const WeightedLit> sum, bool negated, Lit literal, std::int64_t bound);
  void end_line();
  void contradiction();
  void write_end(std::string_view conclusion);

  OutputFile& file_;
  ProofVersion version_;
  std::uint64_t last_number_;
};

}  // namespace bnnplan::cdcl
