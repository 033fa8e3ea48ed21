#pragma once

namespace ippatsu::device {

// Sparse tensors of coordinates, as an embedding's gradient is one: `to_sparse`, `to_dense`,
// `coalesce`, sums with dense tensors and what `torch.optim.SparseAdam` asks. Their indices and
// values are tensors of the device. Other operators refuse them.
void register_sparse();

}  // namespace ippatsu::device
