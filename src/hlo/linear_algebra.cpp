#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "hlo/builder.h"
#include "hlo/builder_parts.h"
#include "hlo/matrix.h"

namespace ippatsu::hlo {

namespace {

struct MatrixSize {
  int64_t rows, columns;
};

MatrixSize check_matrices(std::string_view what, const Type& type) {
  const bool exact = real_part(type.dtype) == DType::F32 || real_part(type.dtype) == DType::F64;
  if (!exact || type.rank() < 2)
    fail("{} wants matrices of f32, f64 or complex numbers, got {}", what, to_string(type));
  return {type.dims[type.dims.size() - 2], type.dims.back()};
}

int64_t check_square(std::string_view what, const Type& type) {
  const auto [rows, columns] = check_matrices(what, type);
  if (rows != columns) fail("{} wants square matrices, got {}", what, to_string(type));
  return rows;
}

Dims batch_of(const Type& type) { return {type.dims.begin(), type.dims.end() - 2}; }

// One row of numbers for each matrix.
Type vectors(DType dtype, const Type& matrices, int64_t length) {
  Dims dims = batch_of(matrices);
  dims.push_back(length);
  return {dtype, std::move(dims)};
}

}  // namespace

Value cholesky(Value a, bool lower) {
  check_square("cholesky", a.type());
  return a.graph().add(Opcode::Cholesky, a.type(), {a}, {lower});
}

Value triangular_solve(Value a, Value b, const TriangularSolve& options) {
  constexpr const char* kName = "triangular_solve";
  const int64_t size = check_square(kName, a.type());
  const auto [rows, columns] = check_matrices(kName, b.type());
  const int64_t wanted = options.left_side ? rows : columns;
  if (a.dtype() != b.dtype() || batch_of(a.type()) != batch_of(b.type()) || size != wanted)
    fail("triangular_solve: {} and {} do not match", to_string(a.type()), to_string(b.type()));
  return a.graph().add(Opcode::TriangularSolve, b.type(), {a, b},
                       {options.left_side, options.lower, options.unit_diagonal,
                        static_cast<int64_t>(options.transpose)});
}

Qr qr(Value a) {
  const auto [rows, columns] = check_matrices("qr", a.type());
  const Type factors = vectors(a.dtype(), a.type(), std::min(rows, columns));
  const Values parts = custom_call(a.graph(), {.target = "Qr"}, {a}, {a.type(), factors});
  return {parts[0], parts[1]};
}

Value householder_product(Value reflectors, Value factors) {
  const Type& type = reflectors.type();
  const auto [rows, columns] = check_matrices("householder_product", type);
  const bool matching = factors.rank() >= 1 && factors.dims().back() <= columns &&
                        factors.type() == vectors(type.dtype, type, factors.dims().back());
  if (!matching || rows < columns)
    fail("householder_product wants at least as many rows as columns as factors, got {} and {}",
         to_string(type), to_string(factors.type()));
  return custom_call(reflectors.graph(), {.target = "ProductOfElementaryHouseholderReflectors"},
                     {reflectors, factors}, {type})[0];
}

namespace {

// The Hermitian matrix that one triangle of `a` stands for.
Value hermitian(Value a, bool lower) {
  const Value triangle = only(where_row(lower ? Direction::Gt : Direction::Lt, a), a);
  const Value diagonal = only(where_row(Direction::Eq, a), convert(real(a), a.dtype()));
  return triangle + adjoint(triangle) + diagonal;
}

// One step of Newton and Schulz towards orthonormal columns.
Value orthonormalized(Value columns) {
  const Value overlaps = matrix_product(adjoint(columns), columns);
  return columns * 1.5 - matrix_product(columns, overlaps) * 0.5;
}

// One step towards the eigenvectors of `a`, after which the error is as small as its square was.
// First-order perturbation theory takes out what is not diagonal, except between eigenvalues too
// close for it; then the vectors are made orthonormal again.
Value refined(Value a, Value vectors) {
  constexpr double kLeastGap = 1e4;  // in units of what is taken out
  constexpr double kNoise = 1e-15;   // in units of the matrix: rounding errors, nothing to take out
  const Value projected = matrix_product(adjoint(vectors), matrix_product(a, vectors));
  const int64_t last = a.rank() - 1;
  const Value values = diagonal(real(projected));
  Dims rows(static_cast<size_t>(last)), columns;
  std::iota(rows.begin(), rows.end(), 0);
  columns = rows;
  columns.back() = last;
  const Value gap =
      broadcast_in_dim(values, a.dims(), columns) - broadcast_in_dim(values, a.dims(), rows);
  const Value size = abs(projected);
  const Value greatest = reduce_max(reduce_max(size, {last}), {last - 1});
  Dims batch(rows.begin(), rows.end() - 1);
  const Value noise = broadcast_in_dim(greatest, a.dims(), std::move(batch)) * kNoise;
  const Value apart =
      compare(Direction::Gt, abs(gap), size * kLeastGap) & compare(Direction::Gt, size, noise);
  const Value turn = only(apart, projected / convert(gap, a.dtype()));
  const Value turned = vectors + matrix_product(vectors, turn);
  return orthonormalized(turned);
}

}  // namespace

Eigensystem eigh(Value a, bool lower) {
  const int64_t size = check_square("eigh", a.type());
  const DType part = real_part(a.dtype());
  // whether the lower triangle counts, whether to sort, how many sweeps at most, and the tolerance
  const std::string config = fmt::format("{:d},1,100,1e-7", lower);
  const Values parts = custom_call(a.graph(), {.target = "Eigh", .backend_config = config}, {a},
                                   {a.type(), vectors(part, a.type(), size)});
  Eigensystem system{.values = parts[1], .vectors = parts[0]};
  // XLA's rotations lengthen or shorten vectors by a little, which hundreds of them add up.
  if (part == DType::F32) return {system.values, orthonormalized(system.vectors)};
  // XLA turns away no less than about 1e-8 of the eigenvalues. Those that are apart err by the
  // square of it, close ones by that much; the vectors need refinement.
  const Value whole = hermitian(a, lower);
  for (int step = 0; step < 2; ++step) system.vectors = refined(whole, system.vectors);
  return system;
}

namespace {

// The last dim as long as a real transform of `length` numbers gives it.
int64_t half_spectrum(int64_t length) { return length / 2 + 1; }

void check_fft_type(FftKind kind, const Type& type) {
  const bool wants_real = kind == FftKind::Rfft;
  const bool fits =
      wants_real ? type.dtype == DType::F32 || type.dtype == DType::F64 : is_complex(type.dtype);
  if (!fits)
    fail("this fft wants {}, got {}", wants_real ? "f32 or f64" : "complex numbers",
         to_string(type));
}

Dims fft_input_tail(FftKind kind, Dims lengths) {
  if (kind == FftKind::Irfft) lengths.back() = half_spectrum(lengths.back());
  return lengths;
}

DType fft_result(FftKind kind, DType dtype) {
  if (kind == FftKind::Rfft) return dtype == DType::F64 ? DType::C128 : DType::C64;
  return kind == FftKind::Irfft ? real_part(dtype) : dtype;
}

}  // namespace

Value fft(FftKind kind, Value x, Dims lengths) {
  constexpr size_t kMostDims = 3;
  check_fft_type(kind, x.type());
  const auto transformed = static_cast<int64_t>(lengths.size());
  if (lengths.empty() || lengths.size() > kMostDims || transformed > x.rank())
    fail("fft wants the lengths of the last 1 to 3 dims of {}, got [{}]", to_string(x.type()),
         fmt::join(lengths, ","));
  if (std::ranges::any_of(lengths, [](int64_t length) { return length < 1; }))
    fail("fft wants lengths of at least 1, got [{}]", fmt::join(lengths, ","));
  const Dims tail(x.dims().end() - transformed, x.dims().end());
  if (const Dims wanted = fft_input_tail(kind, lengths); tail != wanted)
    fail("this fft of lengths [{}] wants last dims [{}], got {}", fmt::join(lengths, ","),
         fmt::join(wanted, ","), to_string(x.type()));
  Dims dims = x.dims();
  dims.back() = kind == FftKind::Rfft ? half_spectrum(lengths.back()) : lengths.back();
  Attributes attributes = {static_cast<int64_t>(kind)};
  attributes.insert(attributes.end(), lengths.begin(), lengths.end());
  return x.graph().add(Opcode::Fft, {fft_result(kind, x.dtype()), std::move(dims)}, {x},
                       std::move(attributes));
}

namespace {

Dims bytes_of(std::string_view text) {
  Dims bytes;
  for (const char byte : text) bytes.push_back(static_cast<unsigned char>(byte));
  return bytes;
}

}  // namespace

Values custom_call(Graph& graph, const CustomCall& call, Values operands,
                   std::vector<Type> result_types) {
  constexpr int64_t kTypedFfi = 4;
  if (call.target.empty()) fail("custom_call wants the name of a target");
  if (result_types.empty()) fail("custom_call wants at least one result");
  if (call.api_version < 1 || call.api_version > kTypedFfi)
    fail("custom_call knows the api versions 1 to 4, not {}", call.api_version);
  if (call.api_version == kTypedFfi && !call.backend_config.empty())
    fail("custom_call has no backend_config in words in api version 4");
  return results(graph.add(Opcode::CustomCall, std::move(result_types), std::move(operands),
                           join_lists({bytes_of(call.target), bytes_of(call.backend_config),
                                       Dims{call.api_version, call.has_side_effect}})));
}

}  // namespace ippatsu::hlo
