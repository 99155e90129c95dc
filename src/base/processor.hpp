#pragma once

// One program for every processor: inner loops are compiled for several instruction sets, and the processor
// (and the operating system, which has to save the wide registers) is asked once, at run time, which it has.
//
// A loop is compiled for an instruction set by an attribute of its function, not by compiler flags of its
// file: inline functions of the standard library, of which the linker keeps one copy for the whole program,
// are never compiled for a processor that may not be there. Loops with instructions of their own have the
// attribute; those that the compiler can translate (words, and vectors of GCC and Clang) are written once,
// and Compiled has them for each set.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace bnnplan {

// Each has those before it. AVX-512 is F and BW; the last one also counts bits (VPOPCNTDQ).
enum class InstructionSet : std::uint8_t { portable, avx2, avx512, avx512_popcount };

#if defined(__x86_64__)
#define BNNPLAN_AVX2 __attribute__((target("avx2,bmi,bmi2,fma")))
#define BNNPLAN_AVX512 __attribute__((target("avx512f,avx512bw")))
#define BNNPLAN_AVX512_POPCOUNT __attribute__((target("avx512f,avx512bw,avx512vpopcntdq")))
#else
#define BNNPLAN_AVX2
#define BNNPLAN_AVX512
#endif

// The best that this processor has.
inline InstructionSet best_instruction_set() {
  static const InstructionSet best = [] {
#if defined(__x86_64__)
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw"))
      return __builtin_cpu_supports("avx512vpopcntdq") ? InstructionSet::avx512_popcount
                                                       : InstructionSet::avx512;
    if (avx2) return InstructionSet::avx2;
#endif
    return InstructionSet::portable;
  }();
  return best;
}

// All that this processor has: what tests compare.
inline std::span<const InstructionSet> instruction_sets() {
  static constexpr InstructionSet all[] = {InstructionSet::portable, InstructionSet::avx2,
                                           InstructionSet::avx512, InstructionSet::avx512_popcount};
  return {all, static_cast<std::size_t>(best_instruction_set()) + 1};
}

// The variant for an instruction set, from those for portable, avx2, ...; the last is also for all sets after
// its own.
template <class Variant, class... More>
const Variant& select(InstructionSet set, const Variant& portable, const More&... more) {
  const Variant* const variants[] = {&portable, &more...};
  return *variants[std::min(static_cast<std::size_t>(set), sizeof...(more))];
}

// The function `loop` for each instruction set. It and what it calls must be always_inline, and must neither
// take nor return vectors by value: how these are passed depends on the instruction set.
template <auto loop>
struct Compiled;
template <class Result, class... Arguments, Result (*loop)(Arguments...)>
struct Compiled<loop> {
  static Result portable(Arguments... arguments) { return loop(arguments...); }
  BNNPLAN_AVX2 static Result avx2(Arguments... arguments) { return loop(arguments...); }
  BNNPLAN_AVX512 static Result avx512(Arguments... arguments) { return loop(arguments...); }
};

// A vector of `size` numbers. (A member type: GCC ignores the attribute in an alias.)
template <class Number, std::size_t size>
struct VectorOf {
  typedef Number Type __attribute__((vector_size(size * sizeof(Number))));  // NOLINT(modernize-use-using)
};

}  // namespace bnnplan
