// The parser of RDDL files: the blocks `domain`, `non-fluents` and `instance` and their sections, in any
// order. The semicolon after a section's closing brace is optional; many published files omit it.
#include <fmt/format.h>

#include "bnnplan/base/text_file.hpp"
#include "bnnplan/rddl/language/syntax.hpp"
#include "bnnplan/rddl/language/token_stream.hpp"

namespace bnnplan::rddl {

bool TokenStream::accept(std::string_view symbol) {
  if (!at_symbol(symbol)) return false;
  take();
  return true;
}

bool TokenStream::accept_name(std::string_view name) {
  if (!at_name(name)) return false;
  take();
  return true;
}

void TokenStream::expect(std::string_view symbol, std::string_view where) {
  if (accept(symbol)) return;
  // `where` is either "after ..." or "before ...", which follows the symbol, or "... or", which precedes it.
  fail_expected(where.ends_with("or") ? fmt::format("{} '{}'", where, symbol)
                                      : fmt::format("'{}' {}", symbol, where));
}

std::string TokenStream::expect_name(std::string_view what) {
  if (peek().kind != TokenKind::name || peek().primed) fail_expected(what);
  return std::string(take().text);
}

std::string TokenStream::expect_variable() {
  if (peek().kind != TokenKind::variable) fail_expected("a ?variable");
  return std::string(take().text);
}

void TokenStream::fail_expected(std::string_view expected) const {
  throw RddlError(place(), fmt::format("found {}, expected {}", shown(peek()), expected));
}

namespace {

// In the order of FluentRole.
constexpr std::string_view role_names[] = {"non-fluent", "state-fluent", "action-fluent", "interm-fluent",
                                           "observ-fluent"};
constexpr std::string_view all_roles =
    "non-fluent, state-fluent, action-fluent, interm-fluent or observ-fluent";
constexpr std::string_view domain_sections =
    "requirements, types, pvariables, cpfs, reward, state-action-constraints, action-preconditions, "
    "state-invariants, termination or goal-state";

class FileParser {
 public:
  FileParser(std::string_view text, const std::string* file_name) : tokens_(tokenize(text, file_name)) {}

  void parse(RddlFile& file) {
    while (tokens_.peek().kind != TokenKind::end) {
      const SourcePlace place = tokens_.place();
      if (tokens_.accept_name("domain")) {
        file.domains.push_back(domain(place));
      } else if (tokens_.accept_name("non-fluents")) {
        file.non_fluents.push_back(non_fluents(place));
      } else if (tokens_.accept_name("instance")) {
        file.instances.push_back(instance(place));
      } else {
        tokens_.fail_expected("domain, non-fluents or instance");
      }
    }
  }

 private:
  // Calls entry() until the closing brace of a section.
  template <class Entry>
  void section(Entry entry) {
    tokens_.expect("{", "before the section");
    while (!tokens_.accept("}")) entry();
    tokens_.accept(";");
  }

  [[noreturn]] static void unknown_section(const SourcePlace& place, std::string_view key,
                                           std::string_view of, std::string_view expected) {
    throw RddlError(place,
                    fmt::format("unknown section '{}' of {}, expected {}", printable(key), of, expected));
  }

  // A list in parentheses, which may be empty or absent.
  template <class Entry>
  void list(Entry entry) {
    if (!tokens_.accept("(") || tokens_.accept(")")) return;
    do entry();
    while (tokens_.accept(","));
    tokens_.expect(")", ", or");
  }

  void end_of_entry() { tokens_.expect(";", "an operator or"); }

  RddlDomain domain(const SourcePlace& place) {
    RddlDomain result;
    result.place = place;
    result.name = tokens_.expect_name("the name of the domain");
    section([&] {
      const SourcePlace start = tokens_.place();
      const std::string key = tokens_.expect_name(fmt::format("a section: {}", domain_sections));
      if (key == "requirements") {
        requirements();
      } else if (key == "types") {
        section([&] { result.types.push_back(type()); });
      } else if (key == "pvariables") {
        section([&] { result.fluents.push_back(fluent()); });
      } else if (key == "cpfs" || key == "cdfs") {
        section([&] { result.definitions.push_back(definition()); });
      } else if (key == "reward") {
        if (result.reward) throw RddlError(start, "a second reward");
        tokens_.expect("=", "after 'reward'");
        result.reward = parse_rddl_expression(tokens_);
        end_of_entry();
      } else if (key == "state-action-constraints" || key == "action-preconditions") {
        section([&] { result.constraints.push_back(condition()); });
      } else if (key == "state-invariants") {
        section([&] { result.invariants.push_back(condition()); });
      } else if (key == "goal-state") {
        section([&] { result.goals.push_back(goal()); });
      } else if (key == "termination") {
        section([&] { result.terminations.push_back(condition()); });
      } else {
        unknown_section(start, key, "a domain", domain_sections);
      }
    });
    return result;
  }

