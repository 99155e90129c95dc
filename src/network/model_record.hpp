#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bnnplan/network/network.hpp"

namespace bnnplan {

// What a network file states about the network's origin and quality. A claim, like everything in a file.
struct ModelRecord {
  std::string data_file, data_fingerprint;
  std::uint64_t transitions = 0, distinct = 0, contradictory = 0;  // of the data
  std::string learned_by;                                          // technique, shape, seed
  struct Part {
    std::string name;  // "train", "test", "unseen"
    std::uint64_t wrong = 0, transitions = 0, wrong_bits = 0, bits = 0;
    std::vector<std::pair<std::string, std::uint64_t>> outputs;  // those that are ever wrong, and how often

    friend bool operator==(const Part&, const Part&) = default;
  };
  std::vector<Part> parts;
  std::string network_fingerprint;  // of the network that it describes

  friend bool operator==(const ModelRecord&, const ModelRecord&) = default;
};

// Depends on what the network computes and on its names, not on its record.
std::string network_fingerprint(const Network& network);

// Writes the record into the lines of the network, with the network's fingerprint; other lines are kept.
void set_model_record(Network& network, ModelRecord record);

// The record in the lines of the network; empty if it has none. Unknown lines are ignored.
std::optional<ModelRecord> model_record(const Network& network);

// One line, such as "its file says: wrong on 12 of 5321 unseen transitions (...)", or that the record belongs
// to another network; "" without a record.
std::string record_claim(const Network& network);

}  // namespace bnnplan
