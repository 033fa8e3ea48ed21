#include "trace/strided.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace ippatsu::trace {

namespace {

using hlo::Dims;
using hlo::DType;
using hlo::Value;

// Parts of arrays up to this size are replaced elementwise: a loop may write a thousand of them.
constexpr int64_t kMaskedElements = 1 << 14;

// A dimension of a view that moves through memory: more than one element, stride not 0.
struct Axis {
  int64_t dim;
  int64_t size;
  int64_t stride;
};

// The moving axes, outermost (greatest stride) first.
std::vector<Axis> moving_axes(const View& view) {
  std::vector<Axis> axes;
  for (size_t i = 0; i < view.sizes.size(); ++i) {
    if (view.sizes[i] > 1 && view.strides[i] > 0)
      axes.push_back({static_cast<int64_t>(i), view.sizes[i], view.strides[i]});
  }
  std::ranges::stable_sort(axes, std::greater(), &Axis::stride);
  return axes;
}

// A view as a box: the flat array, padded at its end, becomes an array of shape `shape`; the view
// is the part of it from `start` with `size`. There is a level per axis, the outermost first, and
// one last level for the elements that the innermost stride jumps over. `row` is the length, before
// padding, of what a level splits.
struct Level {
  int64_t row;
  int64_t stride;
  int64_t start;
  int64_t size;

  int64_t extent() const { return (row + stride - 1) / stride; }
};

// Splits the array level by level: a row of `row` elements into extent() rows of `stride`. Fails
// (gives nothing) where a level's slice would run over the end of its row into the next.
std::optional<std::vector<Level>> box(int64_t elements, const View& view,
                                      const std::vector<Axis>& axes) {
  std::vector<Level> levels;
  int64_t row = elements, offset = view.offset;
  for (const Axis& axis : axes) {
    levels.push_back({row, axis.stride, offset / axis.stride, axis.size});
    offset %= axis.stride;
    row = axis.stride;
  }
  levels.push_back({row, 1, offset, 1});
  int64_t last = 0;  // of the elements named, the place of the last one in its row
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    last += (level->start + level->size - 1) * level->stride;
    if (last >= level->row) return std::nullopt;
  }
  return levels;
}

Dims shape_of(const std::vector<Level>& levels) {
  Dims shape;
  for (const Level& level : levels) shape.push_back(level.extent());
  return shape;
}

Value zero(Value like) { return hlo::constant(like.graph(), {like.dtype(), {}}, 0); }

// Splits the last dim into the level's rows, padding it to whole ones.
Value split(Value array, const Level& level) {
  Dims dims = array.dims();
  Dims high(dims.size(), 0);
  high.back() = level.extent() * level.stride - dims.back();
  const Value padded = hlo::pad(array, zero(array), Dims(dims.size(), 0), high);
  dims.back() = level.extent();
  dims.push_back(level.stride);
  return hlo::reshape(padded, dims);
}

// Undoes split.
Value join(Value array, const Level& level) {
  Dims dims = array.dims();
  dims.pop_back();
  dims.back() = level.extent() * level.stride;
  const Value joined = hlo::reshape(array, dims);
  return hlo::slice_dim(joined, joined.rank() - 1, 0, level.row);
}

// The flat array in the box's shape. All levels but the last split; the last is what remains.
Value to_box(Value array, const std::vector<Level>& levels) {
  if (hlo::element_count(shape_of(levels)) == array.type().elements())
    return hlo::reshape(array, shape_of(levels));
  Value boxed = hlo::reshape(array, {array.type().elements()});
  for (size_t i = 0; i + 1 < levels.size(); ++i) boxed = split(boxed, levels[i]);
  return boxed;
}

Value from_box(Value boxed, const std::vector<Level>& levels, const Dims& shape) {
  if (boxed.type().elements() == hlo::element_count(shape)) return hlo::reshape(boxed, shape);
  for (size_t i = levels.size() - 1; i-- > 0;) boxed = join(boxed, levels[i]);
  return hlo::reshape(boxed, shape);
}

Dims starts_of(const std::vector<Level>& levels) {
  Dims starts;
  for (const Level& level : levels) starts.push_back(level.start);
  return starts;
}

Value cut(Value boxed, const std::vector<Level>& levels) {
  Dims limits;
  for (const Level& level : levels) limits.push_back(level.start + level.size);
  return hlo::slice(boxed, starts_of(levels), limits);
}

// Where each axis, outermost first, lies among the moving axes of the view in dim order.
Dims order_in_view(const std::vector<Axis>& axes) {
  Dims order(axes.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](int64_t i) { return axes[static_cast<size_t>(i)].dim; });
  return order;
}

// Replaces `part` of a box by an elementwise operation, which is fused with the writes before and
// after it, where a dynamic_update_slice is a kernel of its own.
Value replace_by_mask(Value boxed, Value part, const std::vector<Level>& levels) {
  Dims low, high;
  Value mask;
  for (size_t i = 0; i < levels.size(); ++i) {
    const Level& level = levels[i];
    low.push_back(level.start);
    high.push_back(level.extent() - level.start - level.size);
    if (level.size == level.extent()) continue;
    const Value place =
        hlo::iota(boxed.graph(), {DType::I32, boxed.dims()}, static_cast<int64_t>(i));
    const auto number = [&](int64_t value) {
      return hlo::constant(place.graph(), place.type(), value);
    };
    const Value inside =
        level.size == 1
            ? hlo::compare(hlo::Direction::Eq, place, number(level.start))
            : hlo::compare(hlo::Direction::Ge, place, number(level.start)) &
                  hlo::compare(hlo::Direction::Lt, place, number(level.start + level.size));
    mask = mask ? mask & inside : inside;
  }
  return hlo::select(mask, hlo::pad(part, zero(part), low, high), boxed);
}

