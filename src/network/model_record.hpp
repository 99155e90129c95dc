#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "network/network.hpp"

namespace bnnplan {

// What a network's file says about where the network comes from and how good it is. A claim, like everything in a file.
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
  std::string network_fingerprint;  // of the network it is about

  friend bool operator==(const ModelRecord&, const ModelRecord&) = default;
};

// Of what the network computes and of its names, not of its record.
std::string network_fingerprint(const Network& network);

// Writes the record into the lines of the network, with the network's fingerprint; other lines stay.
void set_model_record(Network& network, ModelRecord record);

// The record in the lines of the network; none if there is none. Lines that it does not know are left out.
std::optional<ModelRecord> model_record(const Network& network);

// One line, such as "its file says: wrong on 12 of 5321 unseen transitions (...)", or that the record is of another network; ""
// without a record.
std::string record_claim(const Network& network);

}  // namespace bnnplan
