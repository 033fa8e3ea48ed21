// Patches of images laid out as columns and put back, and channels shuffled.

#include <fmt/ranges.h>

#include "ops/table.h"
#include "ops/windows.h"

namespace ippatsu::ops {

namespace {

using hlo::Direction;

// A kernel moving along one dim of an image.
struct Steps {
  int64_t extent, size, stride, padding, dilation;

  int64_t places() const {
    const int64_t room = extent + 2 * padding - dilation * (size - 1) - 1;
    return room < 0 ? 0 : room / stride + 1;
  }
};

struct Patches {
  Steps rows, columns;

  int64_t places() const { return rows.places() * columns.places(); }
};

Patches read_patches(Lowering& l, const Dims& extents) {
  const Dims size = window_numbers(l, "kernel_size", 2, 1),
             stride = window_numbers(l, "stride", 2, 1),
             padding = window_numbers(l, "padding", 2, 0),
             dilation = window_numbers(l, "dilation", 2, 1);
  const auto steps = [&](size_t i) -> Steps {
    return {extents[i], size[i], stride[i], padding[i], dilation[i]};
  };
  const Patches patches{steps(0), steps(1)};
  if (patches.places() == 0)
    fail("a kernel of [{}] with dilation [{}] and padding [{}] has no place in an image of [{}]",
         fmt::join(size, ","), fmt::join(dilation, ","), fmt::join(padding, ","),
         fmt::join(extents, ","));
  return patches;
}

Value within(Value positions, int64_t extent) {
  return compare(Direction::Ge, positions, fill_like(positions, 0)) &
         compare(Direction::Lt, positions, fill_like(positions, static_cast<double>(extent)));
}

// Per place of the kernel, the elements that lie under it.
Windows under_kernel(hlo::Graph& graph, const Steps& s) {
  const hlo::Type type{DType::I64, {s.places(), s.size}};
  const Value place = hlo::iota(graph, type, 0), offset = hlo::iota(graph, type, 1);
  const Value positions = place * static_cast<double>(s.stride) +
                          offset * static_cast<double>(s.dilation) - static_cast<double>(s.padding);
  return {positions, within(positions, s.extent)};
}

// Per element, where it lies in a list of all offsets into the kernel times all its places.
Windows over_elements(hlo::Graph& graph, const Steps& s) {
  const hlo::Type type{DType::I64, {s.extent, s.size}};
  const Value element = hlo::iota(graph, type, 0), offset = hlo::iota(graph, type, 1);
  const Value start =
      element + static_cast<double>(s.padding) - offset * static_cast<double>(s.dilation);
  const Value stride = fill_like(start, static_cast<double>(s.stride));
  const Value place = start / stride;
  const Value on_a_place = compare(Direction::Eq, place * stride, start);
  const Value not_before = compare(Direction::Ge, start, fill_like(start, 0));
  return {offset * static_cast<double>(s.places()) + place,
          on_a_place & not_before & within(place, s.places())};
}

// With a batch in front, where the tensor of `rank` dims, batch included, has none.
Value batched(Value x, int64_t rank) {
  if (x.rank() == rank) return x;
  if (x.rank() != rank - 1)
    fail("expected a tensor of {} or {} dims, got {}", rank - 1, rank, to_string(x.type()));
  Dims dims = x.dims();
  dims.insert(dims.begin(), 1);
  return hlo::reshape(x, dims);
}

// `result` as batched as x was.
Value as_batched(Value result, Value x, int64_t rank) {
  if (x.rank() == rank) return result;
  return hlo::reshape(result, {result.dims().begin() + 1, result.dims().end()});
}

Results im2col(Lowering& l) {
  const Value self = l.tensor("self"), x = batched(self, 4);
  const Patches patches = read_patches(l, {x.dim(2), x.dim(3)});
  const auto& [rows, columns] = patches;
  const Value zero = hlo::constant(l.graph(), {x.dtype(), {}}, 0);
  Value read = read_windows(x, 3, under_kernel(l.graph(), columns), zero);
  read = read_windows(read, 2, under_kernel(l.graph(), rows), zero);  // batch, channel, y, i, x, j
  const Value columns_last = hlo::transpose(read, {0, 1, 3, 5, 2, 4});
  const Value result =
      hlo::reshape(columns_last, {x.dim(0), x.dim(1) * rows.size * columns.size, patches.places()});
  return as_batched(result, self, 4);
}

void check_columns(Value columns, const Patches& patches) {
  const int64_t size = patches.rows.size * patches.columns.size;
  if (columns.dim(1) % size != 0 || columns.dim(2) != patches.places())
    fail("expected columns of a multiple of {} elements at {} places, got {}", size,
         patches.places(), to_string(columns.type()));
}

Results col2im(Lowering& l) {
  const Value self = l.tensor("self"), x = batched(self, 3);
  const Patches patches = read_patches(l, window_numbers(l, "output_size", 2, 1));
  const auto& [rows, columns] = patches;
  check_columns(x, patches);
  const int64_t channels = x.dim(1) / (rows.size * columns.size);
  const Value split = hlo::reshape(to_compute_type(x), {x.dim(0), channels, rows.size, columns.size,
                                                        rows.places(), columns.places()});
  const Value lists = hlo::reshape(
      hlo::transpose(split, {0, 1, 2, 4, 3, 5}),
      {x.dim(0), channels, rows.size * rows.places(), columns.size * columns.places()});
  Value image = sum_windows(lists, 3, over_elements(l.graph(), columns));
  image = sum_windows(image, 2, over_elements(l.graph(), rows));
  return as_batched(hlo::convert(image, x.dtype()), self, 3);
}

// Channel i of group g becomes channel g of group i.
Results channel_shuffle(Lowering& l) {
  const Value x = l.tensor("self");
  const int64_t groups = l.integer("groups");
  if (x.rank() < 3) fail("expected more than 2 dims, got {}", to_string(x.type()));
  if (groups < 1) fail("the number of groups must be positive, got {}", groups);
  if (x.dim(1) % groups != 0)
    fail("the number of channels must be divisible by groups, got {} in {} groups",
         to_string(x.type()), groups);
  Dims split = x.dims(), order = all_dims(x);
  split[1] /= groups;
  split.insert(split.begin() + 1, groups);
  order.push_back(x.rank());
  std::swap(order[1], order[2]);
  return hlo::reshape(hlo::transpose(hlo::reshape(x, split), order), x.dims());
}

constexpr OpRow kRows[] = {
    {"aten::im2col", im2col},
    {"aten::col2im", col2im},
    {"aten::channel_shuffle", channel_shuffle},
};

}  // namespace

std::span<const OpRow> folding_rows() { return kRows; }

}  // namespace ippatsu::ops
