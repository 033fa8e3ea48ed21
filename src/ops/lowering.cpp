#include "ops/lowering.h"

#include <algorithm>
#include <numeric>

#include <ATen/core/Tensor.h>
#include <ATen/native/TypeProperties.h>
#include <c10/core/DefaultDtype.h>

#include "base/error.h"
#include "ops/dtype.h"

namespace ippatsu::ops {

namespace {

int64_t wrap_dim(int64_t dim, int64_t rank) {
  const int64_t range = std::max<int64_t>(rank, 1);
  if (dim < -range || dim >= range) {
    // The class and the wording of ATen's own check, which callers catch.
    C10_THROW_ERROR(
        IndexError,
        fmt::format("Dimension out of range (expected to be in range of [{}, {}], but got {})",
                    -range, range - 1, dim));
  }
  return dim < 0 ? dim + range : dim;
}

// A scalar on the host: a Python or C++ number, or a rank-0 CPU tensor.
bool is_host_scalar(const at::Tensor& tensor) {
  return tensor.device().is_cpu() && tensor.dim() == 0;
}

}  // namespace

size_t Lowering::position(std::string_view name) const {
  const auto& arguments = schema_.arguments();
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].name() == name) return i;
  }
  fail("its row asks for an argument `{}` that the schema lacks", name);
}

const c10::IValue& Lowering::argument(std::string_view name) const {
  return arguments_[position(name)];
}

bool Lowering::has(std::string_view name) const {
  const c10::IValue& value = argument(name);
  return value.isTensor() ? value.toTensor().defined() : !value.isNone();
}

const at::Tensor& Lowering::raw(std::string_view name) const { return argument(name).toTensor(); }

hlo::Type Lowering::type(std::string_view name) const {
  const at::Tensor& tensor = raw(name);
  return {dtype_of(tensor.scalar_type()), tensor.sizes().vec()};
}

Value Lowering::tensor(std::string_view name) { return reader_.read(raw(name)); }

Value Lowering::tensor(std::string_view name, DType dtype) { return operand(name, dtype); }

std::optional<Value> Lowering::optional_tensor(std::string_view name) {
  if (!has(name)) return std::nullopt;
  return tensor(name);
}

Values Lowering::tensors(std::string_view name) {
  Values values;
  for (const at::Tensor& tensor : argument(name).toTensorVector())
    values.push_back(reader_.read(tensor));
  return values;
}

std::vector<std::optional<Value>> Lowering::optional_tensors(std::string_view name) {
  std::vector<std::optional<Value>> values;
  for (const c10::IValue& value : argument(name).toListRef()) {
    const bool given = value.isTensor() && value.toTensor().defined();
    values.push_back(given ? std::optional(reader_.read(value.toTensor())) : std::nullopt);
  }
  return values;
}

DType Lowering::result_type(std::initializer_list<std::string_view> names,
                            Promotion promotion) const {
  at::native::ResultTypeState state;
  for (const std::string_view name : names) {
    const c10::IValue& value = argument(name);
    if (value.isNone() || (value.isTensor() && !value.toTensor().defined())) continue;
    if (value.isTensorList()) {
      for (const at::Tensor& tensor : value.toTensorVector())
        state = at::native::update_result_type_state(tensor, state);
      continue;
    }
    state = value.isTensor() ? at::native::update_result_type_state(value.toTensor(), state)
                             : at::native::update_result_type_state(value.toScalar(), state);
  }
  c10::ScalarType type = at::native::result_type(state);
  if (promotion == Promotion::FloatIfInteger && c10::isIntegralType(type, /*includeBool=*/true)) {
    type = c10::get_default_dtype_as_scalartype();
  }
  return dtype_of(type);
}

Value Lowering::operand(std::string_view name, DType dtype) {
  const c10::IValue& value = argument(name);
  if (!value.isTensor()) return runtime_scalar(graph_, value.toScalar(), dtype);
  const at::Tensor& tensor = value.toTensor();
  if (is_host_scalar(tensor)) return runtime_scalar(graph_, tensor.item(), dtype);
  return hlo::convert(reader_.read(tensor), dtype);
}

Values Lowering::promoted(std::initializer_list<std::string_view> names, Promotion promotion) {
  const DType dtype = result_type(names, promotion);
  Values values;
  Dims shape;
  for (const std::string_view name : names) {
    values.push_back(operand(name, dtype));
    shape = hlo::broadcast_dims(shape, values.back().dims());
  }
  for (Value& value : values) value = hlo::broadcast_to(value, shape);
  return values;
}

Value Lowering::scaled(Value x, std::string_view name) {
  return is(name, 1) ? x : x * scalar_like(name, x);
}

Value Lowering::scalar(std::string_view name, DType dtype) {
  return runtime_scalar(graph_, argument(name).toScalar(), dtype);
}

