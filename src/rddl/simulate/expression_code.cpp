// The interpreter of expression code: one loop, one switch, three addresses. An error is detected by the
// instruction that causes it; the instruction's address identifies its expression.
#include "bnnplan/rddl/simulate/expression_code.hpp"

#include <algorithm>
#include <cmath>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/rddl/ground/draw.hpp"
#include "bnnplan/rddl/ground/evaluate.hpp"

namespace bnnplan::rddl {

namespace {

std::int64_t whole(double value) {
  if (!(std::abs(value) < 0x1p63)) throw OverflowError();
  return static_cast<std::int64_t>(value);
}

template <class Value>
std::int64_t sign_of(Value value) {
  return value > 0 ? 1 : value < 0 ? -1 : 0;
}

}  // namespace

void ExpressionCode::write_constants(std::span<std::int64_t> frame) const {
  std::copy(constants_.begin(), constants_.end(),
            frame.begin() + static_cast<std::ptrdiff_t>(first_constant_));
}

std::int64_t ExpressionCode::run(std::uint32_t address, const NodePool& pool, std::span<std::int64_t> frame,
                                 SimulationRandom* random, bool placed) const {
  while (true) {
    try {
      return execute(address, pool, frame, random);
    } catch (const OverflowError& error) {
      // The innermost fraction that the instruction belongs to: it begins last.
      const Scaled* inside = nullptr;
      for (const Scaled& scaled : scaled_) {
        if (scaled.begin <= failed_ && failed_ < scaled.end &&
            (inside == nullptr || scaled.begin > inside->begin))
          inside = &scaled;
      }
      try {
        if (inside == nullptr) throw;
        frame[inside->result] = evaluate_integer_unplaced(pool, inside->node, frame, random);
        address = inside->end;
      } catch (const OverflowError&) {
        if (!placed) throw;
        const auto after =
            std::upper_bound(roots_.begin(), roots_.end(), failed_,
                             [](std::uint32_t failed, const Root& root) { return failed < root.begin; });
        throw RddlError(pool.place(std::prev(after)->node), error.what());
      }
    }
  }
}

double ExpressionCode::drawn(std::uint32_t address, const NodePool& pool, const std::int64_t* frame,
                             SimulationRandom* random) const {
  const Instruction& instruction = instructions_[address];
  if (random == nullptr) throw std::logic_error("a distribution without a source of random numbers");
  const auto distribution = static_cast<Distribution>(instruction.detail);
  try {
    if (instruction.operation != CodeOperation::draw_number) {
      return draw(distribution, real_of_value(frame[instruction.a]), real_of_value(frame[instruction.b]),
                  *random);
    }
    weights_.clear();
    for (std::uint32_t i = 0; i < instruction.b; ++i)
      weights_.push_back(real_of_value(frame[lists_[instruction.a + i]]));
    return static_cast<double>(
        draw_index(weights_, distribution == Distribution::unnormalized_discrete, *random));
  } catch (const DistributionError& error) {
    throw RddlError(pool.place(origins_[address]), error.what());
  }
}

std::int64_t ExpressionCode::execute(std::uint32_t address, const NodePool& pool,
                                     std::span<std::int64_t> span, SimulationRandom* random) const {
  const Instruction* const code = instructions_.data();
  const Instruction* next = code + address;
  std::int64_t* const frame = span.data();
  const auto integer = [frame](std::uint32_t place) { return frame[place]; };
  const auto real = [frame](std::uint32_t place) { return real_of_value(frame[place]); };
  const auto set_real = [frame](std::uint32_t place, double value) { frame[place] = value_of_real(value); };
  const auto refuse = [this, code](const Instruction& instruction) {
    failed_ = static_cast<std::uint32_t>(&instruction - code);
    throw OverflowError();
  };
  while (true) {
    const Instruction& now = *next++;
    const std::uint32_t a = now.a, b = now.b, c = now.c;
    switch (now.operation) {
      case CodeOperation::finish:
        return integer(a);
      case CodeOperation::jump:
        next = code + c;
        break;
      case CodeOperation::jump_table:
        if (integer(a) < 0 || integer(a) >= static_cast<std::int64_t>(c)) refuse(now);
        next = code + lists_[b + static_cast<std::size_t>(integer(a))];
        break;
      case CodeOperation::jump_if_zero:
        if (integer(a) == 0) next = code + c;
        break;
      case CodeOperation::jump_if_not_zero:
        if (integer(a) != 0) next = code + c;
        break;
      case CodeOperation::jump_if_equal:
        if (integer(a) == integer(b)) next = code + c;
        break;
      case CodeOperation::jump_if_not_equal:
        if (integer(a) != integer(b)) next = code + c;
        break;
      case CodeOperation::jump_if_less:
        if (integer(a) < integer(b)) next = code + c;
        break;
      case CodeOperation::jump_if_at_most:
        if (integer(a) <= integer(b)) next = code + c;
        break;
      case CodeOperation::jump_if_reals_equal:
        if (real(a) == real(b)) next = code + c;
        break;
      case CodeOperation::jump_if_reals_not_equal:
        if (real(a) != real(b)) next = code + c;
        break;
      case CodeOperation::jump_if_real_less:
        if (real(a) < real(b)) next = code + c;
        break;
      case CodeOperation::jump_if_real_not_less:
        if (!(real(a) < real(b))) next = code + c;
        break;
      case CodeOperation::jump_if_real_at_most:
        if (real(a) <= real(b)) next = code + c;
        break;
      case CodeOperation::jump_if_real_not_at_most:
        if (!(real(a) <= real(b))) next = code + c;
        break;
      case CodeOperation::move:
        frame[c] = frame[a];
        break;
      case CodeOperation::add:
        if (__builtin_add_overflow(integer(a), integer(b), &frame[c])) refuse(now);
        break;
      case CodeOperation::multiply:
        if (__builtin_mul_overflow(integer(a), integer(b), &frame[c])) refuse(now);
        break;
      case CodeOperation::minimum:
        frame[c] = std::min(integer(a), integer(b));
        break;
      case CodeOperation::maximum:
        frame[c] = std::max(integer(a), integer(b));
        break;
      case CodeOperation::add_list: {
        std::int64_t sum = integer(c);
        for (std::uint32_t i = 0; i < b; ++i) {
          if (__builtin_add_overflow(sum, integer(lists_[a + i]), &sum)) refuse(now);
        }
        frame[c] = sum;
        break;
      }
      case CodeOperation::absolute:
        if (integer(a) == std::numeric_limits<std::int64_t>::min()) refuse(now);
        frame[c] = std::abs(integer(a));
        break;
      case CodeOperation::sign:
        frame[c] = sign_of(integer(a));
        break;
      case CodeOperation::power:
        failed_ = static_cast<std::uint32_t>(&now - code);
        frame[c] = checked_power(integer(a), integer(b));
        break;
      case CodeOperation::modulo:
        frame[c] = floor_modulo(integer(a), integer(b));
        break;
      case CodeOperation::integer_division:
        failed_ = static_cast<std::uint32_t>(&now - code);
        frame[c] = floor_divide(integer(a), integer(b));
        break;
      case CodeOperation::require_nonzero:
        if (integer(a) == 0) throw RddlError(pool.place(origins_[&now - code]), "division by zero");
        break;
      case CodeOperation::real_of_integer:
        set_real(c, static_cast<double>(integer(a)));
        break;
      case CodeOperation::add_reals:
        set_real(c, real(a) + real(b));
        break;
      case CodeOperation::multiply_reals:
        set_real(c, real(a) * real(b));
        break;
      case CodeOperation::minimum_of_reals:
        if (real(b) < real(a)) frame[c] = frame[b];
        break;
      case CodeOperation::maximum_of_reals:
        if (real(b) > real(a)) frame[c] = frame[b];
        break;
      case CodeOperation::add_list_of_reals: {
        double sum = real(c);
        for (std::uint32_t i = 0; i < b; ++i) sum += real(lists_[a + i]);
        set_real(c, sum);
        break;
      }
      case CodeOperation::absolute_real:
        set_real(c, std::abs(real(a)));
        break;
      case CodeOperation::sign_of_real:
        frame[c] = sign_of(real(a));
        break;
      case CodeOperation::divide_reals:
        set_real(c, real(a) / real(b));
        break;
      case CodeOperation::power_of_reals:
        set_real(c, std::pow(real(a), real(b)));
        break;
      case CodeOperation::require_nonzero_real:
        if (real(a) == 0) throw RddlError(pool.place(origins_[&now - code]), "division by zero");
        break;
      case CodeOperation::floor_of_real:
        failed_ = static_cast<std::uint32_t>(&now - code);
        frame[c] = whole(std::floor(real(a)));
        break;
      case CodeOperation::ceiling_of_real:
        failed_ = static_cast<std::uint32_t>(&now - code);
        frame[c] = whole(std::ceil(real(a)));
        break;
      case CodeOperation::rounded_real:
        failed_ = static_cast<std::uint32_t>(&now - code);
        frame[c] = whole(std::nearbyint(real(a)));
        break;
      case CodeOperation::function:
        set_real(c, entry_of(static_cast<MathFunction>(now.detail)).value(real(a), real(b)));
        break;
      case CodeOperation::store_real:
        if (std::isnan(real(a))) throw NotANumber{c};
        frame[c] = frame[a];
        break;
      case CodeOperation::draw_truth:
        // The same test as in draw(): the uniform number is below the probability.
        if (random != nullptr && real(a) >= 0 && real(a) <= 1) {
          frame[c] = static_cast<double>((*random)() >> 11) * 0x1p-53 < real(a) ? 1 : 0;
          break;
        }
        [[fallthrough]];
      case CodeOperation::draw_integer:
      case CodeOperation::draw_number:
        frame[c] =
            static_cast<std::int64_t>(drawn(static_cast<std::uint32_t>(&now - code), pool, frame, random));
        break;
      case CodeOperation::draw_real:
        set_real(c, drawn(static_cast<std::uint32_t>(&now - code), pool, frame, random));
        break;
      case CodeOperation::tree_integer:
        failed_ = static_cast<std::uint32_t>(&now - code);
        frame[c] = evaluate_integer_unplaced(pool, origins_[&now - code], span, random);
        break;
      case CodeOperation::tree_real:
        failed_ = static_cast<std::uint32_t>(&now - code);
        set_real(c, evaluate_real_unplaced(pool, origins_[&now - code], span, random));
        break;
    }
  }
}

}  // namespace bnnplan::rddl
