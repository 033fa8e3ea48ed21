#include "tensor_spec.h"

#include <array>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Functions.h>

#include "base/error.h"
#include "line.h"

namespace ippatsu::optest {

namespace {

using at::Tensor;
using Shape = std::vector<int64_t>;

constexpr std::array<std::pair<std::string_view, c10::ScalarType>, 15> kScalarTypes{{
    {"bool", c10::kBool},
    {"i8", c10::kChar},
    {"i16", c10::kShort},
    {"i32", c10::kInt},
    {"i64", c10::kLong},
    {"u8", c10::kByte},
    {"u16", c10::kUInt16},
    {"u32", c10::kUInt32},
    {"u64", c10::kUInt64},
    {"f16", c10::kHalf},
    {"bf16", c10::kBFloat16},
    {"f32", c10::kFloat},
    {"f64", c10::kDouble},
    {"c64", c10::kComplexFloat},
    {"c128", c10::kComplexDouble},
}};

// How a tensor lies in memory: the shape of what is stored, and the view that is taken of it.
struct Layout {
  std::string_view name;
  Shape (*stored)(Shape);
  Tensor (*view)(const Tensor&);
};

Shape swap_last(Shape shape) {
  if (shape.size() < 2) fail(".t wants two dims at least");
  std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  return shape;
}

Shape double_last(Shape shape) {
  if (shape.empty()) fail(".step2 wants a dim at least");
  shape.back() *= 2;
  return shape;
}

Shape one_more_first(Shape shape) {
  if (shape.empty()) fail(".offset wants a dim at least");
  ++shape.front();
  return shape;
}

Shape as_it_is(Shape shape) { return shape; }

constexpr std::array<Layout, 4> kLayouts{{
    {"", as_it_is, [](const Tensor& x) { return x; }},
    {"t", swap_last, [](const Tensor& x) { return x.transpose(-1, -2); }},
    {"step2", double_last, [](const Tensor& x) { return x.slice(-1, 0, x.size(-1), 2); }},
    {"offset", one_more_first, [](const Tensor& x) { return x.slice(0, 1, x.size(0)); }},
}};

const Layout& layout(std::string_view name) {
  for (const Layout& layout : kLayouts) {
    if (layout.name == name) return layout;
  }
  fail("there is no tensor layout .{}", name);
}

// The text up to `end`, which is cut off; all of it where `end` does not occur.
std::string_view take_until(std::string_view& text, char end) {
  const size_t at = text.find(end);
  const std::string_view taken = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at);
  return taken;
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
  const bool starts = text.starts_with(prefix);
  if (starts) text.remove_prefix(prefix.size());
  return starts;
}

Tensor listed(c10::ScalarType type, const Shape& shape, std::string_view domain) {
  const std::vector<std::string> items = split_items(domain);
  const int64_t elements = c10::multiply_integers(shape);
  if (items.size() != 1 && static_cast<int64_t>(items.size()) != elements)
    fail("{} elements are listed for a tensor of {}", items.size(), elements);
  const bool exact = c10::isIntegralType(type, /*includeBool=*/true);
  std::vector<Tensor> numbers;
  for (const std::string& item : items) {
    numbers.push_back(exact ? at::scalar_tensor(parse_integer(item), c10::kLong)
                            : at::scalar_tensor(parse_double(item), c10::kDouble));
  }
  const Tensor all = at::stack(numbers);
  return (items.size() == 1 ? all.expand(elements) : all).reshape(shape).to(type);
}

}  // namespace

std::optional<c10::ScalarType> find_scalar_type(std::string_view name) {
  for (const auto& [known, type] : kScalarTypes) {
    if (known == name) return type;
  }
  return std::nullopt;
}

TensorMaker::TensorMaker(c10::Device device, uint64_t seed, bool with_gradients)
    : device_(device),
      generator_(at::detail::createCPUGenerator(seed)),
      with_gradients_(with_gradients) {}

Tensor TensorMaker::fill(c10::ScalarType type, const Shape& shape, std::string_view domain) {
  const bool exact = c10::isIntegralType(type, /*includeBool=*/true);
  const size_t dots = domain.find("..");
  if (!domain.empty() && dots == std::string_view::npos) return listed(type, shape, domain);
  if (domain.empty() && c10::isComplexType(type)) {
    const Tensor real = at::randn(shape, generator_, c10::kDouble);
    return at::complex(real, at::randn(shape, generator_, c10::kDouble)).to(type);
  }
  if (domain.empty() && !exact) return at::randn(shape, generator_, c10::kDouble).to(type);
  double low = type == c10::kBool || c10::toString(type)[0] == 'U' || type == c10::kByte ? 0 : -9;
  double high = type == c10::kBool ? 1 : 9;
  if (!domain.empty()) {
    low = parse_double(domain.substr(1, dots - 1));
    high = parse_double(domain.substr(dots + 2, domain.size() - dots - 3));
  }
  if (!exact) return (at::rand(shape, generator_, c10::kDouble) * (high - low) + low).to(type);
  return at::randint(static_cast<int64_t>(low), static_cast<int64_t>(high) + 1, shape, generator_,
                     c10::kLong)
      .to(type);
}

Tensor TensorMaker::make(std::string_view spec) {
  std::string_view rest = spec;
  const bool fixed = take_prefix(rest, "fixed:"), on_host = take_prefix(rest, "cpu:");
  const auto type = find_scalar_type(take_until(rest, '['));
  const size_t closed = rest.find(']');
  if (!type || closed == std::string_view::npos) fail("`{}` is not a tensor", spec);
  Shape shape;
  for (const std::string& extent : split_items(rest.substr(0, closed + 1)))
    shape.push_back(parse_integer(extent));
  rest.remove_prefix(closed + 1);
  const size_t domain_end = rest.starts_with('{') ? rest.find('}') + 1 : 0;
  const std::string_view domain = rest.substr(0, domain_end);
  rest.remove_prefix(domain_end);
  if (rest.starts_with('.')) rest.remove_prefix(1);

  const bool expanded = rest == "expand";
  Shape stored = shape;
  if (expanded) stored.at(0) = 1;
  const Layout& lying = layout(expanded ? "" : rest);
  Tensor leaf = fill(*type, lying.stored(stored), domain).to(on_host ? c10::kCPU : device_);
  if (with_gradients_ && !fixed && c10::isFloatingType(*type))
    leaves_.push_back(leaf.requires_grad_());
  const Tensor view = lying.view(leaf);
  return expanded ? view.expand(shape) : view;
}

}  // namespace ippatsu::optest
