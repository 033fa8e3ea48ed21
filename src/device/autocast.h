#pragma once

namespace ippatsu::device {

// Automatic mixed precision: which operators run in the lower precision, and which in f32, under
// `torch.autocast("ippatsu")`. As ATen decides it for every accelerator.
void register_autocast();

}  // namespace ippatsu::device
