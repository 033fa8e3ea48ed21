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

constexpr OpRow kRows[] = {
    {"aten::nll_loss_forward", nll_loss},
    {"aten::nll_loss_backward", nll_loss_backward},
    {"aten::mse_loss", mse_loss},
    {"aten::mse_loss_backward", mse_loss_backward},
};

}  // namespace

std::span<const OpRow> loss_rows() { return kRows; }

}  // namespace ippatsu::ops
