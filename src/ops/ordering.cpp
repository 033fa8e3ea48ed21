// Operators that sort, and those that search what is sorted.

#include "ops/ordering.h"

#include <bit>
#include <limits>

#include "ops/indexing.h"
#include "ops/scan.h"
#include "ops/table.h"

namespace ippatsu::ops {

using hlo::Direction;

Sorted sorted(Value x, int64_t dim, bool descending) {
  const Value positions = hlo::iota(x.graph(), {DType::I64, x.dims()}, dim);
  const Values results = hlo::sort(x, {positions}, dim, descending);
  return {results[0], results[1]};
}

// Bisection in as many rounds as the longest search can take. What compares as false (a NaN) is
// looked for further right.
Value insertion_points(Value boundaries, Value values, bool right) {
  const int64_t dim = boundaries.rank() - 1, n = boundaries.dim(dim);
  const Value start = hlo::constant(values.graph(), {DType::I64, values.dims()}, 0);
  if (n == 0 || values.type().elements() == 0) return start;
  const auto round = [&](Value, std::span<const Value> state) -> Values {
    const Value low = state[0], high = state[1];
    const Value middle = low + (high - low) / 2;
    const Value met = gather_along(state[2], middle, dim);
    const Value beyond = ~compare(right ? Direction::Gt : Direction::Ge, met, state[3]);
    const Value open = compare(Direction::Lt, low, high);
    return {select(open & beyond, middle + 1, low), select(open & ~beyond, middle, high), state[2],
            state[3]};
  };
  const auto rounds = static_cast<int64_t>(std::bit_width(static_cast<uint64_t>(n)));
  const Value end = start + static_cast<double>(n);
  return hlo::repeat(rounds, {start, end, boundaries, values}, round)[0];
}

namespace {

Value no_position(Lowering& l) { return hlo::constant(l.graph(), {DType::I64, {}}, 0); }

// --- in order

// The k greatest or least along `dim`, in order.
Results topk(Lowering& l) {
  const Value x = l.tensor("self");
  const int64_t k = l.integer("k"), dim = l.dim("dim", x.rank());
  if (k < 0 || k > (x.rank() == 0 ? 1 : x.dim(dim)))
    fail("selected index k = {} is out of range for dim {} of {}", k, dim, to_string(x.type()));
  if (x.rank() == 0) return {x, no_position(l)};
  const Sorted s = sorted(x, dim, l.flag("largest"));
  return {slice_dim(s.values, dim, 0, k), slice_dim(s.positions, dim, 0, k)};
}

Results sort(Lowering& l) {
  const Value x = l.tensor("self");
  const int64_t dim = l.dim("dim", x.rank());
  if (x.rank() == 0) return {x, no_position(l)};
  const Sorted s = sorted(x, dim, l.flag("descending"));
  return {s.values, s.positions};
}

// --- one element of each line along `dim`

void check_not_empty(std::string_view op, Value x, int64_t dim) {
  if (x.rank() == 0 || x.dim(dim) > 0) return;
  C10_THROW_ERROR(IndexError,
                  fmt::format("{}(): Expected reduction dim {} to have non-zero size.", op, dim));
}

Dims one_along(Value x, int64_t dim) {
  Dims dims = x.dims();
  dims[static_cast<size_t>(dim)] = 1;
  return dims;
}

// What stands at `place` [.., 1, ..] of the sorted lines.
Results picked(Lowering& l, const Sorted& s, Value place, int64_t dim) {
  Dims dims = place.dims();
  if (!l.flag("keepdim")) dims.erase(dims.begin() + dim);
  return {hlo::reshape(gather_along(s.values, place, dim), dims),
          hlo::reshape(gather_along(s.positions, place, dim), dims)};
}

Results kthvalue(Lowering& l) {
  const Value x = l.tensor("self");
  const int64_t k = l.integer("k"), dim = l.dim("dim", x.rank());
  check_not_empty("kthvalue", x, dim);
  if (k < 1 || k > (x.rank() == 0 ? 1 : x.dim(dim)))
    fail("kthvalue(): selected number k out of range for dimension {}", dim);
  if (x.rank() == 0) return {x, no_position(l)};
  const Value place = hlo::constant(l.graph(), {DType::I64, one_along(x, dim)}, k - 1);
  return picked(l, sorted(x, dim), place, dim);
}

enum class NanRule { Wins, IsLeftOut };

// Where the median, the lower of two, stands in sorted lines, which have their NaNs at the end.
Value median_place(Value x, int64_t dim, NanRule rule) {
  const hlo::Type type{DType::I64, one_along(x, dim)};
  const int64_t n = x.dim(dim);
  const Value middle = hlo::constant(x.graph(), type, (n - 1) / 2);
  if (!hlo::is_floating(x.dtype())) return middle;
  const Value is_number = hlo::convert(~hlo::is_nan(x), DType::I64);
  const Value numbers = hlo::reshape(reduce_sum(is_number, {dim}), type.dims);
  if (rule == NanRule::IsLeftOut) return maximum(numbers - 1, fill_like(numbers, 0)) / 2;
  const Value all_numbers =
      compare(Direction::Eq, numbers, fill_like(numbers, static_cast<double>(n)));
  return select(all_numbers, middle, numbers);
}

template <NanRule rule>
Results median_dim(Lowering& l) {
  const Value x = l.tensor("self");
  const int64_t dim = l.dim("dim", x.rank());
  check_not_empty("median", x, dim);
  if (x.rank() == 0) return {x, no_position(l)};
  return picked(l, sorted(x, dim), median_place(x, dim, rule), dim);
}

template <NanRule rule>
Results median(Lowering& l) {
  const Value self = l.tensor("self"), x = hlo::reshape(self, {self.type().elements()});
  const hlo::Type number{x.dtype(), {}};
  if (x.dim(0) == 0) {
    return hlo::is_floating(x.dtype())
               ? hlo::constant(l.graph(), number, std::numeric_limits<double>::quiet_NaN())
               : hlo::lowest(l.graph(), number);
  }
  return hlo::reshape(gather_along(sorted(x, 0).values, median_place(x, 0, rule), 0), {});
}

// The least of the most frequent elements, and its last position: in sorted lines, the end of the
// first of the longest runs.
Results mode(Lowering& l) {
  const Value x = l.tensor("self");
  const int64_t dim = l.dim("dim", x.rank());
  check_not_empty("mode", x, dim);
  if (x.rank() == 0) return {x, no_position(l)};
  const Sorted s = sorted(x, dim);
  const int64_t n = x.dim(dim);
  const Value place = hlo::iota(l.graph(), {DType::I64, x.dims()}, dim);
  const Value differs =
      compare(Direction::Ne, slice_dim(s.values, dim, 1, n), slice_dim(s.values, dim, 0, n - 1));
  Dims one(static_cast<size_t>(x.rank()), 0), none = one;
  one[static_cast<size_t>(dim)] = 1;
  const Value starts = hlo::pad(differs, hlo::constant(l.graph(), {DType::Pred, {}}, 1), one, none);
  const Value start = running_max(select(starts, place, fill_like(place, 0)), dim);
  const Value longest = hlo::arg_max(place - start, dim).index;
  return picked(l, s, hlo::reshape(longest, one_along(x, dim)), dim);
}

// --- searches

Results searched(Lowering& l, Value boundaries, Value values, bool right) {
  const bool one_list = boundaries.rank() == 1;
  const Value wanted = one_list ? hlo::reshape(values, {values.type().elements()}) : values;
  const Value points = hlo::reshape(insertion_points(boundaries, wanted, right), values.dims());
  return l.flag("out_int32") ? hlo::convert(points, DType::I32) : points;
}

void check_boundaries(Value boundaries, Value values) {
  bool fits = boundaries.rank() == 1 || boundaries.rank() == values.rank();
  for (int64_t i = 0; boundaries.rank() > 1 && fits && i + 1 < values.rank(); ++i)
    fits = boundaries.dim(i) == values.dim(i);
  if (!fits) {
    fail(
        "boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor "
        "and input value tensor must match, but we got boundaries tensor {} and input value tensor "
        "{}",
        to_string(boundaries.type()), to_string(values.type()));
  }
}

bool right_side(Lowering& l) {
  const std::string_view side = l.text("side");
  if (!side.empty() && side != "left" && side != "right")
    fail("side can only be 'left' or 'right' but got {}", side);
  if (side == "left" && l.flag("right"))
    fail("side and right can't be set to opposites, got side of left while right was True");
  return side == "right" || l.flag("right");
}

Value in_order_of(Value boundaries, Value sorter) {
  if (sorter.dtype() != DType::I64 || sorter.dims() != boundaries.dims()) {
    fail("boundary and sorter must have the same size, and sorter be of dtype long, got {} and {}",
         to_string(boundaries.type()), to_string(sorter.type()));
  }
  return gather_along(boundaries, sorter, boundaries.rank() - 1);
}

Results searchsorted(Lowering& l) {
  const DType dtype = l.result_type({"sorted_sequence", "self"});
  const Value values = l.operand("self", dtype);
  Value boundaries = l.tensor("sorted_sequence", dtype);
  check_boundaries(boundaries, values);
  if (const auto sorter = l.optional_tensor("sorter"))
    boundaries = in_order_of(boundaries, *sorter);
  return searched(l, boundaries, values, right_side(l));
}

Results bucketize(Lowering& l) {
  const DType dtype = l.result_type({"boundaries", "self"});
  const Value boundaries = l.tensor("boundaries", dtype);
  if (boundaries.rank() != 1) {
    fail("boundaries tensor must be 1 dimension, but got dim({})", boundaries.rank());
  }
  return searched(l, boundaries, l.operand("self", dtype), l.flag("right"));
}

// --- membership

// Which elements of x equal one of `among`. A NaN equals nothing, and would break the order that
// the search relies on.
Value is_among(Value x, Value among) {
  const int64_t n = among.type().elements();
  if (n == 0) return hlo::constant(x.graph(), {DType::Pred, x.dims()}, 0);
  Value list = hlo::reshape(among, {n}), flat = hlo::reshape(x, {x.type().elements()});
  Value usable = hlo::constant(x.graph(), {DType::Pred, {}}, 1);
  if (hlo::is_floating(x.dtype())) {
    const Value nan = hlo::is_nan(list);
    const Value numbers = select(nan, hlo::highest(x.graph(), list.type()), list);
    list = select(nan, hlo::broadcast_to(reduce_min(numbers, {0}), {n}), list);
    usable = ~reduce_and(nan, {0});
  }
  list = sorted(list, 0).values;
  const Value point = insertion_points(list, flat, /*right=*/false);
  const Value found = compare(Direction::Eq, gather_along(list, point, 0), flat);
  return hlo::reshape(found & hlo::broadcast_to(usable, flat.dims()), x.dims());
}

Results membership(Lowering& l, Value found) { return l.flag("invert") ? ~found : found; }

Results isin(Lowering& l) {
  const DType dtype = l.result_type({"elements", "test_elements"});
  return membership(l, is_among(l.operand("elements", dtype), l.operand("test_elements", dtype)));
}

Results isin_scalar(Lowering& l) {
  const Values xy = l.promoted({"elements", "test_element"});
  return membership(l, compare(Direction::Eq, xy[0], xy[1]));
}

Results scalar_isin(Lowering& l) {
  const Values xy = l.promoted({"element", "test_elements"});
  return membership(l, reduce_or(compare(Direction::Eq, xy[0], xy[1]), all_dims(xy[0])));
}

constexpr OpRow kRows[] = {
    {"aten::topk", topk},
    {"aten::sort", sort},
    {"aten::sort.stable", sort},
    {"aten::kthvalue", kthvalue},
    {"aten::median", median<NanRule::Wins>},
    {"aten::median.dim", median_dim<NanRule::Wins>},
    {"aten::nanmedian", median<NanRule::IsLeftOut>},
    {"aten::nanmedian.dim", median_dim<NanRule::IsLeftOut>},
    {"aten::mode", mode},
    {"aten::searchsorted.Tensor", searchsorted},
    {"aten::searchsorted.Scalar", searchsorted},
    {"aten::bucketize.Tensor", bucketize},
    {"aten::bucketize.Scalar", bucketize},
    {"aten::isin.Tensor_Tensor", isin},
    {"aten::isin.Tensor_Scalar", isin_scalar},
    {"aten::isin.Scalar_Tensor", scalar_isin},
};

}  // namespace

std::span<const OpRow> ordering_rows() { return kRows; }

}  // namespace ippatsu::ops
