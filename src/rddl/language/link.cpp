// Linking: the blocks of a domain file and an instance file become one task with numbered types, objects and
// fluents. Everything that can be wrong without looking into an expression is found here.
#include <algorithm>

#include <fmt/format.h>

#include "base/count_text.hpp"
#include "problem/problem.hpp"
#include "rddl/language/task.hpp"

namespace bnnplan {

namespace {

template <class Block>
const Block& only(const std::vector<Block>& blocks, const RddlFile& file, std::string_view what) {
  if (blocks.empty()) throw InputError(*file.name, fmt::format("there is no {} in this file", what));
  if (blocks.size() > 1) {
    throw RddlError(blocks[1].place, fmt::format("a second {} in this file, expected one", what));
  }
  return blocks.front();
}

class Linker {
 public:
  Linker(const RddlFile& domain_file, const RddlFile& instance_file)
      : domain_file_(domain_file),
        instance_file_(instance_file),
        domain_(only(domain_file.domains, domain_file, "domain")),
        instance_(only(instance_file.instances, instance_file, "instance")) {}

  RddlTask link() {
    task_.file_names = {domain_file_.name, instance_file_.name};
    task_.domain_name = domain_.name;
    task_.instance_name = instance_.name;
    task_.instance_place = instance_.place;
    same_domain(instance_.domain, instance_.domain_place, instance_.place);
    const RddlNonFluents* non_fluents = find_non_fluents();
    add_types();
    if (non_fluents != nullptr) {
      same_domain(non_fluents->domain, non_fluents->domain_place, non_fluents->place);
      for (const RddlObjects& objects : non_fluents->objects) add_objects(objects, false);
      task_.non_fluents = non_fluents->assignments;
    }
    for (const ObjectType& type : task_.types) of_non_fluents_.push_back(type.objects.size());
    for (const RddlObjects& objects : instance_.objects) add_objects(objects, true);
    for (const FluentDeclaration& declaration : domain_.fluents) add_fluent(declaration);
    for (const RddlDefinition& definition : domain_.definitions) add_definition(definition);
    for (const Fluent& fluent : task_.fluents) {
      const bool needs = fluent.role == FluentRole::state || fluent.role == FluentRole::intermediate;
      if (needs && !fluent.definition) {
        throw RddlError(fluent.place, fmt::format("{} '{}' has no cpf, expected '{}{} = ...;' in cpfs",
                                                  role_text(fluent.role), fluent.name, fluent.name,
                                                  fluent.role == FluentRole::state ? "'" : ""));
      }
    }
    task_.reward = domain_.reward;
    task_.constraints = domain_.constraints;
    task_.invariants = domain_.invariants;
    task_.goals = domain_.goals;
    task_.goals.insert(task_.goals.end(), instance_.goals.begin(), instance_.goals.end());
    task_.initial = instance_.initial;
    task_.max_nondefault_actions = instance_.max_nondefault_actions;
    if (instance_.discount) task_.discount = *instance_.discount;
    if (instance_.horizon) {
      if (*instance_.horizon < 1 || *instance_.horizon > horizon_limit) {
        throw RddlError(instance_.place, fmt::format("horizon {} is out of range, expected 1 to {}",
                                                     *instance_.horizon, horizon_limit));
      }
      task_.horizon = static_cast<int>(*instance_.horizon);
    }
    return std::move(task_);
  }

 private:
  void same_domain(const std::string& name, const SourcePlace& place, const SourcePlace& block) const {
    if (name.empty()) throw RddlError(block, "it does not say its domain, expected 'domain = NAME;'");
    if (name != domain_.name) {
      throw RddlError(place,
                      fmt::format("it is for the domain '{}', the domain file has '{}'", name, domain_.name));
    }
  }

  const RddlNonFluents* find_non_fluents() const {
    if (instance_.non_fluents.empty()) return nullptr;
    for (const RddlFile* file : {&instance_file_, &domain_file_}) {
      for (const RddlNonFluents& candidate : file->non_fluents) {
        if (candidate.name == instance_.non_fluents) return &candidate;
      }
    }
    throw RddlError(instance_.non_fluents_place,
                    fmt::format("there are no non-fluents '{}' in either file", instance_.non_fluents));
  }

