// Layer, batch, group and weight normalization, softmax, and slices kept short.

#include <algorithm>

#include <fmt/ranges.h>

#include "ops/compute.h"
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

struct Moments {
  Value mean, variance;
};

Moments moments(Value x, const Dims& dims) {
  const double n = count(x, dims);
  const Value mean = reduce_sum(x, dims) / n;
  const Value deviation = centred(x, mean, dims);
  return {mean, reduce_sum(deviation * deviation, dims) / n};
}

// Mean and deviation have the input's type, but that of the parameters if these are wider.
DType statistics_type(Lowering& l, std::initializer_list<std::string_view> parameters) {
  const DType dtype = l.type("input").dtype;
  for (const std::string_view name : parameters) {
    if (l.has(name)) return l.type(name).dtype == DType::F32 ? DType::F32 : dtype;
  }
  return dtype;
}

// Ba, Kiros and Hinton, "Layer normalization", 2016: y = (x - mean) * rstd * weight + bias.
// Results: y, mean, rstd; the last two keep the normalized dims as 1.
Results layer_norm(Lowering& l) {
  const Value input = l.tensor("input");
  const Value x = to_compute_type(input);
  const Dims dims = normalized_dims(l, x);
  const auto [mean, variance] = moments(x, dims);
  const Value inverse = hlo::rsqrt(variance + l.constant("eps"));
  Value y = centred(x, mean, dims) * stretch(inverse, x.dims(), dims);
  if (l.has("weight")) y = y * hlo::broadcast_to(l.tensor("weight", x.dtype()), x.dims());
  if (l.has("bias")) y = y + hlo::broadcast_to(l.tensor("bias", x.dtype()), x.dims());
  const DType kept = statistics_type(l, {"weight", "bias"});
  return {hlo::convert(y, input.dtype()), hlo::convert(keep_dims(mean, x.dims(), dims), kept),
          hlo::convert(keep_dims(inverse, x.dims(), dims), kept)};
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

// --- batches (Ioffe and Szegedy, "Batch normalization", 2015): every channel, dim 1, by itself

Value batch_input(Lowering& l) {
  const Value input = floating_tensor(l, "input");
  if (input.rank() < 2) fail("a batch has at least 2 dims, got {}", to_string(input.type()));
  return input;
}

Dims all_but_channels(Value x) {
  Dims dims = all_dims(x);
  dims.erase(dims.begin() + 1);
  return dims;
}

void check_channels(Lowering& l, std::string_view name, Value x) {
  if (l.type(name).dims != Dims{x.dim(1)})
    fail("{} should contain {} elements, got {}", name, x.dim(1), to_string(l.type(name)));
}

// A number per channel, along all others.
Value along_channels(Value per_channel, Value x) {
  return stretch(per_channel, x.dims(), all_but_channels(x));
}

Value channel_parameter(Lowering& l, std::string_view name, Value x, double missing) {
  if (!l.has(name)) return fill_like(x, missing);
  check_channels(l, name, x);
  return along_channels(l.tensor(name, x.dtype()), x);
}

// (x - mean) * inverse * weight + bias, the statistics per channel.
Value normalized_channels(Lowering& l, Value x, Value mean, Value inverse) {
  const Value h = (x - along_channels(mean, x)) * along_channels(inverse, x);
  return h * channel_parameter(l, "weight", x, 1) + channel_parameter(l, "bias", x, 0);
}

DType channel_type(Lowering& l, bool running) {
  return running ? statistics_type(l, {"weight", "bias", "running_mean", "running_var"})
                 : statistics_type(l, {"weight", "bias"});
}

void move_towards(Lowering& l, std::string_view name, Value x, Value target) {
  if (!l.has(name)) return;
  check_channels(l, name, x);
  const Value old = l.tensor(name, target.dtype());
  const double momentum = l.constant("momentum");
  l.write(name, target * momentum + old * (1 - momentum));
}

enum class Running { None, Kept };

// Results: y, and the batch's mean and inverse deviation. The running statistics get their share,
// the variance of them without bias.
Results train_on_batch(Lowering& l, Running running) {
  const Value input = batch_input(l), x = to_compute_type(input);
  if (x.type().elements() == 0)
    fail("input tensor must have at least one element, but got {}", to_string(x.type()));
  const Dims dims = all_but_channels(x);
  const auto [mean, variance] = moments(x, dims);
  const Value inverse = hlo::rsqrt(variance + l.constant("eps"));
  const DType kept = channel_type(l, running == Running::Kept);
  if (running == Running::Kept) {
    const double n = count(x, dims);
    move_towards(l, "running_mean", x, mean);
    move_towards(l, "running_var", x, variance * (n / (n - 1)));
  }
  return {hlo::convert(normalized_channels(l, x, mean, inverse), input.dtype()),
          hlo::convert(mean, kept), hlo::convert(inverse, kept)};
}

Value running_inverse(Lowering& l, DType dtype) {
  return hlo::rsqrt(l.tensor("running_var", dtype) + l.constant("eps"));
}

// With the running statistics; none of the batch are left.
Results apply_to_batch(Lowering& l) {
  const Value input = batch_input(l), x = to_compute_type(input);
  for (const std::string_view name : {"running_mean", "running_var"}) {
    if (!l.has(name)) fail("{} must be defined in evaluation mode", name);
    check_channels(l, name, x);
  }
  const Value y =
      normalized_channels(l, x, l.tensor("running_mean", x.dtype()), running_inverse(l, x.dtype()));
  const Value none = hlo::constant(l.graph(), {channel_type(l, true), {0}}, 0);
  return {hlo::convert(y, input.dtype()), none, none};
}

Results batch_norm(Lowering& l) {
  return l.flag("training") ? train_on_batch(l, Running::Kept) : apply_to_batch(l);
}

Results batch_norm_without_statistics(Lowering& l) {
  if (!l.flag("training")) fail("running_mean must be defined in evaluation mode");
  return train_on_batch(l, Running::None);
}

// The fourth result is what cuDNN would keep for backward.
Results batch_norm_with_update(Lowering& l) {
  Values results = train_on_batch(l, Running::Kept).values();
  results.push_back(hlo::constant(l.graph(), {DType::U8, {0}}, 0));
  return results;
}

// With h = (x - mean) * inverse and g = grad * weight, of a channel with statistics of its own:
//   dx = inverse * (g - mean(g) - h * mean(g * h)); with running ones: dx = inverse * g.
Results batch_gradients(Lowering& l, bool train, std::string_view inverse_name) {
  const Value input = batch_input(l), x = to_compute_type(input);
  const Dims dims = all_but_channels(x);
  const Value grad = l.tensor("grad_out", x.dtype());
  const Value mean = l.tensor(train ? "save_mean" : "running_mean", x.dtype());
  const Value scale = train ? l.tensor(inverse_name, x.dtype()) : running_inverse(l, x.dtype());
  const Value inverse = along_channels(scale, x);
  const Value h = (x - along_channels(mean, x)) * inverse;
  const Value dweight = reduce_sum(grad * h, dims), dbias = reduce_sum(grad, dims);
  const double n = count(x, dims);
  const Value own = grad - along_channels(dbias / n, x) - h * along_channels(dweight / n, x);
  const Value dx = (train ? own : grad) * channel_parameter(l, "weight", x, 1) * inverse;
  const DType kept = l.has("weight") ? l.type("weight").dtype : input.dtype();
  const auto wanted = [&](size_t index, Value gradient, DType dtype) {
    return l.mask("output_mask", index) ? hlo::convert(gradient, dtype) : Value();
  };
  return {wanted(0, dx, input.dtype()), wanted(1, dweight, kept), wanted(2, dbias, kept)};
}

Results native_batch_norm_backward(Lowering& l) {
  return batch_gradients(l, l.flag("train"), "save_invstd");
}

Results batch_norm_backward(Lowering& l) {
  return batch_gradients(l, l.flag("update"), "save_var");
}

// --- groups of channels (Wu and He, "Group normalization", 2018)

// x as [N, groups, channels of a group, places]; `dims` are those that a group spans.
struct Groups {
  Dims shape;
  Dims dims{2, 3};
};

Groups groups(Lowering& l) {
  const int64_t batch = l.integer("N"), channels = l.integer("C"), number = l.integer("group");
  if (batch < 0 || channels < 0 || l.integer("HxW") < 0)
    fail("N, C and HxW are sizes, got {}, {} and {}", batch, channels, l.integer("HxW"));
  if (number <= 0 || channels % number != 0)
    fail(
        "Expected number of channels in input to be divisible by num_groups, but got {} channels "
        "and num_groups={}",
        channels, number);
  return {{batch, number, channels / number, l.integer("HxW")}};
}

// A number per channel, along all others.
Value along_group_channels(Lowering& l, std::string_view name, const Groups& groups, DType dtype) {
  const Value parameter = l.tensor(name, dtype);
  if (parameter.type().elements() != l.integer("C"))
    fail("{} should contain {} elements, got {}", name, l.integer("C"),
         to_string(parameter.type()));
  return stretch(hlo::reshape(parameter, {groups.shape[1], groups.shape[2]}), groups.shape, {0, 3});
}

// Results: y, and mean and inverse deviation of each group, [N, groups].
Results group_norm(Lowering& l) {
  const Value input = floating_tensor(l, "input");
  const Groups g = groups(l);
  const Value x = hlo::reshape(to_compute_type(input), g.shape);
  const auto [mean, variance] = moments(x, g.dims);
  const Value inverse = hlo::rsqrt(variance + l.constant("eps"));
  Value y = centred(x, mean, g.dims) * stretch(inverse, g.shape, g.dims);
  if (l.has("weight")) y = y * along_group_channels(l, "weight", g, x.dtype());
  if (l.has("bias")) y = y + along_group_channels(l, "bias", g, x.dtype());
  const DType kept = statistics_type(l, {"weight", "bias"});
  return {hlo::reshape(hlo::convert(y, input.dtype()), input.dims()), hlo::convert(mean, kept),
          hlo::convert(inverse, kept)};
}

// As for a layer, the group in its place.
Results group_norm_backward(Lowering& l) {
  const Value input = l.tensor("input");
  const Groups g = groups(l);
  const Value x = hlo::reshape(to_compute_type(input), g.shape);
  const auto grouped = [&](std::string_view name) {
    return stretch(hlo::reshape(l.tensor(name, x.dtype()), {g.shape[0], g.shape[1]}), g.shape,
                   g.dims);
  };
  const Value inverse = grouped("rstd"), h = (x - grouped("mean")) * inverse;
  const Value grad = hlo::reshape(l.tensor("grad_out", x.dtype()), g.shape);
  const Value scaled =
      l.has("weight") ? grad * along_group_channels(l, "weight", g, x.dtype()) : grad;
  const auto average = [&](Value y) {
    return stretch(reduce_sum(y, g.dims) / count(x, g.dims), g.shape, g.dims);
  };
  const DType kept = l.has("weight") ? l.type("weight").dtype : input.dtype();
  const auto per_channel = [&](size_t index, Value y) {
    if (!l.mask("output_mask", index)) return Value();
    return hlo::convert(hlo::reshape(reduce_sum(y, {0, 3}), {l.integer("C")}), kept);
  };
  Value dx;
  if (l.mask("output_mask", 0)) {
    const Value own = inverse * (scaled - average(scaled) - h * average(scaled * h));
    dx = hlo::reshape(hlo::convert(own, input.dtype()), input.dims());
  }
  return {dx, per_channel(1, grad * h), per_channel(2, grad)};
}

// --- every slice along a dim no longer than maxnorm

Results renorm(Lowering& l) {
  const Value self = l.tensor("self");
  const double p = l.constant("p");
  if (!(p > 0)) fail("renorm: non-positive-norm not supported, got p={}", p);
  if (self.rank() < 2)
    fail("renorm: input needs at least 2 dimensions, got {} dimensions", self.rank());
  if (l.constant("maxnorm") < 0)
    fail("renorm: expected maxnorm to be >= 0 but got {}", l.constant("maxnorm"));
  Dims others = all_dims(self);
  others.erase(others.begin() + l.dim("dim", self.rank()));
  const Value x = to_compute_type(self), norm = p_norm(hlo::abs(x), others, p);
  const Value limit = l.scalar_like("maxnorm", norm);
  const Value factor =
      select(compare(hlo::Direction::Gt, norm, limit), limit / (norm + 1e-7), fill_like(norm, 1));
  return hlo::convert(x * hlo::convert(stretch(factor, x.dims(), others), x.dtype()), self.dtype());
}

// --- softmax

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

// --- a weight as a direction v and a length g (Salimans and Kingma, "Weight normalization", 2016)

struct Direction {
  Value v, g;
  Dims others;  // the dims that each length is over

  Value stretched(Value lengths) const { return hlo::broadcast_to(lengths, v.dims()); }
  Value summed(Value x) const { return keep_dims(reduce_sum(x, others), x.dims(), others); }
};

Direction direction(Lowering& l, std::string_view v, std::string_view g) {
  const Value whole = to_compute_type(floating_tensor(l, v));
  Dims others = all_dims(whole);
  if (!others.empty()) others.erase(others.begin() + l.dim("dim", whole.rank()));
  return {whole, to_compute_type(l.tensor(g)), others};
}

Results weight_norm(Lowering& l) {
  const Direction d = direction(l, "v", "g");
  const Value norms = sqrt(d.summed(d.v * d.v));
  return {hlo::convert(d.v * d.stretched(d.g / norms), l.type("v").dtype), norms};
}

Results weight_norm_backward(Lowering& l) {
  const Direction d = direction(l, "saved_v", "saved_g");
  const Value grad = to_compute_type(l.tensor("grad_w")), norms = l.tensor("saved_norms");
  const Value along = d.summed(grad * d.v) / norms;
  const Value across = grad - d.v * d.stretched(along / norms);
  return {hlo::convert(across * d.stretched(d.g / norms), l.type("saved_v").dtype),
          hlo::convert(along, l.type("saved_g").dtype)};
}

constexpr OpRow kRows[] = {
    {"aten::_weight_norm_interface", weight_norm},
    {"aten::_weight_norm_interface_backward", weight_norm_backward},
    {"aten::native_layer_norm", layer_norm},
    {"aten::native_layer_norm_backward", layer_norm_backward},
    {"aten::native_batch_norm", batch_norm},
    {"aten::_native_batch_norm_legit", batch_norm},
    {"aten::_native_batch_norm_legit.no_stats", batch_norm_without_statistics},
    {"aten::_batch_norm_with_update", batch_norm_with_update},
    {"aten::native_batch_norm_backward", native_batch_norm_backward},
    {"aten::batch_norm_backward", batch_norm_backward},
    {"aten::native_group_norm", group_norm},
    {"aten::native_group_norm_backward", group_norm_backward},
    {"aten::renorm", renorm},
    {"aten::_softmax", softmax},
    {"aten::_softmax_backward_data", softmax_backward},
    {"aten::_log_softmax", log_softmax},
    {"aten::_log_softmax_backward_data", log_softmax_backward},
};

}  // namespace

std::span<const OpRow> normalization_rows() { return kRows; }

}  // namespace ippatsu::ops
