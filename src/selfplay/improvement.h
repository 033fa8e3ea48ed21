#pragma once

// Improves a net beyond what it was taught: it plays against itself and a pool of others, and is
// moved towards what brought it better places.
//
// The folder `out` holds log.jsonl (a line an iteration), TensorBoard's event files and
// checkpoint.safetensors (the newest), which is a player like any other.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include <torch/torch.h>

#include "play/arena.h"
#include "selfplay/policy_gradient.h"

namespace ippatsu::selfplay {

struct ImprovementOptions {
  std::filesystem::path from;  // the checkpoint of a net of the full policy, to begin with
  std::filesystem::path out;
  torch::Device device = torch::kCPU;
  uint64_t seed = 1;         // of walls, chance and the critic's weights
  int64_t iterations = 100;  // each plays games and learns from them
  int64_t games = 1024;      // an iteration
  // Who else plays. In every second game the net has two seats and one of these the others; in the
  // rest it has all four.
  play::Players pool;
  play::ArenaOptions arena;
  GradientOptions gradient;
};

struct IterationFigures {
  int64_t iteration = 0;  // from 1
  int64_t games = 0;
  int64_t decisions = 0;      // of the net
  double points_on_pool = 0;  // mean rank points a seat and game where others played, too
  double playing_seconds = 0;
  double learning_seconds = 0;
  GradientFigures gradient;
};

// `progress` hears of each iteration; saying no ends the run after it. Fails with one sentence
// where the options make no sense or the checkpoint does not fit.
void improve_by_selfplay(const ImprovementOptions& options,
                         const std::function<bool(const IterationFigures&)>& progress);

}  // namespace ippatsu::selfplay
