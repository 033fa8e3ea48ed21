#include "nets/test_nets.h"

#include <fmt/format.h>

#include "mahjong/features.h"
#include "train/checkpoint.h"

namespace ippatsu::nets {

using namespace mahjong;

std::filesystem::path untrained_net(const std::filesystem::path& folder, Policy policy) {
  train::Learner learner({.config = models::naga_config("tiny", policy), .seed = 5});
  const std::filesystem::path path = folder / fmt::format("{}.safetensors", name_of(policy));
  data::Batch batch{.size = 1,
                    .planes = {},
                    .actions = action_count(policy),
                    .legal = {},
                    .action = {0},
                    .next = {}};
  batch.planes.assign(kFeatureBits, 1);
  batch.legal.assign(static_cast<size_t>(batch.actions), 1);
  learner.step(batch, 0);  // gives the optimizer its moments
  train::save_checkpoint(
      path, learner,
      {.step = 1,
       .position = {},
       .settings = {{"config", "tiny"}, {"policy", std::string(name_of(policy))}}});
  return path;
}

}  // namespace ippatsu::nets
