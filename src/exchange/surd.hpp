#pragma once

#include <memory>
#include <stdexcept>

#include <gmpxx.h>

namespace bnnplan::exchange {

// An operation that surds do not support. what() says which: "two different square roots meet", "a number
// that is not finite", "division by 0", "a number of more than ... bits".
struct SurdError : std::domain_error {
  using std::domain_error::domain_error;
};

// An exact number a + b sqrt(v), with a, b and v > 0 rational: the result of applying affine maps and batch
// normalisation to floats. Most numbers are doubles and are kept as such, in 24 bytes; tensors have millions
// of them.
class Surd {
 public:
  Surd(double value = 0) : value_(value) {}  // NOLINT: a double is one
  explicit Surd(const mpq_class& value);
  Surd(const mpq_class& a, const mpq_class& b, const mpq_class& v);

  mpq_class a() const;  // these throw SurdError if the number is not finite
  mpq_class b() const;
  mpq_class v() const;  // 1 if b is 0
  bool is_rational() const { return parts_ == nullptr || parts_->b == 0; }
  // Whether it is a double, and which; non-finite numbers of a file are doubles, too.
  bool is_double() const { return parts_ == nullptr; }
  double as_double() const { return value_; }

  int sign() const;  // exact
  bool is_zero() const { return parts_ == nullptr && value_ == 0; }

  friend Surd operator+(const Surd& x, const Surd& y);
  friend Surd operator-(const Surd& x, const Surd& y) { return x + -y; }
  friend Surd operator*(const Surd& x, const Surd& y);
  friend Surd operator/(const Surd& x, const Surd& y);
  Surd operator-() const;
  friend bool operator==(const Surd& x, const Surd& y) { return same(x, y); }

 private:
  struct Parts {
    mpq_class a, b, v;
  };
  static bool same(const Surd& x, const Surd& y);
  Parts parts() const;

  double value_ = 0;                    // if there are no parts
  std::shared_ptr<const Parts> parts_;  // not a double
};

Surd square_root(const Surd& x);  // of a non-negative rational number
Surd absolute(const Surd& x);

}  // namespace bnnplan::exchange
