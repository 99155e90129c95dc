// Data sets of transitions: reads comma-separated values into packed bits.
//
// In a deterministic domain of modest size, a sample with repetition has far more lines than distinct lines,
// so each distinct row is kept once, along with the row of each line. Training and evaluation then work on
// weighted distinct rows: the same sums at a fraction of the work.
#include "bnnplan/learn/data_set.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <span>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/csv_line.hpp"
#include "bnnplan/base/fingerprint.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/random.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/network/network_file.hpp"

namespace bnnplan::learning {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

// A column and the place of its bits.
struct Column {
  std::string name;
  bool used = false;
  bool output = false;
  ColumnBits bits;
  std::size_t first_bit = 0;
};

bool is_output(std::string_view name) { return name.size() > 1 && name.back() == '\''; }

std::string without_prime(std::string_view name) {
  return std::string(is_output(name) ? name.substr(0, name.size() - 1) : name);
}

std::string key_of(std::span<const std::uint64_t> words) {
  return std::string(reinterpret_cast<const char*>(words.data()), words.size_bytes());
}

// The distinct rows of a data set by their bits, inputs before outputs.
class RowIndex {
 public:
  explicit RowIndex(DataSet& data) : data_(data) {
    std::vector<std::uint64_t> row;
    for (std::size_t i = 0; !data.inputs.empty() && i < data.distinct_rows(); ++i) {
      row.assign(data.input(i), data.input(i) + data.input_words());
      row.insert(row.end(), data.output(i), data.output(i) + data.output_words());
      numbers_.emplace(key_of(row), static_cast<std::uint32_t>(i));
    }
  }

  // The index of the row, which is added if it is new.
  std::uint32_t number_of(std::span<const std::uint64_t> row) {
    const auto [at, added] = numbers_.emplace(key_of(row), static_cast<std::uint32_t>(numbers_.size()));
    if (added) {
      const auto middle = row.begin() + static_cast<std::ptrdiff_t>(data_.input_words());
      data_.inputs.insert(data_.inputs.end(), row.begin(), middle);
      data_.outputs.insert(data_.outputs.end(), middle, row.end());
    }
    return at->second;
  }

 private:
  DataSet& data_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

// Of all lines with the same inputs, only those with the most frequent output can be learned.
void count_contradictions(DataSet& data) {
  const std::size_t words = data.input_words();
  std::vector<std::size_t> counts(data.distinct_rows());
  for (const std::uint32_t row : data.sample_row) ++counts[row];
  struct Total {
    std::size_t lines = 0, most = 0;
  };
  std::unordered_map<std::string, Total> totals;
  for (std::size_t row = 0; row < counts.size(); ++row) {
    Total& total = totals[key_of({data.input(row), words})];
    total.lines += counts[row];
    total.most = std::max(total.most, counts[row]);
  }
  for (const auto& [inputs, total] : totals) data.contradictions += total.lines - total.most;
}

class Reader {
 public:
  Reader(std::string_view text, std::string_view file, const DataOptions& options)
      : lines_(text), file_(file), options_(options) {}

  DataSet read() {
    read_header();
    lay_out_bits();
    std::string_view line;
    while (lines_.next(line)) {
      if (!trimmed(line).empty()) read_row(line);
    }
    if (data_.sample_row.empty()) {
      throw InputError(file_, lines_.number(), "no transitions, expected lines of values below the header");
    }
    count_contradictions(data_);
    return std::move(data_);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(file_, lines_.number(), message);
  }

  void read_header() {
    std::string_view line;
    if (!lines_.next(line) || trimmed(line).empty()) {
      throw InputError(file_, 1, "no header, expected a first line of column names");
    }
    if (line.substr(0, byte_order_mark.size()) == byte_order_mark) line.remove_prefix(byte_order_mark.size());
    std::unordered_map<std::string, std::size_t> seen;
    for (std::string& name : csv_fields(line, file_, 1, "column name")) {
      if (name.empty()) fail(fmt::format("column {} has no name", columns_.size() + 1));
      const auto [at, added] = seen.emplace(name, columns_.size() + 1);
      if (!added) {
        fail(fmt::format("columns {} and {} have the same name '{}'", at->second, columns_.size() + 1,
                         printable(name)));
      }
      Column column;
      column.output = is_output(name);
      column.name = std::move(name);
      columns_.push_back(std::move(column));
    }
    choose(options_.inputs, false);
    choose(options_.outputs, true);
    for (const auto& [name, bits] : options_.bits) give_bits(name, bits);
  }

