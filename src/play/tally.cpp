#include "play/tally.h"

#include <algorithm>
#include <numeric>

namespace ippatsu::play {

using namespace mahjong;

namespace {

size_t players_in(std::span<const PlannedGame> plan) {
  size_t players = 0;
  for (const PlannedGame& game : plan)
    players = std::max(players, std::ranges::max(game.seats) + 1);
  return players;
}

Standing standing_of(std::span<const RankCounts> blocks, const SeatRecord& record) {
  std::vector<RankCounts> played;
  std::ranges::copy_if(blocks, std::back_inserter(played), [](const RankCounts& counts) {
    return std::ranges::any_of(counts, [](int64_t count) { return count > 0; });
  });
  Standing standing{.ranks = {}, .strength = {}, .record = record};
  for (const RankCounts& counts : played)
    for (int rank = 0; rank < kSeats; ++rank) standing.ranks[rank] += counts[rank];
  if (!played.empty()) standing.strength = strength_of(played);
  return standing;
}

}  // namespace

Tally::Tally(std::span<const PlannedGame> plan)
    : plan_(plan), games_a_block_((plan.size() + kMostBlocks - 1) / kMostBlocks) {
  players_.resize(players_in(plan));
  const size_t blocks = plan.empty() ? 0 : (plan.size() - 1) / games_a_block_ + 1;
  for (Player& player : players_) player.blocks.resize(blocks);
}

void Tally::add(const PlayedGame& game) {
  const std::array<SeatRecord, kSeats> records = seat_records(game.events);
  for (int seat = 0; seat < kSeats; ++seat) {
    Player& player = players_[plan_[game.index].seats[seat]];
    ++player.blocks[game.index / games_a_block_][game.rank[seat]];
    player.record.add(records[seat]);
  }
}

std::vector<Standing> Tally::standings() const {
  std::vector<Standing> standings;
  for (const Player& player : players_)
    standings.push_back(standing_of(player.blocks, player.record));
  return standings;
}

}  // namespace ippatsu::play
