#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "bnnplan/network/kernels.hpp"
#include "bnnplan/network/kernels_weights.hpp"
#include "bnnplan/network/network.hpp"
#include "bnnplan/network/packed_inference.hpp"

namespace bnnplan {

// The scratch memory of one thread, like Workspace.
class ClassifierWorkspace {
 private:
  friend class PackedClassifier;
  Workspace layers_;
  std::vector<std::uint64_t> bits_;   // [sample][word]: outputs of the last layer of neurons
  std::vector<std::int32_t> counts_;  // [sample][class]
};

// A classifier laid out for fast inference: the same function as reference_class, on packed bits. Immutable;
// threads may share one, each with its own workspace. Samples are packed as for PackedNetwork.
class PackedClassifier {
 public:
  // Requires is_classifier(network). Keeps no reference to it, only a pointer to `kernels`.
  explicit PackedClassifier(const Network& network, const Kernels& kernels = packed_kernels(),
                            Technique technique = Technique::measured);

  std::size_t inputs() const { return inputs_; }
  std::size_t classes() const { return last_key_.size(); }
  std::size_t input_words() const { return words_of(inputs_); }

  // The class of each of `count` samples, numbered from 0.
  void classify(const std::uint64_t* inputs, std::size_t count, std::uint32_t* classes,
                ClassifierWorkspace& workspace) const;

  // How many inputs of each score agree with its weights, agreeing[sample][class]: the score is
  // scale * (2 agreeing - fan-in) + bias.
  void count_agreeing(const std::uint64_t* inputs, std::size_t count, std::int32_t* agreeing,
                      ClassifierWorkspace& workspace) const;

 private:
  void count_disagreeing(const std::uint64_t* inputs, std::size_t count, std::int32_t* counts,
                         ClassifierWorkspace& workspace) const;

  const Kernels* kernels_;
  std::size_t inputs_;
  std::optional<PackedNetwork> layers_;  // empty if the scores read the inputs directly
  PopcountWeights scores_;
  std::vector<std::int32_t> fan_in_;   // of each class
  std::vector<std::size_t> last_key_;  // of each class, in keys_: nothing disagrees
  std::vector<std::int64_t> keys_;     // [class][agreeing]: integers in the order of the scores
  bool highest_ = false;               // among equal keys
};

}  // namespace bnnplan
