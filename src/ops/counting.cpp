// Histograms: how many elements fall between each two edges. A bin holds its left edge, the last
// one its right edge too; what is outside, or no number, is left out.

#include "base/error.h"
#include "ops/lowering.h"
#include "ops/ordering.h"
#include "ops/table.h"

namespace ippatsu::ops {

namespace {

using hlo::Direction;

Value flat(Value x) { return hlo::reshape(x, {x.type().elements()}); }

Value within(Value x, Value least, Value greatest) {
  return compare(Direction::Ge, x, hlo::broadcast_to(least, x.dims())) &
         compare(Direction::Le, x, hlo::broadcast_to(greatest, x.dims()));
}

// The sums of the weights [n] at each place [n] of `bins`, those not counted left out.
Value summed(Value place, Value counts, Value weight, int64_t bins) {
  const Value zero = hlo::constant(place.graph(), {weight.dtype(), {bins}}, 0);
  // Updates out of range are dropped.
  const Value target = select(counts, place, fill_like(place, static_cast<double>(bins)));
  return hlo::scatter(zero, hlo::reshape(target, {place.dim(0), 1}), weight,
                      {.window = {}, .inserted = {0}, .map = {0}}, hlo::Combiner::Add);
}

// --- the range that the bins share

struct Range {
  Value least, greatest;  // of rank 0
};

// Of a list; 0 and `otherwise` where it is empty.
Range range_of(Value x, double otherwise) {
  const hlo::Type number{x.dtype(), {}};
  if (x.dim(0) == 0)
    return {hlo::constant(x.graph(), number, 0.0), hlo::constant(x.graph(), number, otherwise)};
  return {reduce_min(x, {0}), reduce_max(x, {0})};
}

// A range of one point is widened to both sides.
Range widened(const Range& range, double margin) {
  const Value point = compare(Direction::Eq, range.least, range.greatest);
  return {select(point, range.least - margin, range.least),
          select(point, range.greatest + margin, range.greatest)};
}

// bins + 1 numbers at equal distances, counted from the nearer end, so that both are met exactly.
Value equal_edges(const Range& range, int64_t bins) {
  const Value place = hlo::iota(range.least.graph(), {range.least.dtype(), {bins + 1}}, 0);
  const auto last = static_cast<double>(bins);
  const Value least = hlo::broadcast_to(range.least, place.dims());
  const Value greatest = hlo::broadcast_to(range.greatest, place.dims());
  const Value step = (greatest - least) / last;
  const Value near_least =
      compare(Direction::Lt, place, fill_like(place, static_cast<double>((bins + 1) / 2)));
  return select(near_least, least + step * place, greatest - step * (last - place));
}

// --- histc

void check_bins(int64_t bins) {
  if (bins <= 0) fail("bins must be > 0, but got {}", bins);
}

Range histc_range(Lowering& l, Value x) {
  const double least = l.constant("min"), greatest = l.constant("max");
  if (least > greatest) fail("max must be larger than min, got [{}, {}]", least, greatest);
  if (least == greatest && x.dim(0) > 0) return widened(range_of(x, 0), 1);
  return widened({l.scalar("min", x.dtype()), l.scalar("max", x.dtype())}, 1);
}

Results histc(Lowering& l) {
  const Value self = l.tensor("self");
  if (!hlo::is_floating(self.dtype()))
    fail("histc is not implemented for {}", hlo::name(self.dtype()));
  const int64_t bins = l.integer("bins");
  check_bins(bins);
  const Value x = flat(to_compute_type(self));
  const Range range = histc_range(l, x);
  const Value least = hlo::broadcast_to(range.least, x.dims());
  const Value width = hlo::broadcast_to(range.greatest, x.dims()) - least;
  const auto count = static_cast<double>(bins);
  const Value place = hlo::convert((x - least) * count / width, DType::I64);
  const Value inside = within(x, range.least, range.greatest);
  const Value sums =
      summed(minimum(place, fill_like(place, count - 1)), inside, fill_like(x, 1), bins);
  return hlo::convert(sums, self.dtype());
}

// --- histograms of one or more coordinates

// The widths of the bins along axis `dim` of a histogram.
Value widths(Value edges, int64_t dim, const Dims& shape) {
  const int64_t bins = edges.dim(0) - 1;
  const Value width = slice_dim(edges, 0, 1, bins + 1) - slice_dim(edges, 0, 0, bins);
  return hlo::broadcast_in_dim(width, shape, {dim});
}

// Of points with these coordinates, one list per axis, with the edges of each axis.
Value histogram(const Values& coordinates, const Values& edges, Value weight, bool density) {
  hlo::Graph& graph = weight.graph();
  const Dims points = weight.dims();
  Value place = hlo::constant(graph, {DType::I64, points}, 0);
  Value inside = hlo::constant(graph, {DType::Pred, points}, 1);
  Dims shape;
  for (size_t axis = 0; axis < edges.size(); ++axis) {
    const Value x = coordinates[axis], limits = edges[axis];
    const int64_t bins = limits.dim(0) - 1;
    check_bins(bins);
    const Value bin = insertion_points(limits, x, /*right=*/true) - 1;
    const auto last = static_cast<double>(bins - 1);
    place = place * static_cast<double>(bins) + minimum(bin, fill_like(bin, last));
    inside = inside & within(x, hlo::reshape(slice_dim(limits, 0, 0, 1), {}),
                             hlo::reshape(slice_dim(limits, 0, bins, bins + 1), {}));
    shape.push_back(bins);
  }
  Value sums = hlo::reshape(summed(place, inside, weight, hlo::element_count(shape)), shape);
  if (!density) return sums;
  sums = sums / hlo::broadcast_to(reduce_sum(sums, all_dims(sums)), shape);
  for (size_t axis = 0; axis < edges.size(); ++axis)
    sums = sums / widths(edges[axis], static_cast<int64_t>(axis), shape);
  return sums;
}

// The last dim of self holds coordinates: one list for each of them.
Values coordinates_of(Value self) {
  const int64_t axes = self.dim(self.rank() - 1);
  const Value points = hlo::reshape(self, {axes == 0 ? 0 : self.type().elements() / axes, axes});
  Values lists;
  for (int64_t axis = 0; axis < axes; ++axis)
    lists.push_back(hlo::reshape(slice_dim(points, 1, axis, axis + 1), {points.dim(0)}));
  return lists;
}

Value points_argument(Lowering& l) {
  const Value x = l.tensor("self");
  if (x.dtype() != DType::F32 && x.dtype() != DType::F64)
    fail("histograms are not implemented for {}", hlo::name(x.dtype()));
  return x;
}

Value weights(Lowering& l, Value x, int64_t points) {
  const auto weight = l.optional_tensor("weight");
  if (!weight) return hlo::constant(l.graph(), {x.dtype(), {points}}, 1);
  if (weight->dtype() != x.dtype() || weight->type().elements() != points) {
    fail(
        "if weight tensor is provided it should have the same dtype as the input and an element "
        "for each of its points, got {} for {}",
        to_string(weight->type()), to_string(x.type()));
  }
  return flat(*weight);
}

// From the `range` argument, two numbers per axis, or from what there is.
Range bin_range(Lowering& l, Value list, size_t axis) {
  const std::vector<double> given = l.numbers("range");
  if (given.empty()) return widened(range_of(list, 1), 0.5);
  if (given.size() < 2 * axis + 2) fail("range wants two numbers per axis, got {}", given.size());
  const double least = given[2 * axis], greatest = given[2 * axis + 1];
  if (!(least <= greatest)) fail("min should not exceed max, got [{}, {}]", least, greatest);
  return widened({runtime_scalar(l.graph(), least, list.dtype()),
                  runtime_scalar(l.graph(), greatest, list.dtype())},
                 0.5);
}

Results histogram_of_count(Lowering& l) {
  const Value x = flat(points_argument(l));
  check_bins(l.integer("bins"));
  const Value edges = equal_edges(bin_range(l, x, 0), l.integer("bins"));
  return {histogram({x}, {edges}, weights(l, x, x.dim(0)), l.flag("density")), edges};
}

Results histogram_of_edges(Lowering& l) {
  const Value x = flat(points_argument(l)), edges = l.tensor("bins");
  if (edges.dtype() != x.dtype() || edges.rank() != 1)
    fail("bins wants a list of edges of the input's dtype, got {}", to_string(edges.type()));
  return {histogram({x}, {edges}, weights(l, x, x.dim(0)), l.flag("density")), edges};
}

Values counted_edges(Lowering& l, const Values& coordinates) {
  const Dims bins = l.ints("bins");
  if (bins.size() != coordinates.size()) {
    fail("bins wants a number for each of {} coordinates, got {}", coordinates.size(), bins.size());
  }
  Values edges;
  for (size_t axis = 0; axis < bins.size(); ++axis) {
    check_bins(bins[axis]);
    edges.push_back(equal_edges(bin_range(l, coordinates[axis], axis), bins[axis]));
  }
  return edges;
}

Results histogram_of_points(Lowering& l, Value x, const Values& coordinates, const Values& edges) {
  if (edges.size() != coordinates.size() || edges.empty()) {
    fail("bins wants edges for each of {} coordinates, got {}", coordinates.size(), edges.size());
  }
  const Value weight = weights(l, x, coordinates[0].dim(0));
  return histogram(coordinates, edges, weight, l.flag("density"));
}

Results histogramdd_edges(Lowering& l) {
  return Results::lists({counted_edges(l, coordinates_of(points_argument(l)))});
}

Results histogramdd_of_counts(Lowering& l) {
  const Value x = points_argument(l);
  const Values coordinates = coordinates_of(x);
  return histogram_of_points(l, x, coordinates, counted_edges(l, coordinates));
}

Results histogramdd_of_edges(Lowering& l) {
  const Value x = points_argument(l);
  return histogram_of_points(l, x, coordinates_of(x), l.tensors("bins"));
}

constexpr OpRow kRows[] = {
    {"aten::histc", histc},
    {"aten::histogram.bin_ct", histogram_of_count},
    {"aten::histogram.bins_tensor", histogram_of_edges},
    {"aten::_histogramdd_bin_edges", histogramdd_edges},
    {"aten::_histogramdd_from_bin_cts", histogramdd_of_counts},
    {"aten::_histogramdd_from_bin_tensors", histogramdd_of_edges},
};

}  // namespace

std::span<const OpRow> counting_rows() { return kRows; }

}  // namespace ippatsu::ops
