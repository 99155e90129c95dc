#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "exchange/tensor.hpp"

namespace bnnplan {

// The tensors of a state dict that torch.save wrote, in the order of the dictionary: both containers, the zip archive of
// today and the stream of pickles of before PyTorch 1.6. A dictionary that has the state dict as 'state_dict',
// 'model_state_dict' or 'model' is a checkpoint, and that is read. Nothing in the file is executed (pickle.hpp); whole models,
// TorchScript and whatever else is no state dict are InputErrors.
std::vector<NamedTensor> parse_torch(std::string_view bytes, const std::string& name);

}  // namespace bnnplan
