#pragma once

#include <ATen/core/Generator.h>

#include "hlo/builder.h"

namespace ippatsu::device {

// The generator of a device that `torch::manual_seed` seeds; -1 means the current device.
const at::Generator& default_generator(c10::DeviceIndex index);

// Seeds the default generators of all devices, without a look at which there are: the workers of a
// data loader seed too, and take no device.
void seed_default_generators(uint64_t seed);

// A new one, with the default seed.
at::Generator make_generator(c10::DeviceIndex index);

// The state of the generator's next draw as ui64[2]: key and counter, inputs of the program. Each
// call moves the generator on by one draw.
hlo::Value next_state(const at::Generator& generator, hlo::Graph& graph);

}  // namespace ippatsu::device
