#include "play/heuristic_player.h"

#include <algorithm>
#include <optional>

#include "mahjong/kind_masks.h"
#include "mahjong/payment.h"
#include "mahjong/shanten.h"
#include "play/danger.h"
#include "play/sight.h"

namespace ippatsu::play {

using namespace mahjong;

namespace {

constexpr KindMask kSimples = kSuited & ~kTerminals;
constexpr KindMask suit_and_honors(int suit) { return kHonors | bits(9 * suit, 9); }

// What a tile in the hand may be discarded as, rated.
struct Choice {
  Tile tile;
  int shanten;
  int tiles;  // live ones that bring the hand nearer
  double worth;
  double danger;
};

// The yaku that an open hand goes for: the kinds it may consist of, and whether it has one already.
struct Plan {
  KindMask kinds = ~KindMask{0};
  bool possible = true;
};

// The concealed tiles and melds of a hand, which may be one that a call would make.
struct HandShape {
  KindCounts concealed;
  FixedVector<int, kSets * 4> melded;  // kinds
  FixedVector<int, kSets> triplets;    // kinds of melded triplets and kans
  int melds = 0;

  int outside(KindMask kinds) const {
    int tiles = 0;
    for (int kind = 0; kind < kKinds; ++kind)
      if (!(kinds >> kind & 1)) tiles += concealed[kind];
    return tiles;
  }

  bool melds_within(KindMask kinds) const {
    return std::ranges::all_of(melded, [&](int kind) { return kinds >> kind & 1; });
  }
};

HandShape shape_of(const SeatState& seat) {
  HandShape shape{.concealed = seat.concealed.kinds(),
                  .melded = {},
                  .triplets = {},
                  .melds = static_cast<int>(seat.melds.size())};
  for (const Meld& meld : seat.melds) {
    for (const Tile tile : meld.tiles()) shape.melded.push_back(tile.kind());
    if (meld.kind != MeldKind::Chi) shape.triplets.push_back(meld.called.kind());
  }
  return shape;
}

constexpr int kStraysOfTanyao =
    3;  // tiles that would have to go before an open hand is all simples
constexpr int kStraysOfFlush = 4;

// Which yaku an open hand of this shape can still have.
Plan plan_of(const Sight& sight, const HandShape& shape) {
  const auto triplet = [&](int kind) {
    return (sight.yakuhai >> kind & 1) &&
           (shape.concealed[kind] >= 3 || std::ranges::count(shape.triplets, kind) > 0);
  };
  for (int kind = kEast; kind < kKinds; ++kind)
    if (triplet(kind)) return {};
  const bool tanyao = sight.table.rules().open_tanyao && shape.melds_within(kSimples);
  if (tanyao && shape.outside(kSimples) <= kStraysOfTanyao) return {.kinds = kSimples};
  for (int suit = 0; suit < 3; ++suit) {
    const KindMask flush = suit_and_honors(suit);
    if (shape.melds_within(flush) && shape.outside(flush) <= kStraysOfFlush)
      return {.kinds = flush};
  }
  // A pair of yakuhai may become the triplet.
  for (int kind = kEast; kind < kKinds; ++kind)
    if ((sight.yakuhai >> kind & 1) && shape.concealed[kind] == 2 && sight.unseen(kind) > 0)
      return {};
  return {.possible = false};
}

// The best that a discard leaves of 3n+2 tiles.
int shanten_after_discard(const HandShape& shape) {
  const int now = shanten(shape.concealed, shape.melds);
  return std::max(now, 0);
}

class Judgement {
 public:
  Judgement(const Question& question, const Style& style)
      : sight_(question), legal_(question.legal()), style_(style), threats_(sight_) {}

  Action choose() const {
    if (legal_.contains(Action::win()) && wants_win()) return Action::win();
    if (legal_.contains(Action::pass())) return answer();
    return own_turn();
  }

 private:
  // In the last round a win that leaves one last is no win; there may be a better one to come.
  bool wants_win() const {
    constexpr int kLate = 12;
    if (!sight_.table.is_last_round() || sight_.rank() != kSeats - 1) return true;
    if (sight_.table.dealer() == sight_.seat || sight_.table.tiles_left() < kLate) return true;
    const std::optional<Scores> deltas = sight_.table.win_deltas(sight_.seat, {});
    Scores scores = sight_.table.scores();
    for (int seat = 0; seat < kSeats; ++seat) scores[seat] += (*deltas)[seat];
    return ranking(scores, sight_.table.rules())[kSeats - 1] != sight_.seat;
  }

  // -- one's own turn

