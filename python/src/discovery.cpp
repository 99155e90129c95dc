// Discovery with a domain, or with any Python function as the world: the function is called with the
// interpreter lock, from the thread that discovers, and whatever it raises ends the discovery.
#include <bnnplan/discover.hpp>
#include <fmt/format.h>

#include "core.hpp"
#include "interruption.hpp"
#include "options.hpp"

namespace bnnplan::python {

namespace {

struct WorldRaised {};  // thrown through the discovery when the world has raised something

Bytes array_of(const BitValues& bits) {
  Bytes array(static_cast<py::ssize_t>(bits.size()));
  std::copy(bits.begin(), bits.end(), array.mutable_data());
  return array;
}

// ask(state, action), arrays of bits, gives an array of bits, -1 for one that it does not say, or a text: why
// the action cannot be done.
class FunctionWorld : public discovery::World {
 public:
  FunctionWorld(std::size_t bits, const py::object& ask, Interruption& interruption)
      : bits_(bits), ask_(ask), interruption_(interruption) {}

  std::optional<BitValues> next(const BitValues& state, const BitValues& action, std::string& why) override {
    std::optional<BitValues> after;
    interruption_.call([&] {
      const py::object answer = ask_(array_of(state), array_of(action));
      if (py::isinstance<py::str>(answer)) {
        why = answer.cast<std::string>();
        return;
      }
      const auto given = answer.cast<py::array_t<std::int8_t, py::array::c_style>>();
      if (given.ndim() != 1 || static_cast<std::size_t>(given.shape(0)) != bits_)
        throw py::cast_error("the world gave another number of bits than the state has");
      after.emplace(given.data(), given.data() + bits_);
    });
    if (interruption_.stopped()) throw WorldRaised();
    return after;
  }

 private:
  std::size_t bits_;
  const py::object& ask_;
  Interruption& interruption_;
};

struct CoreDiscovery {
  std::shared_ptr<const Discovery> held;
};

py::dict facts_of(const CoreDiscovery& self) {
  const Discovered& found = self.held->found;
  const auto problem = std::make_shared<const Problem>(found.problem);
  const Answer told = discovery_answer(found);
  py::dict answer = fields_of(told);
  answer["problem"] = CoreProblem(found.problem);
  answer["data"] = arrays_of(found.data);
  if (found.plan) answer["plan"] = CorePlan{problem, *found.plan};
  answer["maximizes"] = problem->objective.maximize;
  answer["promise"] = self.held->check ? self.held->check->promise : std::string();
  answer["text"] = told.text;
  return answer;
}

// The discovery, and what was raised during it, or None.
template <class Work>
py::tuple run_discovery(DiscoverySettings& settings, Interruption& interruption, const py::object& progress,
                        Work work) {
  settings.limits.interrupt = interruption.flag();
  if (!progress.is_none()) {
    settings.numbered_round = [&](const Problem& problem, std::size_t, const DiscoverRound& round) {
      interruption.call([&] { progress(python_of(round_fields(problem, round))); });
    };
  }
  auto held = std::make_shared<const Discovery>(work_interruptibly(interruption, work));
  return py::make_tuple(CoreDiscovery{std::move(held)}, interruption.raised());
}

}  // namespace

void bind_discovery(py::module_& module) {
  py::class_<CoreDiscovery>(module, "Discovery")
      .def("facts", &facts_of)
      .def("write", [](const CoreDiscovery& self,
                       const std::filesystem::path& folder) { write_discovery(folder, *self.held); })
      .def("page", [](const CoreDiscovery& self) {
        const Discovered& found = self.held->found;
        return discovery_page(found, fmt::format("Discovering {}", found.problem.name), "");
      });
  module.def("discover_function",
             [](CoreProblem& core, const py::object& ask, const py::dict& given, const py::object& progress) {
               auto settings = options_from<DiscoverySettings>(given, options_of);
               const Problem problem = core.problem();
               Interruption interruption;
               FunctionWorld world(problem.state.bit_count(), ask, interruption);
               return run_discovery(settings, interruption, progress,
                                    [&] { return discover(problem, world, settings); });
             });
  module.def("discover_domain",
             [](const CoreDomain& domain, const py::dict& given, const py::object& progress) {
               auto settings = options_from<DiscoverySettings>(given, options_of);
               settings.compile.network_file = "network.bnn";
               Interruption interruption;
               return run_discovery(settings, interruption, progress,
                                    [&] { return discover(domain.model(settings.compile.goals), settings); });
             });
}

}  // namespace bnnplan::python
