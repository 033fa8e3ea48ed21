#pragma once

// A tensor as an .optest line spells it: the element type, the shape, perhaps what is in it, and
// perhaps how it lies in memory.
//
//     f32[2,3]            standard normal numbers; integers from -9 to 9 (0 to 9 if unsigned)
//     i64[4]{0..4}        uniform, both ends included
//     f32[3]{1,nan,-inf}  these elements; a single one is repeated
//     f32[]               a number; f32[0,3] has no elements
//     f32[2,3].t          a transposed view; .step2: every second element; .expand: stride 0 along
//                         the first dim; .offset: not at the start of its storage
//     cpu:f32[]           on the host even where the others are on the device
//     fixed:f32[3]        no gradient is asked for

#include <optional>
#include <string_view>
#include <vector>

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

namespace ippatsu::optest {

std::optional<c10::ScalarType> find_scalar_type(std::string_view name);

class TensorMaker {
 public:
  // With the same seed come the same tensors, on whatever device.
  TensorMaker(c10::Device device, uint64_t seed, bool with_gradients);

  at::Tensor make(std::string_view spec);

  // What the tensors made so far are views of, where a gradient can be asked for.
  const std::vector<at::Tensor>& leaves() const { return leaves_; }

 private:
  at::Tensor fill(c10::ScalarType type, const std::vector<int64_t>& shape, std::string_view domain);

  c10::Device device_;
  at::Generator generator_;
  bool with_gradients_;
  std::vector<at::Tensor> leaves_;
};

}  // namespace ippatsu::optest
