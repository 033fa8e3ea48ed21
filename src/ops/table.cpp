#include "ops/table.h"

namespace ippatsu::ops {

std::vector<OpRow> all_rows() {
  std::vector<OpRow> rows;
  for (const auto group : {activation_rows, advanced_indexing_rows, creation_rows, indexing_rows,
                           loss_rows, matmul_rows, normalization_rows, pointwise_rows, random_rows,
                           reduction_rows, scan_rows, shape_rows, special_rows}) {
    rows.insert(rows.end(), group().begin(), group().end());
  }
  return rows;
}

}  // namespace ippatsu::ops
