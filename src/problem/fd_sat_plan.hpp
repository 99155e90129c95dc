#pragma once

#include <filesystem>
#include <string>

#include "bnnplan/problem/problem.hpp"

namespace bnnplan {

// Reads a problem from the files of FD-SAT-Plan: bnn/bnn_D_I.txt, normalization/normalization_D_I.txt and
// translation/{pvariables,initial,goals,constraints,transitions,reward}_D_I.txt below `folder`, for domain D
// and instance I. The files state no horizon, so the problem has none. Throws InputError.
Problem read_fd_sat_plan(const std::filesystem::path& folder, const std::string& domain,
                         const std::string& instance);

}  // namespace bnnplan
