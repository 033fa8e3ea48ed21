#include "records/check_record.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "mahjong/hand_value.h"
#include "mahjong/payment.h"
#include "mahjong/table.h"
#include "records/wall_source.h"

namespace ippatsu::mahjong {

namespace {

std::string text_of(const Scores& scores) {
  return fmt::format("{} {} {} {}", scores[0], scores[1], scores[2], scores[3]);
}

std::string text_of(const NextRound& round) {
  constexpr std::array<std::string_view, 4> kWinds = {"East", "South", "West", "North"};
  return fmt::format("{} {}, honba {}", kWinds[static_cast<size_t>(round.round_wind)], round.number,
                     round.honba);
}

std::string text_of(const YakuList& yaku) {
  std::string text;
  for (const YakuHan& entry : yaku)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", row_of(entry.yaku).name, entry.han);
  return text.empty() ? "none" : text;
}

YakuList sorted(YakuList yaku) {
  std::ranges::sort(yaku, {}, &YakuHan::yaku);
  return yaku;
}

class Checker {
 public:
  explicit Checker(const Record& record) : record_(record) {}

  RecordCheck run() {
    for (index_ = 0; index_ < record_.events.size(); ++index_) {
      const Event& event = record_.events[index_].event;
      try {
        std::visit([this](const auto& e) { expect(e); }, event);
        table_.apply(event);
        std::visit([this](const auto& e) { follow(e); }, event);
      } catch (const Error& error) {
        differ(error.what());
        return std::move(check_);
      }
    }
    expect_end();
    return std::move(check_);
  }

 private:
  void differ(std::string what) { check_.differences.push_back({index_, std::move(what)}); }

  void expect_end() {
    index_ = record_.events.empty() ? 0 : record_.events.size() - 1;
    if (check_.games == 0)
      differ("the record ends without a game");
    else if (table_.phase() != Phase::NoGame)
      differ("the record ends in the middle of a game");
  }

  // Before the event happens.
  template <typename Any>
  void expect(const Any&) {}

  void expect(const StartRound& round) {
    if (table_.rules().players != kSeats) return;
    const NextRound begun{.round_wind = round.round_wind,
                          .number = static_cast<uint8_t>(round.number),
                          .honba = round.honba,
                          .dealer = round.dealer};
    if (first_round_ || table_.phase() != Phase::BetweenRounds) return;
    const std::optional<NextRound> due = table_.next_round();
    if (!due)
      differ(fmt::format("{} begins, but the game is over by the rules", text_of(begun)));
    else if (*due != begun)
      differ(fmt::format("{} begins, but by the rules it is {}", text_of(begun), text_of(*due)));
  }

  void expect(const Draw& draw) {
    if (!wall_) return;
    const bool replaces = table_.phase() == Phase::KanReaction;
    const Tile due = replaces ? wall_->replacement(table_.kans() - 1) : wall_->draw(draws_++);
    if (draw.tile != due)
      differ(fmt::format("seat {} draws {}, but the wall has {}", draw.seat, short_name(draw.tile),
                         short_name(due)));
  }

  void expect(const Dora& dora) {
    const auto turned = static_cast<int>(table_.dora_indicators().size());
    if (wall_ && turned < static_cast<int>(kMostIndicators) &&
        dora.indicator != wall_->dora_indicator(turned))
      differ(fmt::format("the indicator is {}, but the wall has {}", short_name(dora.indicator),
                         short_name(wall_->dora_indicator(turned))));
  }

  void expect(const Win& win) {
    ++check_.wins;
    table_.check(win);
    if (table_.rules().players != kSeats) return;
    expect_ura(win);
    WinningHand hand = table_.winning_hand(win.seat);
    hand.ura_indicators = win.ura_indicators;
    const HandValue value = *hand_value(hand, table_.rules());
    expect_value(win, value);
    const std::optional<Scores> due = table_.win_deltas(win.seat, win.ura_indicators);
    if (win.deltas && due != win.deltas)
      differ(fmt::format("seat {} wins: the points move by {}, by the rules by {}", win.seat,
                         text_of(*win.deltas), text_of(*due)));
  }

