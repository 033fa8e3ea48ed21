#include "cli/run.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/child_process.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "cli/provenance.h"
#include "cli/sweep.h"
#include "report/json_log.h"
#include "report/run_report.h"

namespace ippatsu::cli {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct RunOptions {
  std::vector<std::string> records = {"examples/records"};
  fs::path out = "build/run";
  SweepOptions sweep{.rounds = 3, .round_seconds = 0.5};
  int64_t batch_size = 256;
  int64_t steps = 200;
  bool quick = false;
};

// All that a training run writes into its folder.
constexpr std::array<std::string_view, 4> kRunFiles = {"checkpoint.safetensors", "events",
                                                       "log.jsonl", "summary.json"};

bool is_run_file(const fs::directory_entry& entry) {
  // A write that was cut off leaves "log.jsonl.123.tmp".
  const std::string name = entry.path().filename().string();
  return std::ranges::any_of(kRunFiles, [&](auto file) { return name.starts_with(file); });
}

// Fails where the folder is there and holds anything else than a training run.
void check_replaceable(const fs::path& folder) {
  if (!fs::exists(folder)) return;
  if (fs::is_directory(folder) && std::ranges::all_of(fs::directory_iterator(folder), is_run_file))
    return;
  fail("{} is there already and is not what `run` leaves; choose another --out", folder.string());
}

fs::path unfinished(const fs::path& folder) { return folder.string() + ".unfinished"; }

// Trains on a device, in a process of its own, and gives what the run left in its summary. Only a
// run that came to its end takes the place of an earlier one.
json train(const RunOptions& options, const std::string& device, const fs::path& out) {
  const fs::path fresh = unfinished(out);
  fs::remove_all(fresh);
  std::vector<std::string> command = {own_program().string(), "train", "naga", "--records"};
  command.insert(command.end(), options.records.begin(), options.records.end());
  const int64_t eval_every = std::max<int64_t>(options.steps / 4, 1);
  for (const auto& [name, value] :
       {std::pair<const char*, std::string>{"--config", options.sweep.config},
        {"--device", device},
        {"--out", fresh.string()},
        {"--cache", (options.out / "cache").string()},
        {"--batch-size", fmt::format("{}", options.batch_size)},
        {"--steps", fmt::format("{}", options.steps)},
        {"--eval-every", fmt::format("{}", eval_every)},
        {"--plugin", options.sweep.plugin}}) {
    if (!value.empty()) command.insert(command.end(), {name, value});
  }
  const int status = ChildProcess(command).wait();
  if (status != 0) fail("training on {} ended with status {}", device, status);
  fs::remove_all(out);
  fs::rename(fresh, out);
  return json::parse(read_file(out / "summary.json"));
}

// A figure of a summary; NaN where it was not measured.
double figure(const json& summary, const char* key) {
  const json& value = summary.at(key);
  return value.is_number() ? value.get<double>() : report::Point::kNone;
}

report::TrainingCurves curves(const fs::path& out) {
  const auto lines = report::read_json_log(out / "log.jsonl");
  return {.loss = report::values_of(lines, "loss"),
          .evaluation_loss = report::values_of(lines, "eval_loss"),
          .top1 = report::values_of(lines, "eval_top1")};
}

void run(RunOptions options) {
  if (options.quick) {
    options.sweep = {.config = "tiny",
                     .plugin = options.sweep.plugin,
                     .max_batch = 4,
                     .rounds = 2,
                     .round_seconds = 0.05};
    options.batch_size = 64;
    options.steps = 16;
  }
  const fs::path ours_out = options.out / "ippatsu", eager_out = options.out / "eager";
  for (const fs::path& folder : {ours_out, eager_out}) {
    check_replaceable(folder);
    check_replaceable(unfinished(folder));
  }
  fs::create_directories(options.out);
  const json ours = train(options, "ippatsu", ours_out), eager = train(options, "cpu", eager_out);
  log().info("throughput by batch size, the two devices in turn");
  const report::SweepResult sweep = run_sweep(options.sweep);
  const report::RunReport report{
      .model = ours.at("model"),
      .result = {.context = sweep.context,
                 .games = ours.at("games"),
                 .decisions = ours.at("decisions"),
                 .steps = ours.at("steps"),
                 .loss_first = figure(ours, "loss_first"),
                 .loss_last = figure(ours, "loss_last"),
                 .eager_loss_last = figure(eager, "loss_last"),
                 .samples_per_second = figure(ours, "samples_per_second"),
                 .eager_samples_per_second = figure(eager, "samples_per_second")},
      .sweep = sweep,
      .ours = curves(ours_out),
      .eager = curves(eager_out)};
  report::write_bench(options.out / "bench.json", sweep);
  report::write_result(options.out / "result.json", report.result);
  report::write_run_report(options.out / "report.html", report);
  fmt::print("{}\nfinal losses of the sweep differ by at most {:.1e} of their value\nreport: {}\n",
             report::run_summary(report), largest_loss_difference(sweep),
             (options.out / "report.html").string());
}

}  // namespace

void add_run_command(CLI::App& app) {
  auto options = std::make_shared<RunOptions>();
  auto* command = app.add_subcommand(
      "run", "Train on the device and on eager PyTorch, sweep the batch size, write a report");
  command->footer("Example:\n  ippatsu run --records my/games --out build/mine");
  command->add_option("--records", options->records, "record files, or folders of them")
      ->capture_default_str();
  command->add_option("--config", options->sweep.config, "tiny, small or base")
      ->capture_default_str();
  command->add_option("--plugin", options->sweep.plugin,
                      "PJRT plugin: a path, or a short name such as cpu or tpu");
  command
      ->add_option("--out", options->out,
                   "folder of the report; an earlier run's results there are replaced")
      ->capture_default_str();
  command->add_option("--steps", options->steps, "training steps")->capture_default_str();
  command->add_option("--batch-size", options->batch_size, "decisions per training step")
      ->capture_default_str();
  command->add_option("--max-batch", options->sweep.max_batch, "greatest batch size of the sweep")
      ->capture_default_str();
  command->add_option("--rounds", options->sweep.rounds, "rounds of the sweep")
      ->capture_default_str();
  command->add_flag("--quick", options->quick,
                    "a small model and few steps, to see that everything works");
  command->callback([options] { run(*options); });
}

}  // namespace ippatsu::cli
