#include "device/autocast.h"

#include <ATen/autocast_mode.h>
#include <torch/library.h>

namespace ippatsu::device {

namespace {

// A sigmoid rounded to 16 bits may be 1, and its loss infinite.
at::Tensor refuse_cross_entropy_of_probabilities(const at::Tensor&, const at::Tensor&,
                                                 const std::optional<at::Tensor>&, int64_t) {
  TORCH_CHECK(false,
              "torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to "
              "autocast; use binary_cross_entropy_with_logits or BCEWithLogitsLoss");
}

}  // namespace

void register_autocast() {
  static torch::Library others(torch::Library::IMPL, "_", c10::DispatchKey::AutocastPrivateUse1,
                               __FILE__, __LINE__);
  others.fallback(torch::CppFunction::makeFallthrough());

  // ATen's macros, which know each operator's signature, write to a library named m, in its names.
  using namespace at;
  static torch::Library m(torch::Library::IMPL, "aten", c10::DispatchKey::AutocastPrivateUse1,
                          __FILE__, __LINE__);
#define IPPATSU_LOWER_PRECISION(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, lower_precision_fp)
#define IPPATSU_FP32(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, fp32)
#define IPPATSU_FP32_DTYPE(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, fp32_set_opt_dtype)
#define IPPATSU_PROMOTE(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, promote)
  AT_FORALL_LOWER_PRECISION_FP(IPPATSU_LOWER_PRECISION)
  AT_FORALL_FP32(IPPATSU_FP32)
  AT_FORALL_FP32_SET_OPT_DTYPE(IPPATSU_FP32_DTYPE)
  AT_FORALL_DIFFERENT_REDISPATCH_SIGNATURE(KERNEL_DIFFERENT_REDISPATCH_SIGNATURE_PRIVATEUSEONE)
  AT_FORALL_PROMOTE(IPPATSU_PROMOTE)
  KERNEL_PRIVATEUSEONE(cat, promote)
  KERNEL_PRIVATEUSEONE(stack, promote)
#undef IPPATSU_LOWER_PRECISION
#undef IPPATSU_FP32
#undef IPPATSU_FP32_DTYPE
#undef IPPATSU_PROMOTE
  m.impl("binary_cross_entropy", TORCH_FN(refuse_cross_entropy_of_probabilities));
}

}  // namespace ippatsu::device
