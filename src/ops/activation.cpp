// Activation functions of neural networks, and their gradients.

#include <cmath>
#include <numbers>

#include "ops/table.h"

namespace ippatsu::ops {

namespace {

using hlo::Direction;

// A formula of f32 or wider, rounded back to the operand's type once.
template <typename Formula>
Value computed(Value x, Formula formula) {
  return hlo::convert(formula(to_compute_type(x)), x.dtype());
}

// The gradient as a formula of the gradient that comes in and the tensor `name`.
template <typename Formula>
Value gradient(Lowering& l, std::string_view name, Formula formula) {
  const Value grad = l.tensor("grad_output");
  const Value x = to_compute_type(l.tensor(name));
  return hlo::convert(formula(to_compute_type(grad), x), grad.dtype());
}

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
};

}  // namespace

std::span<const OpRow> activation_rows() { return kRows; }

}  // namespace ippatsu::ops
