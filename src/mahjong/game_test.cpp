#include "mahjong/game.h"

#include <numeric>
#include <utility>

#include <gtest/gtest.h>

#include "base/split_mix.h"
#include "mahjong/payment.h"

namespace ippatsu::mahjong {
namespace {

// Chooses among what is legal, all alike.
class RandomPlayer {
 public:
  explicit RandomPlayer(uint64_t seed) : random_(seed) {}

  Action choose(const ActionSet& legal) {
    return legal.nth(static_cast<int>(random_.below(static_cast<uint32_t>(legal.size()))));
  }

 private:
  SplitMix64 random_;
};

// Discards what it draws and wins where it may: games of many draws and riichi.
Action choose_quietly(const ActionSet& legal, const Table& table, int seat) {
  if (legal.contains(Action::win())) return Action::win();
  if (legal.contains(Action::riichi())) return Action::riichi();
  if (legal.contains(Action::pass())) return Action::pass();
  const std::optional<Tile> drawn = table.seat(seat).drawn;
  if (drawn && legal.contains(Action::discard(*drawn))) return Action::discard(*drawn);
  return legal.nth(0);
}

int total_points(const Table& table) {
  return std::accumulate(table.scores().begin(), table.scores().end(),
                         kStickPoints * table.sticks());
}

// Every tile of the wall lies somewhere: drawn into a hand or meld, discarded, or still to come.
int tiles_seen(const Table& table) {
  int tiles = 0;
  for (int number = 0; number < kSeats; ++number) {
    const SeatState& seat = table.seat(number);
    tiles += seat.concealed.size();
    for (const Meld& meld : seat.melds) tiles += meld.size;
    for (const Discarded& discard : seat.discards) tiles += discard.called_away ? 0 : 1;
  }
  return tiles;
}

constexpr int kDeadWall = 14;

TEST(Game, KeepsTilesAndPoints) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    RandomPlayer player(seed);
    Game game(RuleSet{}, seed);
    while (!game.over()) {
      const Table& table = game.table();
      ASSERT_EQ(total_points(table), 100000);
      ASSERT_EQ(tiles_seen(table) + table.tiles_left() + kDeadWall, kWallTiles);
      for (Seat seat = 0; seat < kSeats && !game.over(); ++seat)
        if (game.asks(seat)) game.choose(seat, player.choose(game.legal(seat)));
    }
    EXPECT_EQ(std::accumulate(game.table().scores().begin(), game.table().scores().end(), 0) +
                  kStickPoints * game.table().sticks(),
              100000);
  }
}

TEST(Game, AStateRebuiltFromItsEventsIsEqual) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    RandomPlayer player(seed);
    std::vector<Event> events;
    Game game(RuleSet{}, seed, &events);
    Table followed;
    size_t applied = 0;
    while (!game.over()) {
      for (Seat seat = 0; seat < kSeats && !game.over(); ++seat)
        if (game.asks(seat))
          game.choose(seat, seed % 2 == 0 ? player.choose(game.legal(seat))
                                          : choose_quietly(game.legal(seat), game.table(), seat));
      for (; applied < events.size(); ++applied) followed.apply(events[applied]);
      ASSERT_EQ(followed, game.table()) << "seed " << seed << ", event " << applied;
    }
  }
}

// A closed kan turns its indicator before the replacement tile, any other with the next discard or
// kan, and one that is robbed none.
TEST(Game, TurnsKanIndicatorsInTime) {
  int kans = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    RandomPlayer player(seed);
    std::vector<Event> events;
    Game game(RuleSet{}, seed, &events);
    while (!game.over())
      for (Seat seat = 0; seat < kSeats && !game.over(); ++seat)
        if (game.asks(seat)) game.choose(seat, player.choose(game.legal(seat)));
    int due = 0, waiting = 0;
    const auto turn_waiting = [&] { due += std::exchange(waiting, 0); };
    for (const Event& event : events) {
      const auto* call = std::get_if<Call>(&event);
      const bool open_kan = call && call->kind == CallKind::OpenKan;
      if (std::holds_alternative<StartRound>(event)) due = waiting = 0;
      if (std::holds_alternative<Dora>(event)) {
        ASSERT_GE(--due, 0);
      }
      if (std::holds_alternative<Draw>(event)) {
        ASSERT_EQ(due, 0);
      }
      if (std::holds_alternative<Discard>(event)) turn_waiting();
      if (std::holds_alternative<ClosedKan>(event)) turn_waiting(), ++due, ++kans;
      if (std::holds_alternative<AddedKan>(event) || open_kan) turn_waiting(), ++waiting, ++kans;
    }
  }
  EXPECT_GT(kans, 100);
}

