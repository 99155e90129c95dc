#include "cli/exit_codes.hpp"

namespace bnnplan {

int exit_code_of(Status status, bool any_plan_will_do) {
  switch (status) {
    case Status::optimal:
      return exit_success;
    case Status::plan:
      return any_plan_will_do ? exit_success : exit_plan;
    case Status::infeasible:
      return exit_infeasible;
    case Status::unknown:
      return exit_unknown;
  }
  __builtin_unreachable();
}

}  // namespace bnnplan