  void expect_value(const Win& win, const HandValue& value) {
    const StatedValue& stated = win.stated;
    if (!stated.yaku.empty() && sorted(stated.yaku) != sorted(value.yaku))
      differ(fmt::format("seat {} wins with {}; by the rules with {}", win.seat,
                         text_of(stated.yaku), text_of(value.yaku)));
    if (stated.fu && value.yakuman == 0 && stated.fu != value.fu)
      differ(
          fmt::format("seat {} wins with {} fu; by the rules {}", win.seat, *stated.fu, value.fu));
    const WinPayment bare{.winner = win.seat, .from = win.from, .dealer = table_.dealer()};
    const int points = win_deltas(value, bare, table_.rules())[win.seat];
    if (stated.points && stated.points != points)
      differ(
          fmt::format("seat {} wins {} points; by the rules {}", win.seat, *stated.points, points));
  }

  void expect_ura(const Win& win) {
    if (!wall_) return;
    const bool riichi = table_.seat(win.seat).riichi == Riichi::Accepted;
    const Indicators due =
        riichi ? wall_->ura_indicators(table_.dora_indicators().size()) : Indicators{};
    if (due != win.ura_indicators)
      differ(fmt::format("seat {} wins with ura indicators {}, but the wall has {}", win.seat,
                         notation(win.ura_indicators), notation(due)));
  }

  void expect(const RoundDraw& draw) {
    ++check_.draws;
    if (table_.rules().players != kSeats) return;
    const std::optional<DrawKind> due = table_.due_draw();
    const bool chosen = draw.kind == DrawKind::NineTerminals || draw.kind == DrawKind::TripleRon ||
                        draw.kind == DrawKind::Unspecified;
    if (!chosen && due != draw.kind)
      differ(fmt::format("the round is drawn by {}, by the rules by {}", name_of(draw.kind),
                         due ? name_of(*due) : "nothing"));
    const Scores deltas = table_.draw_deltas(due.value_or(draw.kind));
    if (draw.deltas && *draw.deltas != deltas)
      differ(fmt::format("the round is drawn: the points move by {}, by the rules by {}",
                         text_of(*draw.deltas), text_of(deltas)));
  }

  void expect(const EndGame& end) {
    // Who tells no final points has an excerpt, which may end anywhere.
    if (table_.rules().players != kSeats || first_round_ || !end.scores) return;
    if (const std::optional<NextRound> due = table_.next_round())
      differ(fmt::format("the game ends, but by the rules {} is played", text_of(*due)));
    if (*end.scores != table_.final_scores())
      differ(fmt::format("the game ends with {} points, by the rules with {}", text_of(*end.scores),
                         text_of(table_.final_scores())));
  }

  // Once it has happened.
  template <typename Any>
  void follow(const Any&) {}

  void follow(const StartGame& game) {
    ++check_.games;
    if (game.rules.players != kSeats) ++check_.three_player_games;
    first_round_ = true;
    walls_.reset();
    if (game.rules.players == kSeats) walls_ = wall_source(game.wall_seed);
  }

  void follow(const StartRound& round) {
    ++check_.rounds;
    first_round_ = false;
    draws_ = 0;
    wall_.reset();
    if (!walls_) return;
    ++check_.walls;
    wall_ = walls_->next(table_.rules().red_fives);
    for (int place = 0; place < kSeats; ++place) {
      const int seat = (round.dealer + place) % kSeats;
      if (sorted(round.hands[seat]) != sorted(wall_->hand(place)))
        differ(fmt::format("seat {} is dealt {}, but the wall has {}", seat,
                           notation(round.hands[seat]), notation(wall_->hand(place))));
    }
    if (round.dora_indicator != wall_->dora_indicator(0))
      differ(fmt::format("the indicator is {}, but the wall has {}",
                         short_name(round.dora_indicator), short_name(wall_->dora_indicator(0))));
  }

  static Hand sorted(Hand hand) {
    std::ranges::sort(hand);
    return hand;
  }

  static YakuList sorted(const YakuList& yaku) { return mahjong::sorted(yaku); }

  const Record& record_;
  Table table_;
  RecordCheck check_;
  size_t index_ = 0;
  std::optional<WallSource> walls_;
  std::optional<Wall> wall_;
  int draws_ = 0;
  bool first_round_ = true;
};

}  // namespace

RecordCheck check_record(const Record& record) { return Checker(record).run(); }

}  // namespace ippatsu::mahjong
