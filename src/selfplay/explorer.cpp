#include "selfplay/explorer.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "play/placement.h"

namespace ippatsu::selfplay {

namespace {

using namespace mahjong;

// No two rounds of a game have the same.
int round_key(Wind wind, int number, int honba) {
  constexpr int kMostHonba = 1 << 10;
  return (static_cast<int>(wind) * kSeats + number) * kMostHonba + honba;
}

int round_key(const Table& table) {
  return round_key(table.round_wind(), table.number(), table.honba());
}

// By round_key, what each round brought its seats.
std::map<int, play::SeatValues> rewards_of(std::span<const Event> events) {
  const std::vector<play::SeatValues> rewards = play::round_rewards(events);
  std::map<int, play::SeatValues> by_key;
  for (const Event& event : events)
    if (const auto* round = std::get_if<StartRound>(&event))
      by_key.emplace(round_key(round->round_wind, round->number, round->honba),
                     rewards[by_key.size()]);
  return by_key;
}

// Uniform in [0, 1).
double uniform(SplitMix64& random) { return static_cast<double>(random.next() >> 11) * 0x1p-53; }

// An action with the probability that its logit gives it, and the logarithm of that.
std::pair<int, float> sample(std::span<const float> logits, SplitMix64& random) {
  const double most = std::ranges::max(logits);
  double sum = 0;
  for (const float logit : logits) sum += std::exp(logit - most);
  double left = uniform(random) * sum;
  int chosen = -1;
  for (int action = 0; action < static_cast<int>(logits.size()); ++action) {
    const double weight = std::exp(logits[static_cast<size_t>(action)] - most);
    if (weight == 0) continue;
    chosen = action;  // the last possible one where rounding leaves something over
    left -= weight;
    if (left < 0) break;
  }
  return {chosen, static_cast<float>(logits[static_cast<size_t>(chosen)] - most - std::log(sum))};
}

}  // namespace

void Explorer::answer(std::span<const play::Question> questions, std::span<play::Answer> answers) {
  std::vector<data::Row> rows;
  for (const play::Question& question : questions)
    rows.push_back(data::row_of({.table = question.table, .seat = question.seat}, {}));
  const std::lock_guard lock(mutex_);
  const torch::Tensor logits = (evaluator_.logits(rows) / temperature_).contiguous();
  const auto actions = static_cast<size_t>(logits.size(1));
  const std::span<const float> all(logits.const_data_ptr<float>(), rows.size() * actions);
  for (size_t i = 0; i < questions.size(); ++i) {
    Memory& memory = memory_of(questions[i].game);
    const auto [action, log_p] = sample(all.subspan(i * actions, actions), memory.random);
    answers[i].action = Action::of_index(action);
    rows[i].action = static_cast<uint64_t>(action);
    memory.moments.push_back({.moment = {.row = rows[i], .log_p = log_p},
                              .seat = questions[i].seat,
                              .round = round_key(*questions[i].table)});
  }
}

Explorer::Memory& Explorer::memory_of(uint64_t game) {
  const auto found = playing_.find(game);
  if (found != playing_.end()) return found->second;
  const SplitMix64 random(SplitMix64::mix(seed_ + SplitMix64::mix(game)));
  return playing_.emplace(game, Memory{.random = random, .moments = {}}).first->second;
}

void Explorer::end_game(uint64_t game, std::span<const Event> events) {
  const std::lock_guard lock(mutex_);
  auto node = playing_.extract(game);
  // Of a game that somebody's failure ended nobody knows what it would have brought.
  if (node.empty() || !std::holds_alternative<EndGame>(events.back())) return;
  std::vector<Remembered>& moments = node.mapped().moments;
  const auto place = [](const Remembered& moment) { return std::tuple(moment.seat, moment.round); };
  std::ranges::stable_sort(moments, {}, place);
  const std::map<int, play::SeatValues> rewards = rewards_of(events);
  for (size_t i = 0; i < moments.size(); ++i) {
    Moment& moment = finished_.emplace_back(moments[i].moment);
    moment.last = i + 1 == moments.size() || place(moments[i + 1]) != place(moments[i]);
    if (moment.last)
      moment.reward = static_cast<float>(rewards.at(moments[i].round)[moments[i].seat]);
  }
}

std::vector<Moment> Explorer::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(finished_, {});
}

}  // namespace ippatsu::selfplay
