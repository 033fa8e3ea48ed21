#pragma once

// Who is asked what a seat should do, and what comes back: a probability for every legal action.

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "mahjong/action.h"
#include "mahjong/table.h"

namespace ippatsu::analysis {

struct Opinion {
  std::array<float, mahjong::Action::kCount> probability{};  // by action; 0 for illegal ones

  float of(mahjong::Action action) const { return probability[action.index()]; }

  // Of equal ones the first.
  mahjong::Action best() const {
    return mahjong::Action::of_index(
        static_cast<int>(std::ranges::max_element(probability) - probability.begin()));
  }
};

// What a reader has to know of an adviser to trust a result, or to get it again.
struct AdviserFacts {
  std::string name;
  std::string what;            // in a few words
  std::string sha256 = {};     // of the file it was read from, in hex; empty where there is none
  bool discards_only = false;  // it is asked about nothing but choices among discards

  // Whether its probability of the action means anything.
  bool speaks_of(mahjong::Action action) const { return !discards_only || action.is_discard(); }
};

class Adviser {
 public:
  virtual ~Adviser() = default;

  virtual AdviserFacts facts() const = 0;

  // An opinion on each decision. The probabilities of one sum to 1.
  virtual void advise(std::span<const mahjong::DecisionView> decisions,
                      std::span<Opinion> opinions) = 0;
};

}  // namespace ippatsu::analysis
