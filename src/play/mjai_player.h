#pragma once

// Another program as a player, over its standard input and output, in mjai.
//
// A process plays one seat of one game at a time and is told what that seat may see. From game to
// game processes are used again. One that breaks a rule, of the game or of talking, ends its game
// with a fault and is replaced.

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/lasting_thread.h"
#include "play/bot_process.h"
#include "play/mjai_dialect.h"
#include "play/player.h"

namespace ippatsu::play {

struct BotOptions {
  std::chrono::milliseconds timeout{10'000};  // of an answer
  size_t processes = 0;                       // of a bot at once; 0: one a core, and four at least
};

class MjaiPlayer : public Player {
 public:
  // What stands in a command for the seat's number: a process of such a command plays that seat
  // only.
  static constexpr std::string_view kSeat = "{seat}";

  // "mjai:COMMAND", or another dialect's prefix; the shell reads the command.
  MjaiPlayer(std::string name, const BotOptions& options);

  // Is it a name of such a player?
  static bool names(std::string_view name);

  std::string name() const override { return name_; }
  size_t most_seats() const override { return most_; }
  void answer(std::span<const Question> questions, std::span<Answer> answers) override;
  void end_game(uint64_t game, std::span<const mahjong::Event> events) override;

 private:
  // A process on a seat of a game, or after it.
  struct Sitting {
    std::unique_ptr<BotProcess> process;
    mahjong::Seat seat;
    size_t told = 0;      // of the game's events
    bool reused = false;  // it has played before, and has not been heard in this game
  };
  using Place = std::pair<uint64_t, mahjong::Seat>;  // game and seat

  Sitting& sitting_of(const Question& question);
  std::unique_ptr<BotProcess> idle_for(mahjong::Seat seat);
  std::unique_ptr<BotProcess> superfluous();
  std::unique_ptr<BotProcess> started(mahjong::Seat seat);
  void tell(Sitting& sitting, std::span<const mahjong::Event> events, const mahjong::RuleSet& rules,
            bool asked) const;
  void retry(std::span<const Question> questions, std::span<Sitting* const> sittings);
  Answer answer_of(const Question& question, const Sitting& sitting) const;
  std::vector<Sitting> leave(uint64_t game);
  void rest(std::vector<Sitting> sittings);

  std::string name_;
  std::string command_;
  MjaiDialect dialect_;
  bool seat_bound_;
  std::chrono::milliseconds timeout_;
  size_t most_;
  LastingThread starter_;
  std::mutex mutex_;  // of the two below; a sitting is used by one thread alone
  std::map<Place, Sitting> sittings_;
  std::vector<Sitting> idle_;
};

}  // namespace ippatsu::play
