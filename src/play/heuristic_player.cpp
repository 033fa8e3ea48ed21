#include "play/heuristic_player.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

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

using Choices = FixedVector<Choice, kHandTiles + 1>;

// What counts among the discards: to be nearest to a complete hand and to bear the danger, or,
// where none can be borne, safety alone.
struct Stance {
  int nearest;   // shanten
  double limit;  // of danger
  bool folds;

  bool bears(const Choice& choice) const {
    return choice.shanten == nearest && choice.danger <= limit;
  }
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

  // Discards by what they leave and risk; all else is either the thing to do or is not.
  Ratings rate() const {
    Ratings ratings;
    ratings.fill(-std::numeric_limits<double>::infinity());
    const bool own_turn = !legal_.contains(Action::pass());
    if (own_turn) rate_tiles(ratings);
    const double refused = (own_turn ? std::ranges::max(ratings) : 0) - kAsGoodAsDecided;
    for (int i = 0; i < legal_.size(); ++i) {
      const Action action = legal_.nth(i);
      if (!action.is_discard()) ratings[action.index()] = refused;
    }
    raise(choose(), ratings);
    return ratings;
  }

 private:
  static constexpr double kAsGoodAsDecided = 6;  // live tiles
  static constexpr double kBarely = 0.5;

  // Above all others.
  static void raise(Action chosen, Ratings& ratings) {
    double& own = ratings[chosen.index()];
    const double before = std::exchange(own, -std::numeric_limits<double>::infinity());
    const double others = std::ranges::max(ratings);
    if (chosen.is_discard())
      own = before > others ? before : others + kBarely;
    else
      own = others + kAsGoodAsDecided;
  }

  void rate_tiles(Ratings& ratings) const {
    const Choices choices = rate_discards();
    const Stance stance = stance_of(choices);
    for (const Choice& choice : choices) {
      const double rating = rating_of(choice, stance);
      ratings[Action::discard(choice.tile).index()] = rating;
      const int kind = choice.tile.kind();
      if (!is_five(kind) || choice.tile.red()) continue;
      const Tile red = Tile::red_five(suit_of(kind));
      if (legal_.contains(Action::discard(red)))
        ratings[Action::discard(red).index()] =
            rating + worth_of_keeping(red) - worth_of_keeping(choice.tile);
    }
  }

  static double rating_of(const Choice& choice, const Stance& stance) {
    const int behind = choice.shanten - stance.nearest;
    if (stance.folds) return 0.1 * choice.worth - behind - 2 * choice.danger;
    constexpr double kPerShanten = 8;
    return choice.worth - kPerShanten * behind - std::max(0.0, choice.danger - stance.limit);
  }

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
    const Choices choices = rate_discards();
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
  bool wants_riichi(const Choices& choices) const {
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

  Choices rate_discards() const {
    const Concealed& concealed = sight_.self.concealed;
    const HandShape shape = shape_of(sight_.self);
    const Plan plan = sight_.open() ? plan_of(sight_, shape) : Plan{};
    Choices choices;
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

  Stance stance_of(const Choices& choices) const {
    Stance stance{.nearest = choices[0].shanten, .limit = 0, .folds = false};
    for (const Choice& choice : choices) stance.nearest = std::min(stance.nearest, choice.shanten);
    const auto near = [&](const Choice& choice) { return choice.shanten == stance.nearest; };
    stance.limit = accepted_danger(*worthiest(choices, near));
    stance.folds =
        std::ranges::none_of(choices, [&](const Choice& choice) { return stance.bears(choice); });
    return stance;
  }

  const Choice& best_of(const Choices& choices) const {
    const Stance stance = stance_of(choices);
    if (stance.folds) return safest_of(choices);
    return *worthiest(choices, [&](const Choice& choice) { return stance.bears(choice); });
  }

  // Null where none will do.
  template <typename WillDo>
  static const Choice* worthiest(const Choices& choices, const WillDo& will_do) {
    const Choice* best = nullptr;
    for (const Choice& choice : choices)
      if (will_do(choice) && (!best || choice.worth > best->worth)) best = &choice;
    return best;
  }

  static const Choice& safest_of(const Choices& choices) {
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

Ratings HeuristicPlayer::rate(const Question& question) const {
  return Judgement(question, style_).rate();
}

}  // namespace ippatsu::play
