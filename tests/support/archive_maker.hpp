#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bnnplan::testing {

// Makes files of other tools for tests, right ones and, by changing what they state, wrong ones.
struct ArchiveEntry {
  std::string name, content;
  bool deflated = false;
  std::uint64_t stated_size = 0;  // 0: the true one
  bool same_data_as_before = false;
};

std::string little(std::uint64_t number, int bytes);  // the lowest byte first

std::string zip_of(const std::vector<ArchiveEntry>& entries);

// An array of numbers as numpy.save writes it; `type` such as "<f4", `data` its bytes.
std::string npy_of(std::string_view type, std::string_view shape, std::string_view data,
                   bool fortran = false);
std::string npy_of_doubles(std::string_view shape, const std::vector<double>& numbers);

// A tensor of a state dict.
struct TorchTensor {
  std::string name;
  std::vector<int> shape;
  std::vector<float> values;
};
std::string torch_pickle_of(const std::vector<TorchTensor>& tensors);
std::string torch_archive_of(const std::vector<TorchTensor>& tensors);  // as PyTorch writes it now
std::string torch_stream_of(const std::vector<TorchTensor>& tensors);   // as before version 1.6

}  // namespace bnnplan::testing
