#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cdcl/proof_sink.hpp"
#include "engines/search/cheap_layers.hpp"
#include "engines/search/search_run.hpp"
#include "engines/search/step_cases.hpp"
#include "model/zero_one_model.hpp"

namespace bnnplan {

// Dynamic programming as a derivation: that no plan costs less than `below` of the layers, or that there is no
// plan if that is unbounded. Keeps references.
class LayeredProof {
 public:
  // `model` needs its layout and its objective only.
  LayeredProof(SearchRun& run, const ZeroOneModel& model, const CheapLayers& layers, ProofSink& sink);

  // Writes all steps but the conclusion, which is then a matter of unit propagation. `better` is the number of
  // the constraint that asks for a plan that costs less than `below`, if it is not unbounded. False if
  // the proof would become too large. Throws LimitReached.
  bool write(std::uint64_t better);

 private:
  // A bound on the cost from a layer on, as a variable: Rest >= least.
  struct Bound {
    Var variable;
    std::uint64_t number;  // of its definition: the first half
  };
  using Bounds = std::map<std::int64_t, Bound>;

  bool write_layer(int t);
  bool write_node(int t, const CheapLayers::Node& node);
  bool write_root();
  void define_bounds(int t);
  void add_lemmas(int t, const CheapLayers::Node& node);
  void add_lemma(std::int64_t least, std::int64_t next_least);
  std::optional<std::int64_t> least_rest(int t, std::int64_t cost) const;
  bool add_case(std::span<const std::uint32_t> made_true, int t, bool of_root);
  Lit literal_of(int t, std::uint32_t variable) const;
  Lit initial_literal_of(std::uint32_t variable) const;
  void drop(std::vector<std::uint64_t>& numbers);
  Var new_variable() { return {variables_++}; }

  SearchRun& run_;
  const ZeroOneModel& model_;
  const CheapLayers& layers_;
  ProofSink& sink_;
  StepCases cases_;
  std::uint32_t variables_;                // of the model, and defined
  std::vector<std::int64_t> rest_totals_;  // [t - 1]: of the weights of all steps from t on
  std::vector<std::int64_t> next_costs_;   // of states of the layer after the current one; -1: not there

  Bounds bounds_, next_bounds_;  // of the current layer, and of the one after it
  std::map<std::pair<std::int64_t, std::int64_t>, std::uint64_t> lemmas_;  // between the two
  std::vector<std::uint64_t> lasting_, next_lasting_;  // what the layer before needs of a layer
  std::vector<Lit> head_, clause_;                     // of the node that is being shown to be hopeless
  std::vector<std::uint64_t> cases_of_node_;
  std::uint64_t written_ = 0;  // literals
};

}  // namespace bnnplan
