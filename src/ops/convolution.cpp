// Convolutions over any number of spatial dims, plain and transposed, and their gradients.
//
// A convolution is linear in its input and in its kernel. It, its adjoint in the input and its
// adjoint in the kernel are three functions; a transposed convolution is the adjoint in the input,
// so the same three give its gradients.

#include <algorithm>

#include "ops/compute.h"
#include "ops/table.h"
#include "ops/windows.h"

namespace ippatsu::ops {

namespace {

constexpr size_t kSpatial = 2;  // the first spatial dim, after batch and channels

// How a kernel moves over an input: a number per spatial dim.
struct Sliding {
  Dims stride, padding, dilation;
  int64_t groups = 1;
};

Dims spatial_extents(Value x) { return {x.dims().begin() + kSpatial, x.dims().end()}; }

// The distance from the first element under the kernel to the last, along spatial dim i.
int64_t reach(const Sliding& s, size_t i, int64_t size) { return s.dilation[i] * (size - 1); }

// What `places` elements cover that lie `stride` apart.
int64_t covered(int64_t places, int64_t stride) {
  return places == 0 ? 0 : (places - 1) * stride + 1;
}

// XLA's compilers differ in what they make of operands without elements: the result is zero.
Value convolve(Value x, Value kernel, const hlo::Convolution& options) {
  const Value result = hlo::convolution(x, kernel, options);
  const bool empty = x.type().elements() == 0 || kernel.type().elements() == 0;
  return empty || result.type().elements() == 0 ? fill_like(result, 0) : result;
}

// The plain convolution, of a kernel [out channels, in channels of a group, ...].
Value correlate(Value x, Value kernel, const Sliding& s, Dims padding_behind) {
  return convolve(x, kernel,
                  {.window = {.strides = s.stride,
                              .low = s.padding,
                              .high = std::move(padding_behind),
                              .window_dilation = s.dilation},
                   .feature_groups = s.groups});
}

// A kernel seen from its outputs: [groups * a, b, ...] becomes [a, groups * b, ...].
Value turned(Value kernel, int64_t groups) {
  if (groups == 1) return kernel;
  Dims split = kernel.dims(), merged = split;
  split[0] /= groups;
  split.insert(split.begin(), groups);
  merged[0] /= groups;
  merged[1] *= groups;
  Dims order = all_dims(kernel);
  order.push_back(kernel.rank());
  std::swap(order[0], order[1]);
  return hlo::reshape(hlo::transpose(hlo::reshape(kernel, split), order), merged);
}

// The adjoint of `correlate` in x: each element of y is spread over what it was made from, in a
// result of these spatial extents.
Value spread(Value y, Value kernel, const Sliding& s, const Dims& extents) {
  Dims low, high, spatial;
  for (size_t i = 0; i < extents.size(); ++i) {
    const int64_t places = y.dims()[i + kSpatial], size = kernel.dims()[i + kSpatial];
    low.push_back(reach(s, i, size) - s.padding[i]);
    high.push_back(extents[i] + s.padding[i] - covered(places, s.stride[i]));
    spatial.push_back(static_cast<int64_t>(i + kSpatial));
  }
  return convolve(y, hlo::reverse(turned(kernel, s.groups), spatial),
                  {.window = {.low = low,
                              .high = high,
                              .base_dilation = s.stride,
                              .window_dilation = s.dilation},
                   .kernel = {.output = 1, .input = 0},
                   .feature_groups = s.groups});
}

// The adjoint of `correlate` in the kernel: x correlated with y, the batch summed over as channels
// are in a convolution, the channels of x taking the batch's place.
Value kernel_gradient(Value x, Value y, const Sliding& s, const Dims& sizes) {
  Dims high;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const int64_t extent = x.dims()[i + kSpatial], places = y.dims()[i + kSpatial];
    high.push_back(reach(s, i, sizes[i]) + covered(places, s.stride[i]) - extent - s.padding[i]);
  }
  return convolve(x, y,
                  {.window = {.strides = s.dilation,
                              .low = s.padding,
                              .high = high,
                              .window_dilation = s.stride},
                   .input = {.batch = 1, .feature = 0},
                   .kernel = {.output = 1, .input = 0},
                   .output = {.batch = 1, .feature = 0},
                   .batch_groups = s.groups});
}

// What both rows are called with.
struct Call {
  Value input, kernel;
  Sliding sliding;
  Dims output_padding;
  bool transposed;
};

void check_operands(Value input, Value kernel, int64_t groups) {
  if (input.rank() < 3 || input.rank() != kernel.rank())
    fail("expected an input and a weight of the same rank, at least 3, got {} and {}",
         to_string(input.type()), to_string(kernel.type()));
  if (input.dtype() != kernel.dtype())
    fail("expected an input and a weight of one element type, got {} and {}",
         to_string(input.type()), to_string(kernel.type()));
  if (kernel.type().elements() == 0)
    fail("expected a weight that is not empty, got {}", to_string(kernel.type()));
  if (kernel.dim(0) % groups != 0)
    fail("the first dim of the weight {} does not divide into {} groups", to_string(kernel.type()),
         groups);
}

Call read_call(Lowering& l) {
  const Value input = l.tensor("input"), kernel = l.tensor("weight");
  const int64_t groups = l.integer("groups");
  if (groups < 1) fail("groups should be at least 1, got {}", groups);
  check_operands(input, kernel, groups);
  const size_t count = input.dims().size() - kSpatial;
  return {.input = input,
          .kernel = kernel,
          .sliding = {.stride = window_numbers(l, "stride", count, 1),
                      .padding = window_numbers(l, "padding", count, 0),
                      .dilation = window_numbers(l, "dilation", count, 1),
                      .groups = groups},
          .output_padding = window_numbers(l, "output_padding", count, 0),
          .transposed = l.flag("transposed")};
}

// The extents of the result of a transposed convolution.
Dims spread_extents(const Call& c) {
  const Sliding& s = c.sliding;
  Dims extents;
  for (size_t i = 0; i < c.output_padding.size(); ++i) {
    if (c.output_padding[i] >= std::max(s.stride[i], s.dilation[i]))
      fail(
          "output padding must be smaller than either stride or dilation, but got {} for {} and "
          "{}",
          c.output_padding[i], s.stride[i], s.dilation[i]);
    const int64_t places = c.input.dims()[i + kSpatial], size = c.kernel.dims()[i + kSpatial];
    extents.push_back((places - 1) * s.stride[i] + reach(s, i, size) + 1 - 2 * s.padding[i] +
                      c.output_padding[i]);
    if (extents.back() < 1)
      fail("the output size {} along spatial dim {} is too small", extents.back(), i);
  }
  return extents;
}

Value with_bias(Value x, Value bias) {
  if (bias.rank() != 1 || bias.dim(0) != x.dim(1))
    fail("expected a bias of {} elements, got {}", x.dim(1), to_string(bias.type()));
  return computed(x, bias,
                  [](Value y, Value b) { return y + hlo::broadcast_in_dim(b, y.dims(), {1}); });
}

Results convolution(Lowering& l) {
  const Call c = read_call(l);
  const Value result = c.transposed ? spread(c.input, c.kernel, c.sliding, spread_extents(c))
                                    : correlate(c.input, c.kernel, c.sliding, c.sliding.padding);
  const auto bias = l.optional_tensor("bias");
  return bias ? with_bias(result, *bias) : result;
}

Value input_gradient(const Call& c, Value gradient) {
  if (!c.transposed) return spread(gradient, c.kernel, c.sliding, spatial_extents(c.input));
  Dims high = c.sliding.padding;  // nothing of the input was spread over the output padding
  for (size_t i = 0; i < high.size(); ++i) high[i] -= c.output_padding[i];
  return correlate(gradient, c.kernel, c.sliding, high);
}

Value weight_gradient(const Call& c, Value gradient) {
  return c.transposed ? kernel_gradient(gradient, c.input, c.sliding, spatial_extents(c.kernel))
                      : kernel_gradient(c.input, gradient, c.sliding, spatial_extents(c.kernel));
}

Value bias_gradient(Value gradient) {
  Dims dims = all_dims(gradient);
  dims.erase(dims.begin() + 1);
  return computed(gradient, [&](Value g) { return reduce_sum(g, dims); });
}

void check_gradient(Value gradient, Value input) {
  if (gradient.rank() != input.rank() || gradient.dtype() != input.dtype())
    fail("expected a gradient of the input's rank and element type, got {} for {}",
         to_string(gradient.type()), to_string(input.type()));
}

Results convolution_backward(Lowering& l) {
  const Call c = read_call(l);
  const Value gradient = l.tensor("grad_output");
  check_gradient(gradient, c.input);
  const Value none;
  return {l.mask("output_mask", 0) ? input_gradient(c, gradient) : none,
          l.mask("output_mask", 1) ? weight_gradient(c, gradient) : none,
          l.mask("output_mask", 2) ? bias_gradient(gradient) : none};
}

constexpr OpRow kRows[] = {
    {"aten::convolution_overrideable", convolution},
    {"aten::convolution_backward_overrideable", convolution_backward},
};

}  // namespace

std::span<const OpRow> convolution_rows() { return kRows; }

}  // namespace ippatsu::ops