  // Uses the named columns of one side, or all.
  void choose(const std::vector<std::string>& wanted, bool output) {
    for (Column& column : columns_) column.used |= column.output == output && wanted.empty();
    for (const std::string& name : wanted) {
      const std::string full = output && !is_output(name) ? name + "'" : name;
      bool found = false;
      for (Column& column : columns_) {
        if (column.output != output || !belongs(column.name, full)) continue;
        column.used = found = true;
      }
      if (found) continue;
      std::vector<std::string> candidates;
      for (const Column& column : columns_) {
        if (column.output == output) candidates.push_back(column.name);
      }
      fail(fmt::format("no {} column '{}'{}", output ? "output" : "input", printable(full),
                       did_you_mean(full, candidates)));
    }
    if (std::none_of(columns_.begin(), columns_.end(),
                     [&](const Column& column) { return column.output == output && column.used; })) {
      fail(output ? "no output column, expected names that end in ' (the next state, such as x')"
                  : "no input column, expected names that do not end in ' (state and action)");
    }
  }

  // A name stands for its column, for the bits name.0, name.1, ... and for the ground variables name[...].
  static bool belongs(std::string_view column, std::string_view name) {
    if (column == name) return true;
    const std::string base = without_prime(name);
    std::string rest = without_prime(column);
    if (rest.compare(0, base.size(), base) != 0) return false;
    rest.erase(0, base.size());
    return !rest.empty() && (rest.front() == '[' || rest.front() == '.');
  }

  void give_bits(const std::string& name, const ColumnBits& bits) {
    bool found = false;
    for (Column& column : columns_) {
      if (without_prime(column.name) != name) continue;
      column.bits = bits;
      found = true;
    }
    if (!found && !options_.bits_of_problem)
      fail(fmt::format("no column '{}', for which bits are given", printable(name)));
    integers_.emplace(name, bits);
  }

  void lay_out_bits() {
    for (Column& column : columns_) {
      if (!column.used) continue;
      std::vector<std::string>& names = column.output ? data_.output_names : data_.input_names;
      column.first_bit = names.size();
      const bool integer = integers_.count(without_prime(column.name)) > 0;
      for (int bit = 0; bit < column.bits.bits; ++bit) {
        names.push_back(
            integer ? fmt::format("{}.{}{}", without_prime(column.name), bit, column.output ? "'" : "")
                    : column.name);
      }
    }
    for (const auto* names : {&data_.input_names, &data_.output_names}) {
      std::vector<std::string> sorted = *names;
      std::sort(sorted.begin(), sorted.end());
      const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
      if (twice != sorted.end()) fail(fmt::format("two columns give the bit '{}'", printable(*twice)));
    }
    row_.resize(data_.input_words() + data_.output_words());
  }

  void read_row(std::string_view line) {
    std::fill(row_.begin(), row_.end(), 0);
    std::string_view rest = line;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::size_t end = rest.find(',');
      const bool last = i + 1 == columns_.size();
      if ((end == std::string_view::npos) != last) {
        fail(fmt::format("{}, expected {} as in the header",
                         count_text(std::count(line.begin(), line.end(), ',') + 1, "value"),
                         columns_.size()));
      }
      if (columns_[i].used) store(columns_[i], trimmed(rest.substr(0, last ? rest.size() : end)));
      if (!last) rest.remove_prefix(end + 1);
    }
    data_.sample_row.push_back(index_.number_of(row_));
  }

  void store(const Column& column, std::string_view text) {
    std::int64_t value = 0;
    if (text == "true") {
      value = 1;
    } else if (text != "false") {
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
        fail(fmt::format("'{}' in column '{}', expected {}", printable(text), printable(column.name),
                         expected(column)));
      }
    }
    const std::int64_t span = std::int64_t{1} << column.bits.bits;
    const std::int64_t low = column.bits.twos_complement ? -span / 2 : 0;
    if (value < low || value >= low + span) {
      fail(fmt::format("{} in column '{}', expected {}", value, printable(column.name), expected(column)));
    }
    std::uint64_t* words = row_.data() + (column.output ? data_.input_words() : 0);
    for (int bit = 0; bit < column.bits.bits; ++bit) {
      const std::size_t at = column.first_bit + static_cast<std::size_t>(bit);
      words[at / 64] |= static_cast<std::uint64_t>((value >> bit) & 1) << (at % 64);
    }
  }

