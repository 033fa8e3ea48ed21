#include "records/mjai_choice.h"

#include <algorithm>

#include "base/error.h"
#include "records/json_fields.h"
#include "records/mjai_event.h"

namespace ippatsu::mahjong {

namespace {

Event event_of(const Table& table, Seat seat, Action action) {
  if (action.is_discard()) return table.discard_of(seat, action);
  if (action == Action::riichi()) return RiichiDeclared{seat};
  if (action == Action::nine_terminals()) return RoundDraw{DrawKind::NineTerminals, {}};
  if (action == Action::north()) return Kita{seat};
  if (action == Action::win())
    return Win{.seat = seat, .from = table.turn(), .tile = *table.winning_tile()};
  if (!action.is_kan()) return table.call_of(seat, action);
  if (table.seat(seat).concealed.count_kind(action.kind()) == kCopies)
    return table.closed_kan_of(seat, action.kind());
  return table.added_kan_of(seat, action.kind());
}

// The tiles that a field names, sorted; none where it is missing.
std::vector<Tile> tiles_in(const Json& told, const char* name) {
  const Json* value = optional_field(told, name);
  if (!value) return {};
  if (value->is_string()) return {tile_from_mjai(text(*value, name))};
  std::vector<Tile> tiles;
  for (const Json& tile : list(*value, name, 0, kCopies))
    tiles.push_back(tile_from_mjai(text(tile, name)));
  std::ranges::sort(tiles, {}, [](Tile tile) { return std::pair(tile.kind(), tile.red()); });
  return tiles;
}

// "5m" may stand for the red five.
bool may_mean(Tile told, Tile tile) {
  return told == tile || (!told.red() && told.kind() == tile.kind());
}

// The field that tells the choices of a type apart; null where the type does alone.
const char* telling_field(std::string_view type) {
  if (type == "dahai") return "pai";
  for (const std::string_view taking : {"chi", "pon", "daiminkan", "ankan", "kakan"})
    if (type == taking) return "consumed";
  return nullptr;
}

std::string names_of(const ActionSet& actions) {
  std::string names;
  for (int i = 0; i < actions.size(); ++i)
    names += fmt::format("{}{}", i == 0 ? "" : ", ", to_string(actions.nth(i)));
  return names;
}

// Fails where the choice names what is not so, though the action is known without it.
void check_claims(const Json& told, const Json& meant, Action action) {
  if (const Json* actor = optional_field(told, "actor");
      actor && action != Action::nine_terminals() && *actor != meant["actor"])
    fail("is said by seat {}", meant["actor"].dump());
  const bool of_another = action == Action::win() || !(action.is_discard() || action.is_kan());
  if (of_another && meant.contains("pai"))
    for (const Tile tile : tiles_in(told, "pai"))
      if (!may_mean(tile, tiles_in(meant, "pai")[0]))
        fail("is about {}, and {} lies there", mjai_name(tile), text(meant["pai"], "pai"));
  const Json* tsumogiri = optional_field(told, "tsumogiri");
  if (action.is_discard() && tsumogiri && flag(*tsumogiri, "tsumogiri") && !meant["tsumogiri"])
    fail("discards {} as the tile drawn, which it is not", mjai_name(action.tile()));
}

}  // namespace

nlohmann::ordered_json mjai_of_choice(const Table& table, Seat seat, Action action) {
  if (action == Action::pass()) return {{"type", "none"}};
  auto line = mjai_of(event_of(table, seat, action), table.rules());
  line.erase("ura_markers");  // they are turned after the win
  return line;
}

Action choice_of_mjai(const Json& told, const Table& table, Seat seat) {
  const std::string_view type = text(field(told, "type"), "type");
  const char* telling = telling_field(type);
  const std::vector<Tile> tiles = telling ? tiles_in(told, telling) : std::vector<Tile>();
  std::optional<Action> loosely;
  for (int i = 0; i < table.legal(seat).size(); ++i) {
    const Action action = table.legal(seat).nth(i);
    const Json line = mjai_of_choice(table, seat, action);
    if (line["type"] != type) continue;
    const std::vector<Tile> meant = telling ? tiles_in(line, telling) : tiles;
    if (!std::ranges::equal(tiles, meant, may_mean)) continue;
    loosely = action;
    if (tiles == meant) break;
  }
  if (!loosely) fail("is none of what is legal: {}", names_of(table.legal(seat)));
  check_claims(told, mjai_of_choice(table, seat, *loosely), *loosely);
  return *loosely;
}

}  // namespace ippatsu::mahjong
