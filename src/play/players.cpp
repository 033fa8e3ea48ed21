#include "play/players.h"

#include "play/greedy_player.h"
#include "play/heuristic_player.h"
#include "play/random_player.h"

namespace ippatsu::play {

namespace {

template <typename Kind>
std::shared_ptr<Player> make() {
  return std::make_shared<Kind>();
}

constexpr PlayerRow kPlayers[] = {
    {"random", "any legal action, all alike", make<RandomPlayer>},
    {"greedy", "goes by shanten alone; never calls, never folds", make<GreedyPlayer>},
    {"heuristic", "rules of thumb: tile efficiency, yaku, calls, riichi, folding",
     make<HeuristicPlayer>},
};

}  // namespace

std::span<const PlayerRow> plain_players() { return kPlayers; }

}  // namespace ippatsu::play
