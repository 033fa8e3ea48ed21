// Operators that move elements without looking at them. (Views are ATen's own: a view shares its
// base's storage, and is read from it.)

#include <c10/core/WrapDimMinimal.h>

#include "base/error.h"
#include "ops/table.h"

namespace ippatsu::ops {

namespace {

Results cat(Lowering& l) {
  const DType dtype = l.result_type({"tensors"});
  Values parts;
  for (const Value part : l.tensors("tensors")) parts.push_back(hlo::convert(part, dtype));
  // A rank-1 tensor without elements goes with anything, an old rule of ATen.
  std::erase_if(parts, [](Value part) { return part.rank() == 1 && part.dim(0) == 0; });
  if (parts.empty()) return hlo::constant(l.graph(), {dtype, {0}}, 0);
  return hlo::concatenate(parts, l.dim("dim", parts[0].rank()));
}

Results narrow_copy(Lowering& l) {
  const Value x = l.tensor("self");
  if (x.rank() == 0) fail("narrow() cannot be applied to a 0-dim tensor.");
  const int64_t dim = l.dim("dim", x.rank()), extent = x.dim(dim), length = l.integer("length");
  const int64_t given = l.integer("start"), start = given < 0 ? given + extent : given;
  if (length < 0) fail("narrow(): length must be non-negative.");
  if (start < 0 || start + length > extent)
    fail("start ({}) + length ({}) exceeds dimension size ({}).", given, length, extent);
  return slice_dim(x, dim, start, start + length);
}

Results flip(Lowering& l) {
  const Value x = l.tensor("self");
  const bool none = l.ints("dims").empty();
  return none || x.rank() == 0 ? x : hlo::reverse(x, l.dims("dims", x.rank()));
}

Value roll_dim(Value x, int64_t shift, int64_t dim) {
  const int64_t extent = x.dim(dim);
  if (extent == 0) return x;
  const int64_t cut = extent - ((shift % extent) + extent) % extent;
  return hlo::concatenate({slice_dim(x, dim, cut, extent), slice_dim(x, dim, 0, cut)}, dim);
}

Results roll(Lowering& l) {
  const Value x = l.tensor("self");
  const Dims shifts = l.ints("shifts"), dims = l.ints("dims");
  if (dims.empty())
    return hlo::reshape(roll_dim(hlo::reshape(x, {x.type().elements()}), shifts.at(0), 0),
                        x.dims());
  if (dims.size() != shifts.size())
    fail("roll wants a shift for each of {} dims, got {}", dims.size(), shifts.size());
  Value rolled = x;
  for (size_t i = 0; i < dims.size(); ++i) {
    rolled = roll_dim(rolled, shifts[i], c10::maybe_wrap_dim(dims[i], x.rank()));
  }
  return rolled;
}

// The last dims come first in `pad`, each as (before, after); a negative amount cuts.
Results constant_pad(Lowering& l) {
  const Value x = l.tensor("self");
  const Dims amounts = l.ints("pad");
  Dims low(static_cast<size_t>(x.rank()), 0), high = low;
  if (amounts.size() % 2 != 0 || amounts.size() / 2 > low.size()) {
    fail("pad wants two amounts for at most {} dims, got {} amounts", x.rank(), amounts.size());
  }
  for (size_t i = 0; i < amounts.size() / 2; ++i) {
    low[low.size() - 1 - i] = amounts[2 * i];
    high[high.size() - 1 - i] = amounts[2 * i + 1];
  }
  return hlo::pad(x, l.scalar("value", x.dtype()), low, high);
}

// Keeps what is on or on one side of a diagonal of the last two dims.
template <hlo::Direction keeps>
Results triangle(Lowering& l) {
  const Value x = l.tensor("self");
  const hlo::Type positions{DType::I64, x.dims()};
  const Value row = hlo::iota(l.graph(), positions, x.rank() - 2),
              column = hlo::iota(l.graph(), positions, x.rank() - 1);
  const Value diagonal = row + static_cast<double>(l.integer("diagonal"));
  return select(compare(keeps, column, diagonal), x, fill_like(x, 0));
}

constexpr OpRow kRows[] = {
    {"aten::cat", cat},
    {"aten::narrow_copy", narrow_copy},
    {"aten::flip", flip},
    {"aten::roll", roll},
    {"aten::constant_pad_nd", constant_pad},
    {"aten::tril", triangle<hlo::Direction::Le>},
    {"aten::triu", triangle<hlo::Direction::Ge>},
};

}  // namespace

std::span<const OpRow> shape_rows() { return kRows; }

}  // namespace ippatsu::ops
