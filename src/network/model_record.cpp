// The record consists of lines `key: value` in the record section of a network file, readable by people and
// programs alike:
//
//   data: data.csv
//   data fingerprint: 9ae16a3b2f90404f
//   transitions: 20000, 1800 distinct, 0 contradictory
//   learned by: cover, few inputs, seed 0
//   errors unseen: 12 of 5321 transitions, 14 of 47889 bits
//   wrong unseen: 12 at.1'
//   network fingerprint: cbf29ce484222325
//
// The fingerprint is that of the network without its record: changing a weight without updating the record is
// detected.
#include "bnnplan/network/model_record.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/fingerprint.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/network/network_file.hpp"

namespace bnnplan {

namespace {

constexpr std::string_view keys[] = {
    "data: ", "data fingerprint: ",   "transitions: ", "learned by: ", "errors ",
    "wrong ", "network fingerprint: "};

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

bool is_ours(std::string_view line) {
  return std::any_of(std::begin(keys), std::end(keys),
                     [&](std::string_view key) { return starts_with(line, key); });
}

// Removes the next number from the text, with everything before it, and returns it; 0 if there is none.
std::uint64_t take_number(std::string_view& text) {
  const std::size_t at = std::min(text.find_first_of("0123456789"), text.size());
  text.remove_prefix(at);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return error == std::errc() ? number : 0;
}

ModelRecord::Part& part_of(ModelRecord& record, std::string_view name) {
  const auto found = std::find_if(record.parts.begin(), record.parts.end(),
                                  [&](const auto& part) { return part.name == name; });
  if (found != record.parts.end()) return *found;
  record.parts.emplace_back();
  record.parts.back().name = name;
  return record.parts.back();
}

}  // namespace

std::string network_fingerprint(const Network& network) {
  Network bare = network;
  bare.record.clear();
  return fingerprint(network_text(bare));
}

void set_model_record(Network& network, ModelRecord record) {
  std::erase_if(network.record, [](const std::string& line) { return is_ours(line); });
  std::vector<std::string>& lines = network.record;
  record.network_fingerprint = network_fingerprint(network);
  lines.push_back("data: " + printable(record.data_file));
  lines.push_back("data fingerprint: " + record.data_fingerprint);
  lines.push_back(fmt::format("transitions: {}, {} distinct, {} contradictory", record.transitions,
                              record.distinct, record.contradictory));
  lines.push_back("learned by: " + record.learned_by);
  for (const ModelRecord::Part& part : record.parts) {
    lines.push_back(fmt::format("errors {}: {} of {} transitions, {} of {} bits", part.name, part.wrong,
                                part.transitions, part.wrong_bits, part.bits));
    for (const auto& [output, wrong] : part.outputs)
      lines.push_back(fmt::format("wrong {}: {} {}", part.name, wrong, output));
  }
  lines.push_back("network fingerprint: " + record.network_fingerprint);
}

std::optional<ModelRecord> model_record(const Network& network) {
  ModelRecord record;
  for (std::string_view line : network.record) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string_view::npos || !is_ours(line)) continue;
    const std::string_view key = line.substr(0, colon);
    std::string_view value = line.substr(colon + 2);
    if (key == "data") {
      record.data_file = value;
    } else if (key == "data fingerprint") {
      record.data_fingerprint = value;
    } else if (key == "transitions") {
      record.transitions = take_number(value);
      record.distinct = take_number(value);
      record.contradictory = take_number(value);
    } else if (key == "learned by") {
      record.learned_by = value;
    } else if (key == "network fingerprint") {
      record.network_fingerprint = value;
    } else if (starts_with(key, "errors ")) {
      ModelRecord::Part& part = part_of(record, key.substr(7));
      part.wrong = take_number(value);
      part.transitions = take_number(value);
      part.wrong_bits = take_number(value);
      part.bits = take_number(value);
    } else {
      const std::uint64_t wrong = take_number(value);
      if (!value.empty()) part_of(record, key.substr(6)).outputs.emplace_back(value.substr(1), wrong);
    }
  }
  if (record.network_fingerprint.empty()) return std::nullopt;
  return record;
}

std::string record_claim(const Network& network) {
  const std::optional<ModelRecord> record = model_record(network);
  if (!record) return "";
  if (record->network_fingerprint != network_fingerprint(network))
    return "its record belongs to another network: it was changed after learning, and its errors are unknown";
  // What counts is performance on unseen data; if everything was seen, the other parts are used.
  const ModelRecord::Part* told = nullptr;
  for (const char* name : {"unseen", "test", "train"}) {
    for (const ModelRecord::Part& part : record->parts) {
      if (told == nullptr && part.name == name && part.transitions > 0) told = &part;
    }
  }
  if (told == nullptr) return "its file does not state its errors";
  std::string text =
      fmt::format("its file says: wrong on {} of {}", told->wrong,
                  count_text(told->transitions, told->name == "unseen" ? "unseen transition"
                                                : told->name == "test" ? "test transition"
                                                                       : "training transition"));
  for (const ModelRecord::Part& part : record->parts) {
    if (part.name == "train" && told->name != "train")
      text += fmt::format(", {} of {} in training", part.wrong, part.transitions);
  }
  return text + fmt::format(" (learned from {})", count_text(record->transitions, "transition"));
}

}  // namespace bnnplan
