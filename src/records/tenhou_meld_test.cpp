#include "records/tenhou_meld.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace ippatsu::mahjong {
namespace {

std::string text_of(const Event& event) {
  if (const auto* call = std::get_if<Call>(&event)) {
    constexpr std::array<std::string_view, 3> kNames = {"chi", "pon", "open kan"};
    return fmt::format("{} {} with {} from {}", kNames[static_cast<size_t>(call->kind)],
                       short_name(call->called),
                       notation(std::span(call->own.data(), call->own_count())), call->from);
  }
  if (const auto* kan = std::get_if<ClosedKan>(&event)) return "closed kan " + notation(kan->tiles);
  if (const auto* kan = std::get_if<AddedKan>(&event))
    return fmt::format("added kan {}", short_name(kan->added));
  return std::holds_alternative<Kita>(event) ? "north" : "something else";
}

TEST(TenhouMeld, WordsStandForCalls) {
  struct Row {
    Seat who;
    int64_t word;
    std::string_view meaning;
  };
  constexpr Row kRows[] = {
      {1, 6697, "pon 5m with 05m from 2"},
      {0, 6207, "chi 3m with 40m from 3"},
      {2, 6705, "added kan 5m"},
      {3, 22528, "closed kan 0555s"},
      {0, 30752, "north"},  // three players: 0x20, id 120
      {0, 0x0a | (30 * 3 << 9), "pon 4z with 44z from 2"},
  };
  for (const Row& row : kRows)
    EXPECT_EQ(text_of(event_of_meld_word(row.who, row.word, true)), row.meaning) << row.word;
}

TEST(TenhouMeld, EveryWordIsACallOfOneShapeOrAnError) {
  int calls = 0, errors = 0;
  for (int64_t word = 0; word < 1 << 16; ++word) try {
      const Event event = event_of_meld_word(static_cast<Seat>(word % kSeats), word, true);
      if (const auto* call = std::get_if<Call>(&event)) {
        const int kind = call->called.kind();
        const bool chi = call->kind == CallKind::Chi;
        EXPECT_TRUE(chi ? !is_honor(kind) : call->own[0].kind() == kind) << word;
      }
      ++calls;
    } catch (const Error&) {
      ++errors;
    }
  EXPECT_GT(calls, 50'000);
  EXPECT_GT(errors, 1'000);
  for (const int64_t word : {int64_t{-1}, int64_t{1} << 16, INT64_MAX})
    EXPECT_THROW(event_of_meld_word(0, word, true), Error);
}

}  // namespace
}  // namespace ippatsu::mahjong
