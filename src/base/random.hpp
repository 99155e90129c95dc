#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace bnnplan {

// The only source of random numbers: the same with every compiler and standard library. The standard
// specifies the output of its generators but not of its distributions, std::shuffle and std::sample, so those
// are not used.
//
// There are two generators because the output for a given seed is a promise: networks and orders come from
// Random, data sets from SimulationRandom.

// SplitMix64: a Weyl sequence with an avalanche function (Steele, Lea and Flood 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  // Below `count`, which must not be 0. The bias of at most count / 2^64 does not matter here.
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(next() % count); }

  // In [-1, 1).
  float symmetric() { return static_cast<float>(next() >> 40) / static_cast<float>(1u << 23) - 1.0f; }

 private:
  std::uint64_t state_;
};

template <class T>
void shuffle(std::vector<T>& items, Random& random) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random.below(i)]);
}

using SimulationRandom = std::mt19937_64;

// Below `count`, which must not be 0. The bias of multiply-and-shift is below count / 2^64.
inline std::uint64_t random_below(SimulationRandom& random, std::uint64_t count) {
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(random()) * count) >> 64);
}

}  // namespace bnnplan
