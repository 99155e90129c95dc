#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bnnplan/exchange/tensor.hpp"

namespace bnnplan::exchange {

// The tensors of a state dict written by torch.save, in the order of the dictionary. Both containers are
// read: the current zip archive and the stream of pickles from before PyTorch 1.6. A dictionary that holds
// the state dict under 'state_dict', 'model_state_dict' or 'model' is a checkpoint, and the inner one is
// read. Nothing in the file is executed (pickle.hpp); whole models, TorchScript and anything else that is not
// a state dict are InputErrors.
std::vector<NamedTensor> parse_torch(std::string_view bytes, const std::string& name);

}  // namespace bnnplan::exchange
