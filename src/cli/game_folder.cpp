#include "cli/game_folder.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "mahjong/wall.h"
#include "records/read_record.h"
#include "records/replay.h"
#include "records/write_record.h"

namespace ippatsu::cli {

namespace fs = std::filesystem;
using mahjong::StartGame;

namespace {

std::vector<std::string> names_of(const play::PlannedGame& plan, const play::Players& players) {
  std::vector<std::string> names;
  for (const size_t player : plan.seats) names.push_back(players[player]->name());
  return names;
}

}  // namespace

GameFolder::GameFolder(fs::path folder) : folder_(std::move(folder)) {
  fs::create_directories(folder_);
}

fs::path GameFolder::file(size_t game) const {
  return folder_ / fmt::format("game-{:06}.mjai.gz", game);
}

void GameFolder::keep(const play::PlayedGame& game, const play::PlannedGame& plan,
                      const play::Players& players) const {
  mahjong::Record record{.source = "game", .events = {}};
  record.events.reserve(game.events.size());
  for (const mahjong::Event& event : game.events) record.events.push_back({event, 0});
  std::get<StartGame>(record.events[0].event).names = names_of(plan, players);
  write_file_atomically(file(game.index), gzip(mahjong::write_mjai(record)));
}

play::PlayedGame GameFolder::load(size_t game, const play::PlannedGame& plan,
                                  const play::Players& players) const {
  mahjong::Record record = mahjong::read_record(file(game));
  check(record);
  const auto& start = std::get<StartGame>(record.events.front().event);
  if (start.names != names_of(plan, players) ||
      start.wall_seed != mahjong::shuffled_seed(plan.seed))
    fail("{}: is a game of other players or walls; choose another folder", file(game).string());
  std::vector<mahjong::Event> events;
  for (mahjong::RecordedEvent& recorded : record.events)
    events.push_back(std::move(recorded.event));
  return play::played_game(game, std::move(events));
}

}  // namespace ippatsu::cli
