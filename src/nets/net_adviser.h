#pragma once

// A trained net that is asked about a played game. A net for discards has an opinion on nothing
// else.

#include <filesystem>
#include <string>

#include "analysis/adviser.h"
#include "nets/net_player.h"

namespace ippatsu::nets {

class NetAdviser : public analysis::Adviser {
 public:
  // Reads the checkpoint at `path`. Fails where it is damaged or of another feature version.
  NetAdviser(const std::filesystem::path& path, torch::Device device);

  analysis::AdviserFacts facts() const override { return facts_; }
  void advise(std::span<const mahjong::DecisionView> decisions,
              std::span<analysis::Opinion> opinions) override;

 private:
  Evaluator evaluator_;
  analysis::AdviserFacts facts_;
};

}  // namespace ippatsu::nets