TEST(Game, TheSameSeedGivesTheSameGame) {
  const auto events_of = [](uint64_t seed) {
    std::vector<Event> events;
    Game game(RuleSet{}, seed, &events);
    while (!game.over())
      for (Seat seat = 0; seat < kSeats && !game.over(); ++seat)
        if (game.asks(seat))
          game.choose(seat, choose_quietly(game.legal(seat), game.table(), seat));
    return events;
  };
  EXPECT_EQ(events_of(7), events_of(7));
  EXPECT_NE(events_of(7), events_of(8));
}

TEST(Game, AsksOnlyWhereThereIsAChoice) {
  Game game(RuleSet{}, 1);
  RandomPlayer player(1);
  while (!game.over())
    for (Seat seat = 0; seat < kSeats && !game.over(); ++seat)
      if (game.asks(seat)) {
        ASSERT_GT(game.legal(seat).size(), 1);
        game.choose(seat, player.choose(game.legal(seat)));
      }
}

TEST(Game, RefusesWhatIsNotLegal) {
  Game game(RuleSet{}, 1);
  EXPECT_ANY_THROW(game.choose(0, Action::pass()));
  EXPECT_ANY_THROW(game.choose(1, Action::discard(Tile())));
}

TEST(Table, IsSmall) { EXPECT_LT(sizeof(Game), 2048U); }

// The first walls of seed 1, written down: they must never change, on any machine.
TEST(Wall, IsTheSameEverywhere) {
  EXPECT_EQ(notation(Wall::shuffled(1, 0, true).hand(0)), "21m6p5z66m9p8s9m1z5s9m7p");
  EXPECT_EQ(notation(Wall::shuffled(1, 1, true).hand(0)), "0s461p1s1m5p7m77z8p76s");
  EXPECT_EQ(notation(Wall::shuffled(2, 0, false).hand(0)), "529m2s2p6s8p5z1s2m6z9p2s");
}

TEST(Wall, HoldsEveryTileOnce) {
  for (const bool reds : {false, true}) {
    std::array<int, kTiles> counts{};
    const Wall wall = Wall::shuffled(3, 4, reds);
    for (const Tile tile : wall.tiles()) ++counts[tile.index()];
    for (int index = 0; index < kTiles; ++index) {
      const Tile tile = Tile::of_index(index);
      const int expected = tile.red() ? reds : reds && is_five(index) ? 3 : 4;
      EXPECT_EQ(counts[index], expected) << short_name(tile);
    }
  }
}

// Each tile comes to each place equally often: chi-squared over 37 x 136 cells.
TEST(Wall, IsUniform) {
  constexpr int kWalls = 20000;
  std::array<std::array<int, kWallTiles>, kKinds> counts{};
  for (int seed = 0; seed < kWalls; ++seed) {
    const Wall wall = Wall::shuffled(static_cast<uint64_t>(seed), 0, false);
    for (int i = 0; i < kWallTiles; ++i) ++counts[wall.tiles()[i].kind()][i];
  }
  const double expected = kWalls / double{kKinds};
  double chi_squared = 0;
  for (const auto& places : counts)
    for (const int count : places)
      chi_squared += (count - expected) * (count - expected) / expected;
  // 33 x 135 degrees of freedom: mean 4455, deviation sqrt(2 x 4455) = 94.
  EXPECT_NEAR(chi_squared, 4455, 5 * 94);
}

}  // namespace
}  // namespace ippatsu::mahjong
