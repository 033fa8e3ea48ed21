// Losses.

#include <algorithm>

#include <ATen/core/Reduction.h>

#include <fmt/ranges.h>

#include "base/error.h"
#include "ops/ctc_loss.h"
#include "ops/scan.h"
#include "ops/table.h"

namespace ippatsu::ops {

namespace {

using hlo::Direction;

// The pieces that the negative log likelihood and its gradient share. Class scores are [N, C],
// [N, C, H, W] or [C]; the latter is taken as one sample.
struct Likelihood {
  Value hit;     // i1[N,C,...]: is this the sample's class, and is it counted?
  Value weight;  // [N,C,...]: the weight of each class
};

// The shape of something that each sample has one of.
Dims sample_dims(const Dims& shape) {
  Dims dims = shape;
  dims.erase(dims.begin() + 1);
  return dims;
}

Value per_class(Lowering& l, std::string_view name, const Dims& shape, DType dtype) {
  if (!l.has(name)) return hlo::constant(l.graph(), {dtype, shape}, 1);
  const Value weight = l.tensor(name, dtype);
  if (weight.dims() != Dims{shape[1]})
    fail("weight tensor should be defined either for all {} classes or no classes, got {}",
         shape[1], to_string(weight.type()));
  return hlo::broadcast_in_dim(weight, shape, {1});
}

Likelihood likelihood(Lowering& l, const Dims& shape, DType dtype) {
  const DType type = l.type("target").dtype;
  if (type != DType::I64 && type != DType::U8)
    fail("expected target dtype to be Long or Byte, but got {}", hlo::name(type));
  const Value target = hlo::reshape(l.tensor("target", DType::I64), sample_dims(shape));
  const Value ignored = hlo::constant(l.graph(), target.type(), l.integer("ignore_index"));
  const Value column = stretch(target, shape, {1});
  const Value classes = hlo::iota(l.graph(), {DType::I64, shape}, 1);
  const Value counted = stretch(compare(Direction::Ne, target, ignored), shape, {1});
  return {compare(Direction::Eq, column, classes) & counted, per_class(l, "weight", shape, dtype)};
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
  const Value total_weight = reduce_sum(where_hit(parts, parts.weight), all_dims(scores));
  const Value losses = -reduce_sum(where_hit(parts, scores * parts.weight), {1});
  const auto typed = [&](Value x) { return hlo::convert(x, self.dtype()); };
  switch (l.integer("reduction")) {
    case at::Reduction::None:
      return {
          typed(self.rank() == 1 ? hlo::reshape(losses, {}) : losses),
          self.rank() == 1 ? typed(total_weight) : hlo::constant(l.graph(), {self.dtype(), {}}, 0)};
    case at::Reduction::Sum:
      return {typed(reduce_sum(losses, all_dims(losses))), typed(total_weight)};
    case at::Reduction::Mean:
      return {typed(reduce_sum(losses, all_dims(losses)) / total_weight), typed(total_weight)};
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
  const Value spread = per_sample ? stretch(hlo::reshape(grad, sample_dims(shape)), shape, {1})
                                  : hlo::broadcast_to(grad, shape);
  const Likelihood parts = likelihood(l, shape, self.dtype());
  return hlo::reshape(where_hit(parts, -(spread * parts.weight)), self.dims());
}

template <Results (*loss)(Lowering&)>
Results of_images(Lowering& l) {
  const hlo::Type scores = l.type("self"), target = l.type("target");
  if (scores.dims.size() != 4 || target.dims != sample_dims(scores.dims))
    fail("class scores of images are [N, C, H, W] and their targets [N, H, W], got {} and {}",
         to_string(scores), to_string(target));
  return loss(l);
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
  return hlo::bounded(difference, -limit, limit);
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

// --- margins: the score of the right class is to be more than those of the others by a margin

// Scores [N, C], or one sample as [C] or a number.
Dims sample_rows(const Dims& dims) {
  if (dims.size() > 2) fail("class scores are [N, C] or [C], got [{}]", fmt::join(dims, ","));
  return dims.size() == 2 ? dims : Dims{1, hlo::element_count(dims)};
}

// The losses of the samples, [N], as the reduction wants them; a sample alone has no dim.
Value reduced_samples(Lowering& l, Value losses, const hlo::Type& self) {
  if (l.integer("reduction") == at::Reduction::None && self.dims.size() < 2)
    return hlo::convert(hlo::reshape(losses, {}), self.dtype);
  return reduced(l, losses, self.dtype);
}

// grad_output for every sample, [N], with its share of a mean.
Value sample_gradient(Lowering& l, int64_t samples, DType dtype) {
  const Value grad = l.tensor("grad_output", dtype);
  if (l.integer("reduction") == at::Reduction::None) return hlo::reshape(grad, {samples});
  const bool mean = l.integer("reduction") == at::Reduction::Mean;
  return hlo::broadcast_to(grad, {samples}) / (mean ? static_cast<double>(samples) : 1.0);
}

// Weston and Watkins, "Multi-class support vector machines", 1998.
struct Margins {
  Value hit;        // i1[N,C]: the right class
  Value shortfall;  // [N,C]: by how much each other class comes too near, 0 if it does not
  Value weight;     // [N,C]: of the right class
  int64_t power;
};

Margins margins(Lowering& l) {
  const Value self = l.tensor("self");
  const Dims shape = sample_rows(self.dims());
  const Value x = hlo::reshape(to_compute_type(self), shape);
  const double power = l.constant("p");
  if (power != 1 && power != 2) fail("only p == 1 and p == 2 supported, got {}", power);
  const hlo::Type target = l.type("target");
  if (target.elements() != shape[0])
    fail("inconsistent target size, expected {} but got {}", shape[0], to_string(target));
  const Value column = hlo::reshape(l.tensor("target", DType::I64), {shape[0]});
  const Value hit = compare(Direction::Eq, stretch(column, shape, {1}),
                            hlo::iota(l.graph(), {DType::I64, shape}, 1));
  const auto right = [&](Value y) {
    return stretch(reduce_sum(select(hit, y, fill_like(y, 0)), {1}), shape, {1});
  };
  const Value short_of = l.scalar_like("margin", x) - right(x) + x;
  const Value none = fill_like(x, 0);
  const Value near = compare(Direction::Gt, short_of, none) & ~hit;
  const Value weight = per_class(l, "weight", shape, x.dtype());
  return {hit, select(near, short_of, none), right(weight), static_cast<int64_t>(power)};
}

Results multi_margin_loss(Lowering& l) {
  const auto [hit, shortfall, weight, power] = margins(l);
  const Value each = power == 1 ? shortfall : shortfall * shortfall;
  const Value losses = reduce_sum(each * weight, {1}) / static_cast<double>(hit.dim(1));
  return reduced_samples(l, losses, l.type("self"));
}

// What the others get, the right class loses.
Results multi_margin_loss_backward(Lowering& l) {
  const auto [hit, shortfall, weight, power] = margins(l);
  const Dims& shape = hit.dims();
  const Value grad = sample_gradient(l, shape[0], weight.dtype()) / static_cast<double>(shape[1]);
  const Value slope = power == 1 ? hlo::sign(shortfall) : shortfall * 2;
  const Value others = slope * weight * stretch(grad, shape, {1});
  const Value own = stretch(-reduce_sum(others, {1}), shape, {1});
  const hlo::Type self = l.type("self");
  return hlo::reshape(hlo::convert(select(hit, own, others), self.dtype), self.dims);
}

// Several right classes a sample: the targets up to the first that is negative. Pairs of a target
// and another class are [N, targets, C].
struct LabelPairs {
  Value is_label;   // i1[N,targets,C]: the class that the target names
  Value right;      // i1[N,C]: whether any target names the class
  Value shortfall;  // [N,targets,C]: of each other class, 0 if it is far enough
};

LabelPairs label_pairs(Lowering& l) {
  const Value self = l.tensor("self");
  const Dims shape = sample_rows(self.dims());
  if (l.type("target").dims != self.dims())
    fail("inconsistent target size: {} for {}", to_string(l.type("target")),
         to_string(self.type()));
  const Value x = hlo::reshape(to_compute_type(self), shape);
  const Value target = hlo::reshape(l.tensor("target", DType::I64), shape);
  const Value ended = compare(Direction::Lt, target, fill_like(target, 0));
  const Value valid =
      compare(Direction::Eq, running_sum(hlo::convert(ended, DType::I64), 1), fill_like(target, 0));
  const Dims pairs{shape[0], shape[1], shape[1]};
  const Value named = compare(Direction::Eq, stretch(target, pairs, {2}),
                              hlo::iota(l.graph(), {DType::I64, pairs}, 2));
  const Value is_label = named & stretch(valid, pairs, {2});
  const Value right = reduce_or(is_label, {1});
  const Value other = stretch(x, pairs, {1}), none = fill_like(other, 0);
  const Value own = stretch(reduce_sum(select(is_label, other, none), {2}), pairs, {2});
  const Value short_of = 1 - own + other;
  const Value near = compare(Direction::Gt, short_of, none) & ~stretch(right, pairs, {1}) &
                     stretch(valid, pairs, {2});
  return {is_label, right, select(near, short_of, none)};
}

// Results: the loss, and 1 for every right class.
Results multilabel_margin_loss(Lowering& l) {
  const LabelPairs pairs = label_pairs(l);
  const hlo::Type self = l.type("self");
  const auto classes = static_cast<double>(std::max<int64_t>(pairs.right.dim(1), 1));
  const Value losses = reduce_sum(pairs.shortfall, {1, 2}) / classes;
  return {reduced_samples(l, losses, self),
          hlo::reshape(hlo::convert(pairs.right, self.dtype), self.dims)};
}

Results multilabel_margin_loss_backward(Lowering& l) {
  const LabelPairs pairs = label_pairs(l);
  const hlo::Type self = l.type("self");
  const Dims& shape = pairs.shortfall.dims();
  const Value slope = hlo::sign(pairs.shortfall);
  const Value lost = stretch(reduce_sum(slope, {2}), shape, {2});
  const Value own = reduce_sum(select(pairs.is_label, lost, fill_like(lost, 0)), {1});
  const Value others = reduce_sum(slope, {1});
  const Value grad = sample_gradient(l, shape[0], slope.dtype()) /
                     static_cast<double>(std::max<int64_t>(shape[2], 1));
  const Value gradient = (others - own) * stretch(grad, others.dims(), {1});
  return hlo::reshape(hlo::convert(gradient, self.dtype), self.dims);
}

constexpr OpRow kRows[] = {
    {"aten::_ctc_loss", ctc_loss},
    {"aten::_ctc_loss_backward", ctc_loss_backward},
    {"aten::nll_loss2d_forward", of_images<nll_loss>},
    {"aten::nll_loss2d_backward", of_images<nll_loss_backward>},
    {"aten::multi_margin_loss", multi_margin_loss},
    {"aten::multi_margin_loss_backward", multi_margin_loss_backward},
    {"aten::multilabel_margin_loss_forward", multilabel_margin_loss},
    {"aten::multilabel_margin_loss_backward", multilabel_margin_loss_backward},
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
