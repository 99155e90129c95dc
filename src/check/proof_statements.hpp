#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace bnnplan::checking {

// A proof is not accepted: "line 17: ...".
struct ProofRefusal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct ProofStatement {
  std::vector<std::string_view> words;
  std::size_t line = 1;
};

// Splits a proof into statements.
class StatementReader {
 public:
  // A sensible statement names each variable once; numbers of constraints to delete are given in portions.
  StatementReader(std::string_view text, std::uint32_t variables)
      : rest_(text), most_words_(1'000'000 + std::size_t{4} * variables) {}

  bool by_lines = true;  // version 1.2; otherwise a statement ends with ';'

  // False at the end. The final ';' of a statement is dropped. Throws ProofRefusal.
  bool next(ProofStatement& statement);

 private:
  std::string_view rest_;
  std::size_t most_words_;
  std::size_t line_ = 1;
};

}  // namespace bnnplan::checking
