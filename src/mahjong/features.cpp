#include "mahjong/features.h"

#include <algorithm>
#include <cassert>
#include <optional>

#include "mahjong/shanten.h"
#include "mahjong/ukeire.h"

namespace ippatsu::mahjong {

namespace {

// Where one group writes: plane 0 is the group's first.
class Planes {
 public:
  Planes(std::span<uint64_t> bits, int first) : bits_(bits), first_(first) {}

  Planes from(int plane) const { return {bits_, first_ + plane}; }

  void set(int plane, int column) const {
    const int bit = (first_ + plane) * kKinds + column;
    bits_[bit / 64] |= uint64_t{1} << (bit % 64);
  }

  // Planes 0.. hold the kinds that are there at least once, twice ...
  void thermometer(const KindCounts& counts, int planes) const {
    for (int kind = 0; kind < kKinds; ++kind)
      for (int plane = 0; plane < std::min<int>(counts[kind], planes); ++plane) set(plane, kind);
  }

  // Column c of a plane says whether `value` is more than c.
  void gauge(int plane, int64_t value) const {
    for (int column = 0; column < std::min<int64_t>(value, kKinds); ++column) set(plane, column);
  }

  void fill_if(int plane, bool on) const { gauge(plane, on ? kKinds : 0); }

 private:
  std::span<uint64_t> bits_;
  int first_;
};

// The view with its seats turned: 0 self, 1 right (plays next), 2 across, 3 left. With three
// players nobody sits across.
struct Scene {
  explicit Scene(const DecisionView& decision) : view(decision), table(*decision.table) {
    const int players = table.rules().players;
    for (int i = 0; i < players; ++i) {
      const int relative = players == 3 && i == 2 ? 3 : i;
      seat_at[relative] = (decision.seat + i) % players;
      seats[relative] = &table.seat(seat_at[relative]);
    }
    if (decision.legal().discards() != 0) find_nearest_discards();
  }

  const SeatState& self() const { return *seats[0]; }
  const KindCounts& concealed() const { return self().concealed.kinds(); }
  int melds() const { return static_cast<int>(self().melds.size()); }

  // All that lies open, and own tiles.
  KindCounts seen() const {
    KindCounts seen = table.open_kinds();
    for (int kind = 0; kind < kKinds; ++kind) seen[kind] += concealed()[kind];
    return seen;
  }

  int most_live_tiles() const { return std::ranges::max(nearest, {}, &DiscardOption::tiles).tiles; }

  bool may_discard(int kind) const {
    const Tile black = Tile::of_kind(kind);
    return view.legal().contains(Action::discard(black)) ||
           (is_five(kind) && view.legal().contains(Action::discard(Tile::red_five(suit_of(kind)))));
  }

  const DecisionView& view;
  const Table& table;
  std::array<const SeatState*, kSeats> seats{};  // null where nobody sits
  std::array<int, kSeats> seat_at{};
  DiscardOptions nearest;  // the legal discards that leave the least shanten