  void add_types() {
    for (const RddlType& type : domain_.types) {
      if (find_type(type.name)) throw RddlError(type.place, fmt::format("duplicate type '{}'", type.name));
      if (type.name == "bool" || type.name == "int" || type.name == "real" || type.name == "object") {
        throw RddlError(type.place,
                        fmt::format("'{}' is a type of the language, expected another name", type.name));
      }
      task_.types.push_back({type.name, type.enumeration, {}});
      const auto number = static_cast<std::uint32_t>(task_.types.size() - 1);
      for (const std::string& value : type.values) add_object(value, number, type.place);
    }
  }

  std::optional<std::uint32_t> find_type(std::string_view name) const {
    for (std::uint32_t i = 0; i < task_.types.size(); ++i) {
      if (task_.types[i].name == name) return i;
    }
    return std::nullopt;
  }

  std::uint32_t type_number(const std::string& name, const SourcePlace& place) const {
    if (const auto found = find_type(name)) return *found;
    std::vector<std::string> names;
    for (const ObjectType& type : task_.types) names.push_back(type.name);
    const std::string near = nearest_name(name, names);
    throw RddlError(place, fmt::format("unknown type '{}'{}", printable(name),
                                       near.empty() ? "" : fmt::format(", did you mean '{}'?", near)));
  }

  void add_object(const std::string& name, std::uint32_t type, const SourcePlace& place) {
    const ObjectReference reference{type, static_cast<std::uint32_t>(task_.types[type].objects.size())};
    const auto [entry, fresh] = task_.objects.emplace(name, reference);
    if (!fresh) {
      throw RddlError(place, fmt::format("'{}' is already an object of type '{}'", name,
                                         task_.types[entry->second.type].name));
    }
    task_.types[type].objects.push_back(name);
  }

  void add_objects(const RddlObjects& objects, bool of_instance) {
    const std::uint32_t type = type_number(objects.type_name, objects.place);
    if (task_.types[type].enumeration) {
      throw RddlError(objects.place, fmt::format("type '{}' is an enumeration: its values are in the domain",
                                                 objects.type_name));
    }
    for (const auto& [name, place] : objects.objects) {
      // Files may list the objects in the non-fluents and again in the instance.
      const auto known = task_.objects.find(name);
      if (of_instance && known != task_.objects.end() && known->second.type == type &&
          known->second.object < of_non_fluents_[type]) {
        continue;
      }
      add_object(name, type, place);
    }
  }

  void add_fluent(const FluentDeclaration& declaration) {
    Fluent fluent;
    fluent.name = declaration.name;
    fluent.place = declaration.place;
    fluent.role = declaration.role;
    for (const auto& [name, place] : declaration.parameter_types)
      fluent.parameters.push_back(type_number(name, place));
    fluent.value = value_type(declaration);
    if (declaration.default_value) {
      fluent.default_value = literal_value(task_, *declaration.default_value, fluent.value, fluent.name);
    }
    const auto number = static_cast<std::uint32_t>(task_.fluents.size());
    if (!task_.fluent_numbers.emplace(fluent.name, number).second) {
      throw RddlError(fluent.place, fmt::format("duplicate fluent '{}'", fluent.name));
    }
    if (task_.objects.contains(fluent.name) && fluent.parameters.empty()) {
      throw RddlError(fluent.place, fmt::format("fluent '{}' has the name of an object", fluent.name));
    }
    task_.fluents.push_back(std::move(fluent));
  }

  ValueType value_type(const FluentDeclaration& declaration) const {
    if (declaration.value_type == "bool") return {ValueKind::boolean, 0};
    if (declaration.value_type == "int") return {ValueKind::integer, 0};
    if (declaration.value_type == "real") {
      if (declaration.role != FluentRole::non_fluent) {
        throw RddlError(declaration.value_type_place,
                        fmt::format("{} '{}' is real: only non-fluents may be, expected bool, int or a type",
                                    role_text(declaration.role), declaration.name));
      }
      return {ValueKind::real, 0};
    }
    const std::uint32_t type = type_number(declaration.value_type, declaration.value_type_place);
    if (task_.types[type].objects.empty()) {
      throw RddlError(declaration.value_type_place,
                      fmt::format("fluent '{}' has values of type '{}', which has no objects",
                                  declaration.name, declaration.value_type));
    }
    return {ValueKind::object, type};
  }