  // Requirements state what a simulator must support; we report a missing feature where it is used.
  void requirements() {
    tokens_.accept("=");
    tokens_.expect("{", "before the requirements");
    if (!tokens_.at_symbol("}")) {
      do tokens_.expect_name("a requirement");
      while (tokens_.accept(","));
    }
    tokens_.expect("}", ", or");
    tokens_.accept(";");
  }

  RddlType type() {
    RddlType result;
    result.place = tokens_.place();
    result.name = tokens_.expect_name("the name of a type or '}'");
    tokens_.expect(":", "after the name of a type");
    if (tokens_.accept("{")) {
      result.enumeration = true;
      do {
        if (tokens_.peek().kind != TokenKind::enumeration) tokens_.fail_expected("an @enumeration value");
        result.values.emplace_back(tokens_.take().text);
      } while (tokens_.accept(","));
      tokens_.expect("}", ", or");
    } else if (!tokens_.accept_name("object")) {
      tokens_.fail_expected("'object' or a list { @value, ... }");
    }
    tokens_.expect(";", "after the type");
    return result;
  }

  FluentDeclaration fluent() {
    FluentDeclaration result;
    result.place = tokens_.place();
    result.name = tokens_.expect_name("the name of a fluent or '}'");
    list([&] {
      const SourcePlace place = tokens_.place();
      result.parameter_types.emplace_back(tokens_.expect_name("the type of a parameter"), place);
    });
    tokens_.expect(":", "after the name of a fluent");
    tokens_.expect("{", "before the description of a fluent");
    result.role = role();
    tokens_.expect(",", "after the kind of a fluent");
    result.value_type_place = tokens_.place();
    result.value_type = tokens_.expect_name("the type of the fluent: bool, int, real or a declared type");
    while (tokens_.accept(",")) {
      if (tokens_.accept_name("default")) {
        tokens_.expect("=", "after 'default'");
        result.default_value = parse_rddl_literal(tokens_);
      } else if (tokens_.accept_name("level")) {
        // The order of evaluation follows from the dependencies; the levels of older files are not needed.
        tokens_.expect("=", "after 'level'");
        integer("a level");
      } else {
        tokens_.fail_expected("'default = VALUE' or 'level = NUMBER'");
      }
    }
    tokens_.expect("}", ", or");
    tokens_.expect(";", "after the fluent");
    return result;
  }

  FluentRole role() {
    const SourcePlace place = tokens_.place();
    const std::string name = tokens_.expect_name(fmt::format("the kind of the fluent: {}", all_roles));
    if (name == "derived-fluent") return FluentRole::intermediate;
    for (std::size_t i = 0; i < std::size(role_names); ++i) {
      if (name == role_names[i]) return static_cast<FluentRole>(i);
    }
    throw RddlError(place,
                    fmt::format("unknown kind of fluent '{}', expected {}", printable(name), all_roles));
  }

  RddlDefinition definition() {
    RddlDefinition result;
    result.place = tokens_.place();
    if (tokens_.peek().kind != TokenKind::name) tokens_.fail_expected("the name of a fluent or '}'");
    result.primed = tokens_.peek().primed;
    result.name = tokens_.take().text;
    list([&] {
      const SourcePlace place = tokens_.place();
      result.parameters.emplace_back(tokens_.expect_variable(), place);
    });
    tokens_.expect("=", "after the fluent");
    result.expression = parse_rddl_expression(tokens_);
    end_of_entry();
    return result;
  }

  RddlCondition condition() {
    const SourcePlace place = tokens_.place();
    RddlExpression result = parse_rddl_expression(tokens_);
    end_of_entry();
    return {std::move(result), place};
  }

  // Any condition, or an assignment `fluent = value` as in init-state.
  RddlCondition goal() {
    const SourcePlace start = tokens_.place();
    RddlExpression result = parse_rddl_expression(tokens_);
    const SourcePlace place = tokens_.place();
    if (tokens_.accept("=")) {
      RddlExpression equation;
      equation.operation = Operation::equal;
      equation.place = place;
      equation.depth = result.depth + 1;
      equation.operands.push_back(std::move(result));
      equation.operands.push_back(parse_rddl_literal(tokens_));
      result = std::move(equation);
    }
    end_of_entry();
    return {std::move(result), start};
  }

  RddlObjects objects() {
    RddlObjects result;
    result.place = tokens_.place();
    result.type_name = tokens_.expect_name("the name of a type or '}'");
    tokens_.expect(":", "after the name of a type");
    tokens_.expect("{", "before the objects");
    if (!tokens_.at_symbol("}")) {
      do result.objects.push_back(object());
      while (tokens_.accept(","));
    }
    tokens_.expect("}", ", or");
    tokens_.expect(";", "after the objects");
    return result;
  }

  PlacedName object() {
    const Token& token = tokens_.peek();
    const bool name = token.kind == TokenKind::name && !token.primed;
    if (!name && token.kind != TokenKind::object && token.kind != TokenKind::enumeration) {
      tokens_.fail_expected("the name of an object");
    }
    return {std::string(tokens_.take().text), token.place};
  }

