// What share of a net's own speed is left when it plays: decisions a second of NAGA-full small in
// the arena, on all four seats, against those of its evaluator alone at its best batch. Both are
// measured in turn; counters are medians.

#include <algorithm>
#include <chrono>
#include <thread>

#include <benchmark/benchmark.h>

#include "device/ippatsu.h"
#include "mahjong/game.h"
#include "nets/net_player.h"
#include "play/arena.h"

namespace ippatsu::nets {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr int64_t kBatches[] = {64, 128, 256, 512};
constexpr milliseconds kAlone{2000};    // for each batch
constexpr milliseconds kPlaying{8000};  // in one turn

double per_second(int64_t decisions, Clock::time_point begin) {
  return static_cast<double>(decisions) /
         std::chrono::duration<double>(Clock::now() - begin).count();
}

// Passes questions on and counts them.
class CountingPlayer : public play::Player {
 public:
  explicit CountingPlayer(play::Player& player) : player_(player) {}

  std::string name() const override { return player_.name(); }
  void answer(std::span<const play::Question> questions, std::span<play::Answer> answers) override {
    player_.answer(questions, answers);
    answered_ += static_cast<int64_t>(questions.size());
  }
  int64_t answered() const { return answered_; }

 private:
  play::Player& player_;
  std::atomic<int64_t> answered_ = 0;
};

// The rows of decisions at the first discard of many games.
std::vector<data::Row> some_rows(int64_t count) {
  std::vector<data::Row> rows;
  for (int64_t seed = 0; seed < count; ++seed) {
    const mahjong::Game game({}, static_cast<uint64_t>(seed));
    for (mahjong::Seat seat = 0; seat < mahjong::kSeats; ++seat)
      if (game.asks(seat)) {
        rows.push_back(data::row_of({.table = &game.table(), .seat = seat}, {}));
        break;
      }
  }
  return rows;
}

double best_alone(Evaluator& evaluator) {
  double best = 0;
  for (const int64_t batch : kBatches) {
    const std::vector<data::Row> rows = some_rows(batch);
    evaluator.logits(rows);  // compiles
    const auto begin = Clock::now();
    int64_t decisions = 0;
    for (; Clock::now() < begin + kAlone; decisions += batch) evaluator.logits(rows);
    best = std::max(best, per_second(decisions, begin));
  }
  return best;
}

double playing(play::Player& player, int tables) {
  const auto counting = std::make_shared<CountingPlayer>(player);
  const std::vector<play::PlannedGame> plan = play::rotating_plan(1 << 20, 1, 1);
  std::atomic<bool> stop = false;
  const auto begin = Clock::now();
  std::jthread clock([&] {
    std::this_thread::sleep_for(kPlaying);
    stop = true;
  });
  play::play_games(
      plan, {counting}, {.rules = {}, .workers = 2, .tables = tables}, [](size_t) { return true; },
      [](play::PlayedGame&&) { return true; }, &stop);
  return per_second(counting->answered(), begin);
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

void arena_share(benchmark::State& state) {
  initialize();
  const torch::Device device("ippatsu");
  torch::manual_seed(1);
  models::Naga model(models::naga_config("small", mahjong::Policy::Full));
  model->to(device);
  model->eval();
  Evaluator evaluator(model, device);
  NetPlayer player("small", model, device);
  std::vector<double> alone, arena, share;
  for (auto _ : state) {
    alone.push_back(best_alone(evaluator));
    arena.push_back(playing(player, static_cast<int>(state.range(0))));
    share.push_back(arena.back() / alone.back());
  }
  state.counters["alone_per_s"] = median(alone);
  state.counters["arena_per_s"] = median(arena);
  state.counters["share"] = median(share);
  state.counters["share_min"] = std::ranges::min(share);
  state.counters["share_max"] = std::ranges::max(share);
}
BENCHMARK(arena_share)->Arg(64)->Arg(256)->Iterations(3)->UseRealTime();

}  // namespace

}  // namespace ippatsu::nets
