#include "device/sparse.h"

#include <ATen/Functions.h>
#include <ATen/NativeFunctions.h>
#include <c10/util/accumulate.h>
#include <torch/library.h>

namespace ippatsu::device {

namespace {

using at::IntArrayRef;
using at::Scalar;
using at::Tensor;

IntArrayRef sparse_sizes(const Tensor& sparse) {
  return sparse.sizes().slice(0, static_cast<size_t>(sparse.sparse_dim()));
}

IntArrayRef dense_sizes(const Tensor& sparse) {
  return sparse.sizes().slice(static_cast<size_t>(sparse.sparse_dim()));
}

// `count` values, each as large as one of the sparse tensor's.
std::vector<int64_t> values_sizes(const Tensor& sparse, int64_t count) {
  std::vector<int64_t> sizes{count};
  const IntArrayRef each = dense_sizes(sparse);
  sizes.insert(sizes.end(), each.begin(), each.end());
  return sizes;
}

// Where the values lie if the sparse dimensions are taken for one, row-major.
Tensor positions_of(const Tensor& sparse) {
  const Tensor indices = sparse._indices();
  Tensor positions = at::zeros({sparse._nnz()}, indices.options());
  for (int64_t dim = 0; dim < sparse.sparse_dim(); ++dim)
    positions = positions * sparse.size(dim) + indices.select(0, dim);
  return positions;
}

Tensor indices_at(const Tensor& positions, IntArrayRef sizes) {
  if (sizes.empty()) return at::empty({0, positions.size(0)}, positions.options());
  std::vector<Tensor> indices(sizes.size());
  Tensor rest = positions;
  for (size_t dim = sizes.size(); dim-- > 0;) {
    indices[dim] = rest.remainder(sizes[dim]);
    rest = rest.floor_divide(sizes[dim]);
  }
  return at::stack(indices);
}

Tensor with_values(const Tensor& sparse, const Tensor& values) {
  return at::_sparse_coo_tensor_unsafe(sparse._indices(), values, sparse.sizes(),
                                       sparse.options().dtype(values.scalar_type()),
                                       sparse.is_coalesced());
}

// A dense tensor with the sparse dimensions of `sparse` taken for one.
Tensor as_list(const Tensor& dense, const Tensor& sparse) {
  return dense.reshape(values_sizes(sparse, c10::multiply_integers(sparse_sizes(sparse))));
}

Tensor values_at(const Tensor& dense, const Tensor& sparse) {
  TORCH_CHECK(dense.sizes() == sparse.sizes(),
              "sizes of a dense and a sparse tensor differ: ", dense.sizes(), " and ",
              sparse.sizes());
  return as_list(dense, sparse).index_select(0, positions_of(sparse));
}

Tensor coalesce(const Tensor& self) {
  if (self.is_coalesced()) return self;
  const auto [positions, place, counts] =
      at::_unique2(positions_of(self), /*sorted=*/true, /*return_inverse=*/true);
  const Tensor values = at::zeros(values_sizes(self, positions.size(0)), self._values().options())
                            .index_add(0, place, self._values());
  return at::_sparse_coo_tensor_unsafe(indices_at(positions, sparse_sizes(self)), values,
                                       self.sizes(), self.options(), /*is_coalesced=*/true);
}

Tensor sparse_mask(const Tensor& self, const Tensor& mask) {
  TORCH_CHECK_NOT_IMPLEMENTED(!self.is_sparse(), "sparse_mask of a sparse tensor on ippatsu");
  return with_values(mask, values_at(self, mask));
}

Tensor plus_dense(const Tensor& self, const Tensor& sparse, const Scalar& alpha) {
  TORCH_CHECK(self.sizes() == sparse.sizes(), "add: expected 'self' and 'other' to have the same ",
              "size, but got ", self.sizes(), " and ", sparse.sizes());
  const c10::ScalarType type = at::result_type(self, sparse._values());
  return as_list(self.to(type), sparse)
      .index_add(0, positions_of(sparse), sparse._values().to(type), alpha)
      .view(self.sizes());
}

Tensor plus_sparse(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  TORCH_CHECK(self.sizes() == other.sizes() && self.sparse_dim() == other.sparse_dim(),
              "add: expected 'self' and 'other' to have the same size and sparse dimensions, but ",
              "got ", self.sizes(), " and ", other.sizes());
  const c10::ScalarType type = at::result_type(self._values(), other._values());
  const Tensor values = at::cat({self._values().to(type), other._values().to(type) * alpha});
  return at::_sparse_coo_tensor_unsafe(at::cat({self._indices(), other._indices()}, 1), values,
                                       self.sizes(), self.options().dtype(type));
}

Tensor plus(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  TORCH_CHECK(other.is_sparse(),
              "add(sparse, dense) is not supported. Use add(dense, sparse) instead.");
  return self.is_sparse() ? plus_sparse(self, other, alpha) : plus_dense(self, other, alpha);
}

Tensor& plus_(Tensor& self, const Tensor& other, const Scalar& alpha) {
  return self.copy_(plus(self, other, alpha));
}

Tensor times(const Tensor& self, const Tensor& other) {
  const bool first = self.is_sparse();
  const Tensor& sparse = first ? self : other;
  const Tensor& factor = first ? other : self;
  TORCH_CHECK_NOT_IMPLEMENTED(!factor.is_sparse(), "mul of two sparse tensors on ippatsu");
  return with_values(sparse,
                     sparse._values() * (factor.dim() == 0 ? factor : values_at(factor, sparse)));
}

Tensor& times_(Tensor& self, const Tensor& other) {
  TORCH_CHECK(self.is_sparse(), "mul_: a dense tensor cannot become sparse");
  return self.copy_(times(self, other));
}

Tensor over(const Tensor& self, const Tensor& other) {
  TORCH_CHECK(self.is_sparse() && other.dim() == 0,
              "Sparse division requires a scalar or zero-dim dense tensor divisor");
  return with_values(self, self._values() / other);
}

Tensor& over_(Tensor& self, const Tensor& other) { return self.copy_(over(self, other)); }

Tensor negated(const Tensor& self) { return with_values(self, -self._values()); }

void refuse(const c10::OperatorHandle& op, torch::jit::Stack*) {
  TORCH_CHECK_NOT_IMPLEMENTED(
      false, op.schema().operator_name(),
      " has no form for sparse tensors of the device ippatsu; use to_dense()");
}

}  // namespace

void register_sparse() {
  static torch::Library library(torch::Library::IMPL, "aten", c10::DispatchKey::SparsePrivateUse1,
                                __FILE__, __LINE__);
  // Of indices and values alone.
  library.impl("empty.memory_format", TORCH_FN(at::native::empty_sparse_symint));
  library.impl("empty_like", TORCH_FN(at::native::empty_like_sparse_coo));
  library.impl("clone", TORCH_FN(at::native::clone_sparse));
  library.impl("copy_", TORCH_FN(at::native::copy_sparse_wrapper_));
  library.impl("copy_sparse_to_sparse_", TORCH_FN(at::native::copy_sparse_));
  library.impl("resize_as_sparse_", TORCH_FN(at::native::resize_as_sparse_));
  library.impl("sparse_resize_", TORCH_FN(at::native::sparse_resize_));
  library.impl("sparse_resize_and_clear_", TORCH_FN(at::native::sparse_resize_and_clear_));
  library.impl("zero_", TORCH_FN(at::native::zero_sparse_));
  library.impl("_sparse_coo_tensor_with_dims", TORCH_FN(at::native::new_with_dims_sparse));
  library.impl("_sparse_coo_tensor_with_dims_and_tensors",
               TORCH_FN(at::native::new_with_dims_and_tensor_sparse_symint));
  library.impl("sparse_dim", TORCH_FN(at::native::sparse_dim_sparse));
  library.impl("_dimI", TORCH_FN(at::native::sparse_dim_sparse));
  library.impl("dense_dim", TORCH_FN(at::native::dense_dim_sparse));
  library.impl("_dimV", TORCH_FN(at::native::dense_dim_sparse));
  library.impl("_nnz", TORCH_FN(at::native::_nnz_sparse));
  library.impl("_indices", TORCH_FN(at::native::_indices_sparse));
  library.impl("_values", TORCH_FN(at::native::_values_sparse));
  library.impl("indices", TORCH_FN(at::native::indices_sparse));
  library.impl("values", TORCH_FN(at::native::values_sparse));
  library.impl("is_coalesced", TORCH_FN(at::native::is_coalesced_sparse));
  library.impl("_coalesced_", TORCH_FN(at::native::_coalesced_sparse_));
  library.impl("_to_dense", TORCH_FN(at::native::sparse_to_dense));

  library.impl("_coalesce", TORCH_FN(coalesce));
  library.impl("sparse_mask", TORCH_FN(sparse_mask));
  library.impl("add.Tensor", TORCH_FN(plus));
  library.impl("add_.Tensor", TORCH_FN(plus_));
  library.impl("mul.Tensor", TORCH_FN(times));
  library.impl("mul_.Tensor", TORCH_FN(times_));
  library.impl("div.Tensor", TORCH_FN(over));
  library.impl("div_.Tensor", TORCH_FN(over_));
  library.impl("neg", TORCH_FN(negated));

  static torch::Library dense(torch::Library::IMPL, "aten", c10::DispatchKey::PrivateUse1, __FILE__,
                              __LINE__);
  using ToDims = Tensor (*)(const Tensor&, int64_t);
  using ToLayout = Tensor (*)(const Tensor&, std::optional<at::Layout>, at::OptionalIntArrayRef,
                              std::optional<int64_t>);
  dense.impl("_to_sparse.sparse_dim", TORCH_FN(static_cast<ToDims>(at::native::dense_to_sparse)));
  dense.impl("_to_sparse", TORCH_FN(static_cast<ToLayout>(at::native::dense_to_sparse)));

  static torch::Library others(torch::Library::IMPL, "_", c10::DispatchKey::SparsePrivateUse1,
                               __FILE__, __LINE__);
  others.fallback(torch::CppFunction::makeFromBoxedFunction<&refuse>());
}

}  // namespace ippatsu::device
