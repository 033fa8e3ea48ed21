// The program `ippatsu`.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/environment.h"
#include "cli/analyze.h"
#include "cli/bench.h"
#include "cli/bot.h"
#include "cli/check.h"
#include "cli/devices.h"
#include "cli/eval.h"
#include "cli/records.h"
#include "cli/run.h"
#include "cli/selfplay.h"
#include "cli/train.h"

namespace {

constexpr int kError = 1, kUsageError = 2;

constexpr const char* kFooter =
    "Examples:\n"
    "  ippatsu run                                      examples/records, here and on eager "
    "PyTorch\n"
    "  ippatsu train naga --records my/games --out runs/first\n"
    "  ippatsu bench naga --max-batch 256 --plugin path/to/pjrt_plugin.so\n"
    "  ippatsu check model.pt --input f32[8,3,32,32]    is this TorchScript model ready for the "
    "device?\n"
    "Each command has its own --help.";

// The option is the variable by another name, so that the programs which `run` and `bench` start
// keep to it too. It comes before the first line is logged.
void add_log_level(CLI::App& app) {
  using ippatsu::Variable;
  const auto& info = ippatsu::environment_variables()[static_cast<size_t>(Variable::Log)];
  app.add_option_function<std::string>(
         "--log-level",
         [&info](const std::string& level) {
           ::setenv(info.name.data(), level.c_str(), /*overwrite=*/1);
         },
         std::string(info.meaning))
      ->check(CLI::IsMember({"trace", "debug", "info", "warn", "error", "off"}))
      ->type_name("LEVEL");
}

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
  app.set_version_flag("--version", "ippatsu " IPPATSU_VERSION);
  app.footer(kFooter);
  add_log_level(app);
  app.require_subcommand(1);
  ippatsu::cli::add_devices_command(app);
  ippatsu::cli::add_check_command(app);
  ippatsu::cli::add_records_command(app);
  ippatsu::cli::add_selfplay_command(app);
  ippatsu::cli::add_eval_command(app);
  ippatsu::cli::add_bot_command(app);
  ippatsu::cli::add_analyze_command(app);
  ippatsu::cli::add_train_command(app);
  ippatsu::cli::add_bench_command(app);
  ippatsu::cli::add_run_command(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::RuntimeError& outcome) {
    return outcome.get_exit_code();
  } catch (const CLI::ParseError& error) {
    return report_usage(app, error);
  } catch (const std::filesystem::filesystem_error& error) {
    fmt::print(stderr, "ippatsu: {}: {}\n", error.path1().string(), error.code().message());
    return kError;
  } catch (const std::exception& error) {
    fmt::print(stderr, "ippatsu: {}\n", error.what());
    return kError;
  }
  return 0;
}
