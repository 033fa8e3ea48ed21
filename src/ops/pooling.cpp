// Planes (the last one to three dims) made smaller, window by window: averages and maxima, and what
// flows back through them.
//
// Positions that come with maxima count the elements of a plane in row-major order. They are not
// checked when they come back, as the device cannot raise: one outside of its plane is dropped.

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include <fmt/ranges.h>

#include "ops/compute.h"
#include "ops/table.h"
#include "ops/windows.h"

namespace ippatsu::ops {

namespace {

using hlo::Combiner;
using hlo::Direction;
using hlo::Extremum;

constexpr size_t at(int64_t dim) { return static_cast<size_t>(dim); }

// --- planes: the last `spatial` dims

Dims plane_extents(const Dims& dims, int64_t spatial) { return {dims.end() - spatial, dims.end()}; }

// `dims` with these extents in place of the last ones.
Dims with_extents(Dims dims, const Dims& extents) {
  std::ranges::copy(extents, dims.end() - static_cast<std::ptrdiff_t>(extents.size()));
  return dims;
}

// Channels before the plane, perhaps a batch before them; only the batch may be empty.
void check_planes(const hlo::Type& type, int64_t spatial) {
  const bool batch = type.rank() == spatial + 2;
  const bool fits = batch || type.rank() == spatial + 1;
  if (!fits || std::ranges::count(type.dims.begin() + (batch ? 1 : 0), type.dims.end(), 0) > 0)
    fail("Expected a tensor of {} or {} dims, empty in none but the batch, got {}", spatial + 1,
         spatial + 2, to_string(type));
}

// Lists of planes, each a row.
Value plane_rows(Value x, int64_t spatial) {
  const int64_t size = hlo::element_count(plane_extents(x.dims(), spatial));
  return hlo::reshape(x, {size == 0 ? 0 : x.type().elements() / size, size});
}

// The number of each element in its plane.
Value plane_positions(Value x, int64_t spatial) {
  const Dims extents = plane_extents(x.dims(), spatial);
  const Value numbers = hlo::iota(x.graph(), {DType::I64, {hlo::element_count(extents)}}, 0);
  Dims placement(extents.size());
  std::iota(placement.begin(), placement.end(), x.rank() - spatial);
  return hlo::broadcast_in_dim(hlo::reshape(numbers, extents), x.dims(), placement);
}

// Index vectors (row, position) for rows of positions.
Value row_vectors(Value positions) {
  Dims column = positions.dims();
  column.push_back(1);
  const Value rows = hlo::iota(positions.graph(), {DType::I64, column}, 0);
  return hlo::concatenate({rows, hlo::reshape(positions, column)}, positions.rank());
}

// Planes of zeros with each update combined in at its position.
Value into_planes(Value updates, Value positions, const Dims& dims, int64_t spatial,
                  Combiner combiner) {
  const Value zeros =
      plane_rows(hlo::constant(updates.graph(), {updates.dtype(), dims}, 0), spatial);
  if (updates.type().elements() == 0) return hlo::reshape(zeros, dims);
  const Value rows = plane_rows(updates, spatial);
  const Value vectors = row_vectors(hlo::reshape(positions, rows.dims()));
  return hlo::reshape(hlo::scatter(zeros, vectors, rows,
                                   {.window = {}, .inserted = {0, 1}, .map = {0, 1}}, combiner),
                      dims);
}

// --- windows that lie at equal distances

struct PoolDim {
  int64_t extent, size, stride, padding, dilation, places;
};
using Pool = std::vector<PoolDim>;

// How many places a window has. With `ceil`, also a last one that reaches beyond the padding, as
// long as it begins in the element or in the padding in front.
int64_t places(const PoolDim& d, bool ceil) {
  const int64_t room = d.extent + 2 * d.padding - d.dilation * (d.size - 1) - 1;
  if (room < 0 && (!ceil || room + d.stride - 1 < 0)) return 0;
  const int64_t count = (room + (ceil ? d.stride - 1 : 0)) / d.stride + 1;
  return ceil && (count - 1) * d.stride >= d.extent + d.padding ? count - 1 : count;
}

void check_dim(const PoolDim& d, const hlo::Type& type) {
  if (d.padding > (d.dilation * (d.size - 1) + 1) / 2)
    fail(
        "pad should be at most half of effective kernel size, but got pad={}, kernel_size={} and "
        "dilation={}",
        d.padding, d.size, d.dilation);
  if (d.places < 1)
    fail(
        "a window of {} with dilation {} and padding {} has no place in {}: the output size is "
        "too small",
        d.size, d.dilation, d.padding, to_string(type));
}

Pool read_pool(Lowering& l, const hlo::Type& type, int64_t spatial, const Dims& dilation) {
  check_planes(type, spatial);
  const Dims extents = plane_extents(type.dims, spatial);
  const Dims size = window_numbers(l, "kernel_size", extents.size(), 1),
             padding = window_numbers(l, "padding", extents.size(), 0);
  const Dims stride =
      l.ints("stride").empty() ? size : window_numbers(l, "stride", extents.size(), 1);
  Pool pool;
  for (size_t i = 0; i < extents.size(); ++i) {
    PoolDim d{extents[i], size[i], stride[i], padding[i], dilation[i], 0};
    d.places = places(d, l.flag("ceil_mode"));
    check_dim(d, type);
    pool.push_back(d);
  }
  return pool;
}

Dims pooled_dims(const Dims& dims, const Pool& pool) {
  Dims extents;
  for (const PoolDim& d : pool) extents.push_back(d.places);
  return with_extents(dims, extents);
}

// The windows over x, of whose dims the last ones are the pool's.
hlo::Window window(Value x, const Pool& pool) {
  const Dims ones(at(x.rank()), 1), zeros(at(x.rank()), 0);
  hlo::Window w{.sizes = ones,
                .strides = ones,
                .low = zeros,
                .high = zeros,
                .base_dilation = {},
                .window_dilation = ones};
  for (size_t i = 0; i < pool.size(); ++i) {
    const size_t dim = at(x.rank()) - pool.size() + i;
    const PoolDim& d = pool[i];
    w.sizes[dim] = d.size;
    w.strides[dim] = d.stride;
    w.window_dilation[dim] = d.dilation;
    w.low[dim] = d.padding;
    w.high[dim] = (d.places - 1) * d.stride + d.dilation * (d.size - 1) + 1 - d.extent - d.padding;
  }
  return w;
}

void check_gradient(Value gradient, const Dims& dims) {
  if (gradient.dims() != dims)
    fail("expected a gradient of [{}], got {}", fmt::join(dims, ","), to_string(gradient.type()));
}

// --- averages

// A number for each place in a plane, from one for each place along each of its dims: x divided by
// their product.
Value divided(Value x, const Values& counts) {
  Dims extents;
  for (const Value count : counts) extents.push_back(count.dim(0));
  Value product;
  for (size_t i = 0; i < counts.size(); ++i) {
    const Value spread = hlo::broadcast_in_dim(counts[i], extents, {static_cast<int64_t>(i)});
    product = product ? product * spread : spread;
  }
  return x / hlo::broadcast_to(hlo::convert(product, x.dtype()), x.dims());
}

// How many elements the windows along a dim are averages of.
Value window_counts(hlo::Graph& graph, const PoolDim& d, bool include_padding) {
  const int64_t margin = include_padding ? d.padding : 0;
  const hlo::Type type{DType::I64, {d.places}};
  const int64_t last_end = (d.places - 1) * d.stride - d.padding + d.size;
  if (margin == d.padding && last_end <= d.extent + margin)
    return hlo::constant(graph, type, d.size);
  const Value start =
      hlo::iota(graph, type, 0) * static_cast<double>(d.stride) - static_cast<double>(d.padding);
  const Value end =
      minimum(start + static_cast<double>(d.size), hlo::constant(graph, type, d.extent + margin));
  const Value count = end - maximum(start, hlo::constant(graph, type, -margin));
  return maximum(count, hlo::constant(graph, type, 1));  // a window may lie in the padding alone
}

// Sums over windows of the pool divided by what their averages are divided by.
Value averaged(Lowering& l, Value sums, const Pool& pool) {
  if (const auto divisor = l.optional_integer("divisor_override")) {
    if (*divisor == 0) fail("divisor must be not zero");
    return sums / static_cast<double>(*divisor);
  }
  Values counts;
  for (const PoolDim& d : pool)
    counts.push_back(window_counts(l.graph(), d, l.flag("count_include_pad")));
  return divided(sums, counts);
}

Value window_sums(Value x, const hlo::Window& window) {
  return reduce_window(Combiner::Add, x, hlo::constant(x.graph(), {x.dtype(), {}}, 0), window);
}

template <int64_t spatial>
Results avg_pool(Lowering& l) {
  const Value x = l.tensor("self");
  const Pool pool = read_pool(l, x.type(), spatial, Dims(spatial, 1));
  return computed(x, [&](Value x) { return averaged(l, window_sums(x, window(x, pool)), pool); });
}

// Each element gets the sum of the windows that it is in: the places, moved apart by their
// distance, under the same window, which now rests at every element.
Value spread(Value y, const Dims& dims, const Pool& pool) {
  Dims low(at(y.rank()), 0), high = low, interior = low, sizes(at(y.rank()), 1);
  for (size_t i = 0; i < pool.size(); ++i) {
    const size_t dim = dims.size() - pool.size() + i;
    const PoolDim& d = pool[i];
    sizes[dim] = d.size;
    interior[dim] = d.stride - 1;
    low[dim] = d.size - 1 - d.padding;
    high[dim] = d.extent + d.padding - (d.places - 1) * d.stride - 1;
  }
  const Value zero = hlo::constant(y.graph(), {y.dtype(), {}}, 0);
  return window_sums(hlo::pad(y, zero, low, high, interior), {.sizes = sizes});
}

template <int64_t spatial>
Results avg_pool_backward(Lowering& l) {
  const hlo::Type type = l.type("self");
  const Value gradient = l.tensor("grad_output");
  const Pool pool = read_pool(l, type, spatial, Dims(spatial, 1));
  check_gradient(gradient, pooled_dims(type.dims, pool));
  return computed(gradient, [&](Value g) { return spread(averaged(l, g, pool), type.dims, pool); });
}

// --- maxima and their positions

// Of two (element, position) pairs the one with the greater element, a NaN being the greatest. Of
// equals the first, but of NaNs the last, as ATen's loops have it.
Values greater_pair(std::span<const Value> pairs) {
  const Value x = pairs[0], i = pairs[1], y = pairs[2], j = pairs[3];
  const Value before = compare(Direction::Lt, i, j);
  const Value equal = compare(Direction::Eq, x, y);
  Value x_wins = compare(Direction::Gt, x, y) | (equal & before);
  if (hlo::is_floating(x.dtype()))
    x_wins = (x_wins & ~hlo::is_nan(y)) | (hlo::is_nan(x) & (~hlo::is_nan(y) | ~before));
  return {select(x_wins, x, y), select(x_wins, i, j)};
}

// What loses against every pair.
Values least_pair(hlo::Graph& graph, DType dtype) {
  return {hlo::lowest(graph, {dtype, {}}), hlo::highest(graph, {DType::I64, {}})};
}

Results as_results(const Values& pairs, DType dtype) {
  return {hlo::convert(pairs[0], dtype), pairs[1]};
}

void check_ordered(Value x) {
  if (hlo::is_complex(x.dtype()) || x.dtype() == DType::Pred)
    fail("maxima are not defined for {}", to_string(x.type()));
}

template <int64_t spatial>
Results max_pool(Lowering& l) {
  const Value x = l.tensor("self"), wide = to_compute_type(x);
  check_ordered(x);
  const Pool pool = read_pool(l, x.type(), spatial, window_numbers(l, "dilation", spatial, 1));
  return as_results(
      reduce_window({wide, plane_positions(x, spatial)}, least_pair(l.graph(), wide.dtype()),
                    window(x, pool), greater_pair),
      x.dtype());
}

// Where the maximum came from gets its gradient. The positions say all; how the windows lay is not
// needed.
template <int64_t spatial>
Results max_backward(Lowering& l) {
  const hlo::Type type = l.type("self");
  const Value gradient = l.tensor("grad_output"), positions = l.tensor("indices");
  check_planes(type, spatial);
  if (gradient.dims() != positions.dims() || gradient.rank() != type.rank())
    fail(
        "expected a gradient and indices of one shape, and of the input's rank, got {} and {} "
        "for {}",
        to_string(gradient.type()), to_string(positions.type()), to_string(type));
  check_gradient(gradient, with_extents(type.dims, plane_extents(gradient.dims(), spatial)));
  return computed(gradient, [&](Value g) {
    return into_planes(g, hlo::convert(positions, DType::I64), type.dims, spatial, Combiner::Add);
  });
}

template <int64_t spatial>
Results max_unpool(Lowering& l) {
  const Value x = l.tensor("self"), positions = l.tensor("indices");
  const Dims extents = window_numbers(l, "output_size", at(spatial), 0);
  check_planes(x.type(), spatial);
  if (positions.dtype() != DType::I64 || positions.dims() != x.dims())
    fail("expected indices of element type int64 and the shape of the input {}, got {}",
         to_string(x.type()), to_string(positions.type()));
  return into_planes(x, positions, with_extents(x.dims(), extents), spatial, Combiner::Replace);
}

// --- windows that divide a dim as evenly as it goes: window i of `count` reaches from
// floor(i * extent / count) up to ceil((i + 1) * extent / count)

Value even_starts(Value window, int64_t extent, int64_t count) {
  return window * static_cast<double>(extent) / static_cast<double>(count);
}

Value even_ends(Value window, int64_t extent, int64_t count) {
  return ((window + 1) * static_cast<double>(extent) + static_cast<double>(count - 1)) /
         static_cast<double>(count);
}

int64_t longest_even_window(int64_t extent, int64_t count) {
  int64_t longest = 0;
  for (int64_t i = 0; i < count; ++i)
    longest = std::max(longest, ((i + 1) * extent + count - 1) / count - i * extent / count);
  return longest;
}

Windows even_windows(hlo::Graph& graph, int64_t extent, int64_t count) {
  const hlo::Type type{DType::I64, {count, longest_even_window(extent, count)}};
  const Value window = hlo::iota(graph, type, 0);
  const Value positions = even_starts(window, extent, count) + hlo::iota(graph, type, 1);
  return {positions, compare(Direction::Lt, positions, even_ends(window, extent, count))};
}

// How long they are.
Value even_counts(hlo::Graph& graph, int64_t extent, int64_t count) {
  const hlo::Type type{DType::I64, {count}};
  if (count > 0 && extent % count == 0) return hlo::constant(graph, type, extent / count);
  const Value window = hlo::iota(graph, type, 0);
  return even_ends(window, extent, count) - even_starts(window, extent, count);
}

// `dim` as two dims, the windows and what is in them. Windows of one length are a reshape.
Value read_even(Value x, int64_t dim, int64_t count, Value filling) {
  const int64_t extent = x.dim(dim);
  if (count == 0 || extent % count != 0)
    return read_windows(x, dim, even_windows(x.graph(), extent, count), filling);
  Dims dims = x.dims();
  dims[at(dim)] = count;
  dims.insert(dims.begin() + dim + 1, extent / count);
  return hlo::reshape(x, dims);
}

// Every element `times` in a row.
Value repeated(Value x, int64_t dim, int64_t times) {
  Dims dims = x.dims(), wide = dims, placement = all_dims(x);
  dims[at(dim)] *= times;
  wide.insert(wide.begin() + dim + 1, times);
  for (size_t i = at(dim) + 1; i < placement.size(); ++i) ++placement[i];
  return hlo::reshape(hlo::broadcast_in_dim(x, wide, placement), dims);
}

Value sum_even(Value x, int64_t dim, int64_t count) {
  const int64_t extent = x.dim(dim);
  if (extent > 0 && count % extent == 0) return repeated(x, dim, count / extent);
  const Value zero = hlo::constant(x.graph(), {x.dtype(), {}}, 0);
  return reduce_sum(read_even(x, dim, count, zero), {dim + 1});
}

Value sum_even_planes(Value x, const Dims& extents) {
  const int64_t first = x.rank() - static_cast<int64_t>(extents.size());
  for (size_t i = 0; i < extents.size(); ++i)
    x = sum_even(x, first + static_cast<int64_t>(i), extents[i]);
  return x;
}

Value divided_by_even_counts(Value sums, const Dims& extents) {
  const Dims places = plane_extents(sums.dims(), static_cast<int64_t>(extents.size()));
  Values counts;
  for (size_t i = 0; i < extents.size(); ++i)
    counts.push_back(even_counts(sums.graph(), extents[i], places[i]));
  return divided(sums, counts);
}

template <int64_t spatial>
Results adaptive_avg_pool(Lowering& l) {
  const Value x = floating_tensor(l, "self");
  check_planes(x.type(), spatial);
  const Dims places = window_numbers(l, "output_size", at(spatial), 0);
  return computed(x, [&](Value x) {
    return divided_by_even_counts(sum_even_planes(x, places), plane_extents(x.dims(), spatial));
  });
}

// The windows that an element is in are themselves the even windows over the places, as many as
// there are elements.
template <int64_t spatial>
Results adaptive_avg_pool_backward(Lowering& l) {
  const hlo::Type type = l.type("self");
  const Value gradient = floating_tensor(l, "grad_output");
  check_planes(type, spatial);
  if (gradient.rank() != type.rank())
    fail("expected a gradient of the rank of {}, got {}", to_string(type),
         to_string(gradient.type()));
  check_gradient(gradient, with_extents(type.dims, plane_extents(gradient.dims(), spatial)));
  const Dims extents = plane_extents(type.dims, spatial);
  return computed(gradient, [&](Value g) {
    return sum_even_planes(divided_by_even_counts(g, extents), extents);
  });
}

template <int64_t spatial>
Results adaptive_max_pool(Lowering& l) {
  const Value x = floating_tensor(l, "self"), wide = to_compute_type(x);
  check_planes(x.type(), spatial);
  const Dims places = window_numbers(l, "output_size", at(spatial), 0);
  const Values least = least_pair(l.graph(), wide.dtype());
  Values pairs = {wide, plane_positions(x, spatial)};
  for (int64_t i = 0; i < spatial; ++i) {
    const int64_t dim = x.rank() - spatial + i;
    for (size_t part = 0; part < pairs.size(); ++part)
      pairs[part] = read_even(pairs[part], dim, places[at(i)], least[part]);
    pairs = hlo::reduce(pairs, least, {dim + 1}, greater_pair);
  }
  return as_results(pairs, x.dtype());
}

// --- windows that begin where random numbers say (Graham, "Fractional max-pooling", 2014)

// The starts of `count` windows of `size` along a dim, for each number of `samples`: i64[rows,
// count]. The last one ends with the dim.
Value random_starts(Value samples, int64_t extent, int64_t size, int64_t count) {
  const hlo::Type type{samples.dtype(), {samples.dim(0), count}};
  const double step = count > 1 ? static_cast<double>(extent - size) : 0;
  const Value sample = hlo::broadcast_in_dim(samples, type.dims, {0});
  const Value alpha =
      fill_like(sample, step) / static_cast<double>(std::max<int64_t>(count - 1, 1));
  const Value window = hlo::iota(samples.graph(), type, 1);
  const auto whole = [](Value x) { return hlo::convert(x, DType::I64); };
  const Value start = whole((window + sample) * alpha) - whole(sample * alpha);
  const Value last =
      compare(Direction::Eq, window, fill_like(window, static_cast<double>(count - 1)));
  return select(last, fill_like(start, static_cast<double>(extent - size)), start);
}

// The numbers for one dim, for each plane.
Value samples_of(Value samples, int64_t planes, int64_t spatial, int64_t dim) {
  if (samples.type().elements() != planes * spatial)
    fail("expected {} random samples for each of {} planes, got {}", spatial, planes,
         to_string(samples.type()));
  // In two dims ATen has those for the columns first.
  const int64_t column = spatial == 2 ? 1 - dim : dim;
  const Value rows = hlo::reshape(samples, {planes, spatial});
  return hlo::reshape(slice_dim(rows, 1, column, column + 1), {planes});
}

struct FractionalPool {
  Dims extents, sizes, places;
};

FractionalPool read_fractional_pool(Lowering& l, const hlo::Type& type, int64_t spatial) {
  check_planes(type, spatial);
  FractionalPool pool{plane_extents(type.dims, spatial),
                      window_numbers(l, "kernel_size", at(spatial), 1),
                      window_numbers(l, "output_size", at(spatial), 1)};
  for (size_t i = 0; i < at(spatial); ++i) {
    if (pool.places[i] + pool.sizes[i] - 1 > pool.extents[i])
      fail("{} windows of {} are too large relative to {}", pool.places[i], pool.sizes[i],
           to_string(type));
  }
  return pool;
}

// For each plane the positions of what is in its windows: i64[planes, places..., sizes...].
Value random_windows(Value samples, int64_t planes, const FractionalPool& pool) {
  const auto spatial = static_cast<int64_t>(pool.extents.size());
  Dims dims = {planes};
  dims.insert(dims.end(), pool.places.begin(), pool.places.end());
  dims.insert(dims.end(), pool.sizes.begin(), pool.sizes.end());
  Value positions = hlo::constant(samples.graph(), {DType::I64, dims}, 0);
  for (int64_t i = 0; i < spatial; ++i) {
    const int64_t extent = pool.extents[at(i)];
    const Value starts = random_starts(samples_of(samples, planes, spatial, i), extent,
                                       pool.sizes[at(i)], pool.places[at(i)]);
    const Value along = hlo::broadcast_in_dim(starts, dims, {0, 1 + i}) +
                        hlo::iota(samples.graph(), {DType::I64, dims}, 1 + spatial + i);
    positions = positions * static_cast<double>(extent) + along;
  }
  return positions;
}

template <int64_t spatial>
Results fractional_max_pool(Lowering& l) {
  const Value x = floating_tensor(l, "self"), samples = l.tensor("random_samples");
  const FractionalPool pool = read_fractional_pool(l, x.type(), spatial);
  const Value rows = plane_rows(to_compute_type(x), spatial);
  const Dims result = with_extents(x.dims(), pool.places);
  const Value positions = random_windows(samples, rows.dim(0), pool);
  const Value elements = hlo::gather(
      rows, row_vectors(positions),
      {.offset = {}, .collapsed = {0, 1}, .map = {0, 1}, .sizes = {1, 1}}, positions.dims());
  Dims inner(at(spatial));
  std::iota(inner.begin(), inner.end(), 1 + spatial);
  const Values pairs =
      hlo::reduce({elements, positions}, least_pair(l.graph(), rows.dtype()), inner, greater_pair);
  return as_results({hlo::reshape(pairs[0], result), hlo::reshape(pairs[1], result)}, x.dtype());
}

constexpr OpRow kRows[] = {
    {"aten::avg_pool2d", avg_pool<2>},
    {"aten::avg_pool3d", avg_pool<3>},
    {"aten::avg_pool2d_backward", avg_pool_backward<2>},
    {"aten::avg_pool3d_backward", avg_pool_backward<3>},
    {"aten::max_pool2d_with_indices", max_pool<2>},
    {"aten::max_pool3d_with_indices", max_pool<3>},
    {"aten::max_pool2d_with_indices_backward", max_backward<2>},
    {"aten::max_pool3d_with_indices_backward", max_backward<3>},
    {"aten::max_unpool2d", max_unpool<2>},
    {"aten::max_unpool3d", max_unpool<3>},
    {"aten::_adaptive_avg_pool2d", adaptive_avg_pool<2>},
    {"aten::_adaptive_avg_pool3d", adaptive_avg_pool<3>},
    {"aten::adaptive_avg_pool2d.out", adaptive_avg_pool<2>},
    {"aten::adaptive_avg_pool3d.out", adaptive_avg_pool<3>},
    {"aten::_adaptive_avg_pool2d_backward", adaptive_avg_pool_backward<2>},
    {"aten::_adaptive_avg_pool3d_backward", adaptive_avg_pool_backward<3>},
    {"aten::adaptive_avg_pool3d_backward.grad_input", adaptive_avg_pool_backward<3>},
    {"aten::adaptive_max_pool2d", adaptive_max_pool<2>},
    {"aten::adaptive_max_pool3d", adaptive_max_pool<3>},
    {"aten::adaptive_max_pool2d_backward", max_backward<2>},
    {"aten::adaptive_max_pool3d_backward", max_backward<3>},
    {"aten::fractional_max_pool2d", fractional_max_pool<2>},
    {"aten::fractional_max_pool3d", fractional_max_pool<3>},
    {"aten::fractional_max_pool2d_backward", max_backward<2>},
    {"aten::fractional_max_pool3d_backward", max_backward<3>},
};

}  // namespace

std::span<const OpRow> pooling_rows() { return kRows; }

}  // namespace ippatsu::ops
