#include "train/training.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "data/dataset.h"
#include "data/loader.h"
#include "data/record_files.h"
#include "device/ippatsu.h"
#include "report/event_file.h"
#include "report/json_log.h"
#include "train/checkpoint.h"
#include "train/progress.h"

namespace ippatsu::train {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kEncodingLogPeriod{2};

void check(const TrainingOptions& options) {
  if (options.batch_size < 1) fail("--batch-size must be at least 1, got {}", options.batch_size);
  if (options.schedule.total_steps < 1)
    fail("--steps must be at least 1, got {}", options.schedule.total_steps);
  if (!(options.schedule.peak > 0)) fail("--lr must be above 0, got {}", options.schedule.peak);
  const double dropout = options.learner.dropout, smoothing = options.learner.label_smoothing;
  if (!(dropout >= 0 && dropout < 1)) fail("--dropout must be in [0, 1), got {}", dropout);
  if (!(smoothing >= 0 && smoothing < 1))
    fail("--label-smoothing must be in [0, 1), got {}", smoothing);
  const bool has_checkpoint = fs::exists(options.out / "checkpoint.safetensors");
  if (options.resume && !has_checkpoint) {
    fail("there is no {} to resume from", (options.out / "checkpoint.safetensors").string());
  }
  if (!options.resume && has_checkpoint) {
    fail("{} holds a run already; continue it with --resume, or choose another --out",
         options.out.string());
  }
}

// Says how far the encoding of records is, every few seconds.
std::function<void(const data::EncodingProgress&)> encoding_log() {
  return
      [next = Clock::now() + kEncodingLogPeriod](const data::EncodingProgress& progress) mutable {
        if (Clock::now() < next) return;
        next = Clock::now() + kEncodingLogPeriod;
        log().info("encoding records: {} of {}", progress.done, progress.total);
      };
}

data::Dataset open_dataset(const TrainingOptions& options) {
  data::DatasetOptions wanted{
      .cache = options.cache.empty() ? options.out / "cache" : options.cache,
      .records = data::record_files(options.records),
      .policy = options.learner.config.policy,
      .eval_fraction = options.eval_fraction,
      .threads = 2,
      .on_progress = encoding_log()};
  data::Dataset dataset(wanted);
  for (const data::BadRecord& bad : dataset.bad_records()) log().warn("left out: {}", bad.message);
  const data::DatasetCounts& counts = dataset.counts();
  log().info(
      "{} games, {} decisions ({} files encoded, {} left out); {} for training, {} for evaluation",
      counts.games, counts.decisions, counts.encoded, counts.bad_files, dataset.train().size(),
      dataset.eval().size());
  return dataset;
}

// Everything that decides the losses of a run, as text: kept in checkpoints, compared on resume.
std::map<std::string, std::string> settings_of(const TrainingOptions& options,
                                               const data::Dataset& dataset) {
  const LearnerOptions& learner = options.learner;
  const Schedule& schedule = options.schedule;
  return {{"config", std::string(learner.config.name)},
          {"policy", std::string(name_of(learner.config.policy))},
          {"device", learner.device.is_cpu() ? "cpu" : "ippatsu"},
          {"seed", fmt::format("{}", learner.seed)},
          {"data", fmt::format("{:016x}", dataset.fingerprint())},
          {"batch-size", fmt::format("{}", options.batch_size)},
          {"steps", fmt::format("{}", schedule.total_steps)},
          {"lr", fmt::format("{}", schedule.peak)},
          {"warmup", fmt::format("{}", schedule.warmup_steps)},
          {"weight-decay", fmt::format("{}", learner.weight_decay)},
          {"clip", fmt::format("{}", learner.clip)},
          {"label-smoothing", fmt::format("{}", learner.label_smoothing)},
          {"dropout", fmt::format("{}", learner.dropout)}};
}

struct Evaluation {
  double loss, top1, top3;
};

Evaluation evaluate(Learner& learner, const data::Split& split, const TrainingOptions& options) {
  data::BatchMaker batches(split, {.batch_size = options.batch_size,
                                   .policy = options.learner.config.policy,
                                   .shuffle = false,
                                   .end_epoch = 1});
  data::Batch batch;
  std::vector<Agreement> parts;
  int64_t decisions = 0;
  for (int64_t i = 0; i < options.eval_batches && batches.make(batch); ++i) {
    parts.push_back(learner.evaluate(batch));
    finish_step(learner.device());
    decisions += batch.size;
  }
  const auto mean = [&](torch::Tensor Agreement::*part) {
    double sum = 0;
    for (const Agreement& agreement : parts) sum += (agreement.*part).item<double>();
    return sum / static_cast<double>(decisions);
  };
  return {mean(&Agreement::loss), mean(&Agreement::top1), mean(&Agreement::top3)};
}

// Where a run's figures go: the JSON log, TensorBoard, the progress line.
class Journal {
 public:
  Journal(const fs::path& out, int64_t total_steps, std::optional<int64_t> last_step)
      : log_(last_step ? report::JsonLog::resume(out / "log.jsonl", *last_step)
                       : report::JsonLog(out / "log.jsonl")),
        events_(last_step ? report::EventFile::resume(out / "events", *last_step)
                          : report::EventFile(out / "events")),
        progress_(total_steps, last_step.value_or(0)) {}

