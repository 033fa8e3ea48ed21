#include "cli/players.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "cli/open_device.h"
#include "nets/net_player.h"
#include "play/players.h"

namespace ippatsu::cli {

namespace fs = std::filesystem;

fs::path net_file(const std::string& name) {
  const fs::path path = name;
  return fs::is_directory(path) ? path / "checkpoint.safetensors" : path;
}

std::shared_ptr<play::Player> player_of(const std::string& name, const std::string& device,
                                        const play::BotOptions& bots) {
  if (play::MjaiPlayer::names(name)) return std::make_shared<play::MjaiPlayer>(name, bots);
  const auto rows = play::plain_players();
  const auto row = std::ranges::find(rows, name, &play::PlayerRow::name);
  if (row != rows.end()) return row->make();
  const fs::path file = net_file(name);
  if (fs::exists(file)) return std::make_shared<nets::NetPlayer>(file, open_device(device, {}));
  std::string names;
  for (const play::PlayerRow& known : rows) names += fmt::format("{}, ", known.name);
  fail(
      "there is no player '{}': there are {}nets by their checkpoint or the folder of a run, and "
      "other programs as mjai:COMMAND",
      name, names);
}

std::string player_help() {
  std::string text = "Players:\n";
  for (const play::PlayerRow& row : play::plain_players())
    text += fmt::format("  {:<14} {}\n", row.name, row.what);
  text += fmt::format("  {:<14} {}\n", "PATH",
                      "a trained net: its checkpoint, or the folder of its run");
  for (const play::MjaiDialectRow& row : play::mjai_dialects())
    text += fmt::format("  {:<14} another program that speaks mjai and {}\n",
                        fmt::format("{}CMD", row.prefix), row.what);
  text += fmt::format("  {:<14} CMD is a shell's; {} in it becomes the number of the seat\n", "",
                      play::MjaiPlayer::kSeat);
  return text;
}

}  // namespace ippatsu::cli