  Action own_turn() const {
    if (legal_.contains(Action::nine_terminals()) && wants_abort()) return Action::nine_terminals();
    if (const std::optional<Action> kan = own_kan()) return *kan;
    const FixedVector<Choice, kHandTiles + 1> choices = rate_discards();
    const Choice& best = best_of(choices);
    if (legal_.contains(Action::riichi()) && wants_riichi(choices)) return Action::riichi();
    return Action::discard(best.tile);
  }

  bool wants_abort() const {
    constexpr int kFarOrphans = 3;
    return thirteen_orphans_shanten(sight_.self.concealed.kinds()) > kFarOrphans;
  }

  std::optional<Action> own_kan() const {
    const bool in_riichi = sight_.self.riichi == Riichi::Accepted;
    if (threats_.any() && !in_riichi) return std::nullopt;
    const KindCounts& kinds = sight_.self.concealed.kinds();
    const int before = std::max(0, shanten(kinds, sight_.melds()));
    for (int kind = 0; kind < kKinds; ++kind) {
      if (!legal_.contains(Action::kan(kind))) continue;
      if (in_riichi) return Action::kan(kind);
      const bool closed = kinds[kind] == kCopies;
      KindCounts rest = kinds;
      rest[kind] = 0;
      const int after = shanten(rest, sight_.melds() + (closed ? 1 : 0));
      if (after <= before && (closed || before <= 1)) return Action::kan(kind);
    }
    return std::nullopt;
  }

  // The discards that lead to the riichi are those that keep the hand tenpai.
  bool wants_riichi(const FixedVector<Choice, kHandTiles + 1>& choices) const {
    const Choice* tenpai = nullptr;
    for (const Choice& choice : choices)
      if (choice.shanten == 0 && (!tenpai || choice.tiles > tenpai->tiles)) tenpai = &choice;
    if (!tenpai || tenpai->tiles == 0) return false;
    if (tenpai->danger > accepted_danger(*tenpai)) return false;
    constexpr int kLate = 8;
    if (sight_.table.tiles_left() < kLate && tenpai->tiles < 4) return false;
    return !(sight_.table.is_last_round() && sight_.rank() == 0 && has_value_without_riichi());
  }

  bool has_value_without_riichi() const {
    const HandShape shape = shape_of(sight_.self);
    for (int kind = kEast; kind < kKinds; ++kind)
      if ((sight_.yakuhai >> kind & 1) && shape.concealed[kind] >= 3) return true;
    return shape.outside(kSimples) == 0;
  }

  // -- discards

  FixedVector<Choice, kHandTiles + 1> rate_discards() const {
    const Concealed& concealed = sight_.self.concealed;
    const HandShape shape = shape_of(sight_.self);
    const Plan plan = sight_.open() ? plan_of(sight_, shape) : Plan{};
    FixedVector<Choice, kHandTiles + 1> choices;
    for (const DiscardOption& option :
         discard_options(concealed.kinds(), sight_.melds(), sight_.seen)) {
      const std::optional<Tile> tile = tile_to_discard(option.kind);
      if (!tile) continue;
      const bool stray = !(plan.kinds >> option.kind & 1);
      Choice choice{.tile = *tile,
                    .shanten = option.shanten - (stray ? 1 : 0),  // it has to go anyway
                    .tiles = unseen_tiles(option.accepted & plan.kinds, sight_.seen),
                    .worth = 0,
                    .danger = threats_.danger(option.kind)};
      choice.worth = choice.tiles + worth_of_keeping(*tile) - 0.2 * choice.danger;
      choices.push_back(choice);
    }
    return choices;
  }

  std::optional<Tile> tile_to_discard(int kind) const {
    const Tile black = Tile::of_kind(kind);
    if (legal_.contains(Action::discard(black))) return black;
    if (!is_five(kind)) return std::nullopt;
    const Tile red = Tile::red_five(suit_of(kind));
    return legal_.contains(Action::discard(red)) ? std::optional(red) : std::nullopt;
  }

  // What the hand loses with the tile, counted in live tiles and negative.
  double worth_of_keeping(Tile tile) const {
    const int kind = tile.kind();
    double loss = style_.value * sight_.bonus(tile);
    const bool pair = sight_.self.concealed.count_kind(kind) == 2;
    if ((sight_.yakuhai >> kind & 1) && pair && sight_.unseen(kind) > 0) loss += 2;
    if (kSimples >> kind & 1) loss += 0.3;
    return -loss;
  }