Dims sizes_of(const std::vector<Axis>& axes) {
  Dims sizes;
  for (const Axis& axis : axes) sizes.push_back(axis.size);
  return sizes;
}

// The elements along the moving axes, outermost first, arranged in the view's shape.
Value arrange(Value elements, const View& view, const std::vector<Axis>& axes) {
  const Value in_dim_order =
      hlo::transpose(hlo::reshape(elements, sizes_of(axes)), order_in_view(axes));
  Dims placement;
  for (const Axis& axis : axes) placement.push_back(axis.dim);
  std::ranges::sort(placement);
  const Dims shape(view.sizes.begin(), view.sizes.end());
  if (hlo::element_count(shape) == in_dim_order.type().elements())
    return hlo::reshape(in_dim_order, shape);
  return hlo::broadcast_in_dim(in_dim_order, shape, placement);
}

// Undoes arrange, where no dim is stretched.
Value disarrange(Value update, const std::vector<Axis>& axes) {
  std::vector<Axis> in_dim_order = axes;
  std::ranges::sort(in_dim_order, {}, &Axis::dim);
  const Dims order = order_in_view(axes);
  Dims inverse(order.size());
  for (size_t i = 0; i < order.size(); ++i)
    inverse[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  return hlo::transpose(hlo::reshape(update, sizes_of(in_dim_order)), inverse);
}

// The flat place of each element of the view, [elements, 1].
Value places(hlo::Graph& graph, const View& view) {
  const hlo::Type type{DType::I64, Dims(view.sizes.begin(), view.sizes.end())};
  Value place = hlo::constant(graph, type, view.offset);
  for (size_t i = 0; i < view.sizes.size(); ++i) {
    if (view.sizes[i] <= 1 || view.strides[i] == 0) continue;
    const Value step = hlo::constant(graph, type, view.strides[i]);
    place = place + hlo::iota(graph, type, static_cast<int64_t>(i)) * step;
  }
  return hlo::reshape(place, {type.elements(), 1});
}

Value gathered(Value array, const View& view) {
  const Value flat = hlo::reshape(array, {array.type().elements()});
  const Value elements =
      hlo::gather(flat, places(array.graph(), view),
                  {.offset = {}, .collapsed = {0}, .map = {0}, .sizes = {1}}, {view.elements()});
  return hlo::reshape(elements, Dims(view.sizes.begin(), view.sizes.end()));
}

Value scattered(Value array, const View& view, Value update) {
  const Value flat = hlo::reshape(array, {array.type().elements()});
  const Value updates = hlo::reshape(update, {view.elements()});
  const Value written =
      hlo::scatter(flat, places(array.graph(), view), updates,
                   {.window = {}, .inserted = {0}, .map = {0}}, hlo::Combiner::Replace);
  return hlo::reshape(written, array.dims());
}

Dims window_of(const std::vector<Level>& levels) {
  Dims window;
  for (const Level& level : levels) window.push_back(level.size);
  return window;
}

Value replace(Value boxed, Value part, const std::vector<Level>& levels) {
  if (boxed.dims() == part.dims()) return part;
  if (boxed.type().elements() <= kMaskedElements) return replace_by_mask(boxed, part, levels);
  hlo::Values starts;
  for (const Level& level : levels)
    starts.push_back(hlo::constant(boxed.graph(), {DType::I64, {}}, level.start));
  return hlo::dynamic_update_slice(boxed, part, starts);
}

}  // namespace

bool covers(const View& view, int64_t elements) {
  if (view.offset != 0) return false;
  int64_t expected = 1;
  for (size_t i = view.sizes.size(); i-- > 0;) {
    if (view.sizes[i] != 1 && view.strides[i] != expected) return false;
    expected *= view.sizes[i];
  }
  return expected == elements;
}

Value strided_read(Value array, const View& view) {
  const Dims shape(view.sizes.begin(), view.sizes.end());
  const int64_t elements = array.type().elements();
  if (covers(view, elements)) return hlo::reshape(array, shape);
  if (view.elements() == 0) return hlo::constant(array.graph(), {array.dtype(), shape}, 0);
  const std::vector<Axis> axes = moving_axes(view);
  const auto levels = box(elements, view, axes);
  if (!levels) return gathered(array, view);
  return arrange(cut(to_box(array, *levels), *levels), view, axes);
}

Value strided_write(Value array, const View& view, Value update) {
  const int64_t elements = array.type().elements();
  if (covers(view, elements)) return update;
  if (view.elements() == 0) return array;
  const std::vector<Axis> axes = moving_axes(view);
  const auto levels = box(elements, view, axes);
  if (!levels || hlo::element_count(sizes_of(axes)) != view.elements())
    return scattered(array, view, update);
  const Value part = hlo::reshape(disarrange(update, axes), window_of(*levels));
  return from_box(replace(to_box(array, *levels), part, *levels), *levels, array.dims());
}

}  // namespace ippatsu::trace