  struct Step {
    Progress::Figures figures;
    double learning_rate;
  };
  void step(const Step& step) {
    const auto& [at, loss, speed, waiting] = step.figures;
    log_.write({{"step", at},
                {"loss", loss},
                {"lr", step.learning_rate},
                {"samples_per_second", speed},
                {"data_wait_share", waiting}});
    events_.scalar("train/loss", at, loss);
    events_.scalar("train/learning_rate", at, step.learning_rate);
    events_.scalar("train/samples_per_second", at, speed);
    events_.scalar("data/wait_share", at, waiting);
    progress_.show(step.figures);
  }

  void evaluation(int64_t step, const Evaluation& e) {
    log_.write(
        {{"step", step}, {"eval_loss", e.loss}, {"eval_top1", e.top1}, {"eval_top3", e.top3}});
    events_.scalar("eval/loss", step, e.loss);
    events_.scalar("eval/top1", step, e.top1);
    events_.scalar("eval/top3", step, e.top3);
    events_.flush();
    log().info("evaluation after step {}: loss {:.4f}, top-1 {:.1f} %, top-3 {:.1f} %", step,
               e.loss, 100 * e.top1, 100 * e.top3);
  }

 private:
  report::JsonLog log_;
  report::EventFile events_;
  Progress progress_;
};

// Samples per second from one step's end to the next one's. What comes between steps, such as an
// evaluation, is no part of it: after a pause the first step's end only starts the clock again.
class Speedometer {
 public:
  void step_ended(int64_t samples) {
    const auto now = Clock::now();
    if (last_end_) {
      latest_ =
          static_cast<double>(samples) / std::chrono::duration<double>(now - *last_end_).count();
      all_.push_back(latest_);
    }
    last_end_ = now;
  }
  void pause() { last_end_.reset(); }

  double latest() const { return latest_; }  // NaN until there is one

  // The median, without the first steps, which compile.
  double typical() const {
    constexpr size_t kWarmUpSteps = 2;
    if (all_.size() <= kWarmUpSteps) return latest_;
    return median({all_.begin() + kWarmUpSteps, all_.end()});
  }

 private:
  static double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
  }

  std::optional<Clock::time_point> last_end_;
  double latest_ = std::nan("");
  std::vector<double> all_;
};

bool due(int64_t step, int64_t every, int64_t total) {
  return step == total || (every > 0 && step % every == 0);
}

class Run {
 public:
  explicit Run(const TrainingOptions& options)
      : options_(options), dataset_(open_dataset(options)), learner_(options.learner) {
    state_.settings = settings_of(options, dataset_);
    state_.position.seed = options.learner.seed;
    if (options.resume) {
      state_ = load_checkpoint(checkpoint(), learner_, state_.settings);
      if (state_.step >= total())
        fail("{} is finished: it has {} steps", checkpoint().string(), state_.step);
    }
  }

