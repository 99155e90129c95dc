// Linking: the blocks of a domain file and an instance file become one task with numbered types, objects and
// fluents. All errors that can be found without looking into an expression are reported here.
#include <algorithm>

#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/problem/problem.hpp"
#include "bnnplan/rddl/language/task.hpp"
#include "bnnplan/rddl/language/token_stream.hpp"

namespace bnnplan::rddl {

namespace {

template <class Block>
std::string names_of(const std::vector<Block>& blocks) {
  std::string names;
  for (const Block& block : blocks) {
    if (names.size() > 200) return names + ", ...";
    names += fmt::format("{}{}", names.empty() ? "" : ", ", printable(block.name));
  }
  return names;
}

template <class Entry>
void append(std::vector<Entry>& list, const std::vector<Entry>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

const RddlInstance& find_instance(const RddlFile& file, std::string_view name) {
  const std::vector<RddlInstance>& instances = file.instances;
  if (instances.empty()) throw InputError(*file.name, "there is no instance in this file");
  if (name.empty()) {
    if (instances.size() == 1) return instances.front();
    throw RddlError(
        instances[1].place,
        fmt::format("the file has several instances, expected the name of one: {}", names_of(instances)));
  }
  for (const RddlInstance& instance : instances) {
    if (instance.name == name) return instance;
  }
  throw InputError(*file.name, fmt::format("there is no instance '{}' in this file, expected one of: {}",
                                           printable(name), names_of(instances)));
}

// The domain that the instance names, or the only one; whether it is the right one is checked later.
const RddlDomain& find_domain(const RddlFile& file, const RddlInstance& instance) {
  if (file.domains.empty()) throw InputError(*file.name, "there is no domain in this file");
  if (file.domains.size() == 1) return file.domains.front();
  for (const RddlDomain& domain : file.domains) {
    if (domain.name == instance.domain) return domain;
  }
  throw RddlError(instance.place,
                  fmt::format("no domain of the domain file has the name '{}', expected one of: {}",
                              printable(instance.domain), names_of(file.domains)));
}

class Linker {
 public:
  Linker(const RddlFile& domain_file, const RddlFile& instance_file, std::string_view instance_name,
         const std::vector<std::string>& goals)
      : goals_(goals),
        domain_file_(domain_file),
        instance_file_(instance_file),
        instance_(find_instance(instance_file, instance_name)),
        domain_(find_domain(domain_file, instance_)) {}

  RddlTask link() {
    try {
      RddlTask task = link_blocks();
      check_types(task);
      return task;
    } catch (const RddlError&) {
      if (other_domain_) throw RddlError(*other_domain_);
      throw;
    }
  }

 private:
  RddlTask link_blocks() {
    task_.file_names.push_back(domain_file_.name);
    for (const std::string& goal : goals_) add_goal(goal);
    task_.file_names.push_back(instance_file_.name);
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
    append(task_.non_fluents, instance_.constants);
    for (const ObjectType& type : task_.types) of_non_fluents_.push_back(type.objects.size());
    for (const RddlObjects& objects : instance_.objects) add_objects(objects, true);
    for (const FluentDeclaration& declaration : domain_.fluents) add_fluent(declaration);
    for (const RddlDefinition& definition : domain_.definitions) add_definition(definition);
    for (const Fluent& fluent : task_.fluents) {
      const bool needs = fluent.role != FluentRole::action && fluent.role != FluentRole::non_fluent;
      if (needs && !fluent.definition) {
        throw RddlError(fluent.place, fmt::format("{} '{}' has no cpf, expected '{}{} = ...;' in cpfs",
                                                  role_text(fluent.role), fluent.name, fluent.name,
                                                  fluent.role == FluentRole::state ? "'" : ""));
      }
    }
    task_.reward = domain_.reward;
    task_.constraints = domain_.constraints;
    task_.invariants = domain_.invariants;
    append(task_.goals, domain_.goals);
    append(task_.goals, instance_.goals);
    append(task_.terminations, domain_.terminations);
    append(task_.terminations, instance_.terminations);
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

  void add_goal(const std::string& text) {
    const auto name = std::make_shared<const std::string>("goal");
    task_.file_names.push_back(name);
    TokenStream tokens(tokenize(text, name.get()));
    const SourcePlace place = tokens.place();
    RddlExpression expression = parse_rddl_expression(tokens);
    tokens.accept(";");
    if (tokens.peek().kind != TokenKind::end) tokens.fail_expected("an operator or the end of the goal");
    task_.goals.push_back({std::move(expression), place});
  }

  // In published files the domain often has another name than the one its instances state. That matters only
  // if something else does not fit, and is then what is reported.
  void same_domain(const std::string& name, const SourcePlace& place, const SourcePlace& block) {
    if (name.empty()) throw RddlError(block, "no domain given, expected 'domain = NAME;'");
    if (name == domain_.name || other_domain_) return;
    other_domain_.emplace(
        place, fmt::format("this is for the domain '{}', but the domain file has '{}'", name, domain_.name));
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
      if (std::any_of(task_.types.begin(), task_.types.end(),
                      [&](const ObjectType& known) { return known.name == type.name; }))
        throw RddlError(type.place, fmt::format("duplicate type '{}'", type.name));
      if (type.name == "bool" || type.name == "int" || type.name == "real" || type.name == "object") {
        throw RddlError(type.place, fmt::format("'{}' is a built-in type, expected another name", type.name));
      }
      task_.types.push_back({type.name, type.enumeration, {}});
      const auto number = static_cast<std::uint32_t>(task_.types.size() - 1);
      for (const std::string& value : type.values) add_object(value, number, type.place);
    }
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
    const std::uint32_t type = type_number(task_, objects.type_name, objects.place);
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
      fluent.parameters.push_back(type_number(task_, name, place));
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
    if (declaration.value_type == "real") return {ValueKind::real, 0};
    const std::uint32_t type = type_number(task_, declaration.value_type, declaration.value_type_place);
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
              : fmt::format("{} has no next value, expected '{}'", role_with_article(fluent.role),
                            fluent.name));
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

  const std::vector<std::string>& goals_;
  const RddlFile& domain_file_;
  const RddlFile& instance_file_;
  const RddlInstance& instance_;
  const RddlDomain& domain_;
  RddlTask task_;
  std::optional<RddlError> other_domain_;
  std::vector<std::size_t> of_non_fluents_;  // per type: how many objects the non-fluents declared
};

}  // namespace

std::uint32_t type_number(const RddlTask& task, const std::string& name, const SourcePlace& place) {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < task.types.size(); ++i) {
    if (task.types[i].name == name) return i;
    names.push_back(task.types[i].name);
  }
  throw RddlError(place, fmt::format("unknown type '{}'{}", printable(name), did_you_mean(name, names)));
}

std::string type_text(const RddlTask& task, const ValueType& type) {
  return type.kind == ValueKind::boolean   ? "bool"
         : type.kind == ValueKind::integer ? "int"
         : type.kind == ValueKind::real    ? "real"
                                           : task.types[type.object_type].name;
}

std::string fluent_suggestion(const RddlTask& task, std::string_view name) {
  if (name.size() > 200) return "";
  if (math_function_named(name)) return fmt::format(" (the function has square brackets: {}[...])", name);
  std::vector<std::string> names;
  for (const Fluent& fluent : task.fluents) names.push_back(fluent.name);
  const std::string near = nearest_name(name, names);
  if (!near.empty()) return fmt::format(", did you mean '{}'?", near);
  return name.find('-') == std::string_view::npos ? "" : " (a minus needs blanks around it)";
}

Number literal_value(const RddlTask& task, const RddlExpression& literal, const ValueType& type,
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
    return exact_number(found->second.object);
  }
  const ValueKind given = literal.type.kind;
  const bool fits = type.kind == ValueKind::boolean   ? given == ValueKind::boolean
                    : given == ValueKind::boolean     ? false
                    : type.kind == ValueKind::integer ? is_integer(literal.number)
                                                      : type.kind == ValueKind::real;
  if (!fits) {
    fail(given == ValueKind::boolean
             ? fmt::format("value '{}'", literal.number == Number{} ? "false" : "true")
             : fmt::format("value {}", to_string(literal.number)));
  }
  return literal.number;
}

RddlTask link_rddl(const RddlFile& domain_file, const RddlFile& instance_file, std::string_view instance_name,
                   const std::vector<std::string>& goals) {
  return Linker(domain_file, instance_file, instance_name, goals).link();
}

}  // namespace bnnplan::rddl