  const Choice& best_of(const FixedVector<Choice, kHandTiles + 1>& choices) const {
    int nearest = choices[0].shanten;
    for (const Choice& choice : choices) nearest = std::min(nearest, choice.shanten);
    const Choice* best = nullptr;
    for (const Choice& choice : choices)
      if (choice.shanten == nearest && (!best || choice.worth > best->worth)) best = &choice;
    const double limit = accepted_danger(*best);
    if (best->danger <= limit) return *best;
    const Choice* bearable = nullptr;
    for (const Choice& choice : choices)
      if (choice.shanten == nearest && choice.danger <= limit &&
          (!bearable || choice.worth > bearable->worth))
        bearable = &choice;
    return bearable ? *bearable : safest_of(choices);
  }

  static const Choice& safest_of(const FixedVector<Choice, kHandTiles + 1>& choices) {
    return *std::ranges::min_element(choices, [](const Choice& a, const Choice& b) {
      if (a.danger != b.danger) return a.danger < b.danger;
      return a.shanten != b.shanten ? a.shanten < b.shanten : a.worth > b.worth;
    });
  }

  // The danger that the hand after this discard is worth.
  double accepted_danger(const Choice& choice) const {
    constexpr int kLate = 20;
    const bool late = sight_.table.tiles_left() < kLate;
    const int value = std::min(4, hand_han() - sight_.bonus(choice.tile));
    double limit = 0;
    if (choice.shanten <= 0 && choice.tiles > 0) {
      limit = (late ? 8 : 11) + 3 * value + (choice.tiles >= 5 ? 3 : 0);
    } else if (choice.shanten == 1 && choice.tiles >= 8 && !late) {
      limit = 2.5 + 2 * value;
    }
    return limit * style_.push * stake();
  }

  // Dora, red fives and triplets of yakuhai, in han.
  int hand_han() const {
    int han = sight_.bonus(sight_.self.concealed) + sight_.bonus(sight_.self.melds);
    const HandShape shape = shape_of(sight_.self);
    for (int kind = kEast; kind < kKinds; ++kind)
      if ((sight_.yakuhai >> kind & 1) &&
          (shape.concealed[kind] >= 3 || std::ranges::count(shape.triplets, kind) > 0))
        ++han;
    return han;
  }

  // In the last round the first has something to lose and the last has not.
  double stake() const {
    if (!sight_.table.is_last_round()) return 1;
    constexpr std::array<double, kSeats> kStakes = {0.6, 0.9, 1, 1.5};
    return kStakes[sight_.rank()];
  }

  // -- answers to a discard

  Action answer() const {
    const int before = shanten(sight_.self.concealed.kinds(), sight_.melds());
    Action best = Action::pass();
    double most = 0;
    for (int i = 0; i < legal_.size(); ++i) {
      const Action action = legal_.nth(i);
      if (!action.is_chi() && !action.is_pon()) continue;
      const std::optional<double> rating = rate_call(action, before);
      if (rating && (best == Action::pass() || *rating > most)) {
        best = action;
        most = *rating;
      }
    }
    return best;
  }

  // How good the hand is after the call; none where it is not worth making.
  std::optional<double> rate_call(Action action, int before) const {
    const Call call = sight_.table.call_of(sight_.seat, action);
    HandShape shape = shape_of(sight_.self);
    for (int i = 0; i < call.own_count(); ++i) --shape.concealed[call.own[i].kind()];
    ++shape.melds;
    shape.melded.push_back(call.called.kind());
    for (int i = 0; i < call.own_count(); ++i) shape.melded.push_back(call.own[i].kind());
    if (call.kind == CallKind::Pon) shape.triplets.push_back(call.called.kind());
    const int after = shanten_after_discard(shape);
    if (after >= before) return std::nullopt;
    if (threats_.any() && threats_.most >= 1 && after > 0) return std::nullopt;
    if (!may_open(shape, call)) return std::nullopt;
    double rating = -2.0 * after + (call.kind == CallKind::Pon ? 0.5 : 0);
    for (int i = 0; i < call.own_count(); ++i) rating += call.own[i].red() ? 1 : 0;
    return rating;
  }

  bool may_open(const HandShape& shape, const Call& call) const {
    const Plan plan = plan_of(sight_, shape);
    if (!plan.possible || !(plan.kinds >> call.called.kind() & 1)) return false;
    if (sight_.open()) return true;
    const bool yakuhai = call.kind == CallKind::Pon && (sight_.yakuhai >> call.called.kind() & 1);
    return yakuhai || hand_han() + sight_.bonus(call.called) >= style_.call_value;
  }

  Sight sight_;
  const ActionSet& legal_;
  const Style& style_;
  Threats threats_;
};

}  // namespace

Action HeuristicPlayer::choose(const Question& question) const {
  return Judgement(question, style_).choose();
}

}  // namespace ippatsu::play