  TrainingResult train() {
    fs::create_directories(options_.out);
    Journal journal(options_.out, total(),
                    options_.resume ? std::optional(state_.step) : std::nullopt);
    data::Loader loader(dataset_.train(), {.batch_size = options_.batch_size,
                                           .policy = options_.learner.config.policy,
                                           .start = state_.position});
    data::Batch batch;
    while (state_.step < total() && loader.next(batch)) {
      take_step(batch);
      if (previous_) {
        write(journal, loader, *previous_);
        speed_.step_ended(previous_->samples);
      }
      previous_ = std::move(current_);
      pause_for_what_is_due(journal, loader);
      if (options_.after_step) options_.after_step(state_.step);
    }
    return result();
  }

 private:
  // A step whose loss has not been read yet: it is read one step late, when it is there and the
  // device has the next step to do.
  struct Pending {
    int64_t step;
    int64_t samples;
    double learning_rate;
    torch::Tensor loss;
  };

  int64_t total() const { return options_.schedule.total_steps; }
  fs::path checkpoint() const { return options_.out / "checkpoint.safetensors"; }

  void take_step(const data::Batch& batch) {
    const int64_t step = state_.step + 1;
    const double learning_rate = options_.schedule.at(step);
    current_ = Pending{step, batch.size, learning_rate, learner_.step(batch, learning_rate)};
    finish_step(learner_.device());
    state_.step = step;
    state_.position = batch.next;
  }

  void pause_for_what_is_due(Journal& journal, const data::Loader& loader) {
    const bool evaluate_now = due(state_.step, options_.eval_every, total());
    const bool save_now = due(state_.step, options_.checkpoint_every, total());
    if (!evaluate_now && !save_now) return;
    write(journal, loader, *previous_);
    previous_.reset();
    if (evaluate_now && dataset_.eval().size() > 0) {
      journal.evaluation(state_.step, evaluate(learner_, dataset_.eval(), options_));
    }
    if (save_now) save_checkpoint(checkpoint(), learner_, state_);
    speed_.pause();
  }

  void write(Journal& journal, const data::Loader& loader, const Pending& pending) {
    const double loss = pending.loss.item<double>();
    losses_.push_back(loss);
    journal.step({{pending.step, loss, speed_.latest(), loader.times().wait_share()},
                  pending.learning_rate});
    if (!std::isfinite(loss))
      fail("the loss of step {} is {}; try a lower --lr", pending.step, loss);
  }

  TrainingResult result() {
    return {.model = models::describe(options_.learner.config),
            .parameters = learner_.model()->parameter_count(),
            .games = dataset_.counts().games,
            .decisions = dataset_.counts().decisions,
            .steps = state_.step,
            .losses = losses_,
            .samples_per_second = speed_.typical()};
  }

  const TrainingOptions& options_;
  data::Dataset dataset_;
  Learner learner_;
  RunState state_;
  std::optional<Pending> current_, previous_;
  Speedometer speed_;
  std::vector<double> losses_;
};

void write_summary(const fs::path& path, const TrainingResult& result, bool on_device) {
  int64_t fallbacks = 0;
  const Metrics counted = metrics();
  for (const auto& [op, fallback] : counted.fallbacks) fallbacks += fallback.count;
  nlohmann::ordered_json summary{{"model", result.model},
                                 {"parameters", result.parameters},
                                 {"games", result.games},
                                 {"decisions", result.decisions},
                                 {"steps", result.steps},
                                 {"loss_first", result.losses.front()},
                                 {"loss_last", result.losses.back()},
                                 {"samples_per_second", result.samples_per_second},
                                 {"compiles", on_device ? counted.compiles : 0},
                                 {"fallbacks", fallbacks}};
  write_file_atomically(path, summary.dump(2) + "\n");
}

}  // namespace

TrainingResult train_naga(const TrainingOptions& options) {
  check(options);
  log().info("{} on {}", models::describe(options.learner.config), options.learner.device.str());
  Run run(options);
  TrainingResult result = run.train();
  write_summary(options.out / "summary.json", result, !options.learner.device.is_cpu());
  return result;
}

}  // namespace ippatsu::train
