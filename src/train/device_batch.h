#pragma once

// A batch as tensors on the device. Planes and masks travel as bytes, a quarter of their size as
// floats.

#include <vector>

#include <torch/torch.h>

#include "data/batch.h"
#include "mahjong/features.h"

namespace ippatsu::train {

struct DeviceBatch {
  torch::Tensor planes;  // u8 [B, kPlanes, kKinds]
  torch::Tensor legal;   // bool [B, A]
  torch::Tensor action;  // i64 [B]
};

template <typename T>
torch::Tensor to_device(const std::vector<T>& values, torch::IntArrayRef shape, torch::Dtype dtype,
                        torch::Device device) {
  const torch::Tensor host = torch::from_blob(const_cast<T*>(values.data()), shape, dtype);
  // On the CPU the tensor must not share the batch's memory, which the loader takes back.
  return device.is_cpu() ? host.clone() : host.to(device);
}

inline DeviceBatch to_device(const data::Batch& batch, torch::Device device) {
  const int64_t n = batch.size;
  return {to_device(batch.planes, {n, mahjong::kPlanes, mahjong::kKinds}, torch::kByte, device),
          to_device(batch.legal, {n, batch.actions}, torch::kBool, device),
          to_device(batch.action, {n}, torch::kLong, device)};
}

}  // namespace ippatsu::train
