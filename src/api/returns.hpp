#pragma once

#include <cmath>

namespace bnnplan {

// Mean and standard deviation of the discounted sums of rewards.
class Returns {
 public:
  explicit Returns(double discount) : discount_(discount) {}

  void add(double reward) {
    total_ += weight_ * reward;
    weight_ *= discount_;
  }
  void end_episode() {
    ++count_;
    const double away = total_ - mean_;
    mean_ += away / count_;
    squares_ += away * (total_ - mean_);
    total_ = 0;
    weight_ = 1;
  }
  double mean() const { return mean_; }
  double deviation() const { return count_ > 1 ? std::sqrt(squares_ / (count_ - 1)) : 0; }

 private:
  double discount_, total_ = 0, weight_ = 1, count_ = 0, mean_ = 0, squares_ = 0;
};

}  // namespace bnnplan
