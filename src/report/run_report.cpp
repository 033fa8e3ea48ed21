#include "report/run_report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/file.h"
#include "report/html.h"
#include "report/number.h"

namespace ippatsu::report {

namespace {

constexpr size_t kLongCurve = 60;  // steps from which on single losses are noise to the eye
constexpr double kSmoothing = 0.9;

Series curve(std::string name, const std::vector<StepValue>& values) {
  Series series{.name = std::move(name)};
  for (const auto& [step, value] : values)
    series.points.push_back({static_cast<double>(step), value});
  return series;
}

// Both devices ought to draw the same line: the second is dashed, so that both are seen.
void add_curve(Chart& chart, const char* name, const std::vector<StepValue>& values,
               bool smoothed) {
  if (values.empty()) return;
  auto series = curve(name, values);
  series.dashed = !chart.series.empty();
  if (smoothed && values.size() > kLongCurve) series.smoothing = kSmoothing;
  chart.series.push_back(std::move(series));
}

Chart loss_chart(const RunReport& report) {
  Chart chart{.title = "Training loss",
              .description = "Loss at each training step, on this device and in eager PyTorch.",
              .x = {"step"},
              .y = {"cross-entropy, by training step"}};
  add_curve(chart, "ippatsu", report.ours.loss, true);
  add_curve(chart, "eager", report.eager.loss, true);
  return chart;
}

Chart evaluation_chart(const RunReport& report) {
  Chart chart{.title = "Evaluation loss",
              .description = "Loss on games held out of training, as training goes on.",
              .x = {"step"},
              .y = {"cross-entropy on held-out games, by training step"}};
  add_curve(chart, "ippatsu", report.ours.evaluation_loss, false);
  add_curve(chart, "eager", report.eager.evaluation_loss, false);
  return chart;
}

Chart top1_chart(const RunReport& report) {
  Chart chart{.title = "Agreement with the players",
              .description = "Share of discards guessed right (top-1), as training goes on.",
              .x = {"step"},
              .y = {"share of discards guessed right, by training step", Scale::Linear,
                    /*from_zero=*/true}};
  add_curve(chart, "ippatsu", report.ours.top1, false);
  add_curve(chart, "eager", report.eager.top1, false);
  return chart;
}

std::string times(double ratio) {
  return std::isfinite(ratio) ? format_number(ratio, 2) + "×" : "–";
}

// The batch at which this device gains most, or nullptr where no ratio is known.
const BatchResult* best_batch(const SweepResult& sweep) {
  const BatchResult* best = nullptr;
  for (const auto& result : sweep.batches) {
    const double ratio = result.ratio().median;
    if (!std::isfinite(ratio)) continue;
    if (best == nullptr || ratio > best->ratio().median) best = &result;
  }
  return best;
}

Figures figures(const RunReport& report) {
  const auto& result = report.result;
  Figures figures;
  figures.figures.push_back({times(result.ratio()), "", "the speed of eager PyTorch, in training"});
  if (const auto* best = best_batch(report.sweep))
    figures.figures.push_back({times(best->ratio().median), "",
                               fmt::format("at best in the sweep, at batch {}",
                                           format_number(static_cast<double>(best->batch)))});
  figures.figures.push_back(
      {format_number(result.samples_per_second), "samples/s", "while training"});
  figures.figures.push_back(
      {fmt::format("{} → {}", format_number(result.loss_first, 2),
                   format_number(result.loss_last, 2)),
       "", fmt::format("loss over {} steps", format_number(static_cast<double>(result.steps)))});
  return figures;
}

KeyValues training_facts(const RunResult& result) {
  const double difference =
      std::abs(result.loss_last - result.eager_loss_last) / std::abs(result.eager_loss_last);
  return {{{"Games", format_number(static_cast<double>(result.games))},
           {"Discard decisions", format_number(static_cast<double>(result.decisions))},
           {"Steps", format_number(static_cast<double>(result.steps))},
           {"First loss", format_number(result.loss_first, 4)},
           {"Last loss", format_number(result.loss_last, 4)},
           {"Last loss in eager PyTorch",
            fmt::format("{} (relative difference {})", format_number(result.eager_loss_last, 4),
                        format_value(difference))}}};
}

KeyValues context_facts(const Context& context) {
  KeyValues facts{{{"Machine", fmt::format("{}, {} cores", context.machine, context.cores)},
                   {"Plugin", fmt::format("{} {}, platform {}", context.plugin,
                                          context.plugin_version, context.platform)}}};
  for (const auto& [name, version] : context.versions) facts.rows.emplace_back(name, version);
  facts.rows.emplace_back("Commit", context.commit);
  facts.rows.emplace_back("Date", context.date);
  facts.rows.emplace_back("Command", context.command);
  return facts;
}

Section throughput_section(const SweepResult& sweep) {
  return {"Throughput",
          {Paragraph{"Whole training steps (forward, backward, update) without reading data, at "
                     "growing batch sizes. Both devices take turns on the same machine, each in a "
                     "process of its own; warm-up and compilation are not in the times. A point "
                     "is the median of the rounds, the spread reaches from the slowest to the "
                     "fastest."},
           ratio_chart(sweep), samples_chart(sweep), throughput_table(sweep)}};
}

Section training_section(const RunReport& report) {
  Section section{
      "Training",
      {Paragraph{fmt::format(
           "{} learns which tile a player discards. The same steps on the same data, from the "
           "same first weights, run in eager PyTorch beside it: the two lines should be one.",
           report.model)},
       loss_chart(report)}};
  if (!report.ours.evaluation_loss.empty()) section.blocks.push_back(evaluation_chart(report));
  if (!report.ours.top1.empty()) section.blocks.push_back(top1_chart(report));
  section.blocks.push_back(training_facts(report.result));
  return section;
}

}  // namespace

void write_result(const std::filesystem::path& path, const RunResult& result) {
  const nlohmann::ordered_json json = {
      {"games", result.games},
      {"decisions", result.decisions},
      {"steps", result.steps},
      {"loss_first", result.loss_first},
      {"loss_last", result.loss_last},
      {"eager_loss_last", result.eager_loss_last},
      {"samples_per_second", result.samples_per_second},
      {"eager_samples_per_second", result.eager_samples_per_second},
      {"ratio", result.ratio()},
      {"context", to_json(result.context)}};
  write_file_atomically(
      path, json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n');
}

void write_run_report(const std::filesystem::path& path, const RunReport& report) {
  const auto& context = report.result.context;
  const Page page{.title = "Ippatsu: PyTorch in one shot",
                  .subtitle = fmt::format("{}, trained on {} through {}", report.model,
                                          context.machine, context.plugin),
                  .summary = {figures(report)},
                  .sections = {throughput_section(report.sweep),
                               training_section(report),
                               {"Measured on", {context_facts(context)}}},
                  .footer = fmt::format("Written by Ippatsu on {}.", context.date)};
  write_file_atomically(path, html(page));
}

std::string run_summary(const RunReport& report) {
  const auto& result = report.result;
  const double eager_first = report.eager.loss.empty() ? Point::kNone : report.eager.loss[0].value;
  const Table losses{
      .columns = {{"training"}, {"first loss", "", 4}, {"last loss", "", 4}, {"samples/s", "", 1}},
      .rows = {{"ippatsu", result.loss_first, result.loss_last, result.samples_per_second},
               {"eager", eager_first, result.eager_loss_last, result.eager_samples_per_second}}};
  return text_table(throughput_table(report.sweep)) + '\n' + text_table(losses);
}

}  // namespace ippatsu::report
