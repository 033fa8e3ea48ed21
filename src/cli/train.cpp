#include "cli/train.h"

#include <cmath>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/child_process.h"
#include "base/error.h"
#include "base/log.h"
#include "cli/open_device.h"
#include "cli/players.h"
#include "device/ippatsu.h"
#include "report/json_log.h"
#include "selfplay/improvement.h"
#include "train/sweep_worker.h"
#include "train/training.h"

namespace ippatsu::cli {

namespace {

namespace fs = std::filesystem;

// The greatest relative difference of a step's loss that counts as equal.
constexpr double kEqualLosses = 1e-4;

// Where what is learned comes from.
constexpr const char* kFromRecords = "records";
constexpr const char* kFromSelfplay = "selfplay";

struct TrainOptions {
  std::string from = kFromRecords;
  train::TrainingOptions training;
  selfplay::ImprovementOptions improvement;
  std::string net;  // to begin self-play with
  std::vector<std::string> pool = {"heuristic"};
  std::string config = "small";
  bool full = false;
  std::string device = "ippatsu";
  std::string plugin;
  bool check_eager = false;
  std::vector<std::string> arguments;  // the command as given, for the eager run
};

// Inside us an exception of torch's becomes one of ours, without the C++ frames.
template <typename Body>
void with_torch_errors(Body body) {
  try {
    body();
  } catch (const c10::Error& error) {
    throw Error(error.what_without_backtrace());
  }
}

std::vector<report::StepValue> losses(const fs::path& out) {
  return report::values_of(report::read_json_log(out / "log.jsonl"), "loss");
}

// The same run on eager PyTorch, in a process of its own: XLA's worker threads spin, and would slow
// it down many times.
void run_eager(const TrainOptions& options, const fs::path& out) {
  std::vector<std::string> command = {own_program().string(), "train", "naga"};
  for (size_t i = 0; i < options.arguments.size(); ++i) command.push_back(options.arguments[i]);
  command.insert(command.end(), {"--device", "cpu", "--out", out.string()});
  command.insert(command.end(), {"--cache", options.training.cache.string()});  // encoded once
  log().info("the same run on eager PyTorch first");
  const int status = ChildProcess(command).wait();
  if (status != 0) fail("the eager run ended with status {}", status);
}

void compare_with_eager(const fs::path& ours, const fs::path& eager) {
  const auto actual = losses(ours), expected = losses(eager);
  if (actual.size() != expected.size() || actual.empty()) {
    fail("{} steps against {} of the eager run", actual.size(), expected.size());
  }
  double worst = 0;
  int64_t worst_step = 0;
  for (size_t i = 0; i < actual.size(); ++i) {
    const double difference =
        std::abs(actual[i].value - expected[i].value) / std::abs(expected[i].value);
    if (difference >= worst || std::isnan(difference)) {
      worst = difference;
      worst_step = actual[i].step;
    }
  }
  fmt::print(
      "largest relative difference of the loss to eager PyTorch over {} steps: {:.2e} (step {})\n",
      actual.size(), worst, worst_step);
  if (!(worst <= kEqualLosses)) fail("the losses differ by more than {:.0e}", kEqualLosses);
}

void print(const train::TrainingResult& result, bool on_device) {
  fmt::print("{}: {} steps, loss {:.4f} to {:.4f}, {:.0f} samples/s\n", result.model, result.steps,
             result.losses.front(), result.losses.back(), result.samples_per_second);
  if (on_device) fmt::print("{}", metrics_report());
}

void print(const selfplay::IterationFigures& figures) {
  const selfplay::GradientFigures& gradient = figures.gradient;
  fmt::print(
      "iteration {}: {} games, {} decisions, {:+.1f} points on the pool, entropy {:.3f}, "
      "divergence "
      "{:.4f}, {:.1f} % held, critic knows {:.1f} %, {:.0f} s + {:.0f} s\n",
      figures.iteration, figures.games, figures.decisions, figures.points_on_pool, gradient.entropy,
      gradient.divergence, 100 * gradient.clipped, 100 * gradient.explained,
      figures.playing_seconds, figures.learning_seconds);
  std::fflush(stdout);
}

void improve(TrainOptions options) {
  selfplay::ImprovementOptions& improvement = options.improvement;
  if (options.net.empty())
    fail("--from selfplay improves a net: give --net, its checkpoint or the folder of its run");
  improvement.from = net_file(options.net);
  improvement.out = options.training.out;
  improvement.seed = options.training.learner.seed;
  improvement.device = open_device(options.device, options.plugin);
  for (const std::string& name : options.pool)
    improvement.pool.push_back(player_of(name, options.device));
  selfplay::improve_by_selfplay(improvement, [](const selfplay::IterationFigures& figures) {
    print(figures);
    return true;
  });
}

void train(TrainOptions options) {
  if (options.from == kFromSelfplay) return improve(std::move(options));
  train::TrainingOptions& training = options.training;
  if (training.records.empty()) fail("--records is missing: files or folders to learn from");
  training.learner.config = models::naga_config(
      options.config, options.full ? mahjong::Policy::Full : mahjong::Policy::Discard);
  const fs::path out = training.out, eager = out / "eager";
  if (training.cache.empty()) training.cache = out / "cache";
  if (options.check_eager && options.device == "cpu")
    fail("--check-eager compares a device with the CPU; give another --device");
  if (options.check_eager) run_eager(options, eager);
  training.learner.device = open_device(options.device, options.plugin);
  print(train::train_naga(training), !training.learner.device.is_cpu());
  if (options.check_eager) compare_with_eager(out, eager);
}

void add_improvement_options(CLI::App& naga, TrainOptions& options) {
  const std::string group = "From self-play";
  selfplay::ImprovementOptions& improvement = options.improvement;
  naga.add_option("--net", options.net, "net of the full policy to improve: a checkpoint or a run")
      ->group(group);
  naga.add_option("--pool", options.pool, "players that it meets, with commas between them")
      ->delimiter(',')
      ->capture_default_str()
      ->group(group);
  naga.add_option("--iterations", improvement.iterations, "of playing and learning")
      ->capture_default_str()
      ->group(group);
  naga.add_option("--games", improvement.games, "games an iteration")
      ->capture_default_str()
      ->group(group);
  naga.add_option("--epochs", improvement.gradient.epochs, "over the decisions of an iteration")
      ->capture_default_str()
      ->group(group);
  naga.add_option("--policy-lr", improvement.gradient.learning_rate, "learning rate")
      ->capture_default_str()
      ->group(group);
  naga.add_option("--policy-batch", improvement.gradient.batch_size, "decisions per step")
      ->capture_default_str()
      ->group(group);
  naga.add_option("--temperature", improvement.gradient.temperature,
                  "of the policy that plays: below 1 it tries only what it takes for nearly best")
      ->capture_default_str()
      ->group(group);
  naga.add_option("--entropy", improvement.gradient.entropy, "weight of the policy's entropy")
      ->capture_default_str()
      ->group(group);
}

void add_naga(CLI::App& command) {
  auto options = std::make_shared<TrainOptions>();
  train::TrainingOptions& training = options->training;
  training.out = "build/train";
  training.schedule = {.peak = 3e-4, .warmup_steps = 20, .total_steps = 1000};
  auto* naga = command.add_subcommand("naga", "Train NAGA's discard policy on game records");
  naga->footer(
      "Example:\n  ippatsu train naga --records my/games --config small --steps 10000 --out "
      "runs/first\n"
      "Watch it with `tensorboard --logdir runs/first/events`; continue a stopped run with "
      "--resume.");
  naga->add_option("--from", options->from,
                   "records: imitate their players; selfplay: improve --net by playing")
      ->check(CLI::IsMember({kFromRecords, kFromSelfplay}))
      ->capture_default_str();
  naga->add_option("--records", training.records, "record files, or folders of them");
  naga->add_option("--config", options->config, "tiny, small or base")->capture_default_str();
  naga->add_flag(
      "--full", options->full,
      "Learn every choice (NAGA-full): discards, riichi, calls, kans, wins; else discards");
  naga->add_option("--device", options->device, "cpu (eager PyTorch), ippatsu or ippatsu:N")
      ->capture_default_str();
  naga->add_option("--plugin", options->plugin,
                   "PJRT plugin: a path, or a short name such as cpu or tpu");
  naga->add_option("--out", training.out, "folder of the run: log, events, checkpoint")
      ->capture_default_str();
  naga->add_option("--cache", training.cache, "folder of encoded decisions [OUT/cache]");
  naga->add_option("--steps", training.schedule.total_steps, "length of the run")
      ->capture_default_str();
  naga->add_option("--batch-size", training.batch_size, "decisions per step")
      ->capture_default_str();
  naga->add_option("--lr", training.schedule.peak, "greatest learning rate")->capture_default_str();
  naga->add_option("--warmup", training.schedule.warmup_steps, "steps of rising learning rate")
      ->capture_default_str();
  naga->add_option("--weight-decay", training.learner.weight_decay, "of AdamW")
      ->capture_default_str();
  naga->add_option("--clip", training.learner.clip, "greatest norm of the gradient, 0 for no limit")
      ->capture_default_str();
  naga->add_option("--label-smoothing", training.learner.label_smoothing,
                   "share given to all legal tiles")
      ->capture_default_str();
  naga->add_option("--dropout", training.learner.dropout, "share of each block's output dropped")
      ->capture_default_str();
  naga->add_option("--seed", training.learner.seed,
                   "of weights, dropout and the order of decisions")
      ->capture_default_str();
  naga->add_option("--eval-fraction", training.eval_fraction,
                   "share of the games kept for evaluation")
      ->capture_default_str();
  naga->add_option("--eval-every", training.eval_every,
                   "steps between evaluations, 0 for the end only")
      ->capture_default_str();
  naga->add_option("--checkpoint-every", training.checkpoint_every,
                   "steps between checkpoints, 0 for the end only")
      ->capture_default_str();
  add_improvement_options(*naga, *options);
  naga->add_flag("--resume", training.resume, "continue from OUT/checkpoint.safetensors");
  naga->add_flag("--check-eager", options->check_eager,
                 "run the same on eager PyTorch too, and fail if a step's loss differs by more "
                 "than 1e-4 of it");
  naga->callback([options, naga] {
    // What the eager run must be told again: everything but where and on what it runs, and the
    // cache.
    for (const CLI::Option* option : naga->get_options()) {
      const std::string name = option->get_name();
      if (option->count() == 0 || name == "--out" || name == "--cache" || name == "--device" ||
          name == "--check-eager")
        continue;
      options->arguments.push_back(name);
      if (option->get_items_expected_max() > 0) {
        for (const std::string& value : option->results()) options->arguments.push_back(value);
      }
    }
    with_torch_errors([&] { train(*options); });
  });
}

void add_bench_worker(CLI::App& app) {
  struct WorkerOptions {
    std::string device = "ippatsu", config = "small", plugin;
    train::LearnerOptions learner;
  };
  auto options = std::make_shared<WorkerOptions>();
  auto* worker = app.add_subcommand("bench-worker", "")->group("");
  worker->add_option("--device", options->device);
  worker->add_option("--config", options->config);
  worker->add_option("--plugin", options->plugin);
  worker->add_option("--seed", options->learner.seed);
  worker->callback([options] {
    with_torch_errors([&] {
      options->learner.config = models::naga_config(options->config);
      options->learner.device = open_device(options->device, options->plugin);
      train::serve_sweep(std::cin, std::cout, options->learner);
    });
  });
}

}  // namespace

void add_train_command(CLI::App& app) {
  auto* command = app.add_subcommand("train", "Train a model");
  command->require_subcommand(1);
  add_naga(*command);
  add_bench_worker(app);
}

}  // namespace ippatsu::cli
