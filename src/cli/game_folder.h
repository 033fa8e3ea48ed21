#pragma once

// A folder of games that our players played, a gzipped mjai file each.

#include <array>
#include <cstddef>
#include <filesystem>
#include <string>

#include "play/arena.h"

namespace ippatsu::cli {

class GameFolder {
 public:
  // Makes the folder where it is missing.
  explicit GameFolder(std::filesystem::path folder);

  // "game-000017.mjai.gz" in it
  std::filesystem::path file(size_t game) const;
  bool has(size_t game) const { return std::filesystem::exists(file(game)); }

  // Writes the game of that plan and of these players, whole or not at all.
  void keep(const play::PlayedGame& game, const play::PlannedGame& plan,
            const play::Players& players) const;

  // A game that is there. Fails if it is damaged, or has other walls or players than planned.
  play::PlayedGame load(size_t game, const play::PlannedGame& plan,
                        const play::Players& players) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace ippatsu::cli
