#include "ops/table.h"

namespace ippatsu::ops {

std::vector<OpRow> all_rows() {
  std::vector<OpRow> rows;
  for (const auto group :
       {activation_rows,    advanced_indexing_rows, bessel_rows,       complex_rows,
        convolution_rows,   counting_rows,          creation_rows,     distance_rows,
        embedding_bag_rows, factorization_rows,     folding_rows,      fourier_rows,
        gamma_rows,         indexing_rows,          linear_solve_rows, loss_rows,
        matmul_rows,        normalization_rows,     optimizer_rows,    ordering_rows,
        padding_rows,       pointwise_rows,         polynomial_rows,   pooling_rows,
        random_rows,        recurrent_rows,         reduction_rows,    resampling_rows,
        scan_rows,          segment_rows,           shape_rows,        special_rows}) {
    rows.insert(rows.end(), group().begin(), group().end());
  }
  return rows;
}

}  // namespace ippatsu::ops
