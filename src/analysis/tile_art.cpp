#include "analysis/tile_art.h"

#include <array>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "mahjong/tile.h"

namespace ippatsu::analysis {

using namespace mahjong;

namespace {

enum class Ink { Green, Blue, Red };

// A circle or a bamboo stick, at its centre.
struct Mark {
  double x, y;
  Ink ink = Ink::Green;
  int turned = 0;  // degrees, of a stick
};

using enum Ink;

constexpr Mark kCircles1[] = {{15, 20, Red}};
constexpr Mark kCircles2[] = {{15, 11}, {15, 29, Blue}};
constexpr Mark kCircles3[] = {{7.5, 9, Blue}, {15, 20, Red}, {22.5, 31}};
constexpr Mark kCircles4[] = {{9, 11, Blue}, {21, 11}, {9, 29}, {21, 29, Blue}};
constexpr Mark kCircles5[] = {{8, 9, Blue}, {22, 9}, {15, 20, Red}, {8, 31}, {22, 31, Blue}};
constexpr Mark kCircles6[] = {{9.5, 9},        {20.5, 9},      {9.5, 21, Red},
                              {20.5, 21, Red}, {9.5, 31, Red}, {20.5, 31, Red}};
constexpr Mark kCircles7[] = {{6.5, 7.5},      {15, 11},       {23.5, 14.5},   {9.5, 23, Red},
                              {20.5, 23, Red}, {9.5, 32, Red}, {20.5, 32, Red}};
constexpr Mark kCircles8[] = {{9.5, 7.5, Blue},   {20.5, 7.5, Blue}, {9.5, 15.8, Blue},
                              {20.5, 15.8, Blue}, {9.5, 24.2, Blue}, {20.5, 24.2, Blue},
                              {9.5, 32.5, Blue},  {20.5, 32.5, Blue}};
constexpr Mark kCircles9[] = {{7, 9},        {15, 9},        {23, 9},
                              {7, 20, Red},  {15, 20, Red},  {23, 20, Red},
                              {7, 31, Blue}, {15, 31, Blue}, {23, 31, Blue}};

constexpr Mark kSticks2[] = {{15, 12}, {15, 28, Blue}};
constexpr Mark kSticks3[] = {{15, 12, Blue}, {9, 28}, {21, 28}};
constexpr Mark kSticks4[] = {{9, 12, Blue}, {21, 12}, {9, 28}, {21, 28, Blue}};
constexpr Mark kSticks5[] = {{7, 12}, {23, 12, Blue}, {15, 20, Red}, {7, 28, Blue}, {23, 28}};
constexpr Mark kSticks6[] = {{7, 12},       {15, 12},       {23, 12},
                             {7, 28, Blue}, {15, 28, Blue}, {23, 28, Blue}};
constexpr Mark kSticks7[] = {{15, 8, Red},  {7, 20.5, Blue}, {15, 20.5},    {23, 20.5, Blue},
                             {7, 32, Blue}, {15, 32},        {23, 32, Blue}};
constexpr Mark kSticks8[] = {
    {6, 12},       {12.2, 13, Green, 32}, {17.8, 13, Green, -32}, {24, 12},
    {6, 28, Blue}, {12.2, 27, Blue, -32}, {17.8, 27, Blue, 32},   {24, 28, Blue}};
constexpr Mark kSticks9[] = {{7, 8},        {15, 8, Red},  {23, 8},
                             {7, 20, Blue}, {15, 20, Red}, {23, 20, Blue},
                             {7, 32},       {15, 32, Red}, {23, 32}};

struct Suit {
  std::span<const Mark> marks;
  double size;  // a circle's radius, a stick's height
};

constexpr Suit kCircles[] = {{kCircles1, 9.5}, {kCircles2, 6.2}, {kCircles3, 5.2},
                             {kCircles4, 5.4}, {kCircles5, 5},   {kCircles6, 4.7},
                             {kCircles7, 4.3}, {kCircles8, 3.9}, {kCircles9, 3.8}};
constexpr Suit kSticks[] = {{{}, 0},         {kSticks2, 13}, {kSticks3, 13},
                            {kSticks4, 13},  {kSticks5, 12}, {kSticks6, 13},
                            {kSticks7, 9.5}, {kSticks8, 12}, {kSticks9, 9.5}};

constexpr std::array<std::string_view, 9> kNumbers = {"一", "二", "三", "四", "五",
                                                      "六", "七", "八", "九"};
constexpr std::array<std::string_view, 7> kHonors = {"東", "南", "西", "北", "", "發", "中"};

constexpr std::string_view class_of(Ink ink) {
  constexpr std::array<std::string_view, 3> kClasses = {"green", "blue", "red"};
  return kClasses[static_cast<size_t>(ink)];
}

std::string circle(const Mark& mark, double radius, Ink ink) {
  return fmt::format(R"svg(<g class="{}" transform="translate({},{})"><circle r="{}"/>)svg"
                     R"svg(<circle class="ring" r="{:.2f}"/></g>)svg",
                     class_of(ink), mark.x, mark.y, radius, radius * 0.55);
}

std::string stick(const Mark& mark, double height, Ink ink) {
  return fmt::format(
      R"svg(<g class="{}" transform="translate({},{}) rotate({})">)svg"
      R"svg(<rect x="-2" y="{}" width="4" height="{}" rx="1.8"/><path class="joint" d="M-2 0h4"/></g>)svg",
      class_of(ink), mark.x, mark.y, mark.turned, -height / 2, height);
}

// A sparrow, as one bamboo is drawn since ever.
constexpr std::string_view kBird =
    R"svg(<g class="green"><path d="M15 16c5 0 8 4 7 9-1 4-4 6-7 6s-6-2-7-6c-1-5 2-9 7-9z"/>)svg"
    R"svg(<path d="M10 28l-3 7 6-4zM15 30v7h2v-7zM20 28l3 7-6-4z"/></g>)svg"
    R"svg(<g class="red"><circle cx="15" cy="11" r="5"/></g>)svg"
    R"svg(<path class="joint" d="M10 22q5 4 10 0M10.500 26q4.500 3 9 0"/>)svg"
    R"svg(<circle class="ring" cx="16.500" cy="10" r="1.200"/><path class="beak" d="M19.500 10.500l4 1-4 2z"/>)svg";

std::string characters(int number, bool red) {
  return fmt::format(
      R"svg(<text class="{}" x="15" y="17.500">{}</text><text class="red" x="15" y="35">萬</text>)svg",
      red ? "red" : "ink", kNumbers[number - 1]);
}

std::string honor(int kind) {
  if (kind == kWhite)
    return R"svg(<rect class="frame" x="6" y="7" width="18" height="26" rx="2"/>)svg";
  const std::string_view look = kind < kWhite ? "ink" : kind == kWhite + 1 ? "green" : "red";
  return fmt::format(R"svg(<text class="honor {}" x="15" y="28.500">{}</text>)svg", look,
                     kHonors[kind - kEast]);
}

std::string face(Tile tile) {
  const int kind = tile.kind();
  if (is_honor(kind)) return honor(kind);
  const int number = number_of(kind);
  if (suit_of(kind) == 0) return characters(number, tile.red());
  const bool sticks = suit_of(kind) == 2;
  if (sticks && number == 1) return std::string(kBird);
  const Suit& suit = (sticks ? kSticks : kCircles)[number - 1];
  std::string out;
  for (const Mark& mark : suit.marks)
    out += (sticks ? stick : circle)(mark, suit.size, tile.red() ? Red : mark.ink);
  return out;
}

std::string symbol(std::string_view id, std::string_view look, std::string_view drawn) {
  return fmt::format(
      R"svg(<symbol id="{}" viewBox="0 0 30 40"><rect class="{}" x=".6" y=".6" width="28.800")svg"
      R"svg( height="38.800" rx="3.500"/>{}</symbol>)svg"
      "\n",
      id, look, drawn);
}

}  // namespace

std::string tile_symbols() {
  std::string out;
  for (int index = 0; index < kTiles; ++index) {
    const Tile tile = Tile::of_index(index);
    out += symbol(fmt::format("t{}", index), tile.red() ? "body red-five" : "body", face(tile));
  }
  return out + symbol("back", "back", "");
}

}  // namespace ippatsu::analysis