  std::string expected(const Column& column) const {
    const std::string name = without_prime(column.name);
    if (integers_.count(name) == 0) {
      if (options_.bits_of_problem) return "0 or 1";
      return fmt::format("0 or 1 (for an integer, specify its bits: {}=N)", printable(name));
    }
    const std::int64_t span = std::int64_t{1} << column.bits.bits;
    const std::int64_t low = column.bits.twos_complement ? -span / 2 : 0;
    return fmt::format("{} to {}", low, low + span - 1);
  }

  LineReader lines_;
  std::string_view file_;
  const DataOptions& options_;
  std::vector<Column> columns_;
  std::map<std::string, ColumnBits> integers_;
  DataSet data_;
  std::vector<std::uint64_t> row_;
  RowIndex index_{data_};
};

SampleSet part_of(const DataSet& data, const std::vector<std::uint32_t>& sample_rows) {
  std::vector<std::uint32_t> counts(data.distinct_rows());
  for (const std::uint32_t row : sample_rows) ++counts[row];
  SampleSet part;
  part.samples = sample_rows.size();
  for (std::uint32_t row = 0; row < counts.size(); ++row) {
    if (counts[row] == 0) continue;
    part.rows.push_back(row);
    part.counts.push_back(counts[row]);
  }
  return part;
}

// The positions in `names` of the names `wanted`; `owner`, which has them, is for messages.
std::vector<std::size_t> positions(const std::vector<std::string>& wanted,
                                   const std::vector<std::string>& names, std::string_view file_name,
                                   std::string_view owner) {
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < names.size(); ++i) places.emplace(names[i], i);
  std::vector<std::size_t> result;
  for (const std::string& name : wanted) {
    const auto at = places.find(name);
    if (at == places.end()) {
      throw InputError(file_name, 1, fmt::format("no column '{}', which {} has", printable(name), owner));
    }
    result.push_back(at->second);
  }
  return result;
}

void copy_bits(const std::uint64_t* from, const std::vector<std::size_t>& places, std::uint64_t* to) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    to[i / 64] |= ((from[places[i] / 64] >> (places[i] % 64)) & 1u) << (i % 64);
  }
}

}  // namespace

std::map<std::string, ColumnBits> parse_column_bits(const std::vector<std::string>& arguments) {
  std::map<std::string, ColumnBits> result;
  for (const std::string& argument : arguments) {
    const std::size_t equals = argument.rfind('=');
    ColumnBits bits;
    std::string_view number =
        equals == std::string::npos ? std::string_view() : std::string_view(argument).substr(equals + 1);
    if (!number.empty() && number.back() == 's') {
      bits.twos_complement = true;
      number.remove_suffix(1);
    }
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), bits.bits);
    if (equals == 0 || number.empty() || error != std::errc() || end != number.data() + number.size() ||
        bits.bits < 1 || bits.bits > 32) {
      throw InputError(
          fmt::format("bad number of bits '{}', expected NAME=N with 1 to 32 bits (NAME=Ns if signed)",
                      printable(argument)));
    }
    result[argument.substr(0, equals)] = bits;
  }
  return result;
}

DataSet parse_data_set(std::string_view text, std::string_view file_name, const DataOptions& options) {
  DataSet data = Reader(text, file_name, options).read();
  data.name = file_name;
  return data;
}

DataSet read_data_set(const std::filesystem::path& path, const DataOptions& options) {
  return parse_data_set(read_text_file(path), path.string(), options);
}

