#pragma once

#include <atomic>
#include <functional>

#include "learn/data_set.hpp"
#include "network/network.hpp"

namespace bnnplan {

// A smaller network with the same outputs on every row of the part: without weights, neurons and layers that make no difference
// there. On other inputs it may give something else. `stopped` is asked now and then; what is done by then is the result.
Network shrink(Network network, const DataSet& data, const SampleSet& part,
               const std::function<bool()>& stopped = {});

}  // namespace bnnplan
