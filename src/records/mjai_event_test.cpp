#include "records/mjai_event.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/split_mix.h"
#include "mahjong/game.h"
#include "records/json_fields.h"

namespace ippatsu::mahjong {
namespace {

std::vector<Event> random_game(uint64_t seed) {
  std::vector<Event> events;
  SplitMix64 random(seed);
  for (Game game({}, seed, &events); !game.over();)
    for (Seat seat = 0; seat < kSeats; ++seat)
      if (game.asks(seat)) {
        const ActionSet legal = game.legal(seat);
        const auto choices = static_cast<uint32_t>(legal.size());
        game.choose(seat, legal.nth(static_cast<int>(random.below(choices))));
      }
  return events;
}

// Follows a game by what one seat is told of it.
class Viewer {
 public:
  explicit Viewer(Seat seat) : seat_(seat), reader_(seat), table_(Table::seen_by(seat)) {}

  void hear(const Event& event) {
    table_.apply(reader_.read(parse_json(mjai_of(event, {}, seat_).dump())));
  }

  void expect_like(const Table& table) const {
    ASSERT_EQ(table_.legal(seat_), table.legal(seat_));
    ASSERT_EQ(table_.seat(seat_), table.seat(seat_));
    for (Seat other = 0; other < kSeats; ++other) {
      ASSERT_EQ(table_.seat(other).melds, table.seat(other).melds);
      ASSERT_EQ(table_.seat(other).discards, table.seat(other).discards);
      ASSERT_EQ(table_.seat(other).riichi, table.seat(other).riichi);
      ASSERT_EQ(table_.seat(other).ippatsu, table.seat(other).ippatsu);
    }
    ASSERT_EQ(table_.phase(), table.phase());
    ASSERT_EQ(table_.scores(), table.scores());
    ASSERT_EQ(table_.open_kinds(), table.open_kinds());
    ASSERT_EQ(table_.open_reds(), table.open_reds());
    ASSERT_EQ(table_.tiles_left(), table.tiles_left());
  }

  void expect_hidden() const {
    for (Seat other = 0; other < kSeats; ++other) {
      if (other == seat_) continue;
      ASSERT_EQ(table_.seat(other).concealed.size(), 0);
      ASSERT_FALSE(table_.seat(other).drawn);
    }
  }

 private:
  Seat seat_;
  MjaiEventReader reader_;
  Table table_;
};

TEST(MjaiEvent, ASeatKnowsWhatItMayChooseFromWhatItIsTold) {
  for (uint64_t seed = 0; seed < 10; ++seed) {
    Table table;
    std::vector<Viewer> viewers = {Viewer(0), Viewer(1), Viewer(2), Viewer(3)};
    for (const Event& event : random_game(seed)) {
      table.apply(event);
      for (Viewer& viewer : viewers) {
        viewer.hear(event);
        viewer.expect_like(table);
        viewer.expect_hidden();
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(MjaiEvent, OthersTilesAreNotTold) {
  const std::vector<Event> events = random_game(1);
  const std::string start = mjai_of(events[0], {}, 2).dump();
  EXPECT_NE(start.find("\"id\":2"), start.npos);
  EXPECT_EQ(start.find("wall_seed"), start.npos);
  const auto deal = mjai_of(events[1], {}, 2);
  for (int seat = 0; seat < kSeats; ++seat)
    for (const auto& tile : deal["tehais"][seat]) EXPECT_EQ(tile == "?", seat != 2);
  const Draw draw{.seat = 1, .tile = kNorth};
  EXPECT_EQ(mjai_of(draw, {}, 2)["pai"], "?");
  EXPECT_EQ(mjai_of(draw, {}, 1)["pai"], "N");
  EXPECT_EQ(mjai_of(draw, {})["pai"], "N");
}

TEST(MjaiEvent, OnlyASeatsOwnTilesMustBeTold) {
  const Json draw = parse_json(R"({"type":"tsumo","actor":1,"pai":"?"})");
  EXPECT_NO_THROW(MjaiEventReader(0).read(draw));
  EXPECT_THROW(MjaiEventReader(1).read(draw), Error);
  EXPECT_THROW(MjaiEventReader().read(draw), Error);
}

}  // namespace
}  // namespace ippatsu::mahjong
