// The program `ippatsu`.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/bench.h"
#include "cli/devices.h"
#include "cli/records.h"
#include "cli/run.h"
#include "cli/train.h"

namespace {

constexpr int kUsageError = 2;

// CLI11's help and version come as exceptions too, with status 0.
int report_usage(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return app.exit(error);
  const std::vector<std::string> unknown = app.remaining(/*recurse=*/true);
  const std::string what =
      unknown.empty() ? error.what() : fmt::format("`{}` is not known here", unknown.front());
  fmt::print(stderr, "ippatsu: {}; see `ippatsu --help`\n", what);
  return kUsageError;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("PyTorch on any XLA device, and NAGA, a mahjong AI, trained on it");
  app.name("ippatsu");
  app.set_version_flag("--version", IPPATSU_VERSION);
  app.require_subcommand(1);
  ippatsu::cli::add_devices_command(app);
  ippatsu::cli::add_records_command(app);
  ippatsu::cli::add_train_command(app);
  ippatsu::cli::add_bench_command(app);
  ippatsu::cli::add_run_command(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return report_usage(app, error);
  } catch (const std::exception& error) {
    fmt::print(stderr, "ippatsu: {}\n", error.what());
    return 1;
  }
  return 0;
}
