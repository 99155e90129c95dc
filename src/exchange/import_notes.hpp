#pragma once

#include <string>
#include <vector>

#include "exchange/import_options.hpp"

namespace bnnplan {

// What was taken from options goes into a network's record, a line each, with the option's name.
std::vector<std::string> facts_of_sign(const ImportOptions& options);
std::vector<std::string> facts_of_bits(const ImportOptions& options);
std::vector<std::string> facts_of_numbers(const ImportOptions& options);

// The record that a file of another format carries, line by line, as far as it is text of the usual length.
std::vector<std::string> record_lines(std::vector<std::string> lines);

// Adds what the record does not say already: a network may come back from where it was written to.
void add_to_record(std::vector<std::string>& record, const std::vector<std::string>& facts);

// Throws InputError, with `file`, unless the options say which numbers the inputs may be.
void require_numbers(const ImportOptions& options, const std::string& file);

// The names of outputs, `given` or 0, 1, ... for scores and y0, y1, ... for bits. Throws InputError if there are not `count`.
std::vector<std::string> output_names(const std::vector<std::string>& given, std::size_t count, bool scores,
                                      const std::string& file);

}  // namespace bnnplan
