// Images at another resolution: every dim scaled by itself, and pixels sampled along a grid.

#include <algorithm>
#include <array>
#include <cmath>

#include <ATen/native/GridSamplerUtils.h>

#include <fmt/ranges.h>

#include "ops/compute.h"
#include "ops/slices.h"
#include "ops/table.h"

namespace ippatsu::ops {

namespace {

using hlo::Direction;

// Keys, "Cubic convolution interpolation for digital image processing", 1981: the weight of a
// neighbour at `distance`, of which `a` is the slope at 1.
Value cubic(Value distance, double a) {
  const Value x = distance;
  const Value near = ((a + 2) * x - (a + 3)) * x * x + 1;
  const Value far = ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
  const Value outside = compare(Direction::Ge, x, fill_like(x, 2));
  return select(compare(Direction::Le, x, fill_like(x, 1)), near,
                select(outside, fill_like(x, 0), far));
}

Value cubic_slope(Value distance, double a) {
  const Value x = distance;
  const Value near = (3 * (a + 2) * x - 2 * (a + 3)) * x;
  const Value far = (3 * a * x - 10 * a) * x + 8 * a;
  return select(compare(Direction::Le, x, fill_like(x, 1)), near, far);
}

Value triangle(Value distance) { return maximum(1 - distance, fill_like(distance, 0)); }

constexpr double kSharp = -0.75;  // what image programs take; Keys himself has -0.5

Value sharp_cubic(Value distance) { return cubic(distance, kSharp); }
Value smooth_cubic(Value distance) { return cubic(distance, -0.5); }

Value clamped(Value x, double low, double high) {
  return minimum(maximum(x, fill_like(x, low)), fill_like(x, high));
}

// --- scaling

// One dim of the image.
struct Axis {
  int64_t from, to;
  std::optional<double> scale;  // as the caller gave it
  bool align_corners;           // the centres of the outermost pixels coincide, not their edges
};

// Where each element of the result reads.
struct Taps {
  Value positions;               // i64[to] or, with weights, i64[to,taps], inside the dim
  std::optional<Value> weights;  // [to,taps]
};

// How far apart the places are that neighbours of the result come from, rounded as ATen does.
template <typename Real>
double step_in(const Axis& axis) {
  if (axis.align_corners)
    return axis.to > 1 ? static_cast<Real>(axis.from - 1) / static_cast<Real>(axis.to - 1) : 0;
  if (axis.scale && *axis.scale > 0) return static_cast<Real>(1 / *axis.scale);
  return static_cast<Real>(axis.from) / static_cast<Real>(axis.to);
}

double step(const Axis& axis, DType dtype) {
  return dtype == DType::F64 ? step_in<double>(axis) : step_in<float>(axis);
}

Value numbered(hlo::Graph& graph, DType dtype, int64_t count) {
  return hlo::iota(graph, {dtype, {count}}, 0);
}

Taps only(Value places, const Axis& axis) {
  return {hlo::convert(clamped(floor(places), 0, static_cast<double>(axis.from - 1)), DType::I64),
          std::nullopt};
}

Taps nearest(hlo::Graph& graph, const Axis& axis, DType) {
  return only(numbered(graph, DType::F32, axis.to) * step_in<float>(axis), axis);
}

Taps nearest_centre(hlo::Graph& graph, const Axis& axis, DType) {
  return only((numbered(graph, DType::F32, axis.to) + 0.5) * step_in<float>(axis), axis);
}

// x[to] as [to,taps], and 0 ... taps - 1 likewise.
Value repeated(Value x, int64_t taps) { return stretch(x, {x.dim(0), taps}, {1}); }

Value tap_numbers(Value like) { return hlo::iota(like.graph(), like.type(), 1); }

Value as_positions(Value places, int64_t extent) {
  return hlo::convert(clamped(places, 0, static_cast<double>(extent - 1)), DType::I64);
}

// The `taps` neighbours around each place, weighted by their distance. Beyond the border stands the
// border's own pixel.
Taps around(Value places, int64_t extent, int64_t taps, Value (*weight)(Value)) {
  const Value centre = repeated(places, taps);
  const Value neighbours = floor(centre) + tap_numbers(centre) - static_cast<double>(taps / 2 - 1);
  return {as_positions(neighbours, extent), weight(hlo::abs(neighbours - centre))};
}

Value sources(hlo::Graph& graph, const Axis& axis, DType dtype) {
  const Value target = numbered(graph, dtype, axis.to);
  const double apart = step(axis, dtype);
  return axis.align_corners ? target * apart : (target + 0.5) * apart - 0.5;
}

Taps linear(hlo::Graph& graph, const Axis& axis, DType dtype) {
  if (axis.from == axis.to) return {numbered(graph, DType::I64, axis.to), std::nullopt};
  const Value places = clamped(sources(graph, axis, dtype), 0, static_cast<double>(axis.from));
  return around(places, axis.from, 2, triangle);
}

Taps bicubic(hlo::Graph& graph, const Axis& axis, DType dtype) {
  const Value places = sources(graph, axis, dtype);
  return around(minimum(places, fill_like(places, static_cast<double>(axis.from))), axis.from, 4,
                sharp_cubic);
}

// When shrinking, the filter grows with the step, so that every pixel counts. The weights of those
// inside the image sum to one.
template <Value (*weight)(Value), int radius>
Taps antialiased(hlo::Graph& graph, const Axis& axis, DType dtype) {
  const double apart = step(axis, dtype), growth = std::max(apart, 1.0), reach = radius * growth;
  const auto taps = static_cast<int64_t>(std::ceil(reach)) * 2 + 1;
  const Value centre = repeated((numbered(graph, dtype, axis.to) + 0.5) * apart, taps);
  const Value first = maximum(floor(centre - reach + 0.5), fill_like(centre, 0));
  const Value end = clamped(floor(centre + reach + 0.5), 0, static_cast<double>(axis.from));
  const Value neighbours = first + tap_numbers(centre);
  const Value inside = compare(Direction::Lt, neighbours, end);
  const Value raw = weight(hlo::abs((neighbours - centre + 0.5) / growth));
  const Value weights = select(inside, raw, fill_like(raw, 0));
  return {as_positions(neighbours, axis.from),
          weights / stretch(reduce_sum(weights, {1}), weights.dims(), {1})};
}

// A way to fill in what lies between pixels.
struct Filter {
  Taps (*taps)(hlo::Graph&, const Axis&, DType);
  bool has_corners;  // whether its operators have the flag align_corners
};

constexpr Filter kNearest{nearest, false}, kNearestCentre{nearest_centre, false};
constexpr Filter kLinear{linear, true}, kCubic{bicubic, true};
constexpr Filter kSmoothLinear{antialiased<triangle, 1>, true};
constexpr Filter kSmoothCubic{antialiased<smooth_cubic, 2>, true};

constexpr std::array<const char*, 1> kScales1d = {"scales"};
constexpr std::array<const char*, 3> kScales3d = {"scales_d", "scales_h", "scales_w"};

const char* scale_name(size_t dim, size_t spatial) {
  return spatial == 1 ? kScales1d[dim] : kScales3d[kScales3d.size() - spatial + dim];
}

void check_sizes(const Dims& image, const Dims& output, size_t spatial) {
  if (output.size() != spatial)
    fail("It is expected output_size equals to {}, but got size {}", spatial, output.size());
  if (image.size() != spatial + 2)
    fail("an image of {} spatial dims has {} dims, got [{}]", spatial, spatial + 2,
         fmt::join(image, ","));
  const auto positive = [](int64_t extent) { return extent > 0; };
  if (!std::all_of(image.begin() + 1, image.end(), positive) ||
      !std::ranges::all_of(output, positive)) {
    fail("Input and output sizes should be greater than 0, but got input [{}] and output [{}]",
         fmt::join(image, ","), fmt::join(output, ","));
  }
}

std::vector<Axis> axes(Lowering& l, const Filter& filter, const Dims& image, size_t spatial) {
  const Dims output = l.ints("output_size");
  check_sizes(image, output, spatial);
  std::vector<Axis> axes;
  for (size_t i = 0; i < spatial; ++i) {
    const char* scale = scale_name(i, spatial);
    axes.push_back({image[i + 2], output[i],
                    l.has(scale) ? std::optional(l.constant(scale)) : std::nullopt,
                    filter.has_corners && l.flag("align_corners")});
  }
  return axes;
}

Value weighted_sum(Value x, int64_t dim, const Taps& taps) {
  const Value read = take_slices(x, taps.positions, dim);
  if (!taps.weights) return read;
  return reduce_sum(read * hlo::broadcast_in_dim(*taps.weights, read.dims(), {dim, dim + 1}),
                    {dim + 1});
}

// weighted_sum backwards: each element goes to where it came from.
Value spread(Value grad, int64_t dim, int64_t extent, const Taps& taps) {
  if (!taps.weights) return sum_slices(grad, taps.positions, dim, extent);
  Dims shape = grad.dims();
  shape.insert(shape.begin() + dim + 1, taps.weights->dim(1));
  const Value weights = hlo::broadcast_in_dim(*taps.weights, shape, {dim, dim + 1});
  return sum_slices(stretch(grad, shape, {dim + 1}) * weights, taps.positions, dim, extent);
}

// Bytes are filtered as numbers and rounded to the nearest byte.
Value from_compute_type(Value x, DType dtype) {
  if (hlo::is_floating(dtype) || x.dtype() == dtype) return hlo::convert(x, dtype);
  return hlo::convert(clamped(hlo::unary(hlo::Opcode::RoundNearestEven, x), 0, 255), dtype);
}

template <const Filter& filter, size_t spatial>
Results upsample(Lowering& l) {
  const Value self = l.tensor("self");
  const bool is_byte = self.dtype() == DType::U8;
  if (!hlo::is_floating(self.dtype()) && !is_byte)
    fail("upsampling is not defined on {}", hlo::name(self.dtype()));
  Value x = is_byte && filter.has_corners ? hlo::convert(self, DType::F32) : to_compute_type(self);
  int64_t dim = 2;
  for (const Axis& axis : axes(l, filter, self.dims(), spatial)) {
    x = weighted_sum(x, dim, filter.taps(l.graph(), axis, x.dtype()));
    ++dim;
  }
  return from_compute_type(x, self.dtype());
}

void check_grad(Value grad, const Dims& input, const std::vector<Axis>& axes) {
  Dims wanted(input.begin(), input.begin() + 2);
  for (const Axis& axis : axes) wanted.push_back(axis.to);
  if (grad.dims() != wanted) {
    fail("Expected grad_output to have the same shape as output: [{}], got {}",
         fmt::join(wanted, ","), to_string(grad.type()));
  }
}

template <const Filter& filter, size_t spatial>
Results upsample_backward(Lowering& l) {
  const Value grad = floating_tensor(l, "grad_output");
  const Dims input = l.ints("input_size");
  const std::vector<Axis> sizes = axes(l, filter, input, spatial);
  check_grad(grad, input, sizes);
  Value x = to_compute_type(grad);
  int64_t dim = 2;
  for (const Axis& axis : sizes) {
    x = spread(x, dim, axis.from, filter.taps(l.graph(), axis, x.dtype()));
    ++dim;
  }
  return hlo::convert(x, grad.dtype());
}

// --- sampling along a grid (Jaderberg et al., "Spatial transformer networks", 2015)

using Interpolation = at::native::detail::GridSamplerInterpolation;
using Padding = at::native::detail::GridSamplerPadding;

struct Sampling {
  Interpolation interpolation;
  Padding padding;
  bool align_corners;  // -1 and 1 are the centres of the outermost pixels, not their edges
};

Sampling sampling(Lowering& l) {
  const int64_t interpolation = l.integer("interpolation_mode"),
                padding = l.integer("padding_mode");
  if (interpolation < 0 || interpolation > 2) fail("unknown interpolation {}", interpolation);
  if (padding < 0 || padding > 2) fail("unknown padding {}", padding);
  return {static_cast<Interpolation>(interpolation), static_cast<Padding>(padding),
          l.flag("align_corners")};
}

// A number and its derivative by the coordinate in the grid.
struct Coordinate {
  Value place, slope;
};

Coordinate in_pixels(Value grid, int64_t extent, bool align_corners) {
  const auto n = static_cast<double>(extent);
  if (align_corners) return {(grid + 1) * ((n - 1) / 2), fill_like(grid, (n - 1) / 2)};
  return {((grid + 1) * n - 1) / 2, fill_like(grid, n / 2)};
}

Coordinate clipped(const Coordinate& c, int64_t extent) {
  const Value zero = fill_like(c.place, 0);
  const Value last = fill_like(c.place, static_cast<double>(extent - 1));
  const Value inside =
      compare(Direction::Gt, c.place, zero) & compare(Direction::Lt, c.place, last);
  return {minimum(maximum(c.place, zero), last), select(inside, c.slope, zero)};
}

// Thrown back at both ends of [low, low + span] until it is inside.
Coordinate reflected(const Coordinate& c, double low, double span) {
  if (span == 0) return {fill_like(c.place, 0), fill_like(c.place, 0)};
  const Value offset = c.place - low, distance = hlo::abs(offset);
  const Value length = fill_like(distance, span);
  const Value flips = floor(distance / length), rest = remainder(distance, length);
  const Value even =
      compare(Direction::Eq, remainder(flips, fill_like(flips, 2)), fill_like(flips, 0));
  const Value forward =
      select(compare(Direction::Lt, offset, fill_like(offset, 0)), -c.slope, c.slope);
  return {select(even, rest, length - rest) + low, select(even, forward, -forward)};
}

Coordinate padded(const Coordinate& c, int64_t extent, const Sampling& how) {
  const auto n = static_cast<double>(extent);
  switch (how.padding) {
    case Padding::Zeros:
      return c;
    case Padding::Border:
      return clipped(c, extent);
    case Padding::Reflection:
      return clipped(how.align_corners ? reflected(c, 0, n - 1) : reflected(c, -0.5, n), extent);
  }
  return c;
}

// The neighbours of each point along one dim.
struct Neighbours {
  Value places;   // [points,taps], whole numbers
  Value weights;  // [points,taps]
  Value slopes;   // of the weights, by the coordinate in the grid
};

Neighbours linear_neighbours(const Coordinate& c) {
  const Dims shape{c.place.dim(0), 2};
  const Value centre = stretch(c.place, shape, {1});
  const Value tap = tap_numbers(centre), places = floor(centre) + tap;
  return {places, 1 - hlo::abs(places - centre), stretch(c.slope, shape, {1}) * (tap * 2 - 1)};
}

Neighbours nearest_neighbour(const Coordinate& c) {
  const Value place = hlo::reshape(c.place, {c.place.dim(0), 1});
  return {hlo::unary(hlo::Opcode::RoundNearestEven, place), fill_like(place, 1),
          fill_like(place, 0)};
}

// Here the padding is for each neighbour, not for the point.
Neighbours cubic_neighbours(const Coordinate& c, int64_t extent, const Sampling& how) {
  const Dims shape{c.place.dim(0), 4};
  const Value centre = stretch(c.place, shape, {1});
  const Value places = floor(centre) + tap_numbers(centre) - 1.0;
  const Value offset = centre - places, distance = hlo::abs(offset);
  const Value slope = cubic_slope(distance, kSharp) * hlo::sign(offset);
  return {padded({places, places}, extent, how).place, sharp_cubic(distance),
          slope * stretch(c.slope, shape, {1})};
}

Neighbours neighbours(Value grid, int64_t extent, const Sampling& how) {
  const Coordinate c = in_pixels(grid, extent, how.align_corners);
  switch (how.interpolation) {
    case Interpolation::Bilinear:
      return linear_neighbours(padded(c, extent, how));
    case Interpolation::Nearest:
      return nearest_neighbour(padded(c, extent, how));
    case Interpolation::Bicubic:
      return cubic_neighbours(c, extent, how);
  }
  return nearest_neighbour(c);
}

// An image and a grid, flattened: `pixels` are [batch * places, channels], the points those of all
// batches in turn.
struct Scene {
  Value pixels;
  std::vector<Neighbours> along;  // per spatial dim
  Dims corners;                   // [points, taps of the first dim, ...]
  Dims image, grid;               // the original shapes
};

void check_scene(const Dims& image, const Dims& grid, size_t spatial) {
  if (image.size() != spatial + 2 || grid.size() != spatial + 2 || image[0] != grid[0] ||
      grid.back() != static_cast<int64_t>(spatial)) {
    fail(
        "grid_sampler(): expected grid and input to have same batch size, {} spatial dims and {} "
        "coordinates a point, but got input with sizes [{}] and grid with sizes [{}]",
        spatial, spatial, fmt::join(image, ","), fmt::join(grid, ","));
  }
  if (std::any_of(image.begin() + 2, image.end(), [](int64_t extent) { return extent == 0; }))
    fail("grid_sampler(): expected input to have non-empty spatial dimensions, but got [{}]",
         fmt::join(image, ","));
}

// The channels last: [N, C, places...] as [N * places, C].
Value as_pixels(Value image) {
  const int64_t batch = image.dim(0), channels = image.dim(1);
  const int64_t places = hlo::element_count({image.dims().begin() + 2, image.dims().end()});
  const Value flat = hlo::reshape(image, {batch, channels, places});
  return hlo::reshape(hlo::transpose(flat, {0, 2, 1}), {batch * places, channels});
}

// as_pixels backwards.
Value as_image(Value pixels, const Dims& dims) {
  const int64_t places = hlo::element_count({dims.begin() + 2, dims.end()});
  const Value rows = hlo::reshape(pixels, {dims[0], places, dims[1]});
  return hlo::reshape(hlo::transpose(rows, {0, 2, 1}), dims);
}

template <size_t spatial>
Scene scene(Lowering& l) {
  const Sampling how = sampling(l);
  const Value image = to_compute_type(floating_tensor(l, "input"));
  const Value grid = l.tensor("grid", image.dtype());
  check_scene(image.dims(), grid.dims(), spatial);
  if (spatial == 3 && how.interpolation == Interpolation::Bicubic)
    fail("grid_sampler(): bicubic interpolation only supports 4D input");
  const int64_t points = grid.type().elements() / static_cast<int64_t>(spatial);
  const Value flat = hlo::reshape(grid, {points, static_cast<int64_t>(spatial)});
  Scene scene{as_pixels(image), {}, {points}, image.dims(), grid.dims()};
  for (size_t i = 0; i < spatial; ++i) {
    const auto column = static_cast<int64_t>(spatial - 1 - i);  // x, the last dim, comes first
    const Value coordinate = hlo::reshape(slice_dim(flat, 1, column, column + 1), {points});
    scene.along.push_back(neighbours(coordinate, image.dim(static_cast<int64_t>(i) + 2), how));
    scene.corners.push_back(scene.along.back().places.dim(1));
  }
  return scene;
}

// What each neighbour along one dim is, for every corner.
Value at_corners(const Scene& scene, Value x, size_t dim) {
  return hlo::broadcast_in_dim(x, scene.corners, {0, static_cast<int64_t>(dim) + 1});
}

Dims corner_list(const Scene& scene) {
  return {scene.corners[0], hlo::element_count({scene.corners.begin() + 1, scene.corners.end()})};
}

// The pixel of each corner, i64[points,corners]; one outside the image is -1.
Value corner_positions(const Scene& scene) {
  const Dims &corners = scene.corners, &image = scene.image;
  hlo::Graph& graph = scene.pixels.graph();
  const int64_t per_image = image[0] == 0 ? 1 : std::max<int64_t>(corners[0] / image[0], 1);
  const hlo::Type type{DType::I64, corners};
  const Value point = hlo::iota(graph, type, 0);
  Value position = point / hlo::constant(graph, type, per_image);
  Value inside = hlo::constant(graph, {DType::Pred, corners}, 1);
  for (size_t i = 0; i < scene.along.size(); ++i) {
    const int64_t extent = image[i + 2];
    const Value place = scene.along[i].places;
    const Value known = select(hlo::is_nan(place), fill_like(place, -1), place);
    const Value whole = hlo::convert(clamped(known, -1, static_cast<double>(extent)), DType::I64);
    const Value here = at_corners(scene, whole, i), end = hlo::constant(graph, type, extent);
    inside = inside & compare(Direction::Ge, here, fill_like(here, 0)) &
             compare(Direction::Lt, here, end);
    position = position * end + here;
  }
  return hlo::reshape(select(inside, position, fill_like(position, -1)), corner_list(scene));
}

// The weight of each corner; its slope by the coordinate of one dim, if one is named.
Value corner_weights(const Scene& scene, std::optional<size_t> derived = std::nullopt) {
  Value product = hlo::constant(scene.pixels.graph(), {scene.pixels.dtype(), scene.corners}, 1);
  for (size_t i = 0; i < scene.along.size(); ++i) {
    const Neighbours& along = scene.along[i];
    product = product * at_corners(scene, derived == i ? along.slopes : along.weights, i);
  }
  return hlo::reshape(product, corner_list(scene));
}

// [points,corners,channels], zero where a corner lies outside.
Value corner_pixels(const Scene& scene, Value positions) {
  const Value pixels = take_slices(scene.pixels, positions, 0);
  const Value inside = compare(Direction::Ge, positions, fill_like(positions, 0));
  return select(hlo::broadcast_in_dim(inside, pixels.dims(), {0, 1}), pixels, fill_like(pixels, 0));
}

Dims output_dims(const Scene& scene) {
  Dims dims{scene.image[0], scene.image[1]};
  dims.insert(dims.end(), scene.grid.begin() + 1, scene.grid.end() - 1);
  return dims;
}

template <size_t spatial>
Results grid_sampler(Lowering& l) {
  const Scene s = scene<spatial>(l);
  const Value pixels = corner_pixels(s, corner_positions(s));
  const Value weights = hlo::broadcast_in_dim(corner_weights(s), pixels.dims(), {0, 1});
  const Value sampled = reduce_sum(pixels * weights, {1});
  return hlo::convert(as_image(sampled, output_dims(s)), l.type("input").dtype);
}

// [points,corners] times [points,channels]: what flows back to each pixel.
Value image_gradient(const Scene& s, Value positions, Value grad) {
  const Dims shape{positions.dim(0), positions.dim(1), grad.dim(1)};
  const Value updates = stretch(grad, shape, {1}) * stretch(corner_weights(s), shape, {2});
  return as_image(sum_slices(updates, positions, 0, s.pixels.dim(0)), s.image);
}

Value grid_gradient(const Scene& s, Value positions, Value grad) {
  const Value pixels = corner_pixels(s, positions);
  const Value by_corner = reduce_sum(pixels * stretch(grad, pixels.dims(), {1}), {2});
  Values columns;
  for (size_t i = s.along.size(); i-- > 0;) {
    const Value column = reduce_sum(by_corner * corner_weights(s, i), {1});
    columns.push_back(hlo::reshape(column, {column.dim(0), 1}));
  }
  return hlo::reshape(hlo::concatenate(columns, 1), s.grid);
}

template <size_t spatial>
Results grid_sampler_backward(Lowering& l) {
  const Scene s = scene<spatial>(l);
  const Value image = l.tensor("grad_output", s.pixels.dtype());
  if (image.dims() != output_dims(s))
    fail("grad_output is [{}], got {}", fmt::join(output_dims(s), ","), to_string(image.type()));
  const Value grad = as_pixels(image), positions = corner_positions(s);
  Value to_image;
  if (l.mask("output_mask", 0))
    to_image = hlo::convert(image_gradient(s, positions, grad), l.type("input").dtype);
  return {to_image, hlo::convert(grid_gradient(s, positions, grad), l.type("grid").dtype)};
}

constexpr OpRow kRows[] = {
    {"aten::upsample_nearest1d", upsample<kNearest, 1>},
    {"aten::upsample_nearest2d", upsample<kNearest, 2>},
    {"aten::upsample_nearest3d", upsample<kNearest, 3>},
    {"aten::_upsample_nearest_exact1d", upsample<kNearestCentre, 1>},
    {"aten::_upsample_nearest_exact2d", upsample<kNearestCentre, 2>},
    {"aten::_upsample_nearest_exact3d", upsample<kNearestCentre, 3>},
    {"aten::upsample_linear1d", upsample<kLinear, 1>},
    {"aten::upsample_bilinear2d", upsample<kLinear, 2>},
    {"aten::upsample_trilinear3d", upsample<kLinear, 3>},
    {"aten::upsample_bicubic2d", upsample<kCubic, 2>},
    {"aten::_upsample_bilinear2d_aa", upsample<kSmoothLinear, 2>},
    {"aten::_upsample_bicubic2d_aa", upsample<kSmoothCubic, 2>},
    {"aten::upsample_nearest1d_backward", upsample_backward<kNearest, 1>},
    {"aten::upsample_nearest2d_backward", upsample_backward<kNearest, 2>},
    {"aten::upsample_nearest3d_backward", upsample_backward<kNearest, 3>},
    {"aten::_upsample_nearest_exact1d_backward", upsample_backward<kNearestCentre, 1>},
    {"aten::_upsample_nearest_exact2d_backward", upsample_backward<kNearestCentre, 2>},
    {"aten::_upsample_nearest_exact3d_backward", upsample_backward<kNearestCentre, 3>},
    {"aten::upsample_linear1d_backward", upsample_backward<kLinear, 1>},
    {"aten::upsample_bilinear2d_backward", upsample_backward<kLinear, 2>},
    {"aten::upsample_trilinear3d_backward", upsample_backward<kLinear, 3>},
    {"aten::upsample_bicubic2d_backward", upsample_backward<kCubic, 2>},
    {"aten::_upsample_bilinear2d_aa_backward", upsample_backward<kSmoothLinear, 2>},
    {"aten::_upsample_bicubic2d_aa_backward", upsample_backward<kSmoothCubic, 2>},
    {"aten::grid_sampler_2d", grid_sampler<2>},
    {"aten::grid_sampler_3d", grid_sampler<3>},
    {"aten::grid_sampler_2d_backward", grid_sampler_backward<2>},
    {"aten::grid_sampler_3d_backward", grid_sampler_backward<3>},
};

}  // namespace

std::span<const OpRow> resampling_rows() { return kRows; }

}  // namespace ippatsu::ops
