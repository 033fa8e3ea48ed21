#pragma once

// The op table: one row is one ATen overload and the function that expresses it in HLO. In-place
// and out= forms need no rows; they are derived from the schemas (device/registration.h).
//
// To add an op: a function and a row in the file where its reader would look, and a line in
// tests/ops/*.optest. A name that ATen lacks, or that stands twice, fails at start-up.

#include <span>
#include <vector>

#include "ops/lowering.h"

namespace ippatsu::ops {

struct OpRow {
  const char* name;  // "aten::sum.dim_IntList"
  Results (*lower)(Lowering&);
};

// Every row, group by group.
std::vector<OpRow> all_rows();

// The groups, one per file.
std::span<const OpRow> activation_rows();
std::span<const OpRow> advanced_indexing_rows();
std::span<const OpRow> bessel_rows();
std::span<const OpRow> complex_rows();
std::span<const OpRow> convolution_rows();
std::span<const OpRow> counting_rows();
std::span<const OpRow> creation_rows();
std::span<const OpRow> distance_rows();
std::span<const OpRow> embedding_bag_rows();
std::span<const OpRow> factorization_rows();
std::span<const OpRow> folding_rows();
std::span<const OpRow> fourier_rows();
std::span<const OpRow> gamma_rows();
std::span<const OpRow> indexing_rows();
std::span<const OpRow> linear_solve_rows();
std::span<const OpRow> loss_rows();
std::span<const OpRow> matmul_rows();
std::span<const OpRow> normalization_rows();
std::span<const OpRow> optimizer_rows();
std::span<const OpRow> ordering_rows();
std::span<const OpRow> padding_rows();
std::span<const OpRow> pointwise_rows();
std::span<const OpRow> polynomial_rows();
std::span<const OpRow> pooling_rows();
std::span<const OpRow> random_rows();
std::span<const OpRow> recurrent_rows();
std::span<const OpRow> reduction_rows();
std::span<const OpRow> resampling_rows();
std::span<const OpRow> scan_rows();
std::span<const OpRow> segment_rows();
std::span<const OpRow> shape_rows();
std::span<const OpRow> special_rows();

}  // namespace ippatsu::ops
