#include "play/greedy_player.h"

#include <algorithm>

#include "play/sight.h"

namespace ippatsu::play {

using namespace mahjong;

namespace {

// A black five before the red one.
Action discard_of_kind(const ActionSet& legal, int kind) {
  const Action black = Action::discard(Tile::of_kind(kind));
  return legal.contains(black) ? black : Action::discard(Tile::red_five(suit_of(kind)));
}

}  // namespace

Action GreedyPlayer::choose(const Question& question) const {
  const ActionSet& legal = question.legal();
  for (const Action action : {Action::win(), Action::riichi(), Action::pass()})
    if (legal.contains(action)) return action;
  const Sight sight(question);
  const DiscardOptions options =
      discard_options(sight.self.concealed.kinds(), sight.melds(), sight.seen);
  const DiscardOption* best = nullptr;
  for (const DiscardOption& option : options) {
    if (!legal.contains(discard_of_kind(legal, option.kind))) continue;
    if (!best || option.shanten < best->shanten ||
        (option.shanten == best->shanten && option.tiles > best->tiles))
      best = &option;
  }
  return discard_of_kind(legal, best->kind);
}

}  // namespace ippatsu::play
