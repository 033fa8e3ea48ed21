#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "hlo/builder.h"
#include "hlo/builder_parts.h"

namespace ippatsu::hlo {

namespace {

constexpr int64_t kLimit = int64_t{1} << 31;  // a product of two such numbers does not overflow

void fill(Dims& list, size_t count, int64_t value) {
  if (list.empty()) list.assign(count, value);
}

// With every list written out and checked.
Window completed(std::string_view what, Window window) {
  const size_t count = window.sizes.size();
  for (Dims* list : {&window.strides, &window.base_dilation, &window.window_dilation})
    fill(*list, count, 1);
  for (Dims* list : {&window.low, &window.high}) fill(*list, count, 0);
  for (const Dims* list : {&window.strides, &window.base_dilation, &window.window_dilation}) {
    check_count(what, "numbers of the window", *list, static_cast<int64_t>(count));
    if (std::ranges::any_of(*list, [](int64_t n) { return n < 1 || n >= kLimit; }))
      fail("{} wants strides and dilations of at least 1, got [{}]", what, fmt::join(*list, ","));
  }
  for (const Dims* list : {&window.low, &window.high}) {
    check_count(what, "numbers of the window", *list, static_cast<int64_t>(count));
    if (std::ranges::any_of(*list, [](int64_t n) { return n <= -kLimit || n >= kLimit; }))
      fail("{} cannot pad by [{}]", what, fmt::join(*list, ","));
  }
  return window;
}

int64_t dilated(int64_t extent, int64_t dilation) {
  return extent == 0 ? 0 : (extent - 1) * dilation + 1;
}

// How many places the window has along spatial dim `i` of an operand that long.
int64_t places(std::string_view what, const Window& window, size_t i, int64_t extent) {
  const int64_t size = window.sizes[i];
  if (extent >= kLimit || size < 0 || size >= kLimit)
    fail("{} cannot move a window of {} over {}", what, size, extent);
  const int64_t padded = window.low[i] + dilated(extent, window.base_dilation[i]) + window.high[i];
  if (padded < 0)
    fail("{}: padding of {} and {} leaves nothing of {}", what, window.low[i], window.high[i],
         extent);
  const int64_t covered = dilated(size, window.window_dilation[i]);
  return padded == 0 || covered > padded ? 0 : (padded - covered) / window.strides[i] + 1;
}

Dims places(std::string_view what, const Window& window, const Dims& extents) {
  check_count(what, "sizes of the window", window.sizes, static_cast<int64_t>(extents.size()));
  if (std::ranges::any_of(window.sizes, [](int64_t size) { return size < 1; }))
    fail("{} wants a window of at least 1, got [{}]", what, fmt::join(window.sizes, ","));
  Dims dims;
  for (size_t i = 0; i < extents.size(); ++i) dims.push_back(places(what, window, i, extents[i]));
  return dims;
}

// --- convolution: the numbers of dims as one list, first the two that are not spatial

constexpr const char* kConvolution = "convolution";

Dims all_dims(int64_t first, int64_t second, const Dims& spatial, int64_t rank) {
  Dims dims = {first, second};
  if (!spatial.empty()) {
    dims.insert(dims.end(), spatial.begin(), spatial.end());
  } else {
    for (int64_t dim = 0; dim < rank; ++dim)
      if (dim != first && dim != second) dims.push_back(dim);
  }
  Dims sorted = dims, every(static_cast<size_t>(rank));
  std::ranges::sort(sorted);
  std::iota(every.begin(), every.end(), 0);
  if (sorted != every)
    fail("convolution wants each of {} dims to have one meaning, got [{}]", rank,
         fmt::join(dims, ","));
  return dims;
}

Dims spatial_extents(Value x, const Dims& dims) {
  Dims extents;
  for (size_t i = 2; i < dims.size(); ++i) extents.push_back(x.dim(dims[i]));
  return extents;
}

void check_groups(int64_t batch, int64_t features, int64_t kernel_in, int64_t kernel_out,
                  const Convolution& c) {
  const int64_t groups = c.feature_groups, batches = c.batch_groups;
  if (groups < 1 || batches < 1 || (groups > 1 && batches > 1))
    fail("convolution wants groups of features or of the batch, got {} and {}", groups, batches);
  if (features % groups != 0 || kernel_out % groups != 0 || kernel_in != features / groups)
    fail("convolution: {} features in {} groups and a kernel of {} to {} do not match", features,
         groups, kernel_in, kernel_out);
  if (batch % batches != 0 || kernel_out % batches != 0)
    fail("convolution: a batch of {} and {} features do not divide into {} groups", batch,
         kernel_out, batches);
}

Dims reversal(const Convolution& c, size_t spatial) {
  Dims flags(c.reversal.begin(), c.reversal.end());
  fill(flags, spatial, 0);
  check_count(kConvolution, "flags of reversal", flags, static_cast<int64_t>(spatial));
  return flags;
}

Window kernel_window(const Convolution& c, Value kernel, const Dims& kernel_dims) {
  Window window = c.window;
  const Dims sizes = spatial_extents(kernel, kernel_dims);
  if (!window.sizes.empty() && window.sizes != sizes)
    fail("convolution: a window of [{}] does not fit the kernel {}", fmt::join(window.sizes, ","),
         to_string(kernel.type()));
  window.sizes = sizes;
  return completed(kConvolution, std::move(window));
}

}  // namespace

Value convolution(Value x, Value kernel, const Convolution& c) {
  if (x.dtype() != kernel.dtype() || x.rank() != kernel.rank() || x.rank() < 2)
    fail("convolution wants an input and a kernel of one element type and rank, got {} and {}",
         to_string(x.type()), to_string(kernel.type()));
  const Dims input = all_dims(c.input.batch, c.input.feature, c.input.spatial, x.rank());
  const Dims kernel_dims = all_dims(c.kernel.output, c.kernel.input, c.kernel.spatial, x.rank());
  const Dims output = all_dims(c.output.batch, c.output.feature, c.output.spatial, x.rank());
  const Window window = kernel_window(c, kernel, kernel_dims);
  const int64_t features = kernel.dim(kernel_dims[0]);
  check_groups(x.dim(input[0]), x.dim(input[1]), kernel.dim(kernel_dims[1]), features, c);
  const Dims extents = spatial_extents(x, input);
  Dims result(output.size());
  result[static_cast<size_t>(output[0])] = x.dim(input[0]) / c.batch_groups;
  result[static_cast<size_t>(output[1])] = features;
  for (size_t i = 0; i < extents.size(); ++i)
    result[static_cast<size_t>(output[i + 2])] = places(kConvolution, window, i, extents[i]);
  return x.graph().add(Opcode::Convolution, {x.dtype(), std::move(result)}, {x, kernel},
                       join_lists({window.strides, window.low, window.high, window.base_dilation,
                                   window.window_dilation, reversal(c, extents.size()), input,
                                   kernel_dims, output, Dims{c.feature_groups, c.batch_groups}}));
}

namespace {

constexpr const char* kReduceWindow = "reduce_window";

Attributes attributes(const Window& window) {
  return join_lists({window.sizes, window.strides, window.low, window.high, window.base_dilation,
                     window.window_dilation});
}

}  // namespace

Value reduce_window(Combiner combiner, Value x, Value initial, const Window& window) {
  check_initials(kReduceWindow, {x}, {initial});
  const Window full = completed(kReduceWindow, window);
  return x.graph().add(Opcode::ReduceWindow, {x.dtype(), places(kReduceWindow, full, x.dims())},
                       {x, initial}, attributes(full), {combiner_region(combiner, x.dtype())});
}

Values reduce_window(const Values& operands, const Values& initials, const Window& window,
                     const Body& body) {
  check_operands(kReduceWindow, operands);
  check_initials(kReduceWindow, operands, initials);
  const Window full = completed(kReduceWindow, window);
  const Dims dims = places(kReduceWindow, full, operands[0].dims());
  return results(operands[0].graph().add(Opcode::ReduceWindow, types_of(operands, dims),
                                         chain(operands, initials), attributes(full),
                                         {reduction_region(kReduceWindow, operands, body)}));
}

Value select_and_scatter(Value x, Value source, Value initial, const Window& window,
                         const Body& select, Combiner combiner) {
  constexpr const char* kName = "select_and_scatter";
  check_initials(kName, {x}, {initial});
  const Window full = completed(kName, window);
  if (full.base_dilation != ones(x.rank()) || full.window_dilation != ones(x.rank()))
    fail("select_and_scatter has no dilations");
  const Type wanted{x.dtype(), places(kName, full, x.dims())};
  if (source.type() != wanted)
    fail("select_and_scatter wants a source {}, got {}", to_string(wanted),
         to_string(source.type()));
  const auto region = make_region(std::array{x.dtype(), x.dtype()}, select);
  check_results(kName, *region, {{DType::Pred, {}}});
  return x.graph().add(Opcode::SelectAndScatter, x.type(), {x, source, initial}, attributes(full),
                       {region, combiner_region(combiner, x.dtype())});
}

}  // namespace ippatsu::hlo
