#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bnnplan/rddl/language/syntax.hpp"

namespace bnnplan::rddl {

// A type of objects with all its objects; a value of this type is the number of an object.
struct ObjectType {
  std::string name;
  bool enumeration = false;
  std::vector<std::string> objects;
};

struct Fluent {
  std::string name;
  SourcePlace place;
  FluentRole role = FluentRole::state;
  std::vector<std::uint32_t> parameters;  // object types
  ValueType value;
  Number default_value;                     // Booleans as 0 and 1, objects as their numbers
  std::optional<std::uint32_t> definition;  // of state and intermediate fluents, in RddlTask::definitions
};

struct ObjectReference {
  std::uint32_t type = 0, object = 0;
};

// A domain and one of its instances, linked: names are resolved, and every expression has been type-checked
// and carries its type and references.
struct RddlTask {
  std::vector<std::shared_ptr<const std::string>> file_names;
  std::string domain_name, instance_name;
  std::vector<ObjectType> types;
  std::map<std::string, ObjectReference, std::less<>> objects;  // objects and enumeration values
  std::vector<Fluent> fluents;
  std::map<std::string, std::uint32_t, std::less<>> fluent_numbers;
  std::vector<RddlDefinition> definitions;
  std::optional<RddlExpression> reward;
  std::vector<RddlCondition> constraints, invariants, goals, terminations;
  std::vector<RddlAssignment> non_fluents, initial;  // literals checked
  std::optional<std::int64_t> max_nondefault_actions;
  int horizon = 0;  // 0: not stated
  Rational discount = {1, 1};
  SourcePlace instance_place;
};

// Links an instance of one file with its domain in the other (which may be the same file; the non-fluents may
// be in either) and checks all types. The instance is the one with this name, or the only one. `goals` are
// conditions on the last state in RDDL, in addition to those of the files. Throws RddlError.
RddlTask link_rddl(const RddlFile& domain_file, const RddlFile& instance_file,
                   std::string_view instance_name = "", const std::vector<std::string>& goals = {});

// The value of a literal for a fluent of this type. Throws RddlError if it has another type.
Number literal_value(const RddlTask& task, const RddlExpression& literal, const ValueType& type,
                     std::string_view fluent);

// The type of this name. Throws RddlError if there is none.
std::uint32_t type_number(const RddlTask& task, const std::string& name, const SourcePlace& place);

std::string type_text(const RddlTask& task, const ValueType& type);  // bool, int, real, the name of a type

// ", did you mean 'x'?" or nothing; mentions minus signs if one may be the cause.
std::string fluent_suggestion(const RddlTask& task, std::string_view name);

// Resolves names and checks the types of all expressions of the task. Part of link_rddl.
void check_types(RddlTask& task);

}  // namespace bnnplan::rddl
