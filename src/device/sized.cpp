#include "device/sized.h"

#include <algorithm>
#include <tuple>

#include <ATen/Functions.h>
#include <ATen/native/Resize.h>
#include <torch/library.h>

#include "base/error.h"
#include "device/runtime.h"
#include "device/tensor.h"
#include "trace/call_site.h"
#include "trace/journal.h"
#include "trace/metrics.h"

namespace ippatsu::device {

int64_t read_size(const char* op, const at::Tensor& count) {
  const std::string site = trace::call_site();
  trace::metrics_log().record([&](trace::Metrics& metrics) {
    trace::SizeRead& read = metrics.size_reads[op];
    if (read.count++ == 0) read.first_site = site;
  });
  trace::note(&trace::Journal::size_reads, {op, site});
  const trace::PartOfAnEntry this_entry;
  return to_host(count).item().toLong();
}

namespace {

using at::Tensor;

c10::TensorOptions long_like(const Tensor& x) { return x.options().dtype(at::kLong); }

Tensor no_positions(const Tensor& x) { return at::empty({0}, long_like(x)); }

// The first slices of `padded`, as many as `count` says, in a storage of their own.
Tensor front(const char* op, const Tensor& padded, const Tensor& count) {
  return padded.narrow(0, 0, read_size(op, count)).clone();
}

// An out= form writes what the functional form returns.
Tensor& write_out(const char* op, const Tensor& result, Tensor& out) {
  TORCH_CHECK(out.scalar_type() == result.scalar_type(), op, ": expected out to be of dtype ",
              result.scalar_type(), " but got ", out.scalar_type());
  at::native::resize_output(out, result.sizes());
  return out.copy_(result);
}

// --- masks

Tensor nonzero(const Tensor& self) {
  if (self.numel() == 0) return at::empty({0, self.dim()}, long_like(self));
  const Tensor count = at::count_nonzero(self);
  const Tensor found = front("aten::nonzero", at::nonzero_static(self, self.numel(), 0), count);
  return found.t().contiguous().t();  // as the CPU's, a row of memory a dimension
}

Tensor& nonzero_out(const Tensor& self, Tensor& out) {
  return write_out("nonzero", device::nonzero(self), out);
}

Tensor masked_select(const Tensor& self, const Tensor& mask) {
  TORCH_CHECK(mask.scalar_type() == at::kBool, "masked_select: expected BoolTensor for mask");
  const std::vector<Tensor> both = at::broadcast_tensors({self, mask});
  const int64_t places = both[0].numel();
  if (places == 0) return at::empty({0}, self.options());
  const Tensor count = both[1].sum();
  return front("aten::masked_select", at::masked_scatter_backward(both[0], both[1], {places}),
               count);
}

Tensor& masked_select_out(const Tensor& self, const Tensor& mask, Tensor& out) {
  return write_out("masked_select", device::masked_select(self, mask), out);
}

// --- runs of equal elements

struct Runs {
  Tensor first;  // where each begins
  Tensor index;  // of each place: which run it is in
  Tensor counts;
};

// `starts` says of each place whether a run begins there; the first one does.
Runs runs(const char* op, const Tensor& starts, bool with_index, bool with_counts) {
  const int64_t places = starts.size(0);
  Runs found{.first = {}, .index = no_positions(starts), .counts = no_positions(starts)};
  if (with_index) found.index = starts.cumsum(0) - 1;
  const Tensor first = at::nonzero_static(starts, places).select(1, 0), count = starts.sum();
  found.first = front(op, first, count);
  if (with_counts) {
    const Tensor end = at::full({1}, places, long_like(starts));
    found.counts = at::cat({found.first.slice(0, 1), end}) - found.first;
  }
  return found;
}

// Where x, a list or rows, differs from what stands before.
Tensor run_starts(const Tensor& x) {
  const int64_t places = x.size(0);
  Tensor differs = x.narrow(0, 1, places - 1).ne(x.narrow(0, 0, places - 1));
  if (x.dim() > 1) differs = differs.any(1);
  return at::cat({at::ones({1}, differs.options()), differs});
}

// What stands at the places that `order` names goes back to where it was.
Tensor unsorted(const Tensor& index, const Tensor& order) {
  return at::empty_like(order).scatter(0, order, index);
}

using Unique = std::tuple<Tensor, Tensor, Tensor>;  // elements, inverse, counts

Unique none(const Tensor& self, bool return_inverse) {
  return {at::empty({0}, self.options()),
          return_inverse ? at::empty(self.sizes(), long_like(self)) : no_positions(self),
          no_positions(self)};
}

Unique unique2(const Tensor& self, bool, bool return_inverse, bool return_counts) {
  if (self.numel() == 0) return none(self, return_inverse);
  const Tensor list = self.reshape(-1);
  const auto [elements, order] = at::sort(list, /*stable=*/std::optional(true), /*dim=*/0);
  const Runs found = runs("aten::_unique2", run_starts(elements), return_inverse, return_counts);
  const Tensor inverse =
      return_inverse ? unsorted(found.index, order).view(self.sizes()) : found.index;
  return {elements.index_select(0, found.first), inverse, found.counts};
}

std::tuple<Tensor, Tensor> unique(const Tensor& self, bool is_sorted, bool return_inverse) {
  auto [elements, inverse, counts] = unique2(self, is_sorted, return_inverse, false);
  return {elements, inverse};
}

// The order in which rows [n, m] are sorted by their first column, then by their second ...: they
// are sorted stably by the last column, then by the one before it, and so on.
hlo::Value lexicographic_order(hlo::Value rows) {
  const int64_t n = rows.dim(0), columns = rows.dim(1);
  const hlo::Value start = hlo::iota(rows.graph(), {hlo::DType::I64, {n}}, 0);
  const auto sort_column = [&](hlo::Value round, std::span<const hlo::Value> state) -> hlo::Values {
    const hlo::Value first = fill_like(round, 0);
    const hlo::Value last = fill_like(round, static_cast<double>(columns - 1));
    const hlo::Value column =
        hlo::reshape(hlo::dynamic_slice(state[1], {first, last - round}, {n, 1}), {n});
    const hlo::GatherDims element{.offset = {}, .collapsed = {0}, .map = {0}, .sizes = {1}};
    const hlo::Value keys = hlo::gather(column, hlo::reshape(state[0], {n, 1}), element, {n});
    return {hlo::sort(keys, {state[0]}, 0, /*descending=*/false)[1], state[1]};
  };
  return hlo::repeat(columns, {start, rows}, sort_column)[0];
}

Tensor lexicographic_order(const Tensor& rows) {
  trace::Trace& trace = cell_of(rows).trace();
  const auto lock = trace.lock();
  return make_tensor(trace, rows.device().index(), lexicographic_order(read(rows)));
}

// The slices of a tensor along a dim as rows, and the way back.
class Slices {
 public:
  Slices(const Tensor& self, int64_t dim) : moved_(self.movedim(dim, 0)), dim_(dim) {}

