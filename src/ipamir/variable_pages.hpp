#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace bnnplan::ipamir {

// Maps variable numbers of another program, up to 2^31 - 1 and with gaps of any size, to ours. A page of 4096
// entries is allocated when one of its variables is first used: dense numbers cost four bytes each, and the
// largest number alone some megabytes.
class VariablePages {
 public:
  static constexpr std::uint32_t absent = 0xFFFFFFFFu;

  std::uint32_t find(std::uint32_t variable) const {
    const std::uint32_t page = variable / size;
    if (page >= pages_.size() || !pages_[page]) return absent;
    return (*pages_[page])[variable % size];
  }
  // The entry, initially absent.
  std::uint32_t& at(std::uint32_t variable) {
    const std::uint32_t page = variable / size;
    if (page >= pages_.size()) pages_.resize(page + 1);
    if (!pages_[page]) {
      pages_[page] = std::make_unique<Page>();
      pages_[page]->fill(absent);
    }
    return (*pages_[page])[variable % size];
  }

 private:
  static constexpr std::uint32_t size = 4096;
  using Page = std::array<std::uint32_t, size>;
  std::vector<std::unique_ptr<Page>> pages_;
};

}  // namespace bnnplan::ipamir
