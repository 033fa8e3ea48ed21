#include "selfplay/improvement.h"

#include <chrono>

#include <fmt/format.h>

#include "base/error.h"
#include "base/split_mix.h"
#include "play/statistics.h"
#include "report/event_file.h"
#include "report/json_log.h"
#include "train/checkpoint.h"

namespace ippatsu::selfplay {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

void check(const ImprovementOptions& options) {
  const GradientOptions& gradient = options.gradient;
  if (options.iterations < 1) fail("--iterations must be at least 1, got {}", options.iterations);
  if (options.games < 1) fail("--games must be at least 1, got {}", options.games);
  if (gradient.batch_size < 1)
    fail("--policy-batch must be at least 1, got {}", gradient.batch_size);
  if (gradient.epochs < 1) fail("--epochs must be at least 1, got {}", gradient.epochs);
  if (!(gradient.learning_rate > 0))
    fail("--policy-lr must be above 0, got {}", gradient.learning_rate);
  if (!(gradient.temperature > 0))
    fail("--temperature must be above 0, got {}", gradient.temperature);
  if (!(gradient.entropy >= 0)) fail("--entropy must not be negative, got {}", gradient.entropy);
  if (fs::exists(options.out / "checkpoint.safetensors"))
    fail("{} holds a run already; choose another --out", options.out.string());
}

models::NagaConfig full_config(const fs::path& path) {
  const models::NagaConfig config = train::model_config(path);
  if (config.policy != mahjong::Policy::Full)
    fail("{}: is a net for discards alone; one that makes every choice is needed (train --full)",
         path.string());
  return config;
}

// The net is player 0, the pool's are the next.
std::vector<play::PlannedGame> plan_of(int64_t games, size_t pool, uint64_t seed) {
  std::vector<play::PlannedGame> plan = play::rotating_plan(static_cast<size_t>(games), 2, seed);
  for (size_t game = 0; game < plan.size(); ++game) {
    const size_t other = pool == 0 || game % 2 == 0 ? 0 : 1 + game / 2 % pool;
    for (size_t& player : plan[game].seats) player = player == 0 ? 0 : other;
  }
  return plan;
}

// The mean of the net's places in games with others.
class PointsOnPool {
 public:
  void add(const play::PlayedGame& game, const play::PlannedGame& plan) {
    if (std::ranges::count(plan.seats, 0U) == mahjong::kSeats || !game.fault.empty()) return;
    for (int seat = 0; seat < mahjong::kSeats; ++seat) {
      if (plan.seats[seat] != 0) continue;
      sum_ += play::kRankPoints[game.rank[seat]];
      ++count_;
    }
  }
  double mean() const { return count_ == 0 ? 0 : sum_ / count_; }

 private:
  double sum_ = 0;
  int count_ = 0;
};

class Improvement {
 public:
  explicit Improvement(const ImprovementOptions& options)
      : options_(options),
        learner_({.config = full_config(options.from),
                  .device = options.device,
                  .seed = options.seed,
                  .weight_decay = 0}),
        critic_(options.device, options.seed),
        gradient_(learner_, critic_, options.gradient),
        seeds_(options.seed) {
    copy_weights();
    explorer_ = std::make_shared<Explorer>(learner_.model(), options.device,
                                           options.gradient.temperature, options.seed);
    players_ = {explorer_};
    players_.insert(players_.end(), options.pool.begin(), options.pool.end());
  }

  void run(const std::function<bool(const IterationFigures&)>& progress) {
    fs::create_directories(options_.out);
    report::JsonLog log(options_.out / "log.jsonl");
    report::EventFile events(options_.out / "events");
    for (int64_t iteration = 1; iteration <= options_.iterations; ++iteration) {
      const IterationFigures figures = iterate(iteration);
      write(log, figures);
      write(events, figures);
      save(iteration);
      if (progress && !progress(figures)) return;
    }
  }

 private:
  void copy_weights() {
    const models::Naga taught = train::load_model(options_.from, options_.device);
    const torch::NoGradGuard no_grad;
    for (const auto& parameter : taught->named_parameters())
      learner_.model()->named_parameters()[parameter.key()].copy_(parameter.value());
  }

  IterationFigures iterate(int64_t iteration) {
    IterationFigures figures{.iteration = iteration, .games = options_.games};
    const Clock::time_point begin = Clock::now();
    figures.points_on_pool = play();
    const std::vector<Moment> moments = explorer_->take();
    figures.decisions = static_cast<int64_t>(moments.size());
    figures.playing_seconds = seconds_since(begin);
    const Clock::time_point played = Clock::now();
    figures.gradient = gradient_.improve(moments, seeds_.next());
    figures.learning_seconds = seconds_since(played);
    return figures;
  }

  double play() {
    const std::vector<play::PlannedGame> plan =
        plan_of(options_.games, options_.pool.size(), seeds_.next());
    PointsOnPool points;
    learner_.model()->eval();
    play::play_games(
        plan, players_, options_.arena, [](size_t) { return true; },
        [&](play::PlayedGame&& game) {
          points.add(game, plan[game.index]);
          return true;
        });
    return points.mean();
  }

  void save(int64_t iteration) {
    const models::NagaConfig config = full_config(options_.from);
    train::save_checkpoint(options_.out / "checkpoint.safetensors", learner_,
                           {.step = iteration,
                            .position = {},
                            .settings = {{"config", std::string(config.name)},
                                         {"policy", std::string(name_of(config.policy))},
                                         {"from", "selfplay"},
                                         {"seed", fmt::format("{}", options_.seed)}}});
  }

  static void write(report::JsonLog& log, const IterationFigures& figures) {
    const GradientFigures& gradient = figures.gradient;
    log.write({{"step", figures.iteration},
               {"games", figures.games},
               {"decisions", figures.decisions},
               {"points_on_pool", figures.points_on_pool},
               {"entropy", gradient.entropy},
               {"divergence", gradient.divergence},
               {"clipped", gradient.clipped},
               {"critic_loss", gradient.critic_loss},
               {"explained", gradient.explained},
               {"playing_seconds", figures.playing_seconds},
               {"learning_seconds", figures.learning_seconds}});
  }

  static void write(report::EventFile& events, const IterationFigures& figures) {
    const GradientFigures& gradient = figures.gradient;
    events.scalar("selfplay/points_on_pool", figures.iteration, figures.points_on_pool);
    events.scalar("selfplay/entropy", figures.iteration, gradient.entropy);
    events.scalar("selfplay/divergence", figures.iteration, gradient.divergence);
    events.scalar("selfplay/clipped", figures.iteration, gradient.clipped);
    events.scalar("selfplay/critic_loss", figures.iteration, gradient.critic_loss);
    events.scalar("selfplay/explained", figures.iteration, gradient.explained);
    events.flush();
  }

  const ImprovementOptions& options_;
  train::Learner learner_;
  Critic critic_;
  PolicyGradient gradient_;
  SplitMix64 seeds_;
  std::shared_ptr<Explorer> explorer_;
  play::Players players_;
};

}  // namespace

void improve_by_selfplay(const ImprovementOptions& options,
                         const std::function<bool(const IterationFigures&)>& progress) {
  check(options);
  Improvement(options).run(progress);
}

}  // namespace ippatsu::selfplay
