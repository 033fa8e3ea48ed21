#include "device/registration.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include <torch/library.h>

#include "base/error.h"
#include "device/kernel.h"

namespace ippatsu::device {

namespace {

using c10::FunctionSchema;

// A row and the schema it is written for.
struct BoundRow {
  ops::OpRow row;
  c10::OperatorHandle op;
};

// "aten::add.Tensor" as name and overload.
c10::OperatorName operator_name(std::string_view name) {
  const size_t dot = name.find('.');
  if (dot == std::string_view::npos) return {std::string(name), ""};
  return {std::string(name.substr(0, dot)), std::string(name.substr(dot + 1))};
}

BoundRow bind(const ops::OpRow& row) {
  const auto op = c10::Dispatcher::singleton().findSchema(operator_name(row.name));
  if (!op) fail("the op table has a row for {}, which ATen does not know", row.name);
  return {row, *op};
}

std::multimap<std::string, BoundRow> bind_all() {
  std::multimap<std::string, BoundRow> rows;
  std::set<std::string> seen;
  for (const ops::OpRow& row : ops::all_rows()) {
    if (!seen.insert(row.name).second) fail("the op table has two rows for {}", row.name);
    BoundRow bound = bind(row);
    rows.emplace(bound.op.schema().name(), std::move(bound));
  }
  return rows;
}

std::vector<size_t> mutated_arguments(const FunctionSchema& schema) {
  std::vector<size_t> mutated;
  for (size_t i = 0; i < schema.arguments().size(); ++i) {
    const auto* alias = schema.arguments()[i].alias_info();
    if (alias != nullptr && alias->isWrite()) mutated.push_back(i);
  }
  return mutated;
}

// The arguments that take the op's results: those that it returns, or, of an op that returns
// nothing, all that it mutates. What it mutates without returning it (the running statistics of a
// batch norm) is for its row to write.
std::vector<size_t> target_arguments(const FunctionSchema& schema) {
  const std::vector<size_t> mutated = mutated_arguments(schema);
  if (schema.returns().empty()) return mutated;
  std::vector<size_t> targets;
  for (const c10::Argument& result : schema.returns()) {
    const auto* alias = result.alias_info();
    if (alias == nullptr || !alias->isWrite()) continue;
    const auto target = std::ranges::find_if(mutated, [&](size_t i) {
      return schema.arguments()[i].alias_info()->beforeSets() == alias->beforeSets();
    });
    if (target != mutated.end()) targets.push_back(*target);
  }
  return targets;
}

// Whether `schema` takes what `functional` takes, `out=` arguments aside.
bool takes_the_same(const FunctionSchema& schema, const FunctionSchema& functional) {
  size_t taken = 0;
  for (const c10::Argument& argument : schema.arguments()) {
    if (argument.is_out()) continue;
    if (taken == functional.arguments().size()) return false;
    const c10::Argument& other = functional.arguments()[taken++];
    if (argument.name() != other.name() || *argument.type() != *other.type()) return false;
  }
  return taken == functional.arguments().size();
}

// The names under which the functional form of an op that mutates may stand: add_ and add.out are
// add; normal_ is normal_functional.
std::vector<std::string> functional_names(std::string name) {
  if (!name.ends_with('_')) return {name};
  name.pop_back();
  return {name, name + "_functional"};
}

const BoundRow* find_functional(const FunctionSchema& schema, size_t results,
                                const std::multimap<std::string, BoundRow>& rows) {
  for (const std::string& name : functional_names(schema.name())) {
    const auto [begin, end] = rows.equal_range(name);
    for (auto row = begin; row != end; ++row) {
      const FunctionSchema& functional = row->second.op.schema();
      if (functional.returns().size() == results && takes_the_same(schema, functional))
        return &row->second;
    }
  }
  return nullptr;
}

// An op that mutates arguments, as a row whose results they take.
struct Mutation {
  const BoundRow* row;
  std::vector<size_t> targets;
};

// The targets are those that the op returns, which in place may be the first only of all that it
// mutates.
std::optional<Mutation> find_mutation(const FunctionSchema& schema,
                                      const std::multimap<std::string, BoundRow>& rows) {
  std::vector<std::vector<size_t>> choices{target_arguments(schema)};
  if (schema.name().ends_with('_')) choices.push_back(mutated_arguments(schema));
  for (std::vector<size_t>& targets : choices) {
    if (targets.empty()) continue;
    const BoundRow* row = find_functional(schema, targets.size(), rows);
    if (row != nullptr) return Mutation{row, std::move(targets)};
  }
  return std::nullopt;
}

torch::CppFunction kernel(const BoundRow& row, std::vector<size_t> targets) {
  return torch::CppFunction::makeFromBoxedFunctor(
      std::make_unique<RowKernel>(row.row, row.op, std::move(targets)));
}

std::string qualified(const c10::OperatorName& name) {
  return name.overload_name.empty() ? name.name : name.name + "." + name.overload_name;
}

}  // namespace

void register_rows() {
  static torch::Library library(torch::Library::IMPL, "aten", c10::DispatchKey::PrivateUse1,
                                __FILE__, __LINE__);
  const auto rows = bind_all();
  for (const auto& [name, row] : rows)
    library.impl(row.row.name, kernel(row, target_arguments(row.op.schema())));
  for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) {
    if (!name.name.starts_with("aten::")) continue;
    const auto op = c10::Dispatcher::singleton().findSchema(name);
    if (!op || op->hasKernelForDispatchKey(c10::DispatchKey::PrivateUse1)) continue;
    if (auto mutation = find_mutation(op->schema(), rows)) {
      library.impl(qualified(name).c_str(), kernel(*mutation->row, std::move(mutation->targets)));
    }
  }
}

}  // namespace ippatsu::device
