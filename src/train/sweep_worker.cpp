#include "train/sweep_worker.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include <torch/version.h>

#include "base/error.h"
#include "device/ippatsu.h"
#include "mahjong/features.h"
#include "mahjong/tile.h"

namespace ippatsu::train {

namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::ordered_json;

constexpr int kWarmUpSteps = 3;  // the first two compile
// So low that the model does not learn the batch by heart: gradients that vanish end in denormal
// numbers, on which a CPU is many times slower.
constexpr double kLearningRate = 1e-6;
constexpr double kBitShare = 0.08;  // of a decision's planes, about, are set

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Decisions drawn at random, alike for every device: the sweep measures steps, not data.
data::Batch random_batch(int64_t size, uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto chance = [&](double p) { return static_cast<double>(random() >> 11) * 0x1p-53 < p; };
  const auto n = static_cast<size_t>(size);
  data::Batch batch{.size = size};
  batch.planes.resize(n * mahjong::kPlanes * mahjong::kKinds);
  for (uint8_t& bit : batch.planes) bit = chance(kBitShare);
  batch.actions = mahjong::kTiles;
  batch.legal.resize(n * mahjong::kTiles);
  for (uint8_t& bit : batch.legal) bit = chance(0.35);
  for (size_t i = 0; i < n; ++i) {
    batch.action.push_back(static_cast<int64_t>(random() % mahjong::kTiles));
    batch.legal[i * mahjong::kTiles + static_cast<size_t>(batch.action.back())] = 1;
  }
  return batch;
}

class Worker {
 public:
  explicit Worker(const LearnerOptions& options) : options_(options) {}

  ordered_json answer(const ordered_json& request) {
    if (request.contains("prepare")) return prepare(request.at("prepare").get<int64_t>());
    if (request.contains("steps")) return steps(request.at("steps").get<int64_t>());
    fail("a request is {{\"prepare\": batch}} or {{\"steps\": count}}, got {}", request.dump());
  }

 private:
  ordered_json prepare(int64_t batch_size) {
    if (batch_size < 1) fail("the batch size must be at least 1, got {}", batch_size);
    learner_.reset();
    wait_for(options_.device);
    learner_ = std::make_unique<Learner>(options_);
    batch_ = random_batch(batch_size, options_.seed);
    const double compiled_before = metrics().compile_seconds;
    double last = 0;
    for (int i = 0; i < kWarmUpSteps; ++i) last = run(1).seconds;
    return {{"compile_seconds", metrics().compile_seconds - compiled_before},
            {"step_seconds", last}};
  }

  ordered_json steps(int64_t count) {
    if (learner_ == nullptr) fail("`steps` comes after `prepare`");
    if (count < 1) fail("the number of steps must be at least 1, got {}", count);
    const Timed timed = run(count);
    return {{"seconds", timed.seconds}, {"loss", timed.loss.item<double>()}};
  }

  struct Timed {
    double seconds;
    torch::Tensor loss;
  };

  Timed run(int64_t count) {
    const auto start = Clock::now();
    torch::Tensor loss;
    for (int64_t i = 0; i < count; ++i) {
      loss = learner_->step(batch_, kLearningRate);
      finish_step(options_.device);
    }
    wait_for(options_.device);
    return {seconds_since(start), loss};
  }

  LearnerOptions options_;
  std::unique_ptr<Learner> learner_;
  data::Batch batch_;
};

ordered_json hello(const LearnerOptions& options) {
  ordered_json hello{{"device", options.device.str()}, {"versions", {{"torch", TORCH_VERSION}}}};
  if (options.device.is_privateuseone()) {
    const PluginInfo plugin = plugin_info();
    const std::filesystem::path path = plugin.path;
    hello["plugin"] = (path.parent_path().filename() / path.filename()).string();
    hello["plugin_version"] = plugin.version;
    hello["platform"] = plugin.platform;
  }
  return hello;
}

}  // namespace

void serve_sweep(std::istream& requests, std::ostream& answers, const LearnerOptions& options) {
  answers << hello(options).dump() << std::endl;
  Worker worker(options);
  for (std::string line; std::getline(requests, line);) {
    ordered_json answer;
    try {
      answer = worker.answer(ordered_json::parse(line));
    } catch (const std::exception& error) {
      answer = {{"error", error.what()}};
    }
    answers << answer.dump() << std::endl;
  }
}

}  // namespace ippatsu::train
