#pragma once

// Serialized programs hold machine code: loaded damaged, or by another build of the plugin, they
// could do anything. A seal around the bytes refuses both. Internal to the layer.

#include <string>
#include <string_view>

namespace ippatsu::pjrt {

// `maker` is Plugin::identity().
std::string seal(std::string_view payload, std::string_view maker);

// The payload, inside `sealed`. Fails on bytes that are cut, damaged or of another maker.
std::string_view unseal(std::string_view sealed, std::string_view maker);

}  // namespace ippatsu::pjrt
