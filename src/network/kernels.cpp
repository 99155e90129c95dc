// Which kernels this machine can run, queried from the processor (and from the operating system, which has to
// save the wide registers) at run time, so that one binary serves all. The kernels of an instruction set are
// compiled by function attributes, not by compiler flags of a file: inline functions of the standard library,
// of which the linker keeps one copy for the whole program, are never compiled for a processor that may not
// be there.
#include "bnnplan/network/kernels.hpp"

#include <array>

namespace bnnplan {

namespace {

struct KernelList {
  std::array<const Kernels*, 3> kernels{&kPortableKernels};
  std::size_t size = 1;

  void add(const Kernels& next) { kernels[size++] = &next; }
};

KernelList find_kernels() {
  KernelList list;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) list.add(kAvx2Kernels);
  if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vpopcntdq")) {
    list.add(kAvx512Kernels);
  }
#endif
  return list;
}

}  // namespace

std::span<const Kernels* const> available_kernels() {
  static const KernelList list = find_kernels();
  return {list.kernels.data(), list.size};
}

const Kernels& best_kernels() { return *available_kernels().back(); }

}  // namespace bnnplan
