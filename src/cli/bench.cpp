#include "cli/bench.h"

#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "base/file.h"
#include "cli/sweep.h"
#include "report/chart.h"
#include "report/table.h"

namespace ippatsu::cli {

namespace {

struct BenchOptions {
  SweepOptions sweep;
  std::filesystem::path out = "build/bench";
};

void bench(const BenchOptions& options) {
  std::filesystem::create_directories(options.out);  // to fail before minutes of measuring
  const report::SweepResult sweep = run_sweep(options.sweep);
  report::write_bench(options.out / "bench.json", sweep);
  write_file_atomically(options.out / "ratio.svg", report::svg(report::ratio_chart(sweep)));
  write_file_atomically(options.out / "samples.svg", report::svg(report::samples_chart(sweep)));
  fmt::print("{}\nfinal losses differ by at most {:.1e} of their value\n{}\n",
             report::text_table(report::throughput_table(sweep)), largest_loss_difference(sweep),
             (options.out / "bench.json").string());
}

}  // namespace

void add_bench_command(CLI::App& app) {
  auto options = std::make_shared<BenchOptions>();
  auto* command = app.add_subcommand("bench", "Measure throughput");
  command->require_subcommand(1);
  auto* naga = command->add_subcommand(
      "naga", "Training steps of NAGA at growing batch sizes, beside eager PyTorch");
  naga->footer("Example:\n  ippatsu bench naga --config small --max-batch 512");
  naga->add_option("--config", options->sweep.config, "tiny, small or base")->capture_default_str();
  naga->add_option("--plugin", options->sweep.plugin,
                   "PJRT plugin: a path, or a short name such as cpu or tpu");
  naga->add_option("--max-batch", options->sweep.max_batch, "greatest batch size")
      ->capture_default_str();
  naga->add_option("--rounds", options->sweep.rounds, "rounds per device and batch size")
      ->capture_default_str();
  naga->add_option("--seconds", options->sweep.round_seconds, "length of a round, about")
      ->capture_default_str();
  naga->add_option("--out", options->out, "folder for bench.json and the charts")
      ->capture_default_str();
  naga->callback([options] { bench(*options); });
}

}  // namespace ippatsu::cli
