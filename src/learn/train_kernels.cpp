// Which training loops this machine can run, queried from the processor at run time; see network/kernels.cpp,
// which does the same for inference.
#include "bnnplan/learn/train_kernels.hpp"

#include <array>

namespace bnnplan::learning {

namespace {

struct KernelList {
  std::array<const TrainKernels*, 3> kernels{&portable_train_kernels};
  std::size_t size = 1;

  void add(const TrainKernels& next) { kernels[size++] = &next; }
};

KernelList find_kernels() {
  KernelList list;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) list.add(avx2_train_kernels);
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")) list.add(avx512_train_kernels);
#endif
  return list;
}

}  // namespace

std::span<const TrainKernels* const> available_train_kernels() {
  static const KernelList list = find_kernels();
  return {list.kernels.data(), list.size};
}

const TrainKernels& best_train_kernels() { return *available_train_kernels().back(); }

}  // namespace bnnplan::learning
