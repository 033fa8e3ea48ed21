#include "cli/check.h"

#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "check/present.h"
#include "cli/script_check.h"
#include "device/ippatsu.h"

namespace ippatsu::cli {

namespace {

struct CheckOptions {
  ScriptCheckOptions script;
  std::vector<std::string> inputs;
  std::string plugin, json, html;
};

void write(const std::string& path, const std::string& content) {
  if (path == "-")
    std::cout << content;
  else if (!path.empty())
    write_file_atomically(path, content);
}

void run(CheckOptions options) {
  for (const std::string& input : options.inputs)
    options.script.inputs.push_back(check::parse_input(input));
  initialize({.plugin = options.plugin});
  const check::Report report = check_script(options.script);
  write(options.json, check::to_json(report));
  write(options.html, check::to_html(report));
  if (options.json != "-" && options.html != "-") std::cout << check::to_text(report);
  if (report.count(check::Severity::Trouble) > 0) throw CLI::RuntimeError(kTroublesFound);
}

}  // namespace

void add_check_command(CLI::App& app) {
  auto options = std::make_shared<CheckOptions>();
  ScriptCheckOptions& script = options->script;
  CLI::App* command = app.add_subcommand(
      "check", "Say whether a TorchScript model is ready for the device, and what to do");
  command->footer(
      "An input is a dtype and a shape, drawn at random: f32[8,3,32,32], bool[4]; integers from a\n"
      "range: i64[4,16]{0..100}.\n"
      "The exit status is 0 where there is no trouble, 3 where there is, 1 on an error, 2 on wrong "
      "usage.\n"
      "Example:\n"
      "  ippatsu check model.pt --input f32[8,3,32,32] --html check.html\n"
      "Programs in Python: python -m ippatsu.check module:function");
  command->add_option("model", script.model, "a file saved by torch.jit.save")->required();
  command->add_option("--input", options->inputs, "an argument of forward; once for each")
      ->allow_extra_args(false)
      ->type_name("SPEC");
  command->add_option("--steps", script.steps, "steps to watch; the first two may compile")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_flag("--backward,!--no-backward", script.backward,
                    "gradients too, of the outputs weighted at random [on]");
  command
      ->add_option("--tolerance", script.tolerance,
                   "greatest difference to the CPU, relative to an output's largest value")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_option("--json", options->json, "file for tools; - for standard output");
  command->add_option("--html", options->html, "file with one page");
  command->add_option("--plugin", options->plugin,
                      "PJRT plugin: a path, or a short name such as cpu or tpu");
  command->callback([options] { run(*options); });
}

}  // namespace ippatsu::cli
