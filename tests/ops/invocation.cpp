#include "invocation.h"

#include <map>

#include "base/error.h"

namespace ippatsu::optest {

namespace {

using c10::IValue;
using c10::TypeKind;

std::string unquoted(std::string_view text) {
  const bool quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
  return std::string(quoted ? text.substr(1, text.size() - 2) : text);
}

c10::Scalar parse_scalar(std::string_view text) {
  if (text == "true" || text == "false") return text == "true";
  return is_integer(text) ? c10::Scalar(parse_integer(text)) : c10::Scalar(parse_double(text));
}

// A schema's element types are integers.
int64_t parse_integer_or_type(std::string_view text) {
  if (const auto type = find_scalar_type(text)) return static_cast<int64_t>(*type);
  return parse_integer(text);
}

IValue parse(const c10::Type& type, std::string_view text, TensorMaker& maker);

// A list of one may be written without its brackets.
template <typename T, typename Parse>
IValue parse_list(std::string_view text, Parse parse_item) {
  c10::List<T> list;
  const bool bracketed = text.starts_with('[');
  for (const std::string& item : bracketed ? split_items(text) : std::vector{std::string(text)})
    list.push_back(parse_item(item));
  return list;
}

IValue parse_list_of(const c10::Type& element, std::string_view text, TensorMaker& maker) {
  switch (element.kind()) {
    case TypeKind::TensorType:
      return parse_list<at::Tensor>(text, [&](const auto& item) { return maker.make(item); });
    case TypeKind::OptionalType:
      return parse_list<std::optional<at::Tensor>>(text, [&](const auto& item) {
        return item == "None" ? std::nullopt : std::optional(maker.make(item));
      });
    case TypeKind::IntType:
    case TypeKind::SymIntType:
      return parse_list<int64_t>(text, parse_integer);
    case TypeKind::BoolType:
      return parse_list<bool>(text, [](const auto& item) { return parse_integer(item) != 0; });
    case TypeKind::FloatType:
      return parse_list<double>(text, parse_double);
    default:
      fail("a list of {} cannot be written in a line", element.str());
  }
}

IValue parse(const c10::Type& type, std::string_view text, TensorMaker& maker) {
  switch (type.kind()) {
    case TypeKind::OptionalType:
      return text == "None" ? IValue() : parse(*type.containedTypes().at(0), text, maker);
    case TypeKind::TensorType:
      return maker.make(text);
    case TypeKind::NumberType:
      return parse_scalar(text);
    case TypeKind::IntType:
    case TypeKind::SymIntType:
      return parse_integer_or_type(text);
    case TypeKind::FloatType:
      return parse_double(text);
    case TypeKind::BoolType:
      return parse_integer(text) != 0;
    case TypeKind::StringType:
      return unquoted(text);
    case TypeKind::ListType:
      return parse_list_of(*type.containedTypes().at(0), text, maker);
    default:
      fail("an argument of type {} cannot be written in a line", type.str());
  }
}

IValue missing(const c10::Argument& argument) {
  if (argument.default_value()) return *argument.default_value();
  if (argument.type()->kind() == TypeKind::OptionalType) return {};
  fail("the argument `{}` is missing", argument.name());
}

bool takes_the_same(const c10::FunctionSchema& schema, const c10::FunctionSchema& functional) {
  std::vector<const c10::Argument*> inputs;
  for (const c10::Argument& argument : schema.arguments()) {
    if (!argument.is_out()) inputs.push_back(&argument);
  }
  const auto& others = functional.arguments();
  return std::ranges::equal(inputs, others, [](const c10::Argument* x, const c10::Argument& y) {
    return x->name() == y.name() && *x->type() == *y.type();
  });
}

const std::multimap<std::string, c10::OperatorName>& overloads() {
  static const auto all = [] {
    std::multimap<std::string, c10::OperatorName> names;
    for (const auto& name : c10::Dispatcher::singleton().getAllOpNames())
      names.emplace(name.name, name);
    return names;
  }();
  return all;
}

}  // namespace

c10::OperatorHandle find_op(std::string_view name) {
  const size_t dot = name.find('.');
  const std::string overload(dot == std::string_view::npos ? "" : name.substr(dot + 1));
  const auto op =
      c10::Dispatcher::singleton().findSchema({std::string(name.substr(0, dot)), overload});
  if (!op) fail("ATen has no operator {}", name);
  return *op;
}

std::vector<size_t> mutated_arguments(const c10::FunctionSchema& schema) {
  std::vector<size_t> mutated;
  for (size_t i = 0; i < schema.arguments().size(); ++i) {
    const auto* alias = schema.arguments()[i].alias_info();
    if (alias != nullptr && alias->isWrite()) mutated.push_back(i);
  }
  return mutated;
}

std::vector<c10::OperatorHandle> mutating_forms(const c10::FunctionSchema& functional) {
  std::string name = functional.name();
  if (const size_t at = name.rfind("_functional"); at != std::string::npos) name.resize(at);
  std::vector<c10::OperatorHandle> forms;
  for (const std::string& candidate : {name, name + "_"}) {
    const auto [begin, end] = overloads().equal_range(candidate);
    for (auto overload = begin; overload != end; ++overload) {
      const auto op = c10::Dispatcher::singleton().findSchema(overload->second);
      if (!op || !takes_the_same(op->schema(), functional)) continue;
      if (mutated_arguments(op->schema()).size() == functional.returns().size())
        forms.push_back(*op);
    }
  }
  return forms;
}

Invocation::Invocation(const Line& line)
    : op_(find_op(line.op())), texts_(op_.schema().arguments().size()) {
  const std::vector<std::string> words = split_words(line.text);
  for (size_t i = 1; i < words.size(); ++i) add(words[i]);
}

void Invocation::add(const std::string& word) {
  const size_t equals = word.find('=');
  const std::string name = word.substr(0, equals);
  const bool named = equals != std::string::npos && word.find_first_of("\"[{") > equals;
  const auto index = op_.schema().argumentIndexWithName(name);
  if (named && index) {
    texts_[static_cast<size_t>(*index)] = word.substr(equals + 1);
  } else if (!set_wanted(name, named ? unquoted(word.substr(equals + 1)) : "")) {
    if (named || positional_ == texts_.size())
      fail("{} has no argument `{}`", toString(op_.operator_name()), word);
    texts_[positional_++] = word;
  }
}

bool Invocation::set_wanted(std::string_view name, const std::string& value) {
  const std::map<std::string_view, std::optional<double>*> numbers{
      {"rtol", &wanted_.rtol},      {"atol", &wanted_.atol},      {"wanted_mean", &wanted_.mean},
      {"wanted_std", &wanted_.std}, {"wanted_min", &wanted_.min}, {"wanted_max", &wanted_.max}};
  if (const auto number = numbers.find(name); number != numbers.end()) {
    *number->second = parse_double(value);
  } else if (name == "nograd") {
    wanted_.gradients = false;
  } else if (name == "functional") {
    wanted_.forms = false;
  } else if (name == "random") {
    wanted_.random = true;
  } else if (name == "raises") {
    wanted_.raises = value;
  } else if (name == "known") {
    wanted_.known = value;
  } else {
    return false;
  }
  return true;
}

torch::jit::Stack Invocation::arguments(TensorMaker& maker) const {
  torch::jit::Stack stack;
  for (size_t i = 0; i < texts_.size(); ++i) {
    const c10::Argument& argument = op_.schema().arguments()[i];
    stack.push_back(texts_[i] ? parse(*argument.type(), *texts_[i], maker) : missing(argument));
  }
  return stack;
}

}  // namespace ippatsu::optest
