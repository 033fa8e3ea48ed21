// Activation functions of neural networks, and their gradients.

#include <cmath>
#include <numbers>

#include "ops/compute.h"
#include "ops/table.h"

namespace ippatsu::ops {

namespace {

using hlo::Direction;

// The gradient as a formula of the gradient that comes in and the tensor `name`.
template <typename Formula>
Value gradient(Lowering& l, std::string_view name, Formula formula) {
  const Value grad = l.tensor("grad_output");
  const Value x = to_compute_type(l.tensor(name));
  return hlo::convert(formula(to_compute_type(grad), x), grad.dtype());
}

Value zero_like(Value x) { return fill_like(x, 0); }
Value is_greater(Value x, Value y) { return compare(Direction::Gt, x, y); }
Value is_less(Value x, Value y) { return compare(Direction::Lt, x, y); }
Value is_positive(Value x) { return compare(Direction::Gt, x, fill_like(x, 0)); }

Results relu(Lowering& l) {
  const Value x = l.tensor("self"), zero = fill_like(x, 0);
  return select(compare(Direction::Le, x, zero), zero, x);
}

Results silu(Lowering& l) {
  return computed(l.tensor("self"), [](Value x) { return x * logistic(x); });
}

// The standard normal distribution's cumulative function: Phi(x) = (1 + erf(x / sqrt 2)) / 2.
Value normal_cdf(Value x) { return (erf(x * (1 / std::numbers::sqrt2)) + 1) * 0.5; }

constexpr double kGeluCubic =
    0.044715;  // Hendrycks and Gimpel, "Gaussian error linear units", 2016
const double kGeluScale = std::sqrt(2 / std::numbers::pi);

Results gelu(Lowering& l) {
  const bool by_tanh = l.text("approximate") == "tanh";
  return computed(l.tensor("self"), [&](Value x) {
    if (!by_tanh) return x * normal_cdf(x);
    const Value inner = (x + x * x * x * kGeluCubic) * kGeluScale;
    return x * 0.5 * (tanh(inner) + 1);
  });
}

// d gelu / dx = Phi(x) + x phi(x), phi being the density.
Results gelu_backward(Lowering& l) {
  const Value grad = l.tensor("grad_output");
  const bool by_tanh = l.text("approximate") == "tanh";
  const Value slope = computed(l.tensor("self"), [&](Value x) {
    if (!by_tanh) {
      const double density_scale = 1 / std::sqrt(2 * std::numbers::pi);
      return normal_cdf(x) + x * exp(x * x * -0.5) * density_scale;
    }
    const Value t = tanh((x + x * x * x * kGeluCubic) * kGeluScale);
    const Value inner_slope = (x * x * (3 * kGeluCubic) + 1) * kGeluScale;
    return (t + 1) * 0.5 + x * 0.5 * (1 - t * t) * inner_slope;
  });
  return grad * slope;
}

Results silu_backward(Lowering& l) {
  const Value x = l.tensor("self"), s = logistic(x);
  return l.tensor("grad_output") * s * (1 + x * (1 - s));
}

Results threshold_backward(Lowering& l) {
  const Values pair = l.promoted({"grad_output", "self"});
  const Value stops = compare(Direction::Le, pair[1], l.scalar_like("threshold", pair[1]));
  return select(stops, fill_like(pair[0], 0), pair[0]);
}

// log(1 + exp(beta x)) / beta; x itself where beta x is above the threshold.
Results softplus(Lowering& l) {
  return computed(l.tensor("self"), [&](Value x) {
    const Value beta = l.scalar_like("beta", x), z = x * beta;
    const Value linear = compare(Direction::Gt, z, l.scalar_like("threshold", x));
    return select(linear, x, log1p(exp(z)) / beta);
  });
}

Results softplus_backward(Lowering& l) {
  return gradient(l, "self", [&](Value grad, Value x) {
    const Value z = x * l.scalar_like("beta", x);
    const Value linear = compare(Direction::Gt, z, l.scalar_like("threshold", x));
    return select(linear, grad, grad * logistic(z));
  });
}

Results leaky_relu(Lowering& l) {
  return computed(l.tensor("self"), [&](Value x) {
    return select(is_positive(x), x, x * l.scalar_like("negative_slope", x));
  });
}

Results leaky_relu_backward(Lowering& l) {
  return gradient(l, "self", [&](Value grad, Value x) {
    return select(is_positive(x), grad, grad * l.scalar_like("negative_slope", x));
  });
}

// Clevert et al., "Fast and accurate deep network learning by exponential linear units", 2015.
Results elu(Lowering& l) {
  return computed(l.tensor("self"), [&](Value x) {
    const Value scale = l.scalar_like("scale", x);
    const Value curve = expm1(x * l.scalar_like("input_scale", x)) * l.scalar_like("alpha", x);
    return select(compare(Direction::Lt, x, fill_like(x, 0)), curve, x) * scale;
  });
}

Results elu_backward(Lowering& l) {
  return gradient(l, "self_or_result", [&](Value grad, Value x) {
    const Value scale = l.scalar_like("scale", x), input_scale = l.scalar_like("input_scale", x);
    const Value depth = l.scalar_like("alpha", x) * scale;
    const Value curve = l.flag("is_result") ? x + depth : depth * exp(x * input_scale);
    const Value slope =
        select(compare(Direction::Le, x, fill_like(x, 0)), input_scale * curve, scale);
    return grad * slope;
  });
}

Results hardtanh_backward(Lowering& l) {
  return gradient(l, "self", [&](Value grad, Value x) {
    const Value flat = compare(Direction::Le, x, l.scalar_like("min_val", x)) |
                       compare(Direction::Ge, x, l.scalar_like("max_val", x));
    return select(flat, fill_like(grad, 0), grad);
  });
}

// log(sigmoid(x)) = min(x, 0) - log(1 + z) with z = exp(-|x|), which the gradient takes up.
Results log_sigmoid(Lowering& l) {
  const Value self = l.tensor("self"), x = to_compute_type(self);
  const Value z = exp(-hlo::abs(x));
  const Value y = select(is_positive(x), fill_like(x, 0), x) - log1p(z);
  return {hlo::convert(y, self.dtype()), hlo::convert(z, self.dtype())};
}

Results log_sigmoid_backward(Lowering& l) {
  return gradient(l, "self", [&](Value grad, Value x) {
    const Value z = to_compute_type(l.tensor("buffer")), part = z / (1 + z);
    return grad * select(compare(Direction::Lt, x, fill_like(x, 0)), 1 - part, part);
  });
}

// The ramp of hardsigmoid: 0 up to -3, 1 from 3 on.
Value ramp(Value x) { return hlo::bounded(x + 3, zero_like(x), fill_like(x, 6)) / 6; }

Results hardsigmoid(Lowering& l) { return computed(l.tensor("self"), ramp); }

Results hardsigmoid_backward(Lowering& l) {
  return gradient(l, "self", [](Value grad, Value x) {
    const Value steep = is_greater(x, fill_like(x, -3)) & is_less(x, fill_like(x, 3));
    return select(steep, grad / 6, zero_like(grad));
  });
}

// Howard et al., "Searching for MobileNetV3", 2019.
Results hardswish(Lowering& l) {
  return computed(l.tensor("self"), [](Value x) { return x * ramp(x); });
}

Results hardswish_backward(Lowering& l) {
  return gradient(l, "self", [](Value grad, Value x) {
    const Value curved = select(is_less(x, fill_like(x, 3)), grad * (x / 3 + 0.5), grad);
    return select(compare(Direction::Le, x, fill_like(x, -3)), zero_like(grad), curved);
  });
}

// Misra, "Mish: a self regularized non-monotonic activation function", 2019: x tanh(softplus x).
Results mish(Lowering& l) {
  return computed(l.tensor("self"), [](Value x) { return x * tanh(log1p(exp(x))); });
}

Results mish_backward(Lowering& l) {
  return gradient(l, "self", [](Value grad, Value x) {
    const Value t = tanh(log1p(exp(x)));
    return grad * (t + x * logistic(x) * (1 - t * t));
  });
}

Results threshold(Lowering& l) {
  const Value x = l.tensor("self");
  const Value below = compare(Direction::Le, x, l.scalar_like("threshold", x));
  return select(below, l.scalar_like("value", x), x);
}

// --- leaky with a learnt slope

Results prelu(Lowering& l) {
  const Values pair = l.promoted({"self", "weight"});
  return computed(pair[0], pair[1],
                  [](Value x, Value weight) { return select(is_positive(x), x, weight * x); });
}

// Results: the gradients of `self` and of `weight`, both of self's shape.
Results prelu_backward(Lowering& l) {
  const Values triple = l.promoted({"grad_output", "self", "weight"});
  const DType dtype = triple[0].dtype();
  const Value grad = to_compute_type(triple[0]), x = to_compute_type(triple[1]),
              weight = to_compute_type(triple[2]);
  const Value positive = is_positive(x);
  return {hlo::convert(select(positive, grad, weight * grad), dtype),
          hlo::convert(select(positive, zero_like(x), x * grad), dtype)};
}

// --- gated linear units (Dauphin et al., 2016): the first half of a dim times the sigmoid of the
// second

struct Halves {
  Value first, second;
};

Halves halves(Value x, int64_t dim) {
  if (x.rank() == 0) fail("glu does not support 0-dimensional tensors");
  const int64_t extent = x.dim(dim);
  if (extent % 2 != 0)
    fail("Halving dimension must be even, but dimension {} is size {}", dim, extent);
  return {slice_dim(x, dim, 0, extent / 2), slice_dim(x, dim, extent / 2, extent)};
}

Results glu(Lowering& l) {
  const Value self = l.tensor("self");
  const auto [first, second] = halves(self, l.dim("dim", self.rank()));
  return computed(first, second, [](Value x, Value gate) { return x * logistic(gate); });
}

Results glu_backward(Lowering& l) {
  const Value self = l.tensor("self");
  const int64_t dim = l.dim("dim", self.rank());
  const auto [x, y] = halves(to_compute_type(self), dim);
  const Value grad = l.tensor("grad_output", x.dtype()), gate = logistic(y);
  const Value to_first = grad * gate, to_second = grad * x * gate * (1 - gate);
  return hlo::convert(hlo::concatenate({to_first, to_second}, dim), self.dtype());
}

// --- shrinkage: what is near zero becomes zero

Value is_near_zero(Lowering& l, Value x) {
  const Value limit = l.scalar_like("lambd", x);
  return compare(Direction::Ge, x, -limit) & compare(Direction::Le, x, limit);
}

Results softshrink(Lowering& l) {
  if (l.constant("lambd") < 0) fail("lambd must be 0 or more, got {}", l.constant("lambd"));
  return computed(l.tensor("self"), [&](Value x) {
    const Value limit = l.scalar_like("lambd", x);
    const Value outside = select(is_greater(x, limit), x - limit, x + limit);
    return select(is_near_zero(l, x), zero_like(x), outside);
  });
}

Results hardshrink(Lowering& l) {
  return computed(l.tensor("self"),
                  [&](Value x) { return select(is_near_zero(l, x), zero_like(x), x); });
}

Results softshrink_backward(Lowering& l) {
  return gradient(l, "self", [&](Value grad, Value x) {
    return select(is_near_zero(l, x), zero_like(grad), grad);
  });
}

Results hardshrink_backward(Lowering& l) {
  return computed(l.tensor("grad_out"), l.tensor("self"), [&](Value grad, Value x) {
    return select(is_near_zero(l, x), zero_like(grad), grad);
  });
}

constexpr OpRow kRows[] = {
    {"aten::relu", relu},
    {"aten::silu", silu},
    {"aten::silu_backward", silu_backward},
    {"aten::gelu", gelu},
    {"aten::gelu_backward", gelu_backward},
    {"aten::threshold_backward", threshold_backward},
    {"aten::softplus", softplus},
    {"aten::softplus_backward", softplus_backward},
    {"aten::leaky_relu", leaky_relu},
    {"aten::leaky_relu_backward", leaky_relu_backward},
    {"aten::elu", elu},
    {"aten::elu_backward", elu_backward},
    {"aten::hardtanh_backward", hardtanh_backward},
    {"aten::log_sigmoid_forward", log_sigmoid},
    {"aten::log_sigmoid_backward", log_sigmoid_backward},
    {"aten::hardsigmoid", hardsigmoid},
    {"aten::hardsigmoid_backward", hardsigmoid_backward},
    {"aten::hardswish", hardswish},
    {"aten::hardswish_backward", hardswish_backward},
    {"aten::mish", mish},
    {"aten::mish_backward", mish_backward},
    {"aten::threshold", threshold},
    {"aten::_prelu_kernel", prelu},
    {"aten::_prelu_kernel_backward", prelu_backward},
    {"aten::glu", glu},
    {"aten::glu_backward", glu_backward},
    {"aten::softshrink", softshrink},
    {"aten::softshrink_backward", softshrink_backward},
    {"aten::hardshrink", hardshrink},
    {"aten::hardshrink_backward", hardshrink_backward},
};

}  // namespace

std::span<const OpRow> activation_rows() { return kRows; }

}  // namespace ippatsu::ops
