#include "bnnplan/formats/model_format.hpp"

#include <algorithm>
#include <array>

#include "bnnplan/formats/clause_writer.hpp"
#include "bnnplan/formats/lp_writer.hpp"
#include "bnnplan/formats/minizinc_writer.hpp"
#include "bnnplan/formats/mps_writer.hpp"
#include "bnnplan/formats/opb_writer.hpp"
#include "bnnplan/model/plain_row.hpp"

namespace bnnplan::formats {

namespace {

template <void (*write)(const model::ZeroOneModel&, OutputFile&)>
void without_clauses(const model::ZeroOneModel& model, const encoding::LoweringOptions&, OutputFile& file) {
  write(model, file);
}

constexpr std::array<ModelFormat, 7> formats{{
    {"wcnf", write_wcnf, true, true, "wcnf"},
    {"wcnf-classic", write_wcnf_classic, true, true, "wcnf"},
    {"cnf", write_cnf, true, false, "cnf"},
    {"opb", without_clauses<write_opb>, false, true, "opb"},
    {"lp", without_clauses<write_lp>, false, true, "lp"},
    {"mps", without_clauses<write_mps>, false, true, "mps"},
    {"mzn", without_clauses<write_minizinc>, false, true, "mzn"},
}};

}  // namespace

std::span<const ModelFormat> model_formats() { return formats; }

const ModelFormat* find_model_format(std::string_view name) {
  const auto found = std::find_if(formats.begin(), formats.end(),
                                  [&](const ModelFormat& format) { return format.name == name; });
  return found == formats.end() ? nullptr : &*found;
}

std::int64_t objective_offset(const ModelFormat& format, const model::ZeroOneModel& model) {
  return format.clauses ? model.offset : model::plain_objective(model).offset;
}

}  // namespace bnnplan::formats