Value Lowering::scalar_like(std::string_view name, Value like) {
  return hlo::broadcast_to(scalar(name, like.dtype()), like.dims());
}

double Lowering::constant(std::string_view name) const {
  return argument(name).toScalar().toDouble();
}

bool Lowering::is(std::string_view name, double number) const {
  const c10::IValue& value = argument(name);
  if (value.isTensor() && !is_host_scalar(value.toTensor())) return false;
  const c10::Scalar scalar = value.isTensor() ? value.toTensor().item() : value.toScalar();
  return !scalar.isComplex() && scalar.toDouble() == number;
}

int64_t Lowering::integer(std::string_view name) const { return argument(name).toInt(); }

std::optional<int64_t> Lowering::optional_integer(std::string_view name) const {
  const c10::IValue& value = argument(name);
  if (value.isNone()) return std::nullopt;
  return value.isInt() ? value.toInt() : value.toScalar().toLong();
}

bool Lowering::flag(std::string_view name) const { return argument(name).toBool(); }

bool Lowering::mask(std::string_view name, size_t index) const {
  return argument(name).toBoolList()[index];
}

std::string_view Lowering::text(std::string_view name) const {
  const c10::IValue& value = argument(name);
  return value.isNone() ? std::string_view() : value.toStringView();
}

Dims Lowering::ints(std::string_view name) const {
  const c10::IValue& value = argument(name);
  if (value.isNone()) return {};
  return value.isInt() ? Dims{value.toInt()} : value.toIntVector();
}

std::vector<double> Lowering::numbers(std::string_view name) const {
  const c10::IValue& value = argument(name);
  return value.isNone() ? std::vector<double>() : value.toDoubleVector();
}

std::optional<DType> Lowering::dtype(std::string_view name) const {
  const c10::IValue& value = argument(name);
  if (value.isNone()) return std::nullopt;
  return dtype_of(value.toScalarType());
}

int64_t Lowering::dim(std::string_view name, int64_t rank) const {
  return wrap_dim(integer(name), rank);
}

Dims Lowering::dims(std::string_view name, int64_t rank) const {
  Dims dims = ints(name);
  for (int64_t& dim : dims) dim = wrap_dim(dim, rank);
  std::ranges::sort(dims);
  if (const auto twice = std::ranges::adjacent_find(dims); twice != dims.end()) {
    fail("dim {} appears multiple times in the list of dims", *twice);
  }
  if (rank == 0) return {};
  if (dims.empty()) {
    dims.resize(static_cast<size_t>(rank));
    std::iota(dims.begin(), dims.end(), 0);
  }
  return dims;
}

Value Lowering::random_state() {
  if (!schema_.argumentIndexWithName("generator")) return reader_.random_state(std::nullopt);
  const c10::IValue& generator = argument("generator");
  return reader_.random_state(generator.isNone() ? std::nullopt
                                                 : std::optional(generator.toGenerator()));
}

void Lowering::write(std::string_view name, Value value) {
  writes_.push_back({position(name), value});
}

Value to_compute_type(Value x) {
  const bool half = x.dtype() == DType::F16 || x.dtype() == DType::BF16;
  return half ? hlo::convert(x, DType::F32) : x;
}

Value runtime_scalar(hlo::Graph& graph, const c10::Scalar& number, DType dtype) {
  if (hlo::is_complex(dtype)) {
    const auto complex = number.toComplexDouble();
    const DType part = hlo::real_part(dtype);
    return hlo::binary(hlo::Opcode::Complex, graph.scalar(part, {.floating = complex.real()}),
                       graph.scalar(part, {.floating = complex.imag()}));
  }
  if (dtype == DType::Pred) return graph.scalar(dtype, {.integer = number.toBool()});
  if (hlo::is_integer(dtype)) return graph.scalar(dtype, {.integer = number.to<int64_t>()});
  const double value = number.toDouble();
  if (dtype == DType::F64) return graph.scalar(dtype, {.floating = value});
  return hlo::convert(graph.scalar(DType::F32, {.floating = value}), dtype);
}

Dims all_dims(Value x) {
  Dims dims(static_cast<size_t>(x.rank()));
  std::iota(dims.begin(), dims.end(), 0);
  return dims;
}

Value keep_dims(Value reduced, const Dims& original, const Dims& dims) {
  Dims shape = original;
  for (const int64_t dim : dims) shape[static_cast<size_t>(dim)] = 1;
  return hlo::reshape(reduced, std::move(shape));
}

Value stretch(Value reduced, const Dims& shape, const Dims& dims) {
  Dims placement;
  for (int64_t i = 0; i < static_cast<int64_t>(shape.size()); ++i) {
    if (std::ranges::find(dims, i) == dims.end()) placement.push_back(i);
  }
  return hlo::broadcast_in_dim(reduced, shape, std::move(placement));
}

}  // namespace ippatsu::ops
