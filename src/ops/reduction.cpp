// Operators that fold dimensions away: sums, means, norms, extrema, counts.

#include <cmath>
#include <limits>

#include "ops/compute.h"
#include "ops/table.h"

namespace ippatsu::ops {

namespace {

using hlo::Direction;

int64_t count(const Dims& shape, const Dims& dims) {
  int64_t product = 1;
  for (const int64_t dim : dims) product *= shape[static_cast<size_t>(dim)];
  return product;
}

// Sums in the compute type and rounds once.
Value sum_over(Value x, const Dims& dims, DType dtype) {
  return hlo::convert(reduce_sum(to_compute_type(hlo::convert(x, dtype)), dims), dtype);
}

Value kept(Lowering& l, Value reduced, Value x, const Dims& dims) {
  return l.flag("keepdim") ? keep_dims(reduced, x.dims(), dims) : reduced;
}

Results sum_all(Lowering& l) {
  const Value x = l.tensor("self");
  return sum_over(x, all_dims(x), sum_type(l, x));
}

Results sum_dims(Lowering& l) {
  const Value x = l.tensor("self");
  const Dims dims = l.dims("dim", x.rank());
  return kept(l, sum_over(x, dims, sum_type(l, x)), x, dims);
}

// The sum of what is a number.
Results nansum(Lowering& l) {
  Value x = l.tensor("self");
  if (hlo::is_complex(x.dtype())) fail("nansum does not support complex inputs");
  if (hlo::is_floating(x.dtype())) x = select(hlo::is_nan(x), fill_like(x, 0), x);
  const Dims dims = l.dims("dim", x.rank());
  return kept(l, sum_over(x, dims, sum_type(l, x)), x, dims);
}

Results count_nonzero(Lowering& l) {
  const Value x = l.tensor("self", DType::Pred);
  return reduce_sum(hlo::convert(x, DType::I64), l.dims("dim", x.rank()));
}

Value mean_over(Value x, const Dims& dims, std::optional<DType> wanted) {
  const DType dtype = wanted.value_or(x.dtype());
  if (!hlo::is_floating(dtype) && !hlo::is_complex(dtype)) {
    fail("the mean of {} is not defined; ask for a floating dtype", hlo::name(dtype));
  }
  const Value sum = reduce_sum(to_compute_type(hlo::convert(x, dtype)), dims);
  return hlo::convert(sum / static_cast<double>(count(x.dims(), dims)), dtype);
}

Results mean_all(Lowering& l) {
  const Value x = l.tensor("self");
  return mean_over(x, all_dims(x), l.dtype("dtype"));
}

Results mean_dims(Lowering& l) {
  const Value x = l.tensor("self");
  const Dims dims = l.dims("dim", x.rank());
  return kept(l, mean_over(x, dims, l.dtype("dtype")), x, dims);
}

struct Moments {
  Value variance;
  Value mean;
};

// Two passes, the numerically safe way. `correction` is taken off the count (Bessel: 1). The
// variance of complex numbers is that of both parts together.
Moments moments(Value x, const Dims& dims, double correction) {
  if (!hlo::is_floating(x.dtype()) && !hlo::is_complex(x.dtype())) {
    fail("deviations are defined on floating types only, got {}", hlo::name(x.dtype()));
  }
  const Value wide = to_compute_type(x);
  const auto n = static_cast<double>(count(x.dims(), dims));
  const Value mean = reduce_sum(wide, dims) / n;
  const Value centred = hlo::is_complex(x.dtype()) ? hlo::abs(wide - stretch(mean, x.dims(), dims))
                                                   : wide - stretch(mean, x.dims(), dims);
  const Value variance = reduce_sum(centred * centred, dims) / std::max(n - correction, 0.0);
  return {variance, mean};
}

double correction(Lowering& l) { return l.has("correction") ? l.constant("correction") : 1; }

// The variance or its root, which is real for complex numbers too.
template <bool root, bool with_mean>
Results deviation(Lowering& l) {
  const Value x = l.tensor("self");
  const Dims dims = l.dims("dim", x.rank());
  const Moments m = moments(x, dims, correction(l));
  const Value spread = root ? hlo::sqrt(m.variance) : m.variance;
  const Value first = kept(l, hlo::convert(spread, hlo::real_part(x.dtype())), x, dims);
  if (!with_mean) return first;
  return {first, kept(l, hlo::convert(m.mean, x.dtype()), x, dims)};
}

void check_norm(Value x, const Dims& dims, double p) {
  if (!hlo::is_floating(x.dtype()) && !hlo::is_complex(x.dtype())) {
    fail("linalg.vector_norm: Expected a floating point or complex tensor as input. Got {}",
         hlo::name(x.dtype()));
  }
  if ((p < 0 || std::isinf(p)) && count(x.dims(), dims) == 0) {
    fail(
        "linalg.vector_norm cannot compute the {} norm on an empty dimension of {} because the "
        "operation does not have an identity",
        p, to_string(x.type()));
  }
}

// The p-norm over `dims` of a floating x, in x's type.
Value norm_over(Value x, const Dims& dims, double p) {
  check_norm(x, dims, p);
  return p_norm(hlo::abs(to_compute_type(x)), dims, p);
}

Results vector_norm(Lowering& l) {
  Value x = l.tensor("self");
  if (const auto wanted = l.dtype("dtype")) x = hlo::convert(x, *wanted);
  const Dims dims = l.dims("dim", x.rank());
  return kept(l, hlo::convert(norm_over(x, dims, l.constant("ord")), hlo::real_part(x.dtype())), x,
              dims);
}

double norm_power(Lowering& l) { return l.has("p") ? l.constant("p") : 2; }

Results norm_dims(Lowering& l) {
  const Value x = l.tensor("self");
  const Dims dims = l.dims("dim", x.rank());
  return kept(l, hlo::convert(norm_over(x, dims, norm_power(l)), hlo::real_part(x.dtype())), x,
              dims);
}

Results norm_all(Lowering& l) {
  const Value x = l.tensor("self");
  return hlo::convert(norm_over(x, all_dims(x), norm_power(l)), hlo::real_part(x.dtype()));
}

// --- truth

Value truth(Lowering& l) { return l.tensor("self", DType::Pred); }

// ATen gives uint8 for a uint8 tensor, bool for every other.
Value as_truth(Lowering& l, Value x) {
  return l.raw("self").scalar_type() == at::kByte ? hlo::convert(x, DType::U8) : x;
}

Results any_all(Lowering& l) { return as_truth(l, reduce_or(truth(l), all_dims(truth(l)))); }
Results all_all(Lowering& l) { return as_truth(l, reduce_and(truth(l), all_dims(truth(l)))); }

Dims one_dim(Lowering& l, Value x) {
  const int64_t dim = l.dim("dim", x.rank());
  return x.rank() == 0 ? Dims{} : Dims{dim};
}

Results any_dim(Lowering& l) {
  const Value x = truth(l);
  return as_truth(l, kept(l, reduce_or(x, one_dim(l, x)), x, one_dim(l, x)));
}

Results all_dim(Lowering& l) {
  const Value x = truth(l);
  return as_truth(l, kept(l, reduce_and(x, one_dim(l, x)), x, one_dim(l, x)));
}

// --- products

Value product_over(Lowering& l, Value x, const Dims& dims) {
  const DType dtype = sum_type(l, x);
  const Value wide = to_compute_type(hlo::convert(x, dtype));
  const Value one = hlo::constant(l.graph(), {wide.dtype(), {}}, 1);
  return hlo::convert(reduce(hlo::Combiner::Multiply, wide, one, dims), dtype);
}

Results prod_all(Lowering& l) {
  const Value x = l.tensor("self");
  return product_over(l, x, all_dims(x));
}

Results prod_dim(Lowering& l) {
  const Value x = l.tensor("self");
  const Dims dims = one_dim(l, x);
  return kept(l, product_over(l, x, dims), x, dims);
}

// --- extrema

// What has no identity needs an element. (IndexError, as ATen has it, where dims are named.)
void check_not_empty(Value x, const Dims& dims) {
  for (const int64_t dim : dims) {
    if (x.dim(dim) > 0) continue;
    C10_THROW_ERROR(IndexError,
                    fmt::format("Expected reduction dim {} to have non-zero size.", dim));
  }
}

void check_not_empty(Value x) {
  if (x.type().elements() == 0)
    fail("Expected reduction dim to be specified for input.numel() == 0, got {}",
         to_string(x.type()));
}

template <Value (*reduce)(Value, Dims)>
Results extremum_over(Lowering& l) {
  const Value x = l.tensor("self");
  const Dims dims = l.dims("dim", x.rank());
  l.ints("dim").empty() ? check_not_empty(x) : check_not_empty(x, dims);
  return kept(l, reduce(x, dims), x, dims);
}

template <Value (*reduce)(Value, Dims)>
Results extremum_all(Lowering& l) {
  const Value x = l.tensor("self");
  check_not_empty(x);
  return reduce(x, all_dims(x));
}

Results aminmax(Lowering& l) {
  const Value x = l.tensor("self");
  const Dims dims = l.has("dim") ? l.dims("dim", x.rank()) : all_dims(x);
  l.has("dim") ? check_not_empty(x, dims) : check_not_empty(x);
  return {kept(l, reduce_min(x, dims), x, dims), kept(l, reduce_max(x, dims), x, dims)};
}

template <hlo::Extremum (*find)(Value, int64_t)>
Results extremum_dim(Lowering& l) {
  const Value x = l.tensor("self");
  if (x.rank() == 0) return {x, hlo::constant(l.graph(), {DType::I64, {}}, 0)};
  const int64_t dim = l.dim("dim", x.rank());
  check_not_empty(x, {dim});
  const hlo::Extremum found = find(x, dim);
  return {kept(l, found.value, x, {dim}), kept(l, found.index, x, {dim})};
}

template <hlo::Extremum (*find)(Value, int64_t)>
Results arg_extremum(Lowering& l) {
  const Value x = l.tensor("self");
  if (x.dtype() == DType::Pred || hlo::is_complex(x.dtype()))
    fail("does not support {} input", hlo::is_complex(x.dtype()) ? "complex" : "bool");
  if (x.rank() == 0) return hlo::constant(l.graph(), {DType::I64, {}}, 0);
  if (!l.has("dim")) {
    if (x.type().elements() == 0) {
      C10_THROW_ERROR(IndexError, "Expected reduction dim to be specified for input.numel() == 0.");
    }
    const Value flat = find(hlo::reshape(x, {x.type().elements()}), 0).index;
    return l.flag("keepdim") ? hlo::reshape(flat, Dims(static_cast<size_t>(x.rank()), 1)) : flat;
  }
  const int64_t dim = l.dim("dim", x.rank());
  check_not_empty(x, {dim});
  return kept(l, find(x, dim).index, x, {dim});
}

// --- hashes

// The bits of each element as an i64 or f64.
Value wide_bits(Value x) {
  if (hlo::is_complex(x.dtype()))
    fail("hash_tensor is not implemented for {}", hlo::name(x.dtype()));
  const DType wide = hlo::is_floating(x.dtype()) ? DType::F64 : DType::I64;
  return hlo::bitcast_convert(hlo::convert(x, wide), DType::U64);
}

// Their exclusive or.
Results hash_tensor(Lowering& l) {
  if (l.integer("mode") != 0) fail("Unknown hash_tensor mode: {}", l.integer("mode"));
  const Value x = l.tensor("self");
  const Dims dims = l.dims("dim", x.rank());
  l.ints("dim").empty() ? check_not_empty(x) : check_not_empty(x, dims);
  const Value zero = hlo::constant(l.graph(), {DType::U64, {}}, 0);
  const auto combine = [](std::span<const Value> xy) -> Values {
    return {hlo::binary(hlo::Opcode::Xor, xy[0], xy[1])};
  };
  return kept(l, hlo::reduce(Values{wide_bits(x)}, Values{zero}, dims, combine)[0], x, dims);
}

constexpr OpRow kRows[] = {
    {"aten::sum", sum_all},
    {"aten::sum.dim_IntList", sum_dims},
    {"aten::nansum", nansum},
    {"aten::count_nonzero.dim_IntList", count_nonzero},
    {"aten::mean", mean_all},
    {"aten::mean.dim", mean_dims},
    {"aten::var.correction", deviation<false, false>},
    {"aten::std.correction", deviation<true, false>},
    {"aten::var_mean.correction", deviation<false, true>},
    {"aten::std_mean.correction", deviation<true, true>},
    {"aten::linalg_vector_norm", vector_norm},
    {"aten::norm.Scalar", norm_all},
    {"aten::norm.ScalarOpt_dim", norm_dims},
    {"aten::any", any_all},
    {"aten::any.dim", any_dim},
    {"aten::all", all_all},
    {"aten::all.dim", all_dim},
    {"aten::prod", prod_all},
    {"aten::prod.dim_int", prod_dim},
    {"aten::amax", extremum_over<hlo::reduce_max>},
    {"aten::amin", extremum_over<hlo::reduce_min>},
    {"aten::aminmax", aminmax},
    {"aten::max", extremum_all<hlo::reduce_max>},
    {"aten::min", extremum_all<hlo::reduce_min>},
    {"aten::max.dim", extremum_dim<hlo::arg_max>},
    {"aten::min.dim", extremum_dim<hlo::arg_min>},
    {"aten::argmax", arg_extremum<hlo::arg_max>},
    {"aten::argmin", arg_extremum<hlo::arg_min>},
    {"aten::hash_tensor", hash_tensor},
};

}  // namespace

std::span<const OpRow> reduction_rows() { return kRows; }

}  // namespace ippatsu::ops
