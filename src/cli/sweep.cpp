#include "cli/sweep.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include <fmt/format.h>

#include "base/child_process.h"
#include "base/error.h"
#include "base/log.h"
#include "cli/provenance.h"

namespace ippatsu::cli {

namespace {

using nlohmann::ordered_json;

constexpr int64_t kFewestSteps = 2, kMostSteps = 200;
constexpr double kBusy = 2;  // fastest over slowest round from which on the machine is not ours

// A process that trains on request. It is stopped whenever nothing is asked of it: XLA's worker
// threads spin while they have nothing to do, OpenMP's too, and either would slow the other device.
class Worker {
 public:
  Worker(const SweepOptions& options, const std::string& device)
      : device_(device), process_(command(options, device)) {
    hello_ = read();
    process_.pause();
  }

  // What it runs on, in its own words.
  const ordered_json& hello() const { return hello_; }

  ordered_json ask(const ordered_json& request) {
    process_.resume();
    process_.write_line(request.dump());
    ordered_json answer = read();
    process_.pause();
    return answer;
  }

 private:
  static std::vector<std::string> command(const SweepOptions& options, const std::string& device) {
    std::vector<std::string> words = {
        own_program().string(), "bench-worker", "--device", device, "--config", options.config};
    if (!options.plugin.empty()) words.insert(words.end(), {"--plugin", options.plugin});
    return words;
  }

  ordered_json read() try {
    const std::string line = process_.read_line();
    ordered_json value = ordered_json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!value.is_object()) fail("it said something else than JSON: {}", line);
    if (value.contains("error")) fail("{}", value["error"].get<std::string>());
    return value;
  } catch (const Error& error) {
    throw error.within(fmt::format("the sweep on {}", device_));
  }

  std::string device_;
  ChildProcess process_;
  ordered_json hello_;
};

// One device at one batch size.
struct Side {
  Worker* worker;
  report::Measurement* measurement;
};

void check(const SweepOptions& options) {
  if (options.max_batch < 1) fail("--max-batch must be at least 1, got {}", options.max_batch);
  if (options.rounds < 1) fail("--rounds must be at least 1, got {}", options.rounds);
  if (!(options.round_seconds > 0))
    fail("--seconds must be above 0, got {}", options.round_seconds);
}

double prepare(Side side, int64_t batch) {
  const ordered_json answer = side.worker->ask({{"prepare", batch}});
  side.measurement->compile_seconds = answer.at("compile_seconds").get<double>();
  return answer.at("step_seconds").get<double>();
}

void take_round(Side side, int64_t batch, int64_t steps) {
  const ordered_json answer = side.worker->ask({{"steps", steps}});
  const auto samples = static_cast<double>(batch * steps);
  side.measurement->rounds.push_back(samples / answer.at("seconds").get<double>());
  side.measurement->final_loss = answer.at("loss").get<double>();
  side.measurement->iterations += steps;
}

report::BatchResult measure(Worker& ours, Worker& eager, int64_t batch,
                            const SweepOptions& options) {
  report::BatchResult result{.batch = batch};
  std::array<Side, 2> sides{Side{&ours, &result.ours}, Side{&eager, &result.eager}};
  const double slower = std::max(prepare(sides[0], batch), prepare(sides[1], batch));
  // As many steps on both, so that their final losses can be compared.
  const auto wanted = static_cast<int64_t>(std::ceil(options.round_seconds / slower));
  const int64_t steps = std::clamp(wanted, kFewestSteps, kMostSteps);
  for (int round = 0; round < options.rounds; ++round) {
    for (const Side& side : sides) take_round(side, batch, steps);
    std::ranges::reverse(sides);  // who goes first must not matter
  }
  return result;
}

// Where another program takes a core away, the threads of a step wait for the one that lost it:
// eager PyTorch on two cores has been seen a hundred times slower.
void warn_if_busy(const char* device, int64_t batch, const report::Measurement& measured) {
  const report::Statistics speed = measured.samples_per_second();
  if (speed.max < kBusy * speed.min) return;
  log().warn(
      "batch {}: the rounds of {} reach from {:.0f} to {:.0f} samples/s; is the machine busy?",
      batch, device, speed.min, speed.max);
}

}  // namespace

report::SweepResult run_sweep(const SweepOptions& options) {
  check(options);
  report::SweepResult sweep{.context = provenance(command_line())};
  Worker eager(options, "cpu"), ours(options, "ippatsu");
  sweep.context.plugin = ours.hello().value("plugin", "");
  sweep.context.plugin_version = ours.hello().value("plugin_version", "");
  sweep.context.platform = ours.hello().value("platform", "");
  sweep.context.versions["torch"] = ours.hello().at("versions").value("torch", "");
  for (int64_t batch = 1; batch <= options.max_batch; batch *= 2) {
    sweep.batches.push_back(measure(ours, eager, batch, options));
    const report::BatchResult& result = sweep.batches.back();
    log().info("batch {}: {:.0f} samples/s, eager {:.0f}, ratio {:.2f}", batch,
               result.ours.samples_per_second().median, result.eager.samples_per_second().median,
               result.ratio().median);
    warn_if_busy("ippatsu", batch, result.ours);
    warn_if_busy("eager", batch, result.eager);
  }
  return sweep;
}

double largest_loss_difference(const report::SweepResult& sweep) {
  double worst = 0;
  for (const report::BatchResult& batch : sweep.batches) {
    const double scale = std::max(std::abs(batch.eager.final_loss), 1e-3);
    worst = std::max(worst, std::abs(batch.ours.final_loss - batch.eager.final_loss) / scale);
  }
  return worst;
}

}  // namespace ippatsu::cli
