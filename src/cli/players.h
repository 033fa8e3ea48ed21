#pragma once

// Players by the names that the command line gives them.

#include <filesystem>
#include <memory>
#include <string>

#include "play/mjai_player.h"
#include "play/player.h"

namespace ippatsu::cli {

// "heuristic", ..., a checkpoint, the folder of a training run, or "mjai:COMMAND" for another
// program. Nets are asked on the device, or on eager PyTorch's CPU. Fails, listing what there is,
// on anything else.
std::shared_ptr<play::Player> player_of(const std::string& name, const std::string& device,
                                        const play::BotOptions& bots = {});

// The file of a net that is named by it or by the folder of its run.
std::filesystem::path net_file(const std::string& name);

// For help texts: a line for each kind of player.
std::string player_help();

}  // namespace ippatsu::cli
