#include "mahjong/yaku.h"

#include <array>
#include <bit>

#include "mahjong/hand_reading.h"
#include "mahjong/kind_masks.h"

namespace ippatsu::mahjong {

namespace {

constexpr KindMask kGreens = bit(19) | bit(20) | bit(21) | bit(23) | bit(25) | bit(kWhite + 1);
constexpr KindMask kOutsideRuns = bit(0) | bit(6) | bit(9) | bit(15) | bit(18) | bit(24);
constexpr KindMask kStraight = bit(0) | bit(3) | bit(6);
constexpr KindMask kOneSuit = bits(0, 9);

constexpr int kind_of(Wind wind) { return kEast + static_cast<int>(wind); }

KindMask of_suit(KindMask kinds, int suit) { return kinds >> 9 * suit & kOneSuit; }

// The numbers that stand in all three suits.
KindMask in_three_suits(KindMask kinds) {
  return of_suit(kinds, 0) & of_suit(kinds, 1) & of_suit(kinds, 2);
}

bool has_one_suit(KindMask kinds) {
  int suits = 0;
  for (int suit = 0; suit < 3; ++suit) suits += of_suit(kinds, suit) != 0 ? 1 : 0;
  return suits == 1;
}

bool tsumo(const Reading& r) { return r.situation().tsumo; }
bool riichi(const Reading& r) { return r.situation().riichi == RiichiState::Riichi; }
bool double_riichi(const Reading& r) { return r.situation().riichi == RiichiState::DoubleRiichi; }
bool ippatsu(const Reading& r) {
  return r.situation().ippatsu && r.situation().riichi != RiichiState::None;
}
bool chankan(const Reading& r) { return !tsumo(r) && r.situation().robbed; }
bool rinshan(const Reading& r) { return tsumo(r) && r.situation().replacement; }
bool haitei(const Reading& r) { return tsumo(r) && r.situation().last_tile && !rinshan(r); }
bool houtei(const Reading& r) { return !tsumo(r) && r.situation().last_tile && !chankan(r); }

bool has_sets(const Reading& r) { return r.form == Form::Sets; }
bool has_triplet(const Reading& r, int kind) { return (r.triplets & bit(kind)) != 0; }

bool pair_scores(const Reading& r) {
  return is_dragon(r.pair) || r.pair == kind_of(r.situation().seat_wind) ||
         r.pair == kind_of(r.situation().round_wind);
}

bool pinfu(const Reading& r) {
  return has_sets(r) && r.triplets == 0 && r.wait == Wait::TwoSided && !pair_scores(r);
}
bool tanyao(const Reading& r) {
  return (r.kinds & kOrphans) == 0 && (r.closed || r.rules->open_tanyao);
}
bool iipeikou(const Reading& r) { return r.twin_runs == 1; }
bool ryanpeikou(const Reading& r) { return r.twin_runs == 2; }

template <Wind kWind>
bool seat_wind(const Reading& r) {
  return r.situation().seat_wind == kWind && has_triplet(r, kind_of(kWind));
}
template <Wind kWind>
bool round_wind(const Reading& r) {
  return r.situation().round_wind == kWind && has_triplet(r, kind_of(kWind));
}
template <int kNumber>
bool dragon(const Reading& r) {
  return has_triplet(r, kWhite + kNumber);
}

bool seven_pairs(const Reading& r) { return r.form == Form::SevenPairs; }

// A terminal or an honour in each set and the pair, and not in triplets alone.
bool is_outside(const Reading& r) {
  return r.runs != 0 && within(r.runs, kOutsideRuns) && within(r.triplets | bit(r.pair), kOrphans);
}
bool has_honors(const Reading& r) { return (r.kinds & kHonors) != 0; }
bool chanta(const Reading& r) { return is_outside(r) && has_honors(r); }
bool junchan(const Reading& r) { return is_outside(r) && !has_honors(r); }

bool ittsuu(const Reading& r) {
  for (int suit = 0; suit < 3; ++suit)
    if (within(kStraight, of_suit(r.runs, suit))) return true;
  return false;
}
bool sanshoku_doujun(const Reading& r) { return in_three_suits(r.runs) != 0; }
bool sanshoku_doukou(const Reading& r) { return in_three_suits(r.triplets) != 0; }
bool sankantsu(const Reading& r) { return r.kans == 3; }
bool suukantsu(const Reading& r) { return r.kans == 4; }
bool toitoi(const Reading& r) { return has_sets(r) && r.runs == 0; }
bool sanankou(const Reading& r) { return r.concealed_triplets == 3; }
bool suuankou(const Reading& r) { return r.concealed_triplets == 4 && r.wait != Wait::Pair; }
bool suuankou_tanki(const Reading& r) { return r.concealed_triplets == 4 && r.wait == Wait::Pair; }

int triplets_among(const Reading& r, KindMask kinds) { return std::popcount(r.triplets & kinds); }
bool pair_among(const Reading& r, KindMask kinds) {
  return has_sets(r) && (bit(r.pair) & kinds) != 0;
}
bool shousangen(const Reading& r) {
  return triplets_among(r, kDragons) == 2 && pair_among(r, kDragons);
}
bool daisangen(const Reading& r) { return triplets_among(r, kDragons) == 3; }
bool shousuushii(const Reading& r) {
  return triplets_among(r, kWinds) == 3 && pair_among(r, kWinds);
}
bool daisuushii(const Reading& r) { return triplets_among(r, kWinds) == 4; }

bool honroutou(const Reading& r) {
  return within(r.kinds, kOrphans) && has_honors(r) && (r.kinds & kTerminals) != 0;
}
bool chinroutou(const Reading& r) { return within(r.kinds, kTerminals); }
bool tsuuiisou(const Reading& r) { return within(r.kinds, kHonors); }
bool ryuuiisou(const Reading& r) { return within(r.kinds, kGreens); }
bool honitsu(const Reading& r) { return has_one_suit(r.kinds) && has_honors(r); }
bool chinitsu(const Reading& r) { return has_one_suit(r.kinds) && !has_honors(r); }

bool first_draw(const Reading& r) { return tsumo(r) && r.situation().first_turn; }
bool tenhou(const Reading& r) { return first_draw(r) && r.situation().seat_wind == Wind::East; }
bool chiihou(const Reading& r) { return first_draw(r) && r.situation().seat_wind != Wind::East; }
bool never(const Reading&) { return false; }

// Of 1112345678999.
int nine_gates_count(int kind) { return is_terminal_or_honor(kind) ? 3 : 1; }
bool nine_gates(const Reading& r) {
  if (!chinitsu(r)) return false;
  const int first = 9 * suit_of(r.hand->winning.kind());
  for (int kind = first; kind < first + 9; ++kind)
    if (r.hand->concealed.count_kind(kind) < nine_gates_count(kind)) return false;
  return true;
}

// Are the tiles without the winning one 1112345678999, or the thirteen orphans?
bool one_too_many(const Reading& r, int count) {
  return r.hand->concealed.count_kind(r.hand->winning.kind()) == count + 1;
}
bool nine_waits(const Reading& r) {
  return one_too_many(r, nine_gates_count(r.hand->winning.kind()));
}
bool chuuren(const Reading& r) { return nine_gates(r) && !nine_waits(r); }
bool chuuren_nine_waits(const Reading& r) { return nine_gates(r) && nine_waits(r); }

bool orphans(const Reading& r) { return r.form == Form::ThirteenOrphans; }
bool kokushi(const Reading& r) { return orphans(r) && !one_too_many(r, 1); }
bool kokushi_thirteen_waits(const Reading& r) { return orphans(r) && one_too_many(r, 1); }

using enum YakuRank;

constexpr std::array<YakuRow, kYakuCount> kTable = {{
    {Yaku::Tsumo, "menzen tsumo", "門前清自摸和", 1, 0, Common, tsumo},
    {Yaku::Riichi, "riichi", "立直", 1, 0, Common, riichi},
    {Yaku::Ippatsu, "ippatsu", "一発", 1, 0, Common, ippatsu},
    {Yaku::Chankan, "chankan", "槍槓", 1, 1, Common, chankan},
    {Yaku::Rinshan, "rinshan kaihou", "嶺上開花", 1, 1, Common, rinshan},
    {Yaku::Haitei, "haitei raoyue", "海底摸月", 1, 1, Common, haitei},
    {Yaku::Houtei, "houtei raoyui", "河底撈魚", 1, 1, Common, houtei},
    {Yaku::Pinfu, "pinfu", "平和", 1, 0, Common, pinfu},
    {Yaku::Tanyao, "tanyao", "断幺九", 1, 1, Common, tanyao},
    {Yaku::Iipeikou, "iipeikou", "一盃口", 1, 0, Common, iipeikou},
    {Yaku::SeatEast, "seat wind east", "自風 東", 1, 1, Common, seat_wind<Wind::East>},
    {Yaku::SeatSouth, "seat wind south", "自風 南", 1, 1, Common, seat_wind<Wind::South>},
    {Yaku::SeatWest, "seat wind west", "自風 西", 1, 1, Common, seat_wind<Wind::West>},
    {Yaku::SeatNorth, "seat wind north", "自風 北", 1, 1, Common, seat_wind<Wind::North>},
    {Yaku::RoundEast, "round wind east", "場風 東", 1, 1, Common, round_wind<Wind::East>},
    {Yaku::RoundSouth, "round wind south", "場風 南", 1, 1, Common, round_wind<Wind::South>},
    {Yaku::RoundWest, "round wind west", "場風 西", 1, 1, Common, round_wind<Wind::West>},
    {Yaku::RoundNorth, "round wind north", "場風 北", 1, 1, Common, round_wind<Wind::North>},
    {Yaku::White, "haku", "役牌 白", 1, 1, Common, dragon<0>},
    {Yaku::Green, "hatsu", "役牌 發", 1, 1, Common, dragon<1>},
    {Yaku::Red, "chun", "役牌 中", 1, 1, Common, dragon<2>},
    {Yaku::DoubleRiichi, "double riichi", "両立直", 2, 0, Common, double_riichi},
    {Yaku::SevenPairs, "chiitoitsu", "七対子", 2, 0, Common, seven_pairs},
    {Yaku::Chanta, "chanta", "混全帯幺九", 2, 1, Common, chanta},
    {Yaku::Ittsuu, "ittsuu", "一気通貫", 2, 1, Common, ittsuu},
    {Yaku::SanshokuDoujun, "sanshoku doujun", "三色同順", 2, 1, Common, sanshoku_doujun},
    {Yaku::SanshokuDoukou, "sanshoku doukou", "三色同刻", 2, 2, Common, sanshoku_doukou},
    {Yaku::Sankantsu, "sankantsu", "三槓子", 2, 2, Common, sankantsu},
    {Yaku::Toitoi, "toitoi", "対々和", 2, 2, Common, toitoi},
    {Yaku::Sanankou, "sanankou", "三暗刻", 2, 2, Common, sanankou},
    {Yaku::Shousangen, "shousangen", "小三元", 2, 2, Common, shousangen},
    {Yaku::Honroutou, "honroutou", "混老頭", 2, 2, Common, honroutou},
    {Yaku::Ryanpeikou, "ryanpeikou", "二盃口", 3, 0, Common, ryanpeikou},
    {Yaku::Junchan, "junchan", "純全帯幺九", 3, 2, Common, junchan},
    {Yaku::Honitsu, "honitsu", "混一色", 3, 2, Common, honitsu},
    {Yaku::Chinitsu, "chinitsu", "清一色", 6, 5, Common, chinitsu},
    {Yaku::Renhou, "renhou", "人和", 13, 0, Yakuman, never},
    {Yaku::Tenhou, "tenhou", "天和", 13, 0, Yakuman, tenhou},
    {Yaku::Chiihou, "chiihou", "地和", 13, 0, Yakuman, chiihou},
    {Yaku::Daisangen, "daisangen", "大三元", 13, 13, Yakuman, daisangen},
    {Yaku::Suuankou, "suuankou", "四暗刻", 13, 0, Yakuman, suuankou},
    {Yaku::SuuankouTanki, "suuankou tanki", "四暗刻単騎", 13, 0, RareYakuman, suuankou_tanki},
    {Yaku::Tsuuiisou, "tsuuiisou", "字一色", 13, 13, Yakuman, tsuuiisou},
    {Yaku::Ryuuiisou, "ryuuiisou", "緑一色", 13, 13, Yakuman, ryuuiisou},
    {Yaku::Chinroutou, "chinroutou", "清老頭", 13, 13, Yakuman, chinroutou},
    {Yaku::Chuuren, "chuuren poutou", "九蓮宝燈", 13, 0, Yakuman, chuuren},
    {Yaku::ChuurenNineWaits, "junsei chuuren poutou", "純正九蓮宝燈", 13, 0, RareYakuman,
     chuuren_nine_waits},
    {Yaku::Kokushi, "kokushi musou", "国士無双", 13, 0, Yakuman, kokushi},
    {Yaku::KokushiThirteenWaits, "kokushi musou juusanmen", "国士無双１３面", 13, 0, RareYakuman,
     kokushi_thirteen_waits},
    {Yaku::Daisuushii, "daisuushii", "大四喜", 13, 13, RareYakuman, daisuushii},
    {Yaku::Shousuushii, "shousuushii", "小四喜", 13, 13, Yakuman, shousuushii},
    {Yaku::Suukantsu, "suukantsu", "四槓子", 13, 13, Yakuman, suukantsu},
    {Yaku::Dora, "dora", "ドラ", 1, 1, Bonus, nullptr},
    {Yaku::UraDora, "ura dora", "裏ドラ", 1, 1, Bonus, nullptr},
    {Yaku::RedFive, "aka dora", "赤ドラ", 1, 1, Bonus, nullptr},
}};

}  // namespace

int YakuRow::han(const Reading& reading) const {
  const int worth = reading.closed ? han_closed : han_open;
  return worth > 0 && holds && holds(reading) ? worth * times(*reading.rules) : 0;
}

int YakuRow::times(const RuleSet& rules) const {
  return rank == YakuRank::RareYakuman && rules.double_yakuman ? 2 : 1;
}

std::span<const YakuRow> yaku_table() { return kTable; }

const YakuRow& row_of(Yaku yaku) { return kTable[static_cast<size_t>(yaku)]; }

}  // namespace ippatsu::mahjong
