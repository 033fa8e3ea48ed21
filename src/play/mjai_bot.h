#pragma once

// A player of ours as a bot for others' servers and arenas: what it hears and says is mjai.
//
//     MjaiBot bot(player, MjaiDialect::Lines, {});
//     while (std::getline(std::cin, line))
//       if (const auto answer = bot.react(line)) std::cout << *answer << std::endl;

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "play/mjai_dialect.h"
#include "play/player.h"
#include "records/mjai_event.h"

namespace ippatsu::play {

class MjaiBot {
 public:
  // `seat` is for servers whose start_game does not tell it.
  MjaiBot(Player& player, MjaiDialect dialect, std::optional<mahjong::Seat> seat)
      : player_(player), dialect_(dialect), seat_(seat) {}

  // The answer to a line, if the dialect has one. Fails where the line is no mjai, or tells what
  // cannot have happened.
  std::optional<std::string> react(std::string_view line);

 private:
  std::optional<nlohmann::ordered_json> react_to(const nlohmann::json& told);
  void hear(const nlohmann::json& event);
  void start_game(const nlohmann::json& event);
  void apply(const mahjong::Event& event);
  bool is_asked() const;
  nlohmann::ordered_json choose();

  Player& player_;
  MjaiDialect dialect_;
  std::optional<mahjong::Seat> seat_;
  mahjong::MjaiEventReader reader_;
  mahjong::Table table_;
  std::vector<mahjong::Event> events_;
  uint64_t game_ = 0;
  bool answered_ = false;  // about the tile that lies there
};

}  // namespace ippatsu::play
