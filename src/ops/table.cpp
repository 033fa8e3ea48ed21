#include "ops/table.h"

namespace ippatsu::ops {

std::vector<OpRow> all_rows() {
  std::vector<OpRow> rows;
  for (const auto group :
       {activation_rows, creation_rows, indexing_rows, loss_rows, matmul_rows, normalization_rows,
        pointwise_rows, random_rows, reduction_rows, shape_rows}) {
    rows.insert(rows.end(), group().begin(), group().end());
  }
  return rows;
}

}  // namespace ippatsu::ops
