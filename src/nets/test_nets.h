#pragma once

// Nets for the tests of this folder.

#include <filesystem>

#include "mahjong/policy.h"

namespace ippatsu::nets {

// Writes the checkpoint of a net that has learnt nothing into the folder, and says where it is.
std::filesystem::path untrained_net(const std::filesystem::path& folder, mahjong::Policy policy);

}  // namespace ippatsu::nets
