#pragma once

#include "bnnplan/base/output_file.hpp"
#include "bnnplan/encode/lower.hpp"
#include "bnnplan/model/zero_one_model.hpp"

namespace bnnplan::formats {

// The model as clauses, streamed: no clause is kept. Model variable v has number v + 1.

// The WCNF of the MaxSAT Evaluation since 2022: "h" lines and weighted soft clauses, no p line.
void write_wcnf(const model::ZeroOneModel& model, const encoding::LoweringOptions& options, OutputFile& file);

// Classic WCNF with "p wcnf VARIABLES CLAUSES TOP"; the exact counts come from a first pass that only counts.
void write_wcnf_classic(const model::ZeroOneModel& model, const encoding::LoweringOptions& options,
                        OutputFile& file);

// DIMACS CNF: feasibility only (see add_cost_bound for a bound on the cost).
void write_cnf(const model::ZeroOneModel& model, const encoding::LoweringOptions& options, OutputFile& file);

}  // namespace bnnplan::formats
