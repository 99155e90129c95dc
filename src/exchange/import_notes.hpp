#pragma once

#include <string>
#include <vector>

#include "bnnplan/exchange/import_options.hpp"

namespace bnnplan::exchange {

// Facts taken from options go into a network's record, one line each, with the option's name.
std::vector<std::string> facts_of_sign(const ImportOptions& options);
std::vector<std::string> facts_of_bits(const ImportOptions& options);
std::vector<std::string> facts_of_numbers(const ImportOptions& options);

// The record carried by a file of another format, line by line; lines that are not text of ordinary length
// are dropped.
std::vector<std::string> record_lines(std::vector<std::string> lines);

// Adds facts that the record does not state already: a network may be re-imported from a file we wrote.
void add_to_record(std::vector<std::string>& record, const std::vector<std::string>& facts);

// Throws InputError, with `file`, unless the options specify which numbers the inputs may be.
void require_numbers(const ImportOptions& options, const std::string& file);

// The names of the outputs: `given`, or 0, 1, ... for scores and y0, y1, ... for bits. Throws InputError if
// there are not `count`.
std::vector<std::string> output_names(const std::vector<std::string>& given, std::size_t count, bool scores,
                                      const std::string& file);

}  // namespace bnnplan::exchange
