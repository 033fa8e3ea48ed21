// Dims lengthened by what they hold, mirrored or repeated.

#include <algorithm>

#include <fmt/ranges.h>

#include "ops/compute.h"
#include "ops/table.h"

namespace ippatsu::ops {

namespace {

enum class Border { Reflection, Replication };
enum class Order { Straight, Reversed, Repeated };

// Part of a padded dim: `length` elements from `start` on that come from the dim itself, from its
// `source` on; repeated, they are all its element `source`.
struct Piece {
  int64_t start, length, source;
  Order order;
};

// A padded dim has up to three pieces. Negative amounts cut, so that any of them may be missing.
std::vector<Piece> pieces(Border border, int64_t extent, int64_t before, int64_t behind) {
  const int64_t total = extent + before + behind;
  if (total == 0) return {{0, 0, 0, Order::Straight}};
  const int64_t left = std::clamp<int64_t>(before, 0, total), cut = std::max<int64_t>(-before, 0);
  const int64_t core = std::clamp<int64_t>(extent - cut, 0, total - left);
  const int64_t right = total - left - core;
  const int64_t beyond = left + core - before;  // where the right piece would be in a longer dim
  const bool mirrored = border == Border::Reflection;
  const Order order = mirrored ? Order::Reversed : Order::Repeated;
  std::vector<Piece> all = {
      {0, left, mirrored ? before - left + 1 : 0, order},
      {left, core, cut, Order::Straight},
      {left + core, right, mirrored ? 2 * extent - 1 - beyond - right : extent - 1, order}};
  std::erase_if(all, [](const Piece& piece) { return piece.length == 0; });
  return all;
}

Value read_piece(Value x, int64_t dim, const Piece& piece) {
  if (piece.order != Order::Repeated) {
    const Value part = slice_dim(x, dim, piece.source, piece.source + piece.length);
    return piece.order == Order::Reversed ? hlo::reverse(part, {dim}) : part;
  }
  Dims dims = x.dims();
  dims[static_cast<size_t>(dim)] = piece.length;
  return hlo::broadcast_to(slice_dim(x, dim, piece.source, piece.source + 1), dims);
}

Value padded(Value x, int64_t dim, const std::vector<Piece>& pieces) {
  Values parts;
  for (const Piece& piece : pieces) parts.push_back(read_piece(x, dim, piece));
  return hlo::concatenate(parts, dim);
}

// Zeros along `dim` but for x, which begins at `start`.
Value placed(Value x, int64_t dim, int64_t start, int64_t extent) {
  Dims low(static_cast<size_t>(x.rank()), 0), high = low;
  low[static_cast<size_t>(dim)] = start;
  high[static_cast<size_t>(dim)] = extent - start - x.dim(dim);
  return hlo::pad(x, hlo::constant(x.graph(), {x.dtype(), {}}, 0), low, high);
}

// The adjoint of `padded`: each piece of the gradient goes back to where it came from.
Value gathered_back(Value gradient, int64_t dim, const std::vector<Piece>& pieces, int64_t extent) {
  Value sum;
  for (const Piece& piece : pieces) {
    Value part = slice_dim(gradient, dim, piece.start, piece.start + piece.length);
    if (piece.order == Order::Reversed) part = hlo::reverse(part, {dim});
    if (piece.order == Order::Repeated)
      part = keep_dims(reduce_sum(part, {dim}), part.dims(), {dim});
    part = placed(part, dim, piece.source, extent);
    sum = sum ? sum + part : part;
  }
  return sum;
}

// How one dim is padded.
struct Amounts {
  int64_t dim, before, behind;
};

void check_dim(Border border, const hlo::Type& type, const Amounts& a) {
  const int64_t extent = type.dims[static_cast<size_t>(a.dim)];
  if (extent == 0)
    fail("expected dims other than the batch to hold something, got {}", to_string(type));
  if (border == Border::Reflection && std::max(a.before, a.behind) >= extent)
    fail(
        "Padding size should be less than the corresponding input dimension, but got: padding "
        "({}, {}) at dimension {} of {}",
        a.before, a.behind, a.dim, to_string(type));
  if (extent + a.before + a.behind < 0)
    fail("dim {} of {} is too small to be padded by ({}, {})", a.dim, to_string(type), a.before,
         a.behind);
}

// As in ATen, a dim may be cut away, but not every one of them.
void check_something_left(const hlo::Type& type, const std::vector<Amounts>& all) {
  const auto left = [&](const Amounts& a) {
    return type.dims[static_cast<size_t>(a.dim)] + a.before + a.behind > 0;
  };
  if (std::ranges::none_of(all, left))
    fail("{} is too small to be padded: nothing would be left", to_string(type));
}

// The last dim comes first in `padding`, as (before, behind).
template <Border border, int64_t count>
std::vector<Amounts> read_amounts(Lowering& l, const hlo::Type& type) {
  constexpr int64_t kLimit = int64_t{1} << 31;
  const Dims padding = l.ints("padding");
  if (padding.size() != 2 * count)
    fail("expected {} amounts of padding, got [{}]", 2 * count, fmt::join(padding, ","));
  if (type.rank() != count + 1 && type.rank() != count + 2)
    fail("expected a tensor of {} or {} dims, got {}", count + 1, count + 2, to_string(type));
  if (std::ranges::any_of(padding, [](int64_t n) { return n <= -kLimit || n >= kLimit; }))
    fail("cannot pad by [{}]", fmt::join(padding, ","));
  std::vector<Amounts> all;
  for (int64_t i = 0; i < count; ++i) {
    const auto at = static_cast<size_t>(2 * i);
    all.push_back({type.rank() - 1 - i, padding[at], padding[at + 1]});
    check_dim(border, type, all.back());
  }
  check_something_left(type, all);
  return all;
}

template <Border border, int64_t count>
Results pad(Lowering& l) {
  Value x = l.tensor("self");
  for (const auto& [dim, before, behind] : read_amounts<border, count>(l, x.type()))
    x = padded(x, dim, pieces(border, x.dim(dim), before, behind));
  return x;
}

template <Border border, int64_t count>
Results pad_backward(Lowering& l) {
  const hlo::Type type = l.type("self");
  const Value gradient = l.tensor("grad_output");
  const auto amounts = read_amounts<border, count>(l, type);
  Dims expected = type.dims;
  for (const auto& [dim, before, behind] : amounts)
    expected[static_cast<size_t>(dim)] += before + behind;
  if (gradient.dims() != expected)
    fail("expected a gradient of [{}], got {}", fmt::join(expected, ","),
         to_string(gradient.type()));
  return computed(gradient, [&](Value x) {
    for (const auto& [dim, before, behind] : amounts) {
      const int64_t extent = type.dims[static_cast<size_t>(dim)];
      x = gathered_back(x, dim, pieces(border, extent, before, behind), extent);
    }
    return x;
  });
}

constexpr OpRow kRows[] = {
    {"aten::reflection_pad1d", pad<Border::Reflection, 1>},
    {"aten::reflection_pad2d", pad<Border::Reflection, 2>},
    {"aten::reflection_pad3d", pad<Border::Reflection, 3>},
    {"aten::reflection_pad1d_backward", pad_backward<Border::Reflection, 1>},
    {"aten::reflection_pad2d_backward", pad_backward<Border::Reflection, 2>},
    {"aten::reflection_pad3d_backward", pad_backward<Border::Reflection, 3>},
    {"aten::replication_pad1d", pad<Border::Replication, 1>},
    {"aten::replication_pad2d", pad<Border::Replication, 2>},
    {"aten::replication_pad3d", pad<Border::Replication, 3>},
    {"aten::replication_pad1d_backward", pad_backward<Border::Replication, 1>},
    {"aten::replication_pad2d_backward", pad_backward<Border::Replication, 2>},
    {"aten::replication_pad3d_backward", pad_backward<Border::Replication, 3>},
};

}  // namespace

std::span<const OpRow> padding_rows() { return kRows; }

}  // namespace ippatsu::ops
