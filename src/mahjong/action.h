#pragma once

// What a seat may choose: one space of actions for every decision, and sets of them.
//
//     0..36   discard the tile of that index (tile.h); the drawn one where it is the same tile
//     37      declare riichi; the discard is chosen next
//     38..43  chi: the called tile lowest, middle or highest of its run, each without and with
//     one's
//             own red five
//     44 45   pon, without and with one's own red five
//     46      open kan of the discard
//     47..80  kan of a kind, closed or added to a pon
//     81      win: tsumo or ron
//     82      abort the round by nine terminals and honours
//     83      set a north aside (three players)
//     84      pass

#include <array>
#include <bit>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "mahjong/tile.h"

namespace ippatsu::mahjong {

// Where the called tile stands in its run.
enum class RunPlace : uint8_t { Low, Middle, High };

class Action {
 public:
  static constexpr int kCount = 85;

  constexpr Action() = default;  // discard 1m

  static constexpr Action of_index(int index) { return Action(index); }
  static constexpr Action discard(Tile tile) { return Action(tile.index()); }
  static constexpr Action riichi() { return Action(kRiichi); }
  static constexpr Action chi(RunPlace place, bool red) {
    return Action(kChi + 2 * static_cast<int>(place) + (red ? 1 : 0));
  }
  static constexpr Action pon(bool red) { return Action(kPon + (red ? 1 : 0)); }
  static constexpr Action open_kan() { return Action(kOpenKan); }
  static constexpr Action kan(int kind) { return Action(kKan + kind); }
  static constexpr Action win() { return Action(kWin); }
  static constexpr Action nine_terminals() { return Action(kNineTerminals); }
  static constexpr Action north() { return Action(kNorth); }
  static constexpr Action pass() { return Action(kPass); }

  constexpr int index() const { return index_; }

  constexpr bool is_discard() const { return index_ < kRiichi; }
  constexpr bool is_chi() const { return index_ >= kChi && index_ < kPon; }
  constexpr bool is_pon() const { return index_ >= kPon && index_ < kOpenKan; }
  constexpr bool is_kan() const { return index_ >= kKan && index_ < kWin; }  // of one's own turn

  constexpr Tile tile() const { return Tile::of_index(index_); }  // of a discard
  constexpr int kind() const { return index_ - kKan; }            // of a kan
  constexpr RunPlace place() const {
    return static_cast<RunPlace>((index_ - kChi) / 2);
  }                                                                                    // of a chi
  constexpr bool red() const { return (index_ - (is_chi() ? kChi : kPon)) % 2 == 1; }  // chi, pon

  friend constexpr auto operator<=>(Action, Action) = default;

 private:
  static constexpr int kRiichi = kTiles;
  static constexpr int kChi = kRiichi + 1;
  static constexpr int kPon = kChi + 6;
  static constexpr int kOpenKan = kPon + 2;
  static constexpr int kKan = kOpenKan + 1;
  static constexpr int kWin = kKan + kKinds;
  static constexpr int kNineTerminals = kWin + 1;
  static constexpr int kNorth = kNineTerminals + 1;
  static constexpr int kPass = kNorth + 1;
  static_assert(kPass + 1 == kCount);

  explicit constexpr Action(int index) : index_(static_cast<uint8_t>(index)) {}

  uint8_t index_ = 0;
};

// "discard 5mr", "chi low", "pon with the red five", "kan E" ...
std::string to_string(Action action);

class ActionSet {
 public:
  constexpr ActionSet() = default;
  static constexpr ActionSet discards(TileMask tiles) {
    ActionSet set;
    set.words_[0] = tiles;
    return set;
  }

  constexpr bool empty() const { return (words_[0] | words_[1]) == 0; }
  constexpr int size() const { return std::popcount(words_[0]) + std::popcount(words_[1]); }
  constexpr bool contains(Action action) const {
    return words_[action.index() / 64] >> (action.index() % 64) & 1;
  }
  constexpr TileMask discards() const { return words_[0] & ((TileMask{1} << kTiles) - 1); }

  constexpr void add(Action action) { words_[action.index() / 64] |= bit(action); }
  constexpr void remove(Action action) { words_[action.index() / 64] &= ~bit(action); }

  // The action at place `i` in order, of size().
  constexpr Action nth(int i) const {
    const int low = std::popcount(words_[0]);
    const int word = i < low ? 0 : 1;
    uint64_t bits = words_[word];
    for (int skip = word == 0 ? i : i - low; skip > 0; --skip) bits &= bits - 1;
    return Action::of_index(64 * word + std::countr_zero(bits));
  }

  // Bit i % 64 of word i / 64 is the action of index i.
  constexpr const std::array<uint64_t, 2>& words() const { return words_; }

  friend constexpr bool operator==(const ActionSet&, const ActionSet&) = default;

 private:
  static constexpr uint64_t bit(Action action) { return uint64_t{1} << (action.index() % 64); }

  std::array<uint64_t, 2> words_{};
};

}  // namespace ippatsu::mahjong
