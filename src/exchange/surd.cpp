// Arithmetic in the field of numbers a + b sqrt(v). Two numbers with different roots leave it, unless one
// root is a rational multiple of the other: that is an error, since this form then allows no exact comparison
// with zero.
//
// Doubles are added and multiplied as doubles if that is exact, which the remainder reveals (Knuth's two-sum,
// a fused multiplication); only otherwise are GMP fractions used. Sizes are bounded, because squaring a
// number thirty times makes a number of gigabytes.
#include "bnnplan/exchange/surd.hpp"

#include <cmath>
#include <string>

#include "bnnplan/base/exact_number.hpp"

namespace bnnplan::exchange {

namespace {

constexpr std::size_t most_bits = 40'000;

mpq_class rational(double value) {
  if (!std::isfinite(value)) throw SurdError("a number that is not finite");
  return mpq_class(value);
}

void check_size(const mpq_class& number) {
  if (mpz_sizeinbase(number.get_num_mpz_t(), 2) > most_bits ||
      mpz_sizeinbase(number.get_den_mpz_t(), 2) > most_bits)
    throw SurdError("a number of more than " + std::to_string(most_bits) + " bits");
}

// Far from where remainders would be lost.
bool moderate(double value) {
  return value == 0 || (std::abs(value) > 0x1p-400 && std::abs(value) < 0x1p400);
}

}  // namespace

Surd::Surd(const mpq_class& value) : Surd(value, 0, 1) {}

Surd::Surd(const mpq_class& a, const mpq_class& b, const mpq_class& v) {
  Parts parts{a, b, v};
  if (b != 0) {
    if (v <= 0) throw SurdError("the root of a number that is not positive");
    if (const auto root = exact_root(v)) {
      parts.a += b * *root;
      parts.b = 0;
    }
  }
  if (parts.b == 0) {
    parts.v = 1;
    value_ = parts.a.get_d();
    if (std::isfinite(value_) && mpq_class(value_) == parts.a) return;
  }
  for (const mpq_class* number : {&parts.a, &parts.b, &parts.v}) check_size(*number);
  parts_ = std::make_shared<const Parts>(std::move(parts));
}

mpq_class Surd::a() const { return parts_ ? parts_->a : rational(value_); }
mpq_class Surd::b() const { return parts_ ? parts_->b : mpq_class(0); }
mpq_class Surd::v() const { return parts_ ? parts_->v : mpq_class(1); }
Surd::Parts Surd::parts() const { return parts_ ? *parts_ : Parts{rational(value_), 0, 1}; }

int Surd::sign() const {
  if (!parts_) {
    if (std::isnan(value_)) throw SurdError("a number that is not finite");
    return (value_ > 0) - (value_ < 0);
  }
  const int a = sgn(parts_->a), b = sgn(parts_->b);
  if (a == b || b == 0) return a;
  if (a == 0) return b;
  // If the two terms have opposite signs, the one with the larger square wins.
  const int larger = cmp(parts_->a * parts_->a, parts_->b * parts_->b * parts_->v);
  return larger > 0 ? a : larger < 0 ? b : 0;
}

Surd Surd::operator-() const {
  if (!parts_) return Surd(-value_);
  return Surd(-parts_->a, -parts_->b, parts_->v);
}

bool Surd::same(const Surd& x, const Surd& y) {
  if (!x.parts_ && !y.parts_) return x.value_ == y.value_;
  if (!x.parts_ || !y.parts_) return false;
  return (x - y).is_zero();
}

// The factor f with sqrt(from) = f sqrt(to).
static mpq_class root_factor(const mpq_class& from, const mpq_class& to) {
  if (from == to) return 1;
  const auto factor = exact_root(mpq_class(from / to));
  if (!factor) throw SurdError("two different square roots meet");
  return *factor;
}

Surd operator+(const Surd& x, const Surd& y) {
  if (!x.parts_ && !y.parts_) {
    const double sum = x.value_ + y.value_;
    const double back = sum - x.value_;
    const double rest = (x.value_ - (sum - back)) + (y.value_ - back);
    if (moderate(sum) && moderate(x.value_) && moderate(y.value_) && rest == 0) return Surd(sum);
  }
  const Surd::Parts p = x.parts(), q = y.parts();
  if (q.b == 0) return Surd(p.a + q.a, p.b, p.v);
  if (p.b == 0) return Surd(p.a + q.a, q.b, q.v);
  return Surd(p.a + q.a, p.b + q.b * root_factor(q.v, p.v), p.v);
}

Surd operator*(const Surd& x, const Surd& y) {
  if (!x.parts_ && !y.parts_) {
    const double product = x.value_ * y.value_;
    if (moderate(product) && moderate(x.value_) && moderate(y.value_) &&
        std::fma(x.value_, y.value_, -product) == 0)
      return Surd(product);
  }
  const Surd::Parts p = x.parts(), q = y.parts();
  if (q.b == 0) return Surd(p.a * q.a, p.b * q.a, p.v);
  if (p.b == 0) return Surd(p.a * q.a, p.a * q.b, q.v);
  if (p.a == 0 && q.a == 0) return Surd(0, p.b * q.b, p.v * q.v);  // a new root, but only one
  const mpq_class d = q.b * root_factor(q.v, p.v);
  return Surd(p.a * q.a + p.b * d * p.v, p.a * d + p.b * q.a, p.v);
}

Surd operator/(const Surd& x, const Surd& y) {
  if (y.is_zero()) throw SurdError("division by 0");
  const Surd::Parts q = y.parts();
  // 1 / (a + b sqrt v) = (a - b sqrt v) / (a^2 - b^2 v); the denominator is not 0: sqrt v is irrational.
  const mpq_class norm = q.a * q.a - q.b * q.b * q.v;
  return x * Surd(q.a / norm, -q.b / norm, q.v);
}

Surd square_root(const Surd& x) {
  if (!x.is_rational()) throw SurdError("the root of a root");
  if (x.sign() < 0) throw SurdError("the root of a negative number");
  return x.is_zero() ? Surd(0) : Surd(0, 1, x.a());
}

Surd absolute(const Surd& x) { return x.sign() < 0 ? -x : x; }

}  // namespace bnnplan::exchange
