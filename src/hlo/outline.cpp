#include "hlo/outline.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

namespace ippatsu::hlo {

namespace {

// Inputs have no scope of their own: they are known by who takes them.
std::unordered_map<const Node*, const char*> first_users(const Program& program) {
  std::unordered_map<const Node*, const char*> users;
  for (const Node* node : program.operations()) {
    for (const Value& operand : node->operands) users.try_emplace(operand.node, node->scope);
  }
  return users;
}

std::string_view op_or_program(const char* scope) {
  const std::string_view op = op_of(scope);
  return op.empty() ? "the program" : op;
}

std::string types_differ(const Type& now, const Type& before) {
  std::string text = fmt::format("is {} and was {}", to_string(now), to_string(before));
  if (now.dtype != before.dtype || now.rank() != before.rank()) return text;
  for (size_t dim = 0; dim < now.dims.size(); ++dim) {
    if (now.dims[dim] == before.dims[dim]) continue;
    return text + fmt::format(": dim {} went from {} to {}", dim, before.dims[dim], now.dims[dim]);
  }
  return text;
}

}  // namespace

std::string_view op_of(std::string_view scope) { return scope.substr(0, scope.find(kSiteMark)); }

std::string_view site_of(std::string_view scope) {
  const size_t mark = scope.find(kSiteMark);
  return mark == std::string_view::npos ? "" : scope.substr(mark + kSiteMark.size());
}

Outline::Outline(const Program& program, std::span<const char* const> makers) {
  const auto users = first_users(program);
  for (const Node* node : program.parameters()) {
    const auto user = users.find(node);
    const auto number = static_cast<size_t>(node->parameter);
    steps_.push_back({node->hash, node->opcode, user == users.end() ? "" : user->second,
                      number < makers.size() ? makers[number] : "", node->types[0]});
  }
  for (const Node* node : program.operations())
    steps_.push_back({node->hash, node->opcode, node->scope, "", node->types[0]});
}

size_t Outline::first_difference(const Outline& other) const {
  const auto [mine, theirs] = std::ranges::mismatch(
      steps_, other.steps_, [](const Step& x, const Step& y) { return x.hash == y.hash; });
  return static_cast<size_t>(mine - steps_.begin());
}

size_t Outline::shared_with(const Outline& other) const {
  const size_t most = std::min(steps_.size(), other.steps_.size());
  const size_t begin = first_difference(other);
  size_t end = 0;
  while (end < most - begin &&
         steps_[steps_.size() - 1 - end].hash == other.steps_[other.steps_.size() - 1 - end].hash)
    ++end;
  return begin + end;
}

Difference Outline::difference_from(const Outline& known) const {
  using Kind = Difference::Kind;
  const size_t place = first_difference(known);
  if (place >= steps_.size() || place >= known.steps_.size()) {
    if (steps_.size() == known.steps_.size())
      return {Kind::Nothing, "the same operations, with other values kept or inputs given up"};
    return {Kind::Operations,
            fmt::format("it has {} operations and inputs, and the nearest known program {}",
                        steps_.size(), known.steps_.size())};
  }
  const Step &now = steps_[place], &before = known.steps_[place];
  const std::string_view op = op_or_program(now.scope), known_op = op_or_program(before.scope);
  const auto differs = [&](Kind kind, std::string text) {
    return Difference{kind, std::move(text), std::string(site_of(now.scope))};
  };
  if (op != known_op)
    return differs(Kind::Operations,
                   fmt::format("{} stands where the nearest known program has {}", op, known_op));
  if (now.opcode != before.opcode)
    return differs(Kind::Operations, fmt::format("{} is recorded otherwise: {} where it was {}", op,
                                                 name(now.opcode), name(before.opcode)));
  if (now.type == before.type)
    return differs(Kind::Constant,
                   fmt::format("a constant of {} ({}) changed", op, name(now.opcode)));
  Difference difference =
      differs(now.type.dtype == before.type.dtype ? Kind::Shape : Kind::DType,
              fmt::format("{} {}", described(now), types_differ(now.type, before.type)));
  if (*now.maker != '\0') difference.site = site_of(now.maker);
  return difference;
}

// "an input of aten::mm (train.py:7 in step), made by aten::cat," or less.
std::string Outline::described(const Step& step) {
  const std::string_view op = op_or_program(step.scope);
  if (step.opcode != Opcode::Parameter) return fmt::format("a result of {}", op);
  if (*step.maker == '\0') return fmt::format("an input of {}", op);
  const std::string_view site = site_of(step.scope);
  return fmt::format("an input of {}{}, made by {},", op,
                     site.empty() ? "" : fmt::format(" ({})", site), op_of(step.maker));
}

}  // namespace ippatsu::hlo