DataSet collect_rows(std::string name, std::vector<std::string> input_names,
                     std::vector<std::string> output_names, const std::uint64_t* inputs,
                     const std::uint64_t* outputs, std::size_t lines) {
  std::unordered_set<std::string> seen;
  for (const auto* names : {&input_names, &output_names}) {
    const bool are_outputs = names == &output_names;
    if (names->empty()) throw InputError(name, are_outputs ? "there are no outputs" : "there are no inputs");
    for (const std::string& column : *names) {
      if (!is_network_name(column) || is_output(column) != are_outputs) {
        throw InputError(
            name, fmt::format("bad name '{}' of an {}, expected one that {} in '", printable(column),
                              are_outputs ? "output" : "input", are_outputs ? "ends" : "does not end"));
      }
      if (!seen.insert(column).second)
        throw InputError(name, fmt::format("two columns have the name '{}'", printable(column)));
    }
  }
  if (lines == 0) throw InputError(name, "there are no transitions");
  if (lines > std::numeric_limits<std::uint32_t>::max())
    throw InputError(name, fmt::format("{} transitions, expected at most 4294967295", lines));
  DataSet data;
  data.name = std::move(name);
  data.input_names = std::move(input_names);
  data.output_names = std::move(output_names);
  const std::size_t in = data.input_words(), out = data.output_words();
  RowIndex index(data);
  std::vector<std::uint64_t> row(in + out);
  data.sample_row.reserve(lines);
  for (std::size_t line = 0; line < lines; ++line) {
    std::copy_n(inputs + line * in, in, row.begin());
    std::copy_n(outputs + line * out, out, row.begin() + static_cast<std::ptrdiff_t>(in));
    data.sample_row.push_back(index.number_of(row));
  }
  count_contradictions(data);
  return data;
}

std::string data_fingerprint(const DataSet& data) {
  std::string text;
  for (const auto* names : {&data.input_names, &data.output_names}) {
    for (const std::string& name : *names) text += name + '\n';
    text += '\n';
  }
  for (const std::uint32_t row : data.sample_row) {
    text.append(reinterpret_cast<const char*>(data.input(row)), data.input_words() * sizeof(std::uint64_t));
    text.append(reinterpret_cast<const char*>(data.output(row)), data.output_words() * sizeof(std::uint64_t));
  }
  return fingerprint(text);
}

Split split(const DataSet& data, double test_share, std::uint64_t seed) {
  std::vector<std::uint32_t> order = data.sample_row;
  Random random(seed ^ 0x53504c4954u);  // a separate stream from that of the first weights
  shuffle(order, random);
  const auto test_lines =
      static_cast<std::ptrdiff_t>(std::floor(test_share * static_cast<double>(order.size()) + 1e-9));
  return {part_of(data, {order.begin() + test_lines, order.end()}),
          part_of(data, {order.begin(), order.begin() + test_lines})};
}

SampleSet whole(const DataSet& data) { return part_of(data, data.sample_row); }

SampleSet add_rows(DataSet& data, const DataSet& more, std::string_view file_name, std::string_view owner) {
  const auto input_places = positions(data.input_names, more.input_names, file_name, owner);
  const auto output_places = positions(data.output_names, more.output_names, file_name, owner);
  const std::size_t in = data.input_words(), out = data.output_words();
  RowIndex index(data);
  std::vector<std::uint64_t> bits(in + out);
  std::vector<std::uint32_t> number_of(more.distinct_rows());
  for (std::size_t row = 0; row < more.distinct_rows(); ++row) {
    std::fill(bits.begin(), bits.end(), 0);
    copy_bits(more.input(row), input_places, bits.data());
    copy_bits(more.output(row), output_places, bits.data() + in);
    number_of[row] = index.number_of(bits);
  }
  std::vector<std::uint32_t> rows;
  for (const std::uint32_t row : more.sample_row) rows.push_back(number_of[row]);
  return part_of(data, rows);
}

SampleSet merged(const SampleSet& a, const SampleSet& b) {
  std::map<std::uint32_t, std::uint32_t> counts;
  for (const SampleSet* part : {&a, &b}) {
    for (std::size_t i = 0; i < part->rows.size(); ++i) counts[part->rows[i]] += part->counts[i];
  }
  SampleSet result;
  result.samples = a.samples + b.samples;
  for (const auto& [row, count] : counts) {
    result.rows.push_back(row);
    result.counts.push_back(count);
  }
  return result;
}

SampleSet without(const SampleSet& part, const SampleSet& other) {
  SampleSet result;
  for (std::size_t i = 0; i < part.rows.size(); ++i) {
    if (std::binary_search(other.rows.begin(), other.rows.end(), part.rows[i])) continue;
    result.rows.push_back(part.rows[i]);
    result.counts.push_back(part.counts[i]);
    result.samples += part.counts[i];
  }
  return result;
}

SampleSet each_once(const SampleSet& part) {
  return {part.rows, std::vector<std::uint32_t>(part.rows.size(), 1), part.rows.size()};
}

}  // namespace bnnplan::learning
