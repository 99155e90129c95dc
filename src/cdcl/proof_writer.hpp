#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/bit_value.hpp"
#include "base/literal.hpp"
#include "base/output_file.hpp"

namespace bnnplan {

enum class ProofVersion : std::uint8_t { v1_2, v3_0 };

// "1.2" or "3.0"; throws InputError for anything else.
ProofVersion proof_version_named(std::string_view name);

// Writes a VeriPB proof about a pseudo-Boolean formula (docs/proofs.md). Variable v is written x(v + 1); the
// constraints of the formula have the numbers 1 to `constraints`, an equation counting as two.
class ProofWriter {
 public:
  ProofWriter(OutputFile& file, ProofVersion version, std::int64_t constraints, std::uint32_t variables);

  // A clause that follows by unit propagation from all before that are not deleted.
  void add_clause(std::span<const Lit> literals);
  void delete_clause(std::uint64_t id);
  std::uint64_t last_id() const { return last_id_; }

  // A solution (a value for each variable of the formula); everything after it has to be better. Without an
  // objective it is the end.
  void add_solution(std::span<const BitValue> values, bool objective);

  // The last line: nothing better than the last solution exists (`optimum`: the value of the formula's
  // objective), or there is no solution at all.
  void conclude_optimal(std::int64_t optimum);
  void conclude_infeasible();
  void conclude_satisfiable();

 private:
  void write_literal(Lit literal);
  void end_line();
  void contradiction();
  void write_end(std::string_view conclusion);

  OutputFile& file_;
  ProofVersion version_;
  std::uint32_t variables_;
  std::uint64_t last_id_;
};

}  // namespace bnnplan
