#include <span>
#include <string>

#include <gtest/gtest.h>

#include "mahjong/table.h"
#include "mahjong/test_script.h"

namespace ippatsu::mahjong {
namespace {

std::string text_of(TileMask mask) {
  std::vector<Tile> tiles;
  for (int index = 0; index < kTiles; ++index)
    if (mask >> index & 1) tiles.push_back(Tile::of_index(index));
  return notation(tiles);
}

std::string text_of(const ActionSet& actions) {
  std::string text;
  for (int i = 0; i < actions.size(); ++i)
    if (!actions.nth(i).is_discard())
      text += (text.empty() ? "" : ", ") + to_string(actions.nth(i));
  return text;
}

// Which tiles may be discarded at the script's end.
TEST(Table, LegalDiscards) {
  struct Row {
    std::string_view name;
    Script script;
    std::string_view legal;
  };
  constexpr Row kRows[] = {
      {"after a draw: all of them, a red five apart",
       {{"055m123p1122334s"}, "0+1z"},
       "05m123p1234s1z"},
      {"pon of a black five with black ones: not the red one either",
       {{"1z", "055m123789p1234s"}, "0+5m 0= 1:pon:5m:55m"},
       "123789p1234s"},
      {"chi of a red five: not the black one",
       {{"1z", "456p1m123789s111z"}, "0+0p 0= 1:chi:0p:46p"},
       "1m123789s1z"},
      {"chi at the low end: not the other end of the run",
       {{"1z", "4567p1m123789s11z"}, "0+4p 0= 1:chi:4p:56p"},
       "1m123789s1z"},
      {"chi at the high end: not the other end of the run",
       {{"1z", "4567p1m123789s11z"}, "0+7p 0= 1:chi:7p:56p"},
       "1m123789s1z"},
      {"chi in the middle: only the same kind is barred",
       {{"1z", "45567p1m123789s1z"}, "0+5p 0= 1:chi:5p:46p"},
       "7p1m123789s1z"},
      {"chi of a 3 with 1 2: there is no other end",
       {{"1z", "123p9m123789s111z"}, "0+3p 0= 1:chi:3p:12p"},
       "9m123789s1z"},
      {"declaring riichi: not for a fifth tile", {{"123456789m1111p"}, "0+9s 0!"}, "1p"},
      {"declaring riichi: what keeps the hand tenpai",
       {{"123m456p78s11122z"}, "0+2z 0!"},
       "78s12z"},
      {"in riichi: only the drawn tile",
       {{"123m456p78s11122z"}, "0+9m 0! 0= 0$ 1+9m 1= 2+9m 2= 3+8p 3= 0+8p"},
       "8p"},
      {"between turns: nothing", {{"1z"}, "0+9m 0="}, ""},
  };
  for (const Row& row : kRows) {
    TileMask expected = 0;
    for (const Tile tile : tiles_from_notation(row.legal)) expected |= mask_of(tile);
    EXPECT_EQ(text_of(played(row.script).legal_discards()), text_of(expected)) << row.name;
  }
}

// What a seat may choose besides a discard at the script's end.
struct Offer {
  std::string_view name;
  Script script;
  int seat;
  std::string_view offered;
};

void expect_offers(std::span<const Offer> offers) {
  for (const Offer& offer : offers) {
    SCOPED_TRACE(offer.name);
    EXPECT_EQ(text_of(played(offer.script).legal(offer.seat)), offer.offered);
  }
}

constexpr std::string_view kTenpai = "123m456p78s11122z";

TEST(Table, OffersCalls) {
  constexpr Offer kOffers[] = {
      {"pon and open kan, with the red five and without",
       {{"", "", "055m123789p1234s"}, "0+5m 0="},
       2,
       "pon, pon red, open kan, pass"},
      {"pon with the red five only", {{"", "", "05m123789p12344s"}, "0+5m 0="}, 2, "pon red, pass"},
      {"pon of the red five", {{"", "", "55m123789p12344s"}, "0+0m 0="}, 2, "pon, pass"},
      {"chi at every place",
       {{"", "3467m123789p123s"}, "0+5m 0="},
       1,
       "chi low, chi middle, chi high, pass"},
      {"chi with a red five and with a black one",
       {{"", "405m123789p1234s"}, "0+6m 0="},
       1,
       "chi high, chi high red, pass"},
      {"the seat across cannot chi", {{"", "", "3467m123789p123s"}, "0+5m 0="}, 2, ""},
      {"nobody calls in riichi", {{"1z", kTenpai}, "0+3z 0= 1+9m 1! 1= 1$ 2+2z 2="}, 1, ""},
      {"the discard that four kans of several seats abort on can be won on, not called",
       {{"1111m2222p", "3333s", "4444s", "234678m345p7788p"},
        "0+5z 0:closed:1111m dora:9s 0+5z 0:closed:2222p dora:9s 0+5z 0= 1+6z 1:closed:3333s "
        "dora:9s 1+6z 1= 2+6z 2:closed:4444s dora:9s 2+7p 2="},
       3,
       "win, pass"},
      {"four kans of one seat abort nothing, but there is no fifth",
       {{"1111m2222p3333s7z", "777p456789m5678s"},
        "0+4p 0:closed:1111m dora:9s 0+4p 0:closed:2222p dora:9s 0+4p 0:closed:3333s dora:9s 0+8s "
        "0= 1+1z 1= 2+1z 2= 3+1z 3= 0+4p 0:closed:4444p dora:9s 0+7p 0="},
       1,
       "pon, pass"},
  };
  expect_offers(kOffers);
}

TEST(Table, OffersKansInRiichiThatKeepTheWaits) {
  constexpr std::string_view kHand = "3335666s555777z";  // waits for 4s 5s 7s
  constexpr std::string_view kDora = "9p";
  constexpr Offer kOffers[] = {
      {"the triplet may go",
       {{kHand}, "0+9m 0! 0= 0$ 1+9m 1= 2+9m 2= 3+8p 3= 0+3s", kDora},
       0,
       "kan 3s"},
      {"7s would be lost", {{kHand}, "0+9m 0! 0= 0$ 1+9m 1= 2+9m 2= 3+8p 3= 0+6s", kDora}, 0, ""},
      {"all four were there before",
       {{"111123m456p789s1z"}, "0+9m 0! 0= 0$ 1+9m 1= 2+9m 2= 3+8p 3= 0+8p", kDora},
       0,
       ""},
      {"an open kan", {{kHand}, "0+9m 0! 0= 0$ 1+3s 1=", kDora}, 0, ""},
  };
  expect_offers(kOffers);
}

TEST(Table, OffersRiichi) {
  constexpr Offer kOffers[] = {
      {"with 900 points", {{kTenpai}, "0+9m", "9p", {900, 1000, 1000, 1000}}, 0, ""},
      {"with 1000 points", {{kTenpai}, "0+9m", "9p", {1000, 900, 900, 900}}, 0, "riichi"},
      {"beside a closed kan", {{"3333m12m456p789s1z"}, "0+1z 0:closed:3333m 0+2z"}, 0, "riichi"},
      {"for a fifth tile: not unless one of the four goes",
       {{"123456789m1111p"}, "0+9s 0! 0-1p 0$ 1+9s 1="},
       0,
       "win, pass"},
      {"twice", {{kTenpai}, "0+9m 0! 0= 0$ 1+9m 1= 2+9m 2= 3+8p 3= 0+8p"}, 0, ""},
  };
  expect_offers(kOffers);
}

TEST(Table, OffersNineTerminals) {
  constexpr std::string_view kNine = "19m19p19s123z4567m";
  constexpr std::string_view kQuiet = "2345678m234567p";
  constexpr Offer kOffers[] = {
      {"first draw of the dealer", {{kNine}, "0+2p"}, 0, "nine terminals"},
      {"second draw", {{kNine}, "0+2p 0= 1+2p 1= 2+2p 2= 3+2s 3= 0+2s"}, 0, ""},
      {"first draw of the next seat", {{kQuiet, kNine}, "0+8s 0= 1+3p"}, 1, "nine terminals"},
      {"after a pon of the dealer's discard",
       {{"", kNine, "22p345678s34567p"}, "0+2p 0= 2:pon:2p:22p 2-3s 3+2s 3= 0+8s 0= 1+2s", "4z"},
       1,
       ""},
      {"after the dealer's closed kan",
       {{"8888s", kNine}, "0+2p 0:closed:8888s 0+2p 0= 1+3p"},
       1,
       ""},
  };
  expect_offers(kOffers);
}

// Waits for 2m and 5m; 3m comes late, so that 5m can be discarded and ponned before.
TEST(Table, OffersNoRonAfterAnUnusedOne) {
  constexpr std::string_view kBefore =
      "0+1z 0= 1+1z 1= 2+1z 2= 3+5m 3= 1:pon:5m:55m 1-9s 2+5z 2= 3+5z 3= 0+3m ";
  struct Row {
    std::string_view name, then, offered;
  };
  constexpr Row kRows[] = {
      {"in riichi: a kan", "0! 0-9m 0$ 1+5m 1:added:5m", "win, pass"},
      {"... let go: no ron before the next draw", "0! 0-9m 0$ 1+5m 1:added:5m 1+6z 1= 2+2m 2=", ""},
      {"... nor after it",
       "0! 0-9m 0$ 1+5m 1:added:5m 1+6z 1= 2+6z 2= 3+6z 3= 0+7z 0= 1+2m 1=", ""},
      {"... but tsumo", "0! 0-9m 0$ 1+5m 1:added:5m 1+6z 1= 2+6z 2= 3+6z 3= 0+2m", "win"},
      {"not in riichi: a kan", "0-9m 1+5m 1:added:5m", "win, pass"},
      {"... let go: no ron before the next discard", "0-9m 1+5m 1:added:5m 1+6z 1= 2+2m 2=", ""},
      {"... ron after it",
       "0-9m 1+5m 1:added:5m 1+6z 1= 2+6z 2= 3+6z 3= 0+7z 0= 1+2m 1=", "win, pass"},
      {"... and tsumo", "0-9m 1+5m 1:added:5m 1+6z 1= 2+6z 2= 3+6z 3= 0+2m", "riichi, win"},
  };
  for (const Row& row : kRows) {
    const std::string events = std::string(kBefore) + std::string(row.then);
    const Table table = played({{"4m123456p789s33z9m", "55m9s"}, events, "4z"});
    EXPECT_EQ(text_of(table.legal(0)), row.offered) << row.name;
  }
}

// An open hand that 5m gives three runs of 345, and 2m nothing.
TEST(Table, OffersNoRonAfterATileWithoutYaku) {
  constexpr std::string_view kHand = "34m345p345s44z99s8p";
  constexpr Offer kOffers[] = {
      {"5m", {{"", kHand}, "0+9s 0= 1:pon:9s:99s 1-8p 2+1z 2= 3+5m 3=", "1z"}, 1, "win, pass"},
      {"2m has no yaku", {{"", kHand}, "0+9s 0= 1:pon:9s:99s 1-8p 2+2m 2=", "1z"}, 1, ""},
      {"... then 5m", {{"", kHand}, "0+9s 0= 1:pon:9s:99s 1-8p 2+2m 2= 3+5m 3=", "1z"}, 1, ""},
      {"... and 5m after a discard of its own",
       {{"", kHand}, "0+9s 0= 1:pon:9s:99s 1-8p 2+2m 2= 3+5m 3= 0+1z 0= 1+1z 1= 2+5m 2=", "1z"},
       1,
       "win, pass"},
  };
  expect_offers(kOffers);
}

TEST(Table, OffersNoRonInFuriten) {
  constexpr std::string_view kHand = "234m678m345s77p68p";  // waits for 7p
  constexpr Offer kOffers[] = {
      {"a wait among the own discards", {{kTenpai}, "0+9s 0= 1+1m 1= 2+6s 2="}, 0, ""},
      {"one that was called away",
       {{kTenpai, "1m99s"}, "0+9s 0= 1:pon:9s:99s 1-1m 2+6s 2=", "4z"},
       0,
       ""},
      {"ron let go for a pon from across: the discard ends it",
       {{kHand}, "0+1z 0= 1+1z 1= 2+7p 2= 0:pon:7p:77p 0-6p 1+8p 1="},
       0,
       "win, pass"},
      {"ron let go for a pon from the next seat, which draws again: it does not",
       {{kHand}, "0+1z 0= 1+7p 1= 0:pon:7p:77p 0-6p 1+8p 1="},
       0,
       ""},
      {"... the discard after that does",
       {{kHand}, "0+1z 0= 1+7p 1= 0:pon:7p:77p 0-6p 1+1z 1= 2+1z 2= 3+5z 3= 0+5z 0= 1+8p 1="},
       0,
       "win, pass"},
  };
  expect_offers(kOffers);
}

TEST(Table, OffersRobbingAKan) {
  constexpr std::string_view kOrphans = "99m19p19s1234567z";  // wait for 1m
  constexpr std::string_view kClosedKan = "0+5s 0:closed:1111m";
  constexpr Offer kOffers[] = {
      {"a closed kan", {{"1111m", kOrphans}, kClosedKan}, 1, ""},
      {"a closed kan, where thirteen orphans may",
       {.hands = {"1111m", kOrphans},
        .events = kClosedKan,
        .rules = {.closed_kan_orphans_ron = true}},
       1,
       "win, pass"},
      {"... but no other hand",
       {.hands = {"1111m", "23m456p789s11123z"},
        .events = kClosedKan,
        .rules = {.closed_kan_orphans_ron = true}},
       1,
       ""},
      {"an added kan",
       {{"11m8s", kOrphans},
        "0+5s 0= 1+5s 1= 2+5s 2= 3+1m 3= 0:pon:1m:11m 0-8s 1+6s 1= 2+6s 2= 3+6s 3= 0+1m "
        "0:added:1m"},
       1,
       "win, pass"},
  };
  expect_offers(kOffers);
}

TEST(Table, OffersFurtherWins) {
  constexpr std::string_view kHand = "34m678p23467822s";
  constexpr std::string_view kOther = "34m567p23467855s";
  constexpr std::array<std::string_view, kSeats> kHands = {kOther, "", kHand, "34m123789p78999s"};
  constexpr Offer kOffers[] = {
      {"a second winner", {kHands, "0+9m 0= 1+5m 1= 2:ron:5m"}, 0, "win, pass"},
      {"no second winner with a head bump",
       {.hands = kHands, .events = "0+9m 0= 1+5m 1= 2:ron:5m", .rules = {.head_bump = true}},
       0,
       ""},
      {"no third winner where three abort", {kHands, "0+9m 0= 1+5m 1= 2:ron:5m 3:ron:5m"}, 0, ""},
      {"a third winner where they do not",
       {.hands = kHands,
        .events = "0+9m 0= 1+5m 1= 2:ron:5m 3:ron:5m",
        .rules = {.triple_ron_aborts = false}},
       0,
       "win, pass"},
  };
  expect_offers(kOffers);
}

}  // namespace
}  // namespace ippatsu::mahjong