 private:
  void find_nearest_discards() {
    for (const DiscardOption& option : discard_options(concealed(), melds(), seen())) {
      if (!may_discard(option.kind)) continue;
      if (!nearest.empty() && option.shanten > nearest[0].shanten) continue;
      if (!nearest.empty() && option.shanten < nearest[0].shanten) nearest.clear();
      nearest.push_back(option);
    }
  }
};

constexpr int kOthers = kSeats - 1;

using Write = void (*)(const Scene&, const Planes&);

// One plane for each relative seat.
template <void (*write)(const SeatState&, const Planes&)>
void each_seat(const Scene& scene, const Planes& planes) {
  for (int relative = 0; relative < kSeats; ++relative)
    if (scene.seats[relative]) write(*scene.seats[relative], planes.from(relative));
}

// One plane for right, across and left.
template <void (*write)(const SeatState&, const Planes&)>
void each_other(const Scene& scene, const Planes& planes) {
  for (int relative = 1; relative < kSeats; ++relative)
    if (scene.seats[relative]) write(*scene.seats[relative], planes.from(relative - 1));
}

template <bool (*holds)(const SeatState&, const Discarded&)>
void discards_where(const SeatState& seat, const Planes& planes) {
  for (const Discarded& discard : seat.discards)
    if (holds(seat, discard)) planes.set(0, discard.tile.kind());
}

template <MeldKind... kinds>
void melds_of(const SeatState& seat, const Planes& planes) {
  for (const Meld& meld : seat.melds)
    if (((meld.kind == kinds) || ...))
      for (const Tile tile : meld.tiles()) planes.set(0, tile.kind());
}

constexpr int kRow = 6;  // discards lie in rows of six

size_t position(const SeatState& seat, const Discarded& discard) {
  return static_cast<size_t>(&discard - seat.discards.data());
}

template <size_t row>
bool in_row(const SeatState& seat, const Discarded& discard) {
  return position(seat, discard) / kRow == row;
}

bool beyond_second_row(const SeatState& seat, const Discarded& discard) {
  return position(seat, discard) >= 2 * kRow;
}

template <size_t back>
bool is_recent(const SeatState& seat, const Discarded& discard) {
  return position(seat, discard) + back == seat.discards.size();
}

bool from_hand(const SeatState&, const Discarded& discard) { return !discard.tsumogiri; }
bool as_drawn(const SeatState&, const Discarded& discard) { return discard.tsumogiri; }
bool declares_riichi(const SeatState&, const Discarded& discard) { return discard.declares_riichi; }
bool called_away(const SeatState&, const Discarded& discard) { return discard.called_away; }

void own_tiles(const Scene& scene, const Planes& planes) {
  planes.thermometer(scene.self().concealed.kinds(), kCopies);
}

void set_reds(TileMask tiles, const Planes& planes) {
  for (int suit = 0; suit < 3; ++suit)
    if (const Tile red = Tile::red_five(suit); tiles & mask_of(red)) planes.set(0, red.kind());
}

void own_reds(const Scene& scene, const Planes& planes) {
  set_reds(scene.self().concealed.distinct(), planes);
}

void drawn_tile(const Scene& scene, const Planes& planes) {
  if (scene.self().drawn) planes.set(0, scene.self().drawn->kind());
}

void legal_kinds(const Scene& scene, const Planes& planes) {
  for (int kind = 0; kind < kKinds; ++kind)
    if (scene.may_discard(kind)) planes.set(0, kind);
}

void legal_kans(const Scene& scene, const Planes& planes) {
  for (int kind = 0; kind < kKinds; ++kind)
    if (scene.view.legal().contains(Action::kan(kind))) planes.set(0, kind);
}

// A column an action, in their order: those that are neither a discard nor a kan of one's own.
template <typename Holds>
void other_actions_where(const Scene& scene, const Planes& planes, const Holds& holds) {
  int column = 0;
  for (int index = kTiles; index < Action::kCount; ++index) {
    const Action action = Action::of_index(index);
    if (action.is_kan()) continue;
    if (scene.view.legal().contains(action) && holds(action)) planes.set(0, column);
    ++column;
  }
}

void other_actions(const Scene& scene, const Planes& planes) {
  other_actions_where(scene, planes, [](Action) { return true; });
}

// The tile of another that lies there to be claimed.
std::optional<Tile> offered(const Scene& scene) {
  const Table& table = scene.table;
  return table.turn() == scene.view.seat ? std::nullopt : table.winning_tile();
}

void offered_tile(const Scene& scene, const Planes& planes) {
  if (const std::optional<Tile> tile = offered(scene)) planes.set(0, tile->kind());
}

void offered_red(const Scene& scene, const Planes& planes) {
  const std::optional<Tile> tile = offered(scene);
  planes.fill_if(0, tile && tile->red());
}

void offered_by(const Scene& scene, const Planes& planes) {
  for (int relative = 1; relative < kSeats; ++relative)
    planes.fill_if(relative - 1, scene.seats[relative] && offered(scene) &&
                                     scene.seat_at[relative] == scene.table.turn());
}

void offered_in_kan(const Scene& scene, const Planes& planes) {
  planes.fill_if(0, offered(scene) && scene.table.phase() == Phase::KanReaction);
}

void own_waits(const Scene& scene, const Planes& planes) {
  for (int kind = 0; kind < kKinds; ++kind)
    if (scene.self().waits >> kind & 1) planes.set(0, kind);
}

void own_furiten(const Scene& scene, const Planes& planes) {
  planes.fill_if(0, scene.self().furiten());
}

void repeated_runs(const SeatState& seat, const Planes& planes) {
  KindCounts runs{};
  for (const Meld& meld : seat.melds)
    if (meld.kind == MeldKind::Chi && ++runs[meld.lowest_kind()] == 2)
      for (const Tile tile : meld.tiles()) planes.set(0, tile.kind());
}

void meld_reds(const SeatState& seat, const Planes& planes) {
  for (const Meld& meld : seat.melds)
    for (const Tile tile : meld.tiles())
      if (tile.red()) planes.set(0, tile.kind());
}

void norths(const SeatState& seat, const Planes& planes) { planes.gauge(0, seat.kitas); }

void repeated_discards(const SeatState& seat, const Planes& planes) {
  KindCounts discards{};
  for (const Discarded& discard : seat.discards)
    if (++discards[discard.tile.kind()] == 2) planes.set(0, discard.tile.kind());
}

void passed_since_riichi(const Scene& scene, const Planes& planes) {
  for (int relative = 1; relative < kSeats; ++relative) {
    const SeatState* seat = scene.seats[relative];
    if (!seat || seat->riichi != Riichi::Accepted) continue;
    for (const SeatState* other : scene.seats)
      if (other)
        for (const Discarded& discard : other->discards)
          if (discard.order >= seat->riichi_order) planes.set(relative - 1, discard.tile.kind());
  }
}

void riichi_accepted(const SeatState& seat, const Planes& planes) {
  planes.fill_if(0, seat.riichi == Riichi::Accepted);
}

void riichi_ippatsu(const SeatState& seat, const Planes& planes) {
  planes.fill_if(0, seat.ippatsu);
}

void riichi_declared(const Scene& scene, const Planes& planes) {
  planes.fill_if(0, scene.self().riichi == Riichi::Declared);
}

KindCounts counts_of(std::span<const Tile> tiles) {
  KindCounts counts{};
  for (const Tile tile : tiles) ++counts[tile.kind()];
  return counts;
}

void dora_indicators(const Scene& scene, const Planes& planes) {
  planes.thermometer(counts_of(scene.table.dora_indicators()), kCopies);
}

void dora_kinds(const Scene& scene, const Planes& planes) {
  KindCounts dora{};
  for (const Tile tile : scene.table.dora_indicators())
    ++dora[dora_kind(tile.kind(), scene.table.rules().players)];
  planes.thermometer(dora, kCopies);
}

void seen_tiles(const Scene& scene, const Planes& planes) {
  planes.thermometer(scene.seen(), kCopies);
}

void seen_reds(const Scene& scene, const Planes& planes) {
  set_reds(scene.table.open_reds() | scene.self().concealed.distinct(), planes);
}

void round_wind(const Scene& scene, const Planes& planes) {
  planes.set(0, kEast + static_cast<int>(scene.table.round_wind()));
}

void own_wind(const Scene& scene, const Planes& planes) {
  planes.set(0, kEast + static_cast<int>(scene.table.wind_of(scene.view.seat)));
}

void round_number(const Scene& scene, const Planes& planes) {
  planes.set(0, scene.table.number() - 1);
}

void last_round(const Scene& scene, const Planes& planes) {
  planes.fill_if(0, scene.table.is_last_round());
}

void three_players(const Scene& scene, const Planes& planes) {
  planes.fill_if(0, scene.table.rules().players == 3);
}

constexpr int kPointsPerStep = 2000;
constexpr int kTilesPerStep = 2;

void scores(const Scene& scene, const Planes& planes) {
  for (int relative = 0; relative < kSeats; ++relative)
    if (scene.seats[relative])
      planes.gauge(relative, scene.table.scores()[scene.seat_at[relative]] / kPointsPerStep);
}

// Equal points rank by seat, the first dealer first.
void own_rank(const Scene& scene, const Planes& planes) {
  const Scores& points = scene.table.scores();
  const int self = scene.view.seat;
  int ahead = 0;
  for (int seat = 0; seat < scene.table.rules().players; ++seat)
    ahead += points[seat] > points[self] || (points[seat] == points[self] && seat < self);
  planes.set(0, ahead);
}

void honba(const Scene& scene, const Planes& planes) { planes.gauge(0, scene.table.honba()); }
void sticks(const Scene& scene, const Planes& planes) { planes.gauge(0, scene.table.sticks()); }

void tiles_left(const Scene& scene, const Planes& planes) {
  planes.gauge(0, scene.table.tiles_left() / kTilesPerStep);
}

void turn(const Scene& scene, const Planes& planes) {
  planes.gauge(0, static_cast<int64_t>(scene.self().discards.size()));
}

void own_shanten(const Scene& scene, const Planes& planes) {
  planes.gauge(0, shanten(scene.concealed(), scene.melds()) + 1);
}

void nearest_discards(const Scene& scene, const Planes& planes) {
  for (const DiscardOption& option : scene.nearest) planes.set(0, option.kind);
}

// More live tiles than these.
constexpr std::array kLiveTiles = {0, 2, 4, 6, 8, 12, 16, 20, 24, 32, 40, 56};

void live_tiles(const Scene& scene, const Planes& planes) {
  for (const DiscardOption& option : scene.nearest)
    for (size_t i = 0; i < kLiveTiles.size() && option.tiles > kLiveTiles[i]; ++i)
      planes.set(static_cast<int>(i), option.kind);
}

void widest_discards(const Scene& scene, const Planes& planes) {
  for (const DiscardOption& option : scene.nearest)
    if (option.tiles == scene.most_live_tiles()) planes.set(0, option.kind);
}

void accepted_tiles(const Scene& scene, const Planes& planes) {
  KindMask accepted = 0;
  if (scene.nearest.empty()) accepted = accepted_kinds(scene.concealed(), scene.melds());
  for (const DiscardOption& option : scene.nearest)
    if (option.tiles == scene.most_live_tiles()) accepted |= option.accepted;
  for (int kind = 0; kind < kKinds; ++kind)
    if (accepted >> kind & 1) planes.set(0, kind);
}

void calls_nearer(const Scene& scene, const Planes& planes) {
  const int before = shanten(scene.concealed(), scene.melds());
  other_actions_where(scene, planes, [&](Action action) {
    if (!action.is_chi() && !action.is_pon()) return false;
    const Call call = scene.table.call_of(scene.view.seat, action);
    KindCounts rest = scene.concealed();
    for (int i = 0; i < call.own_count(); ++i) --rest[call.own[i].kind()];
    return shanten(rest, scene.melds() + 1) < before;
  });
}

struct Row {
  std::string_view name;
  int count;
  Write write;
};

constexpr Row kRows[] = {
    {"own tiles", kCopies, own_tiles},
    {"own red fives", 1, own_reds},
    {"drawn tile", 1, drawn_tile},
    {"legal discards", 1, legal_kinds},
    {"runs", kSeats, each_seat<melds_of<MeldKind::Chi>>},
    {"repeated runs", kSeats, each_seat<repeated_runs>},
    {"triplets", kSeats, each_seat<melds_of<MeldKind::Pon>>},
    {"open kans", kSeats, each_seat<melds_of<MeldKind::OpenKan, MeldKind::AddedKan>>},
    {"closed kans", kSeats, each_seat<melds_of<MeldKind::ClosedKan>>},
    {"red fives in melds", kSeats, each_seat<meld_reds>},
    {"norths set aside", kSeats, each_seat<norths>},
    {"discards 1 to 6", kSeats, each_seat<discards_where<in_row<0>>>},
    {"discards 7 to 12", kSeats, each_seat<discards_where<in_row<1>>>},
    {"discards from 13", kSeats, each_seat<discards_where<beyond_second_row>>},
    {"repeated discards", kSeats, each_seat<repeated_discards>},
    {"last discard", kSeats, each_seat<discards_where<is_recent<1>>>},
    {"second last discard", kSeats, each_seat<discards_where<is_recent<2>>>},
    {"third last discard", kSeats, each_seat<discards_where<is_recent<3>>>},
    {"discards from the hand", kSeats, each_seat<discards_where<from_hand>>},
    {"discards as drawn", kSeats, each_seat<discards_where<as_drawn>>},
    {"discards called away", kSeats, each_seat<discards_where<called_away>>},
    {"riichi discard", kOthers, each_other<discards_where<declares_riichi>>},
    {"passed since riichi", kOthers, passed_since_riichi},
    {"riichi", kOthers, each_other<riichi_accepted>},
    {"ippatsu", kOthers, each_other<riichi_ippatsu>},
    {"declaring riichi", 1, riichi_declared},
    {"dora indicators", kCopies, dora_indicators},
    {"dora", kCopies, dora_kinds},
    {"seen tiles", kCopies, seen_tiles},
    {"seen red fives", 1, seen_reds},
    {"round wind", 1, round_wind},
    {"own wind", 1, own_wind},
    {"round number", 1, round_number},
    {"last round", 1, last_round},
    {"three players", 1, three_players},
    {"points", kSeats, scores},
    {"own rank", 1, own_rank},
    {"honba", 1, honba},
    {"sticks", 1, sticks},
    {"tiles left", 1, tiles_left},
    {"turn", 1, turn},
    {"own waits", 1, own_waits},
    {"furiten", 1, own_furiten},
    {"legal kans", 1, legal_kans},
    {"other legal actions", 1, other_actions},
    {"offered tile", 1, offered_tile},
    {"offered red five", 1, offered_red},
    {"offered by", kOthers, offered_by},
    {"offered in a kan", 1, offered_in_kan},
    {"shanten", 1, own_shanten},
    {"nearest discards", 1, nearest_discards},
    {"live tiles", int{kLiveTiles.size()}, live_tiles},
    {"widest discards", 1, widest_discards},
    {"accepted tiles", 1, accepted_tiles},
    {"calls that bring nearer", 1, calls_nearer},
};

constexpr size_t kGroups = std::size(kRows);

constexpr std::array<FeatureGroup, kGroups> kGroupTable = [] {
  std::array<FeatureGroup, kGroups> groups;
  int first = 0;
  for (size_t i = 0; i < kGroups; ++i) {
    groups[i] = {kRows[i].name, first, kRows[i].count};
    first += kRows[i].count;
  }
  return groups;
}();

static_assert(kGroupTable.back().first + kGroupTable.back().count == kPlanes);

}  // namespace

void encode(const DecisionView& view, std::span<uint64_t> bits) {
  assert(bits.size() == kFeatureWords);
  std::ranges::fill(bits, 0);
  const Scene scene(view);
  for (size_t i = 0; i < kGroups; ++i) kRows[i].write(scene, Planes(bits, kGroupTable[i].first));
}

std::span<const FeatureGroup> feature_groups() { return kGroupTable; }

}  // namespace ippatsu::mahjong
