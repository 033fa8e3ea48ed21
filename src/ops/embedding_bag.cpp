// Rows of a table, looked up one by one or as the sums, means and maxima of bags of them, and kept
// short.

#include <limits>

#include "ops/compute.h"
#include "ops/scan.h"
#include "ops/slices.h"
#include "ops/table.h"

namespace ippatsu::ops {

namespace {

using hlo::Combiner;
using hlo::Direction;

// --- rows one by one

// weight[indices]: [num, dim] and [...] to [..., dim]
Results embedding(Lowering& l) {
  const Value weight = l.tensor("weight");
  if (weight.rank() != 2) fail("'weight' must be 2-D, got {}", to_string(weight.type()));
  return take_slices(weight, l.tensor("indices", DType::I64), 0);
}

// A row that must stay without gradient is sent out of range, where it is dropped.
Value dropped(Lowering& l, Value positions, Value indices) {
  const int64_t padding = l.integer("padding_idx");
  if (padding < 0) return positions;
  const Value padded =
      compare(Direction::Eq, indices, hlo::constant(l.graph(), indices.type(), padding));
  return select(padded, fill_like(positions, -1), positions);
}

// How often each of the indices occurs among them, [count].
Value frequencies(Value indices, int64_t rows, DType dtype) {
  const Value ones = hlo::constant(indices.graph(), {dtype, indices.dims()}, 1);
  return take_slices(sum_slices(ones, indices, 0, rows), indices, 0);
}

Results embedding_backward(Lowering& l) {
  const Value given = l.tensor("indices", DType::I64), grad = l.tensor("grad_output");
  const int64_t count = given.type().elements(), rows = l.integer("num_weights");
  const Value indices = hlo::reshape(given, {count});
  Value updates = hlo::reshape(grad, {count, grad.dim(grad.rank() - 1)});
  if (l.flag("scale_grad_by_freq"))
    updates = updates / stretch(frequencies(indices, rows, grad.dtype()), updates.dims(), {1});
  return sum_slices(updates, dropped(l, indices, indices), 0, rows);
}

// --- bags

enum class Mode { Sum, Mean, Max };

Mode mode(Lowering& l) {
  const int64_t number = l.integer("mode");
  if (number < 0 || number > 2) fail("mode is 0 (sum), 1 (mean) or 2 (max), got {}", number);
  return static_cast<Mode>(number);
}

// Which bag each of the positions in a list of indices belongs to: one more from every offset on.
Value bag_numbers(Value offsets, int64_t count) {
  return running_sum(sum_slices(fill_like(offsets, 1), offsets, 0, count), 0) - 1;
}

// The indices of one call, and which of them count.
struct Bags {
  Value indices;  // i64[count]
  Value bags;     // i64[count], -1 for padding
  Value numbers;  // i64[count], of the padding too
  int64_t count;  // of the bags
};

void check_vector(std::string_view name, const hlo::Type& type) {
  if (type.dims.size() != 1) fail("{} has to be a 1D tensor, got {}", name, to_string(type));
}

Bags bags(Lowering& l) {
  check_vector("indices", l.type("indices"));
  check_vector("offsets", l.type("offsets"));
  const Value indices = l.tensor("indices", DType::I64), offsets = l.tensor("offsets", DType::I64);
  const bool has_end = l.flag("include_last_offset");
  if (has_end && offsets.dim(0) == 0)
    fail("include_last_offset: number of offset should be at least 1");
  const int64_t count = offsets.dim(0) - (has_end ? 1 : 0);
  const Value numbers = bag_numbers(slice_dim(offsets, 0, 0, count), indices.dim(0));
  return {indices, dropped(l, numbers, indices), numbers, count};
}

Value bag_sizes(const Bags& bags) {
  return sum_slices(fill_like(bags.bags, 1), bags.bags, 0, bags.count);
}

// An empty bag divides by one.
Value divisors(Value sizes, DType dtype) {
  return hlo::convert(maximum(sizes, fill_like(sizes, 1)), dtype);
}

Value sum_of_bags(Lowering& l, const Bags& bags, Value rows) {
  Value weighted = rows;
  if (l.has("per_sample_weights")) {
    const Value weights = l.tensor("per_sample_weights", rows.dtype());
    if (weights.dims() != bags.indices.dims())
      fail("expected per_sample_weights to be as long as the indices, got {} and {}",
           to_string(weights.type()), to_string(bags.indices.type()));
    weighted = rows * stretch(weights, rows.dims(), {1});
  }
  return sum_slices(weighted, bags.bags, 0, bags.count);
}

struct Greatest {
  Value rows;     // [bags,width], zero for an empty bag
  Value indices;  // i64[bags,width]: which row of the table each came from
};

// The first of equals counts.
Greatest greatest_of_bags(const Bags& bags, Value rows, Value sizes) {
  hlo::Graph& graph = rows.graph();
  const Dims shape{bags.count, rows.dim(1)};
  const Value least = hlo::lowest(graph, {rows.dtype(), shape});
  const Value greatest = combine_slices(Combiner::Maximum, least, bags.bags, rows, 0);
  const Value empty = stretch(compare(Direction::Eq, sizes, fill_like(sizes, 0)), shape, {1});
  const int64_t count = rows.dim(0);
  if (count == 0) return {fill_like(greatest, 0), hlo::constant(graph, {DType::I64, shape}, 0)};
  const Value wins = compare(Direction::Eq, rows, take_slices(greatest, bags.bags, 0));
  const Value place = hlo::iota(graph, {DType::I64, rows.dims()}, 0);
  const Value last = hlo::constant(graph, place.type(), count - 1);
  const Value first =
      combine_slices(Combiner::Minimum, hlo::constant(graph, {DType::I64, shape}, count - 1),
                     bags.bags, select(wins, place, last), 0);
  const Value chosen = take_slices(bags.indices, first, 0);
  return {select(empty, fill_like(greatest, 0), greatest),
          select(empty, fill_like(chosen, 0), chosen)};
}

// Results: the bags, the number of each index's bag, the size of each bag, and the rows that the
// greatest elements came from. As the CPU does, it leaves zeros for the sizes that a sum does not
// need, and gives the sizes again where there are no such rows. The bags' numbers, which the CPU
// leaves out if its fastest kernel did without them, are always there, as on GPUs.
Results embedding_bag(Lowering& l) {
  const Value table = floating_tensor(l, "weight");
  if (table.rank() != 2) fail("weight has to be a 2D tensor, got {}", to_string(table.type()));
  const Mode how = mode(l);
  if (l.has("per_sample_weights") && how != Mode::Sum)
    fail("embedding_bag: per_sample_weights was not None, but mode is not 'sum'");
  const Bags b = bags(l);
  const Value rows = to_compute_type(take_slices(table, b.indices, 0));
  const DType index = l.result_type({"indices", "offsets"});
  const auto counts = [&](Value x) { return hlo::convert(x, index); };
  const auto results = [&](Value bags, Value sizes, Value greatest) -> Results {
    return {hlo::convert(bags, table.dtype()), counts(b.numbers), counts(sizes), counts(greatest)};
  };
  const Value sizes = bag_sizes(b);
  if (how == Mode::Max) {
    const Greatest greatest = greatest_of_bags(b, rows, sizes);
    return results(greatest.rows, sizes, greatest.indices);
  }
  const Value sum = sum_of_bags(l, b, rows);
  if (how == Mode::Sum) return results(sum, fill_like(sizes, 0), fill_like(sizes, 0));
  return results(sum / stretch(divisors(sizes, sum.dtype()), sum.dims(), {1}), sizes, sizes);
}

// --- backward

// The gradient of a maximum goes to the rows it came from, element by element.
Value greatest_gradient(Lowering& l, Value grad) {
  const int64_t rows = l.integer("num_weights"), width = grad.dim(1);
  const Value row = l.tensor("maximum_indices", DType::I64);
  const Value sizes = l.tensor("bag_size", DType::I64);
  const Value place = row * static_cast<double>(width) + hlo::iota(l.graph(), row.type(), 1);
  const Value empty = stretch(compare(Direction::Eq, sizes, fill_like(sizes, 0)), row.dims(), {1});
  const Value kept = select(empty, fill_like(place, -1), place);
  const int64_t count = grad.type().elements();
  const Value flat =
      sum_slices(hlo::reshape(grad, {count}), hlo::reshape(kept, {count}), 0, rows * width);
  return hlo::reshape(flat, {rows, width});
}

Value row_gradient(Lowering& l, Value grad) {
  const Value indices = l.tensor("indices", DType::I64), bag = l.tensor("offset2bag", DType::I64);
  const int64_t rows = l.integer("num_weights");
  Value updates = take_slices(grad, bag, 0);
  const auto along = [&](Value x) { return stretch(x, updates.dims(), {1}); };
  if (mode(l) == Mode::Mean) {
    const Value sizes = divisors(l.tensor("bag_size", DType::I64), grad.dtype());
    updates = updates / along(take_slices(sizes, bag, 0));
  }
  if (l.has("per_sample_weights"))
    updates = updates * along(l.tensor("per_sample_weights", grad.dtype()));
  if (l.flag("scale_grad_by_freq"))
    updates = updates / along(frequencies(indices, rows, grad.dtype()));
  return sum_slices(updates, dropped(l, indices, indices), 0, rows);
}

Results dense_backward(Lowering& l) {
  const Value grad = to_compute_type(l.tensor("grad"));
  const Value gradient = mode(l) == Mode::Max ? greatest_gradient(l, grad) : row_gradient(l, grad);
  return hlo::convert(gradient, l.type("grad").dtype);
}

Results embedding_bag_backward(Lowering& l) {
  if (l.flag("sparse")) throw NoForm("a sparse gradient has no form on the device");
  return dense_backward(l);
}

Results per_sample_weights_backward(Lowering& l) {
  if (mode(l) != Mode::Sum)
    fail("embedding_bag_backward: per_sample_weights only supported for mode='sum'");
  const Value grad = to_compute_type(l.tensor("grad"));
  const Value indices = l.tensor("indices", DType::I64);
  const Value bag = bag_numbers(l.tensor("offsets", DType::I64), indices.dim(0));
  const Value rows = take_slices(l.tensor("weight", grad.dtype()), indices, 0);
  const Value products = reduce_sum(take_slices(grad, bag, 0) * rows, {1});
  const Value kept = dropped(l, fill_like(indices, 0), indices);
  const Value counts = compare(Direction::Ge, kept, fill_like(kept, 0));
  return hlo::convert(select(counts, products, fill_like(products, 0)), l.type("grad").dtype);
}

// --- the table

// Every row that the indices name and that is longer than max_norm is shortened to it.
Results embedding_renorm(Lowering& l) {
  const Value table = floating_tensor(l, "self");
  const Value given = l.tensor("indices", DType::I64);
  const Value indices = hlo::reshape(given, {given.type().elements()});
  const Value rows = to_compute_type(take_slices(table, indices, 0));
  const Value norm = p_norm(hlo::abs(rows), {1}, l.constant("norm_type"));
  const Value limit = l.scalar_like("max_norm", norm);
  const Value factor =
      select(compare(Direction::Gt, norm, limit), limit / (norm + 1e-7), fill_like(norm, 1));
  const Value shortened = hlo::convert(rows * stretch(factor, rows.dims(), {1}), table.dtype());
  return combine_slices(Combiner::Replace, table, indices, shortened, 0);
}

constexpr OpRow kRows[] = {
    {"aten::embedding", embedding},
    {"aten::embedding_dense_backward", embedding_backward},
    {"aten::_embedding_bag", embedding_bag},
    {"aten::_embedding_bag_forward_only", embedding_bag},
    {"aten::_embedding_bag_backward", embedding_bag_backward},
    {"aten::_embedding_bag_dense_backward", dense_backward},
    {"aten::_embedding_bag_per_sample_weights_backward", per_sample_weights_backward},
    {"aten::embedding_renorm", embedding_renorm},
};

}  // namespace

std::span<const OpRow> embedding_bag_rows() { return kRows; }

}  // namespace ippatsu::ops
