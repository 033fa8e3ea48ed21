#include "analysis/words.h"

#include <array>

#include <fmt/format.h>

namespace ippatsu::analysis {

using namespace mahjong;

namespace {

struct Pair {
  std::string_view ja, en;

  Words words() const { return {std::string(ja), std::string(en)}; }
};

constexpr std::array<Pair, kSeats> kWinds = {
    {{"東", "East"}, {"南", "South"}, {"西", "West"}, {"北", "North"}}};

// By DrawKind.
constexpr std::array<Pair, 8> kDraws = {{{"流局", "drawn"},
                                         {"流局", "exhaustive draw"},
                                         {"流し満貫", "nagashi mangan"},
                                         {"九種九牌", "nine terminals"},
                                         {"四風連打", "four winds"},
                                         {"四家立直", "four riichi"},
                                         {"四開槓", "four kans"},
                                         {"三家和", "triple ron"}}};

// By Limit.
constexpr std::array<Pair, 6> kLimits = {{{"", ""},
                                          {"満貫", "mangan"},
                                          {"跳満", "haneman"},
                                          {"倍満", "baiman"},
                                          {"三倍満", "sanbaiman"},
                                          {"役満", "yakuman"}}};

constexpr std::array<Pair, 7> kHonors = {{{"東", "E"},
                                          {"南", "S"},
                                          {"西", "W"},
                                          {"北", "N"},
                                          {"白", "haku"},
                                          {"發", "hatsu"},
                                          {"中", "chun"}}};

constexpr Pair kChi{"チー", "chi"}, kPon{"ポン", "pon"}, kKan{"カン", "kan"};

// A yaku that counts how often it is there: dora.
bool counts(Yaku yaku) { return row_of(yaku).rank == YakuRank::Bonus; }

const YakuList& yaku_of(const WonHand& won) {
  return won.value ? won.value->yaku : won.win.stated.yaku;
}

}  // namespace

Words wind_words(Wind wind) { return kWinds[static_cast<size_t>(wind)].words(); }

Words round_words(const StartRound& round) {
  const Words wind = wind_words(round.round_wind);
  Words words{fmt::format("{}{}局", wind.ja, round.number),
              fmt::format("{} {}", wind.en, round.number)};
  if (round.honba > 0) {
    words.ja += fmt::format(" {}本場", round.honba);
    words.en += fmt::format(", honba {}", round.honba);
  }
  return words;
}

Words draw_words(DrawKind kind) { return kDraws[static_cast<size_t>(kind)].words(); }

Words tile_words(Tile tile) {
  if (is_honor(tile.kind())) return kHonors[tile.kind() - kEast].words();
  const auto name = std::string(short_name(tile));
  return {name, name};
}

Words action_words(Action action, bool own_turn) {
  if (action.is_discard()) return tile_words(action.tile());
  if (action.is_chi()) return kChi.words();
  if (action.is_pon()) return kPon.words();
  if (action.is_kan() || action == Action::open_kan()) return kKan.words();
  if (action == Action::riichi()) return {"立直", "riichi"};
  if (action == Action::nine_terminals()) return kDraws[3].words();
  if (action == Action::north()) return {"北抜き", "north"};
  if (action == Action::pass()) return {"見送り", "pass"};
  return own_turn ? Words{"ツモ", "tsumo"} : Words{"ロン", "ron"};
}

Words yaku_words(const WonHand& won) {
  Words words;
  for (const YakuHan& yaku : yaku_of(won)) {
    const YakuRow& row = row_of(yaku.yaku);
    const std::string times = counts(yaku.yaku) ? fmt::format("{}", yaku.han) : "";
    words.ja += fmt::format("{}{}{}", words.ja.empty() ? "" : "・", row.japanese, times);
    words.en += fmt::format("{}{}{}{}", words.en.empty() ? "" : ", ", row.name,
                            times.empty() ? "" : " ", times);
  }
  return words;
}

Words value_words(const WonHand& won) {
  if (!won.value) {
    const StatedValue& stated = won.win.stated;
    if (!stated.han || !stated.fu) return {};
    return {fmt::format("{}飜{}符", *stated.han, *stated.fu),
            fmt::format("{} han {} fu", *stated.han, *stated.fu)};
  }
  const HandValue& value = *won.value;
  const Pair limit = kLimits[static_cast<size_t>(value.limit)];
  if (value.yakuman > 0) return limit.words();
  const bool plain = value.limit == Limit::None;
  return {fmt::format("{}飜{}符{}{}", value.han, value.fu, plain ? "" : " ", limit.ja),
          fmt::format("{} han {} fu{}{}", value.han, value.fu, plain ? "" : ", ", limit.en)};
}

}  // namespace ippatsu::analysis