  void add_definition(const RddlDefinition& definition) {
    const auto found = task_.fluent_numbers.find(definition.name);
    if (found == task_.fluent_numbers.end()) {
      throw RddlError(definition.place, fmt::format("unknown fluent '{}'{}", printable(definition.name),
                                                    fluent_suggestion(task_, definition.name)));
    }
    Fluent& fluent = task_.fluents[found->second];
    if (fluent.role == FluentRole::action || fluent.role == FluentRole::non_fluent) {
      throw RddlError(definition.place,
                      fmt::format("'{}' is {}, expected a state-fluent or interm-fluent in cpfs", fluent.name,
                                  role_with_article(fluent.role)));
    }
    if (definition.primed != (fluent.role == FluentRole::state)) {
      throw RddlError(
          definition.place,
          fluent.role == FluentRole::state
              ? fmt::format("the cpf of a state-fluent gives its next value, expected '{}''", fluent.name)
              : fmt::format("an interm-fluent has no next value, expected '{}'", fluent.name));
    }
    if (definition.parameters.size() != fluent.parameters.size()) {
      throw RddlError(definition.place, fmt::format("the cpf of '{}' has {}, expected {}", fluent.name,
                                                    count_text(definition.parameters.size(), "parameter"),
                                                    fluent.parameters.size()));
    }
    if (fluent.definition)
      throw RddlError(definition.place, fmt::format("a second cpf for '{}'", fluent.name));
    fluent.definition = static_cast<std::uint32_t>(task_.definitions.size());
    task_.definitions.push_back(definition);
  }

  const RddlFile& domain_file_;
  const RddlFile& instance_file_;
  const RddlDomain& domain_;
  const RddlInstance& instance_;
  RddlTask task_;
  std::vector<std::size_t> of_non_fluents_;  // per type: how many objects they declared
};

}  // namespace

std::string type_text(const RddlTask& task, const ValueType& type) {
  switch (type.kind) {
    case ValueKind::boolean:
      return "bool";
    case ValueKind::integer:
      return "int";
    case ValueKind::real:
      return "real";
    case ValueKind::object:
      return task.types[type.object_type].name;
  }
  __builtin_unreachable();
}

std::string fluent_suggestion(const RddlTask& task, std::string_view name) {
  if (name.size() > 200) return "";
  std::vector<std::string> names;
  for (const Fluent& fluent : task.fluents) names.push_back(fluent.name);
  const std::string near = nearest_name(name, names);
  if (!near.empty()) return fmt::format(", did you mean '{}'?", near);
  return name.find('-') == std::string_view::npos ? "" : " (a minus needs blanks around it)";
}

Rational literal_value(const RddlTask& task, const RddlExpression& literal, const ValueType& type,
                       std::string_view fluent) {
  const auto fail = [&](std::string_view found) {
    throw RddlError(literal.place,
                    fmt::format("{} for '{}', expected {}", found, printable(fluent),
                                type.kind == ValueKind::boolean   ? "true or false"
                                : type.kind == ValueKind::integer ? "an integer"
                                : type.kind == ValueKind::real
                                    ? "a number"
                                    : fmt::format("an object of type '{}'", type_text(task, type))));
  };
  if (literal.operation == Operation::symbol) {
    const auto found = task.objects.find(literal.name);
    if (found == task.objects.end() || type.kind != ValueKind::object ||
        found->second.type != type.object_type) {
      fail(fmt::format("value '{}'", printable(literal.name)));
    }
    return make_rational(found->second.object);
  }
  const ValueKind given = literal.type.kind;
  const bool fits = type.kind == ValueKind::boolean   ? given == ValueKind::boolean
                    : given == ValueKind::boolean     ? false
                    : type.kind == ValueKind::integer ? is_integer(literal.number)
                                                      : type.kind == ValueKind::real;
  if (!fits) {
    fail(given == ValueKind::boolean
             ? fmt::format("value '{}'", literal.number == Rational{} ? "false" : "true")
             : fmt::format("value {}", to_string(literal.number)));
  }
  return literal.number;
}

RddlTask link_rddl(const RddlFile& domain_file, const RddlFile& instance_file) {
  RddlTask task = Linker(domain_file, instance_file).link();
  check_types(task);
  return task;
}

}  // namespace bnnplan