  Tensor rows() const { return moved_.reshape({moved_.size(0), -1}); }

  Tensor restored(const Tensor& rows) const {
    std::vector<int64_t> sizes = moved_.sizes().vec();
    sizes[0] = rows.size(0);
    return rows.view(sizes).movedim(0, dim_);
  }

 private:
  Tensor moved_;
  int64_t dim_;
};

void check_no_empty_slices(const Tensor& self, int64_t dim) {
  for (int64_t i = 0; i < self.dim(); ++i) {
    TORCH_CHECK(self.size(i) > 0 || i == at::maybe_wrap_dim(dim, self.dim()),
                "There are 0 sized dimensions, and they aren't selected, so unique cannot be "
                "applied");
  }
}

// As on the CPU, slices always come with their inverse and their counts.
Unique unique_dim_consecutive(const Tensor& self, int64_t dim, bool, bool) {
  check_no_empty_slices(self, dim);
  if (self.numel() == 0) return {self.clone(), no_positions(self), no_positions(self)};
  const Slices slices(self, dim);
  const Tensor rows = slices.rows();
  const Runs found = runs("aten::unique_dim_consecutive", run_starts(rows), true, true);
  return {slices.restored(rows.index_select(0, found.first)), found.index, found.counts};
}

Unique unique_dim(const Tensor& self, int64_t dim, bool, bool, bool) {
  check_no_empty_slices(self, dim);
  if (self.numel() == 0) return {self.clone(), no_positions(self), no_positions(self)};
  const Slices slices(self, dim);
  const Tensor given = slices.rows(), order = lexicographic_order(given);
  const Tensor rows = given.index_select(0, order);
  const Runs found = runs("aten::unique_dim", run_starts(rows), true, true);
  return {slices.restored(rows.index_select(0, found.first)), unsorted(found.index, order),
          found.counts};
}

Unique unique_consecutive(const Tensor& self, bool return_inverse, bool return_counts,
                          std::optional<int64_t> dim) {
  if (dim) return device::unique_dim_consecutive(self, *dim, return_inverse, return_counts);
  if (self.numel() == 0) return none(self, return_inverse);
  const Tensor list = self.reshape(-1);
  const Runs found =
      runs("aten::unique_consecutive", run_starts(list), return_inverse, return_counts);
  return {list.index_select(0, found.first),
          return_inverse ? found.index.view(self.sizes()) : found.index, found.counts};
}

// --- counts

// A number that no size has says that something is wrong with the values themselves.
Tensor unless(const Tensor& wrong, const Tensor& count) {
  return at::where(wrong, at::full({}, -1, count.options()), count);
}

Tensor repeat_interleave(const Tensor& repeats, std::optional<int64_t> output_size) {
  TORCH_CHECK(repeats.dim() == 1, "repeat_interleave only accept 1D vector as repeat");
  TORCH_CHECK(repeats.scalar_type() == at::kLong || repeats.scalar_type() == at::kInt,
              "repeats has to be Long or Int tensor");
  if (repeats.numel() == 0) return at::empty_like(repeats);
  const Tensor ends = repeats.cumsum(0);
  const int64_t total =
      output_size ? *output_size
                  : read_size("aten::repeat_interleave",
                              unless((repeats < 0).any(), ends.select(0, repeats.numel() - 1)));
  TORCH_CHECK(total >= 0, "repeats can not be negative");
  return at::searchsorted(ends, at::arange(total, long_like(repeats)),
                          /*out_int32=*/repeats.scalar_type() == at::kInt, /*right=*/true);
}

Tensor bincount(const Tensor& self, const std::optional<Tensor>& weights, int64_t minlength) {
  TORCH_CHECK(minlength >= 0, "minlength should be >= 0");
  TORCH_CHECK(c10::isIntegralType(self.scalar_type(), /*includeBool=*/false),
              "\"bincount\" not implemented for '", self.scalar_type(), "'");
  if (self.dim() == 1 && self.numel() == 0) return at::zeros({minlength}, long_like(self));
  constexpr const char* kWanted = "bincount only supports 1-d non-negative integral inputs.";
  TORCH_CHECK(self.dim() == 1, kWanted);
  const bool weighted = weights && weights->defined();
  TORCH_CHECK(!weighted || (weights->dim() == 1 && weights->size(0) == self.size(0)),
              "weights should be 1-d and have the same length as input");
  const Tensor bins = self.to(at::kLong);
  const int64_t needed = read_size("aten::bincount", unless((bins < 0).any(), bins.max() + 1));
  TORCH_CHECK(needed >= 0, kWanted);
  const bool is_float = weighted && weights->scalar_type() == at::kFloat;
  const c10::ScalarType type = !weighted ? at::kLong : is_float ? at::kFloat : at::kDouble;
  const Tensor weight = weighted ? weights->to(type) : at::ones_like(bins);
  return at::zeros({std::max(needed, minlength)}, self.options().dtype(type))
      .scatter_add(0, bins, weight);
}

bool equal(const Tensor& self, const Tensor& other) {
  TORCH_CHECK(self.device() == other.device(),
              "Cannot compare two tensors on different devices. Got: ", self.device(), " and ",
              other.device());
  if (self.sizes() != other.sizes()) return false;
  return self.numel() == 0 || read_size("aten::equal", self.eq(other).all()) != 0;
}

// The places to split at, or their number.
std::vector<Tensor> tensor_split(const Tensor& self, const Tensor& indices_or_sections,
                                 int64_t dim) {
  TORCH_CHECK(indices_or_sections.scalar_type() == at::kLong && indices_or_sections.dim() <= 1,
              "tensor_split expected tensor_indices_or_sections to be a zero-dimensional or "
              "one-dimensional tensor of dtype long, but got ",
              indices_or_sections.scalar_type(), indices_or_sections.sizes());
  const Tensor host = indices_or_sections.cpu().contiguous();
  if (host.dim() == 0) return at::tensor_split(self, host.item().toLong(), dim);
  const at::IntArrayRef places(host.const_data_ptr<int64_t>(), static_cast<size_t>(host.numel()));
  return at::tensor_split(self, places, dim);
}

// --- sizes that numbers decide

// How many places of a matrix are on its diagonal `offset` or below it.
int64_t places_below(int64_t rows, int64_t columns, int64_t offset) {
  int64_t places = 0;
  for (int64_t row = 0; row < rows; ++row)
    places += std::clamp<int64_t>(row + offset + 1, 0, columns);
  return places;
}

Tensor positions(const Tensor& mask, int64_t count, std::optional<c10::ScalarType> type) {
  return at::nonzero_static(mask, count).t().to(type.value_or(at::kLong)).contiguous();
}

Tensor all_true(int64_t rows, int64_t columns, std::optional<c10::Device> device) {
  TORCH_CHECK(rows >= 0 && columns >= 0, "row and col must be non-negative, got ", rows, " and ",
              columns);
  return at::ones({rows, columns}, at::TensorOptions(at::kBool).device(device));
}

Tensor tril_indices(int64_t rows, int64_t columns, int64_t offset,
                    std::optional<c10::ScalarType> type, std::optional<c10::Layout>,
                    std::optional<c10::Device> device, std::optional<bool>) {
  return positions(all_true(rows, columns, device).tril(offset),
                   places_below(rows, columns, offset), type);
}

Tensor triu_indices(int64_t rows, int64_t columns, int64_t offset,
                    std::optional<c10::ScalarType> type, std::optional<c10::Layout>,
                    std::optional<c10::Device> device, std::optional<bool>) {
  return positions(all_true(rows, columns, device).triu(offset),
                   rows * columns - places_below(rows, columns, offset - 1), type);
}

}  // namespace

void register_sized_ops() {
  static torch::Library library(torch::Library::IMPL, "aten", c10::DispatchKey::PrivateUse1,
                                __FILE__, __LINE__);
  library.impl("nonzero", TORCH_FN(nonzero));
  library.impl("nonzero.out", TORCH_FN(nonzero_out));
  library.impl("masked_select", TORCH_FN(masked_select));
  library.impl("masked_select.out", TORCH_FN(masked_select_out));
  library.impl("_unique", TORCH_FN(unique));
  library.impl("_unique2", TORCH_FN(unique2));
  library.impl("unique_dim", TORCH_FN(unique_dim));
  library.impl("unique_dim_consecutive", TORCH_FN(unique_dim_consecutive));
  library.impl("unique_consecutive", TORCH_FN(unique_consecutive));
  library.impl("repeat_interleave.Tensor", TORCH_FN(repeat_interleave));
  library.impl("bincount", TORCH_FN(bincount));
  library.impl("equal", TORCH_FN(equal));
  library.impl("tensor_split.tensor_indices_or_sections", TORCH_FN(tensor_split));
  library.impl("tril_indices", TORCH_FN(tril_indices));
  library.impl("triu_indices", TORCH_FN(triu_indices));
  // A view's gradient is that of the views it is made of.
  static torch::Library autograd(torch::Library::IMPL, "aten",
                                 c10::DispatchKey::AutogradPrivateUse1, __FILE__, __LINE__);
  autograd.impl("tensor_split.tensor_indices_or_sections", TORCH_FN(tensor_split));
}

}  // namespace ippatsu::device
