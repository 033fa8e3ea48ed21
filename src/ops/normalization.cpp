// Layer normalization and softmax, forward and backward.

#include <algorithm>

#include <fmt/ranges.h>

#include "base/error.h"
#include "ops/table.h"

namespace ippatsu::ops {

namespace {

// The trailing dims that a layer norm runs over.
Dims normalized_dims(Lowering& l, Value x) {
  const Dims shape = l.ints("normalized_shape"), extents = x.dims();
  if (shape.size() > extents.size() || !std::equal(shape.rbegin(), shape.rend(), extents.rbegin()))
    fail("normalized_shape [{}] is not the end of {}", fmt::join(shape, ","), to_string(x.type()));
  Dims dims;
  const auto count = static_cast<int64_t>(shape.size());
  for (int64_t i = x.rank() - count; i < x.rank(); ++i) dims.push_back(i);
  return dims;
}

Dims leading_dims(Value x, const Dims& trailing) {
  Dims dims;
  for (int64_t i = 0; i < x.rank() - static_cast<int64_t>(trailing.size()); ++i) dims.push_back(i);
  return dims;
}

double count(Value x, const Dims& dims) {
  double product = 1;
  for (const int64_t dim : dims) product *= static_cast<double>(x.dim(dim));
  return product;
}

Value centred(Value x, Value mean, const Dims& dims) { return x - stretch(mean, x.dims(), dims); }

// Ba, Kiros and Hinton, "Layer normalization", 2016: y = (x - mean) * rstd * weight + bias.
// Results: y, mean, rstd; the last two keep the normalized dims as 1.
Results layer_norm(Lowering& l) {
  const Value input = l.tensor("input");
  const Value x = to_compute_type(input);
  const Dims dims = normalized_dims(l, x);
  const double n = count(x, dims);
  const Value mean = reduce_sum(x, dims) / n;
  const Value deviation = centred(x, mean, dims);
  const Value variance = reduce_sum(deviation * deviation, dims) / n;
  const Value inverse = hlo::rsqrt(variance + l.constant("eps"));
  Value y = deviation * stretch(inverse, x.dims(), dims);
  if (l.has("weight")) y = y * hlo::broadcast_to(l.tensor("weight", x.dtype()), x.dims());
  if (l.has("bias")) y = y + hlo::broadcast_to(l.tensor("bias", x.dtype()), x.dims());
  return {hlo::convert(y, input.dtype()), keep_dims(mean, x.dims(), dims),
          keep_dims(inverse, x.dims(), dims)};
}

// With h = (x - mean) * rstd and g = grad * weight:
//   dx = rstd * (g - mean(g) - h * mean(g * h)), dweight = sum(grad * h), dbias = sum(grad).
Results layer_norm_backward(Lowering& l) {
  const Value input = l.tensor("input");
  const Value x = to_compute_type(input);
  const Dims dims = normalized_dims(l, x), lead = leading_dims(x, dims);
  const double n = count(x, dims);
  const Value grad = l.tensor("grad_out", x.dtype());
  const Value inverse = hlo::broadcast_to(l.tensor("rstd", x.dtype()), x.dims());
  const Value h = (x - hlo::broadcast_to(l.tensor("mean", x.dtype()), x.dims())) * inverse;
  Value dx, dweight, dbias;
  if (l.mask("output_mask", 0)) {
    const Value g =
        l.has("weight") ? grad * hlo::broadcast_to(l.tensor("weight", x.dtype()), x.dims()) : grad;
    const Value mean_g = stretch(reduce_sum(g, dims) / n, x.dims(), dims);
    const Value mean_gh = stretch(reduce_sum(g * h, dims) / n, x.dims(), dims);
    dx = hlo::convert(inverse * (g - mean_g - h * mean_gh), input.dtype());
  }
  if (l.mask("output_mask", 1) && l.has("weight"))
    dweight = hlo::convert(reduce_sum(grad * h, lead), l.type("weight").dtype);
  if (l.mask("output_mask", 2) && l.has("bias"))
    dbias = hlo::convert(reduce_sum(grad, lead), l.type("bias").dtype);
  return {dx, dweight, dbias};
}

// Shifted by the maximum, so that nothing overflows. A NaN need not win: it stays where it is.
Value shifted(Value x, int64_t dim) {
  const Value least = hlo::lowest(x.graph(), {x.dtype(), {}});
  const Value greatest = reduce(hlo::Combiner::Maximum, x, least, {dim});
  return x - stretch(greatest, x.dims(), {dim});
}

struct SoftmaxOperand {
  Value x;  // in the compute type, of rank 1 at least
  int64_t dim;
};

SoftmaxOperand softmax_operand(Lowering& l) {
  const Value x = to_compute_type(l.tensor("self"));
  if (!hlo::is_floating(x.dtype())) fail("softmax is not defined on {}", hlo::name(x.dtype()));
  return {x.rank() == 0 ? hlo::reshape(x, {1}) : x, l.dim("dim", x.rank())};
}

Value finish(Lowering& l, Value y, std::string_view like) {
  const Value original = l.tensor(like);
  const bool widened = l.flag("half_to_float");
  return hlo::reshape(widened ? y : hlo::convert(y, original.dtype()), original.dims());
}

Results log_softmax(Lowering& l) {
  const auto [x, dim] = softmax_operand(l);
  const Value logits = shifted(x, dim);
  return finish(l, logits - stretch(log(reduce_sum(exp(logits), {dim})), x.dims(), {dim}), "self");
}

Results softmax(Lowering& l) {
  const auto [x, dim] = softmax_operand(l);
  const Value weights = exp(shifted(x, dim));
  return finish(l, weights / stretch(reduce_sum(weights, {dim}), x.dims(), {dim}), "self");
}

struct SoftmaxGradient {
  Value grad, output;
  int64_t dim;
  DType dtype;
};

SoftmaxGradient softmax_gradient(Lowering& l) {
  Value grad = to_compute_type(l.tensor("grad_output")),
        output = to_compute_type(l.tensor("output"));
  const int64_t dim = l.dim("dim", output.rank());
  if (output.rank() == 0) {
    grad = hlo::reshape(grad, {1});
    output = hlo::reshape(output, {1});
  }
  return {grad, output, dim, *l.dtype("input_dtype")};
}

Results log_softmax_backward(Lowering& l) {
  const auto [grad, output, dim, dtype] = softmax_gradient(l);
  const Value total = stretch(reduce_sum(grad, {dim}), grad.dims(), {dim});
  return hlo::reshape(hlo::convert(grad - exp(output) * total, dtype), l.tensor("output").dims());
}

Results softmax_backward(Lowering& l) {
  const auto [grad, output, dim, dtype] = softmax_gradient(l);
  const Value total = stretch(reduce_sum(grad * output, {dim}), grad.dims(), {dim});
  return hlo::reshape(hlo::convert(output * (grad - total), dtype), l.tensor("output").dims());
}

constexpr OpRow kRows[] = {
    {"aten::native_layer_norm", layer_norm},
    {"aten::native_layer_norm_backward", layer_norm_backward},
    {"aten::_softmax", softmax},
    {"aten::_softmax_backward_data", softmax_backward},
    {"aten::_log_softmax", log_softmax},
    {"aten::_log_softmax_backward_data", log_softmax_backward},
};

}  // namespace

std::span<const OpRow> normalization_rows() { return kRows; }

}  // namespace ippatsu::ops
