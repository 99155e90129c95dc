#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <vector>

#include "bnnplan/base/literal.hpp"

namespace bnnplan::encoding {

// Anything that collects clauses: a formula, a file, a solver, a counter. Every encoding writes to one.
class ClauseSink {
 public:
  virtual ~ClauseSink() = default;

  // The positive literal of an unused variable.
  virtual Lit new_variable() = 0;

  // The span is valid only during the call: a sink that keeps the clause copies it.
  virtual void add(std::span<const Lit> clause) = 0;

  void add(std::initializer_list<Lit> clause) { add(std::span<const Lit>(clause.begin(), clause.size())); }
};

// The size of an encoding. Its price is clauses + variable_price * variables.
struct EncodingSize {
  std::int64_t variables = 0;
  std::int64_t clauses = 0;

  EncodingSize& operator+=(const EncodingSize& other) {
    variables += other.variables;
    clauses += other.clauses;
    return *this;
  }
  friend EncodingSize operator+(EncodingSize a, const EncodingSize& b) { return a += b; }
  friend bool operator==(const EncodingSize&, const EncodingSize&) = default;

  std::int64_t price(int variable_price) const { return clauses + variable_price * variables; }
};

// Thrown by a CountingSink whose budget is exhausted: pricing an encoding must not cost more than the
// encoding that will be used instead.
struct BudgetExhausted {};

// Only counts. With a budget it stops the encoding by throwing BudgetExhausted as soon as the price exceeds
// it.
class CountingSink final : public ClauseSink {
 public:
  CountingSink() = default;
  CountingSink(int variable_price, std::int64_t budget) : variable_price_(variable_price), budget_(budget) {}

  using ClauseSink::add;
  Lit new_variable() override {
    ++size_.variables;
    spend(variable_price_);
    // The numbers are never used; they only have to differ from the caller's.
    return Lit::positive({kFirstVariable + static_cast<std::uint32_t>(size_.variables)});
  }
  void add(std::span<const Lit> clause) override {
    ++size_.clauses;
    literals_ += static_cast<std::int64_t>(clause.size());
    spend(1);
  }

  const EncodingSize& size() const { return size_; }
  std::int64_t literals() const { return literals_; }

 private:
  static constexpr std::uint32_t kFirstVariable = 1u << 30;

  void spend(std::int64_t amount) {
    budget_ -= amount;
    if (budget_ < 0) throw BudgetExhausted();
  }

  EncodingSize size_;
  std::int64_t literals_ = 0;
  int variable_price_ = 0;
  std::int64_t budget_ = std::numeric_limits<std::int64_t>::max();
};

// Keeps all clauses in one array; variables are numbered from `first_variable`.
class CollectingSink final : public ClauseSink {
 public:
  explicit CollectingSink(Var first_variable) : next_variable_(first_variable.index) {}

  using ClauseSink::add;
  Lit new_variable() override { return Lit::positive({next_variable_++}); }
  void add(std::span<const Lit> clause) override {
    literals_.insert(literals_.end(), clause.begin(), clause.end());
    ends_.push_back(literals_.size());
  }

  std::size_t clauses() const { return ends_.size(); }
  std::span<const Lit> clause(std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::span(literals_).subspan(begin, ends_[i] - begin);
  }
  // One above the highest variable made so far.
  std::uint32_t variables() const { return next_variable_; }

 private:
  std::vector<Lit> literals_;
  std::vector<std::size_t> ends_;
  std::uint32_t next_variable_;
};

// A literal that is always true, only for use as the output of a constraint that is written to a
// FixedOutputSink: it does not correspond to a variable.
inline constexpr Lit kTrueOutput{0xFFFFFFFEu};

// Turns a reified constraint into a hard one: forwards clauses with kTrueOutput taken as true, which drops
// the clauses it satisfies and the literals it falsifies.
class FixedOutputSink final : public ClauseSink {
 public:
  explicit FixedOutputSink(ClauseSink& sink) : sink_(sink) {}

  using ClauseSink::add;
  Lit new_variable() override { return sink_.new_variable(); }
  void add(std::span<const Lit> clause) override {
    bool mentioned = false;
    for (const Lit lit : clause) {
      if (lit == kTrueOutput) return;
      mentioned |= lit == ~kTrueOutput;
    }
    if (!mentioned) return sink_.add(clause);
    shortened_.clear();
    for (const Lit lit : clause) {
      if (lit != ~kTrueOutput) shortened_.push_back(lit);
    }
    sink_.add(shortened_);
  }

 private:
  ClauseSink& sink_;
  std::vector<Lit> shortened_;
};

}  // namespace bnnplan::encoding
