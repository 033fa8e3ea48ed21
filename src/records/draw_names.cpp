#include "records/draw_names.h"

#include <algorithm>
#include <array>
#include <span>

namespace ippatsu::mahjong {

namespace {

struct Row {
  std::string_view name;
  DrawKind kind;
};

// As the servers and simulators that write mjai name them; the first of a kind is the protocol's
// own and what we write.
constexpr std::array<Row, 15> kMjai = {{{"fanpai", DrawKind::Exhaustive},
                                        {"exhaustive_draw", DrawKind::Exhaustive},
                                        {"nagashimangan", DrawKind::NagashiMangan},
                                        {"nagashi_mangan", DrawKind::NagashiMangan},
                                        {"kyushukyuhai", DrawKind::NineTerminals},
                                        {"kyushu_kyuhai", DrawKind::NineTerminals},
                                        {"sufonrenta", DrawKind::FourWinds},
                                        {"sufuurenta", DrawKind::FourWinds},
                                        {"suchariichi", DrawKind::FourRiichi},
                                        {"suucha_riichi", DrawKind::FourRiichi},
                                        {"suukaikan", DrawKind::FourKans},
                                        {"suukansansen", DrawKind::FourKans},
                                        {"suukantsu", DrawKind::FourKans},
                                        {"sanchaho", DrawKind::TripleRon},
                                        {"sanchahou", DrawKind::TripleRon}}};

constexpr std::array<Row, 9> kTenhou = {{{"流局", DrawKind::Exhaustive},
                                         {"全員聴牌", DrawKind::Exhaustive},
                                         {"全員不聴", DrawKind::Exhaustive},
                                         {"流し満貫", DrawKind::NagashiMangan},
                                         {"九種九牌", DrawKind::NineTerminals},
                                         {"四風連打", DrawKind::FourWinds},
                                         {"四家立直", DrawKind::FourRiichi},
                                         {"四槓散了", DrawKind::FourKans},
                                         {"三家和了", DrawKind::TripleRon}}};

DrawKind kind_of(std::span<const Row> rows, std::string_view name) {
  const auto row = std::ranges::find(rows, name, &Row::name);
  return row == rows.end() ? DrawKind::Unspecified : row->kind;
}

std::string_view name_in(std::span<const Row> rows, DrawKind kind) {
  const auto row = std::ranges::find(rows, kind, &Row::kind);
  return row == rows.end() ? std::string_view() : row->name;
}

}  // namespace

DrawKind draw_kind_of_mjai(std::string_view reason) { return kind_of(kMjai, reason); }
DrawKind draw_kind_of_tenhou(std::string_view name) { return kind_of(kTenhou, name); }
std::string_view mjai_reason_of(DrawKind kind) { return name_in(kMjai, kind); }
std::string_view tenhou_name_of(DrawKind kind) { return name_in(kTenhou, kind); }

}  // namespace ippatsu::mahjong