  RddlAssignment assignment() {
    RddlAssignment result;
    result.place = tokens_.place();
    const bool negated = tokens_.accept("~");
    result.name = tokens_.expect_name("the name of a fluent or '}'");
    list([&] { result.arguments.push_back(object()); });
    result.value.place = result.place;
    result.value.number = exact_number(negated ? 0 : 1);
    if (!negated && tokens_.accept("=")) result.value = parse_rddl_literal(tokens_);
    tokens_.expect(";", negated ? "after the fluent" : "'=' or");
    return result;
  }

  std::int64_t integer(std::string_view what) {
    const SourcePlace place = tokens_.place();
    const RddlExpression value = parse_rddl_literal(tokens_);
    if (value.operation != Operation::constant || value.type.kind != ValueKind::integer ||
        value.number.fraction < Rational{}) {
      throw RddlError(place, fmt::format("bad {}, expected an unsigned number", what));
    }
    return value.number.fraction.numerator;
  }

  RddlNonFluents non_fluents(const SourcePlace& place) {
    RddlNonFluents result;
    result.place = place;
    result.name = tokens_.expect_name("the name of the non-fluents");
    section([&] {
      const SourcePlace start = tokens_.place();
      const std::string key = tokens_.expect_name("domain, objects, non-fluents or '}'");
      if (key == "domain") {
        reference(result.domain, result.domain_place);
      } else if (key == "objects") {
        section([&] { result.objects.push_back(objects()); });
      } else if (key == "non-fluents") {
        section([&] { result.assignments.push_back(assignment()); });
      } else {
        unknown_section(start, key, "non-fluents", "domain, objects or non-fluents");
      }
    });
    return result;
  }

  void reference(std::string& name, SourcePlace& place) {
    tokens_.expect("=", "before a name");
    place = tokens_.place();
    name = tokens_.expect_name("a name");
    tokens_.expect(";", "after the name");
  }

  // A number, pos-inf, or terminate-when(condition).
  void horizon(RddlInstance& result) {
    if (tokens_.accept_name("terminate-when")) {
      const SourcePlace start = tokens_.place();
      tokens_.expect("(", "after 'terminate-when'");
      result.terminations.push_back({parse_rddl_expression(tokens_), start});
      tokens_.expect(")", "an operator or");
      tokens_.accept(";");
      return;
    }
    if (!tokens_.accept_name("pos-inf")) result.horizon = integer("horizon");
    tokens_.expect(";", "after the number");
  }

  RddlInstance instance(const SourcePlace& place) {
    RddlInstance result;
    result.place = place;
    result.name = tokens_.expect_name("the name of the instance");
    section([&] {
      const SourcePlace start = tokens_.place();
      const std::string key = tokens_.expect_name(
          "domain, non-fluents, objects, init-state, goal-state, max-nondef-actions, horizon, discount or "
          "'}'");
      if (key == "domain") {
        reference(result.domain, result.domain_place);
      } else if (key == "non-fluents" && tokens_.at_symbol("{")) {
        section([&] { result.constants.push_back(assignment()); });
      } else if (key == "non-fluents") {
        reference(result.non_fluents, result.non_fluents_place);
      } else if (key == "objects") {
        section([&] { result.objects.push_back(objects()); });
      } else if (key == "init-state") {
        section([&] { result.initial.push_back(assignment()); });
      } else if (key == "goal-state") {
        section([&] { result.goals.push_back(goal()); });
      } else if (key == "max-nondef-actions") {
        tokens_.expect("=", "after 'max-nondef-actions'");
        if (!tokens_.accept_name("pos-inf")) result.max_nondefault_actions = integer("max-nondef-actions");
        tokens_.expect(";", "after the number");
      } else if (key == "horizon") {
        tokens_.expect("=", "after 'horizon'");
        horizon(result);
      } else if (key == "discount") {
        tokens_.expect("=", "after 'discount'");
        const RddlExpression value = parse_rddl_literal(tokens_);
        if (value.operation != Operation::constant || !value.number.exact)
          throw RddlError(value.place, "bad discount, expected a number");
        result.discount = value.number.fraction;
        tokens_.expect(";", "after the number");
      } else {
        unknown_section(start, key, "an instance",
                        "domain, non-fluents, objects, init-state, goal-state, max-nondef-actions, horizon "
                        "or discount");
      }
    });
    return result;
  }

  TokenStream tokens_;
};

}  // namespace

std::string_view role_text(FluentRole role) { return role_names[static_cast<std::size_t>(role)]; }

std::string role_with_article(FluentRole role) {
  return fmt::format("{} {}", role >= FluentRole::action ? "an" : "a", role_text(role));
}

RddlFile parse_rddl(std::string_view text, std::string_view file_name) {
  RddlFile file;
  file.name = std::make_shared<const std::string>(file_name);
  FileParser(text, file.name.get()).parse(file);
  return file;
}

RddlFile read_rddl(const std::filesystem::path& path) {
  return parse_rddl(read_text_file(path, largest_rddl_file), path.string());
}

}  // namespace bnnplan::rddl
