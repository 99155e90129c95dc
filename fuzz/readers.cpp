// The table of all readers.
#include "fuzz_target.hpp"

namespace bnnplan::fuzz {

void try_answer(std::string_view input);
void try_checkpoint(std::string_view input);
void try_data(std::string_view input);
void try_expression(std::string_view input);
void try_fd_sat_plan(std::string_view input);
void try_network(std::string_view input);
void try_npz(std::string_view input);
void try_onnx(std::string_view input);
void try_opb(std::string_view input);
void try_plan(std::string_view input);
void try_problem(std::string_view input);
void try_proof(std::string_view input);
void try_query(std::string_view input);
void try_rddl(std::string_view input);
void try_records(std::string_view input);
void try_samples(std::string_view input);
void try_torch(std::string_view input);
void try_wcnf(std::string_view input);

namespace {

constexpr Reader readers[] = {
    {"answer", try_answer},
    {"checkpoint", try_checkpoint},
    {"data", try_data},
    {"expression", try_expression},
    {"fd_sat_plan", try_fd_sat_plan},
    {"network", try_network},
    {"npz", try_npz},
    {"onnx", try_onnx},
    {"opb", try_opb},
    {"plan", try_plan},
    {"problem", try_problem},
    {"proof", try_proof},
    {"query", try_query},
    {"rddl", try_rddl},
    {"records", try_records},
    {"samples", try_samples},
    {"torch", try_torch},
    {"wcnf", try_wcnf},
};

}  // namespace

const Reader* find_reader(std::string_view name) {
  for (const Reader& reader : readers)
    if (reader.name == name) return &reader;
  return nullptr;
}

}  // namespace bnnplan::fuzz
