#pragma once

#include <atomic>
#include <functional>

#include "bnnplan/learn/data_set.hpp"
#include "bnnplan/network/network.hpp"

namespace bnnplan::learning {

// A smaller network with the same outputs on every row of the part: without weights, neurons and layers that
// make no difference there. It may differ on other inputs. `stopped` is polled; the network at that point is
// the result.
Network shrink(Network network, const DataSet& data, const SampleSet& part,
               const std::function<bool()>& stopped = {});

}  // namespace bnnplan::learning
