// Reductions of consecutive pieces of a dim, told by their lengths or by where each begins.

#include <algorithm>
#include <limits>

#include <fmt/ranges.h>

#include "ops/compute.h"
#include "ops/scan.h"
#include "ops/slices.h"
#include "ops/table.h"

namespace ippatsu::ops {

namespace {

using hlo::Combiner;
using hlo::Direction;

enum class Kind { Max, Mean, Min, Sum, Prod };

Kind kind(Lowering& l) {
  constexpr std::string_view kNames[] = {"max", "mean", "min", "sum", "prod"};
  const auto* const name = std::ranges::find(kNames, l.text("reduce"));
  if (name == std::end(kNames)) fail("unsupported reduction given! {}", l.text("reduce"));
  return static_cast<Kind>(name - std::begin(kNames));
}

Combiner combiner(Kind kind) {
  switch (kind) {
    case Kind::Max:
      return Combiner::Maximum;
    case Kind::Min:
      return Combiner::Minimum;
    case Kind::Prod:
      return Combiner::Multiply;
    default:
      return Combiner::Add;
  }
}

// What an empty segment reduces to, if the caller did not say.
double identity(Kind kind) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  switch (kind) {
    case Kind::Max:
      return -kInfinity;
    case Kind::Min:
      return kInfinity;
    case Kind::Prod:
      return 1;
    default:
      return 0;
  }
}

// The dims of the data before and after the one that is cut, each as one.
struct Layout {
  int64_t batch, length, inner;
  int64_t segments;
  Dims result;
};

struct Segments {
  Layout layout;
  Value sizes;    // i64[batch * segments]
  Value segment;  // i64[batch * length]: the segment of each element, or -1
};

// The places where segments begin and the places behind their last elements: [batch,segments].
struct Bounds {
  Value begin, end;
};

Bounds bounds(Lowering& l, int64_t batch) {
  if (l.has("lengths")) {
    const Value given = l.tensor("lengths", DType::I64);
    const Value sizes = hlo::reshape(given, {batch, given.dims().back()});
    const Value end = running_sum(sizes, 1);
    return {end - sizes, end};
  }
  if (!l.has("offsets")) fail("segment_reduce wants either lengths or offsets");
  const Value given = l.tensor("offsets", DType::I64);
  const int64_t last = given.dims().back() - 1;
  if (last < 0) fail("offsets must have at least one element, got {}", to_string(given.type()));
  const Value offsets = hlo::reshape(given, {batch, last + 1});
  return {slice_dim(offsets, 1, 0, last), slice_dim(offsets, 1, 1, last + 1)};
}

std::string_view bounds_name(Lowering& l) { return l.has("lengths") ? "lengths" : "offsets"; }

Layout layout(Lowering& l, const Dims& data) {
  const int64_t axis = l.dim("axis", static_cast<int64_t>(data.size()));
  const Dims cut = l.type(bounds_name(l)).dims;
  if (data.empty() || static_cast<int64_t>(cut.size()) != axis + 1 ||
      !std::equal(cut.begin(), cut.end() - 1, data.begin())) {
    fail("{} [{}] does not cut dim {} of data [{}]", bounds_name(l), fmt::join(cut, ","), axis,
         fmt::join(data, ","));
  }
  const auto middle = data.begin() + axis;
  Layout layout{hlo::element_count({data.begin(), middle}), *middle,
                hlo::element_count({middle + 1, data.end()}), cut.back(), data};
  if (!l.has("lengths")) --layout.segments;
  layout.result[static_cast<size_t>(axis)] = layout.segments;
  return layout;
}

// The number of segments that end at or before a place is the number of the segment it lies in.
Segments segments(Lowering& l, const Dims& data) {
  const Layout cut = layout(l, data);
  const auto [begin, end] = bounds(l, cut.batch);
  const hlo::Type grid{DType::I64, {cut.batch, cut.length, cut.segments}};
  const Value place = hlo::iota(l.graph(), grid, 1);
  const Value ended = compare(Direction::Le, stretch(end, grid.dims, {1}), place);
  const Value begun = compare(Direction::Ge, place, stretch(begin, grid.dims, {1}));
  const Value number = reduce_sum(hlo::convert(ended, DType::I64), {2});
  const Value first = hlo::iota(l.graph(), number.type(), 0) * static_cast<double>(cut.segments);
  const Value inside = reduce_or(begun & ~ended, {2});
  const Value segment = select(inside, first + number, fill_like(number, -1));
  return {cut, hlo::reshape(end - begin, {cut.batch * cut.segments}),
          hlo::reshape(segment, {cut.batch * cut.length})};
}

// A tensor of data as rows: [batch * length, inner].
Value as_rows(Value data, const Layout& layout) {
  return hlo::reshape(data,
                      {data.type().elements() / std::max<int64_t>(layout.inner, 1), layout.inner});
}

Value along_rows(Value per_segment, Value rows) { return stretch(per_segment, rows.dims(), {1}); }

// The segments of `rows`, reduced into `start`.
Value reduce_rows(Combiner combiner, const Segments& s, Value rows, Value start) {
  const Dims shape{s.sizes.dim(0), rows.dim(1)};
  return combine_slices(combiner, hlo::broadcast_to(start, shape), s.segment, rows, 0);
}

Value initial(Lowering& l, Kind kind, DType dtype) {
  return l.has("initial") ? l.scalar("initial", dtype)
                          : hlo::constant(l.graph(), {dtype, {}}, identity(kind));
}

// The mean of nothing is nothing, unless a number to start with was given.
Value mean(Lowering& l, const Segments& s, Value sum) {
  const Value sizes = along_rows(hlo::convert(s.sizes, sum.dtype()), sum);
  const Value empty = compare(Direction::Eq, sizes, fill_like(sizes, 0));
  return select(empty, l.has("initial") ? sum : fill_like(sum, NAN), sum / sizes);
}

Results segment_reduce(Lowering& l) {
  const Value data = floating_tensor(l, "data");
  if (l.has("indices")) fail("segment_reduce(): indices based reduction is not supported yet.");
  const Segments s = segments(l, data.dims());
  const Kind how = kind(l);
  const Value rows = as_rows(to_compute_type(data), s.layout);
  Value reduced = reduce_rows(combiner(how), s, rows, initial(l, how, rows.dtype()));
  if (how == Kind::Mean) reduced = mean(l, s, reduced);
  return hlo::reshape(hlo::convert(reduced, data.dtype()), s.layout.result);
}

// --- backward: what each row gets of its segment's gradient

struct Flow {
  Value rows;    // the data
  Value grad;    // of each row's segment
  Value output;  // likewise
};

// Shared by all rows that are the extremum.
Value extremum_gradient(const Segments& s, const Flow& f) {
  const Value wins = compare(Direction::Eq, f.rows, f.output) | hlo::is_nan(f.rows);
  const Value counted = hlo::convert(wins, f.rows.dtype());
  const Value zero = hlo::constant(f.rows.graph(), {f.rows.dtype(), {}}, 0);
  const Value winners = take_slices(reduce_rows(Combiner::Add, s, counted, zero), s.segment, 0);
  return select(wins, f.grad / winners, fill_like(f.grad, 0));
}

// The product of the others, which is the output divided by the row only where that is a number
// other than zero.
Value product_gradient(Lowering& l, const Segments& s, const Flow& f) {
  const Value rows = f.rows, one = fill_like(rows, 1);
  const Value is_zero = compare(Direction::Eq, rows, fill_like(rows, 0));
  const Value is_nan = hlo::is_nan(rows), is_plain = ~(is_zero | is_nan);
  const auto others = [&](Value truth) {  // how many other rows of the segment it is true of
    const Value counted = hlo::convert(truth, rows.dtype());
    const Value zero = hlo::constant(rows.graph(), {rows.dtype(), {}}, 0);
    return take_slices(reduce_rows(Combiner::Add, s, counted, zero), s.segment, 0) - counted;
  };
  const auto any = [](Value count) { return compare(Direction::Gt, count, fill_like(count, 0)); };
  const Value start = initial(l, Kind::Prod, rows.dtype());
  const Value plain = take_slices(
      reduce_rows(Combiner::Multiply, s, select(is_plain, rows, one), start), s.segment, 0);
  const Value without_zeros = select(any(others(is_zero)), fill_like(plain, 0), plain);
  const Value product = select(any(others(is_nan)), fill_like(plain, NAN), without_zeros);
  return f.grad * select(is_plain, f.output / rows, product);
}

Value row_gradient(Lowering& l, const Segments& s, const Flow& f) {
  switch (kind(l)) {
    case Kind::Sum:
      return f.grad;
    case Kind::Mean: {
      const Value sizes = take_slices(hlo::convert(s.sizes, f.grad.dtype()), s.segment, 0);
      return f.grad / along_rows(sizes, f.grad);
    }
    case Kind::Prod:
      return product_gradient(l, s, f);
    default:
      return extremum_gradient(s, f);
  }
}

Results segment_reduce_backward(Lowering& l) {
  const Value data = floating_tensor(l, "data");
  const Segments s = segments(l, data.dims());
  const Value rows = as_rows(to_compute_type(data), s.layout);
  const auto of_segment = [&](std::string_view name) {
    const Value x = hlo::reshape(l.tensor(name, rows.dtype()), {s.sizes.dim(0), rows.dim(1)});
    return take_slices(x, s.segment, 0);
  };
  if (s.sizes.dim(0) == 0) return fill_like(data, 0);
  const Value gradient = row_gradient(l, s, {rows, of_segment("grad"), of_segment("output")});
  const Value inside = compare(Direction::Ge, s.segment, fill_like(s.segment, 0));
  const Value kept = select(along_rows(inside, rows), gradient, fill_like(gradient, 0));
  return hlo::reshape(hlo::convert(kept, data.dtype()), data.dims());
}

constexpr OpRow kRows[] = {
    {"aten::segment_reduce", segment_reduce},
    {"aten::_segment_reduce_backward", segment_reduce_backward},
};

}  // namespace

std::span<const OpRow> segment_rows() { return kRows; }

}  // namespace ippatsu::ops
