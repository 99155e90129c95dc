#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "bnnplan/cdcl/proof_sink.hpp"
#include "bnnplan/engines/search/cheap_layers.hpp"
#include "bnnplan/engines/search/search_run.hpp"
#include "bnnplan/engines/search/step_cases.hpp"
#include "bnnplan/model/zero_one_model.hpp"

namespace bnnplan::engines {

// Dynamic programming as a derivation: no plan costs less than the layers' `below`, or, if that is unbounded,
// there is no plan. Keeps references.
class LayeredProof {
 public:
  // `model` needs only its layout and its objective.
  LayeredProof(SearchRun& run, const model::ZeroOneModel& model, const CheapLayers& layers,
               cdcl::ProofSink& sink);

  // Writes all steps but the conclusion, which then follows by unit propagation. `better` is the number of
  // the constraint that requires a plan to cost less than `below`, if that is not unbounded. False if the
  // proof would become too large. Throws LimitReached.
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
  const model::ZeroOneModel& model_;
  const CheapLayers& layers_;
  cdcl::ProofSink& sink_;
  StepCases cases_;
  std::uint32_t variables_;                // of the model, and those defined here
  std::vector<std::int64_t> rest_totals_;  // [t - 1]: sum of the weights of all steps from t on
  // By state of the layer after the current one; -1: not in it.
  std::vector<std::int64_t> next_costs_;

  // Of the current layer, and of the one after it.
  Bounds bounds_, next_bounds_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::uint64_t> lemmas_;  // between the two
  // What the layer before needs from a layer.
  std::vector<std::uint64_t> lasting_, next_lasting_;
  // Of the node being shown to be hopeless.
  std::vector<Lit> head_, clause_;
  std::vector<std::uint64_t> cases_of_node_;
  std::uint64_t written_ = 0;  // literals
};

}  // namespace bnnplan::engines
