// Losses.

#include <ATen/core/Reduction.h>

#include "base/error.h"
#include "ops/table.h"

namespace ippatsu::ops {

namespace {

using hlo::Direction;

// The pieces that the negative log likelihood and its gradient share. Class scores are [N, C] or
// [C]; the latter is taken as one sample.
struct Likelihood {
  Value hit;     // i1[N,C]: is this the sample's class, and is it counted?
  Value weight;  // [N,C]: the weight of each class
};

Likelihood likelihood(Lowering& l, const Dims& shape, DType dtype) {
  const Value target = hlo::reshape(l.tensor("target", DType::I64), {shape[0]});
  const Value ignored = hlo::constant(l.graph(), target.type(), l.integer("ignore_index"));
  const Value column = stretch(target, shape, {1});
  const Value classes = hlo::iota(l.graph(), {DType::I64, shape}, 1);
  const Value counted = stretch(compare(Direction::Ne, target, ignored), shape, {1});
  const Value weight = l.has("weight") ? hlo::broadcast_to(l.tensor("weight", dtype), shape)
                                       : hlo::constant(l.graph(), {dtype, shape}, 1);
  return {compare(Direction::Eq, column, classes) & counted, weight};
}

Dims as_rows(const Dims& dims) { return dims.size() == 1 ? Dims{1, dims[0]} : dims; }

Value where_hit(const Likelihood& likelihood, Value x) {
  return select(likelihood.hit, x, fill_like(x, 0));
}

// Results: the loss, and the total weight of the counted samples.
Results nll_loss(Lowering& l) {
  const Value self = l.tensor("self");
  const Value scores = to_compute_type(hlo::reshape(self, as_rows(self.dims())));
  const Likelihood parts = likelihood(l, scores.dims(), scores.dtype());
  const Value total_weight = reduce_sum(where_hit(parts, parts.weight), {0, 1});
  const Value losses = -reduce_sum(where_hit(parts, scores * parts.weight), {1});
  const auto typed = [&](Value x) { return hlo::convert(x, self.dtype()); };
  switch (l.integer("reduction")) {
    case at::Reduction::None:
      return {
          typed(self.rank() == 1 ? hlo::reshape(losses, {}) : losses),
          self.rank() == 1 ? typed(total_weight) : hlo::constant(l.graph(), {self.dtype(), {}}, 0)};
    case at::Reduction::Sum:
      return {typed(reduce_sum(losses, {0})), typed(total_weight)};
    case at::Reduction::Mean:
      return {typed(reduce_sum(losses, {0}) / total_weight), typed(total_weight)};
    default:
      fail("reduction is 0 (none), 1 (mean) or 2 (sum), got {}", l.integer("reduction"));
  }
}

Results nll_loss_backward(Lowering& l) {
  const Value self = l.tensor("self");
  const Dims shape = as_rows(self.dims());
  Value grad = l.tensor("grad_output", self.dtype());
  if (l.integer("reduction") == at::Reduction::Mean)
    grad = grad / l.tensor("total_weight", self.dtype());
  const bool per_sample = l.integer("reduction") == at::Reduction::None;
  const Value spread = per_sample ? stretch(hlo::reshape(grad, {shape[0]}), shape, {1})
                                  : hlo::broadcast_to(grad, shape);
  const Likelihood parts = likelihood(l, shape, self.dtype());
  return hlo::reshape(where_hit(parts, -(spread * parts.weight)), self.dims());
}

Value reduced(Lowering& l, Value losses, DType dtype) {
  const auto elements = static_cast<double>(losses.type().elements());
  switch (l.integer("reduction")) {
    case at::Reduction::None:
      return hlo::convert(losses, dtype);
    case at::Reduction::Mean:
      return hlo::convert(reduce_sum(losses, all_dims(losses)) / elements, dtype);
    default:
      return hlo::convert(reduce_sum(losses, all_dims(losses)), dtype);
  }
}

Results mse_loss(Lowering& l) {
  const Values xy = l.promoted({"self", "target"});
  const Value difference = to_compute_type(xy[0]) - to_compute_type(xy[1]);
  return reduced(l, difference * difference, xy[0].dtype());
}

Results mse_loss_backward(Lowering& l) {
  const Values x = l.promoted({"grad_output", "self", "target"});
  const bool mean = l.integer("reduction") == at::Reduction::Mean;
  const double scale = mean ? 2.0 / static_cast<double>(x[1].type().elements()) : 2.0;
  return (x[1] - x[2]) * scale * x[0];
}

// The gradient of a loss by `self`: its slope times `grad_output`, and the share of each element in
// a mean. `slope` sees self and target.
template <typename Slope>
Results loss_gradient(Lowering& l, Slope slope) {
  const Values x = l.promoted({"grad_output", "self", "target"});
  const bool mean = l.integer("reduction") == at::Reduction::Mean;
  const double share = mean ? 1.0 / static_cast<double>(x[1].type().elements()) : 1.0;
  const Value gradient =
      slope(to_compute_type(x[1]), to_compute_type(x[2])) * (to_compute_type(x[0]) * share);
  return hlo::convert(gradient, x[1].dtype());
}

// d^2 / 2 up to `width`, from there on a straight line of the same slope: Huber, "Robust estimation
// of a location parameter", 1964.
Value huber(Value x, Value y, double width) {
  const Value distance = hlo::abs(x - y);
  return select(compare(Direction::Le, distance, fill_like(distance, width)),
                distance * distance * 0.5, (distance - 0.5 * width) * width);
}

Value huber_slope(Value x, Value y, double width) {
  const Value difference = x - y, limit = fill_like(x, width);
  return select(hlo::is_nan(difference), difference, minimum(maximum(difference, -limit), limit));
}

Results huber_loss(Lowering& l) {
  const double width = l.constant("delta");
  if (!(width > 0)) fail("delta must be more than 0, got {}", width);
  const Values xy = l.promoted({"self", "target"});
  return reduced(l, huber(to_compute_type(xy[0]), to_compute_type(xy[1]), width), xy[0].dtype());
}

Results huber_loss_backward(Lowering& l) {
  return loss_gradient(l, [&](Value x, Value y) { return huber_slope(x, y, l.constant("delta")); });
}

// Huber's loss divided by its width; of width 0, the distance itself.
Results smooth_l1_loss(Lowering& l) {
  const double width = l.constant("beta");
  if (width < 0) fail("beta must be 0 or more, got {}", width);
  const Values xy = l.promoted({"self", "target"});
  const Value x = to_compute_type(xy[0]), y = to_compute_type(xy[1]);
  return reduced(l, width == 0 ? hlo::abs(x - y) : huber(x, y, width) / width, xy[0].dtype());
}

Results smooth_l1_loss_backward(Lowering& l) {
  const double width = l.constant("beta");
  return loss_gradient(l, [&](Value x, Value y) {
    return width == 0 ? hlo::sign(x - y) : huber_slope(x, y, width) / width;
  });
}

// -(y log x + (1 - y) log(1 - x)), each logarithm cut off at -100.
Results binary_cross_entropy(Lowering& l) {
  const Values xy = l.promoted({"self", "target"});
  const Value x = to_compute_type(xy[0]), y = to_compute_type(xy[1]);
  const Value limit = fill_like(x, -100);
  Value losses = -(y * maximum(log(x), limit) + (1 - y) * maximum(log1p(-x), limit));
  if (l.has("weight"))
    losses = losses * hlo::broadcast_to(l.tensor("weight", losses.dtype()), losses.dims());
  return reduced(l, losses, xy[0].dtype());
}

Results binary_cross_entropy_backward(Lowering& l) {
  return loss_gradient(l, [&](Value x, Value y) {
    const Value spread = maximum((1 - x) * x, fill_like(x, 1e-12));
    const Value slope = (x - y) / spread;
    if (!l.has("weight")) return slope;
    return slope * hlo::broadcast_to(l.tensor("weight", slope.dtype()), slope.dims());
  });
}

constexpr OpRow kRows[] = {
    {"aten::nll_loss_forward", nll_loss},
    {"aten::nll_loss_backward", nll_loss_backward},
    {"aten::huber_loss", huber_loss},
    {"aten::huber_loss_backward", huber_loss_backward},
    {"aten::smooth_l1_loss", smooth_l1_loss},
    {"aten::smooth_l1_loss_backward", smooth_l1_loss_backward},
    {"aten::binary_cross_entropy", binary_cross_entropy},
    {"aten::binary_cross_entropy_backward", binary_cross_entropy_backward},
    {"aten::mse_loss", mse_loss},
    {"aten::mse_loss_backward", mse_loss_backward},
};

}  // namespace

std::span<const OpRow> loss_rows() { return kRows; }

}  // namespace ippatsu::ops
