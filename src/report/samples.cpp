#include "report/samples.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace ippatsu::report {

namespace {

constexpr double kMax = std::numeric_limits<double>::max();
constexpr double kTiny = std::numeric_limits<double>::denorm_min();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// In [-1, 1], the same on every machine.
double noise(int i) { return std::sin(12.9898 * i) * std::cos(78.233 * i + 1); }

std::vector<double> rounds_around(double median, int salt) {
  std::vector<double> rounds;
  for (int i = 0; i < 5; ++i) rounds.push_back(median * (1 + 0.06 * noise(salt + i)));
  return rounds;
}

Context sample_context() {
  return {.machine = "Intel Xeon Platinum 8481C",
          .cores = 2,
          .plugin = "pjrt_c_api_cpu_plugin",
          .plugin_version = "0.11.2 (API 0.115)",
          .platform = "cpu",
          .versions = {{"ippatsu", "0.1.0"}, {"torch", "2.13.0"}},
          .commit = "38cbbaf",
          .date = "2026-12-01T00:10:56+00:00",
          .command = "build/ippatsu run --records examples/records --config small"};
}

SweepResult sample_sweep() {
  SweepResult sweep{.context = sample_context()};
  for (int power = 0; power <= 11; ++power) {
    const int64_t batch = int64_t{1} << power;
    const double eager_seconds = 0.075 + 0.00052 * static_cast<double>(batch);
    const double our_seconds = 0.046 + 0.00051 * static_cast<double>(batch);
    const auto side = [&](double seconds, double compile_seconds, int salt) {
      return Measurement{.iterations = 50,
                         .rounds = rounds_around(static_cast<double>(batch) / seconds, salt),
                         .compile_seconds = compile_seconds,
                         .final_loss = 3.31 - 0.04 * power};
    };
    sweep.batches.push_back({batch, side(our_seconds, 1.8 + 0.01 * power, 10 * power),
                             side(eager_seconds, 0, 10 * power + 5)});
  }
  return sweep;
}

TrainingCurves sample_curves() {
  TrainingCurves curves;
  for (int step = 1; step <= 600; ++step)
    curves.loss.push_back({step, 1.6 + 2.0 * std::exp(-step / 140.0) + 0.16 * noise(step)});
  for (int step = 50; step <= 600; step += 50) {
    curves.evaluation_loss.push_back({step, 1.68 + 2.0 * std::exp(-step / 140.0)});
    curves.top1.push_back({step, 0.62 * (1 - std::exp(-step / 120.0))});
  }
  return curves;
}

Chart with_points(std::vector<Point> points, Scale scale = Scale::Linear) {
  return {.title = "Points",
          .x = {"x", scale},
          .y = {"y", scale},
          .series = {{"one", std::move(points)}}};
}

Chart many_series() {
  Chart chart{.title = "Many series", .x = {"step"}, .y = {"value"}};
  for (int i = 0; i < 9; ++i) {
    Series series{.name = fmt::format("series {}", i), .dashed = i % 2 == 1};
    for (int x = 0; x <= 10; ++x) series.points.push_back({1.0 * x, i + 0.3 * noise(x + 7 * i)});
    chart.series.push_back(std::move(series));
  }
  return chart;
}

Chart long_series() {
  std::vector<Point> points;
  for (int i = 0; i < 100'000; ++i) {
    const double y = std::sin(i / 9000.0) + 0.1 * noise(i);
    points.push_back({1.0 * i, y, y - 0.2, y + 0.3});
  }
  return with_points(points);
}

Chart gaps() {
  return with_points({{0, 1, 0.5, 1.5},
                      {1, 2, 1.5, 2.5},
                      {2, Point::kNone},
                      {3, 3, 2, 4},
                      {kInfinity, 4},
                      {5, kInfinity},
                      {6, 2, Point::kNone, 3},
                      {7, 3, 2.5, kInfinity},
                      {8, 4}});
}

}  // namespace

RunReport sample_report() {
  RunReport report{.model = "NAGA small, 22.4 million parameters",
                   .result = {.context = sample_context(),
                              .games = 200,
                              .decisions = 118'402,
                              .steps = 600,
                              .loss_first = 3.6107,
                              .loss_last = 1.6284,
                              .eager_loss_last = 1.6285,
                              .samples_per_second = 812.4,
                              .eager_samples_per_second = 583.9},
                   .sweep = sample_sweep(),
                   .ours = sample_curves(),
                   .eager = sample_curves()};
  for (auto& point : report.eager.loss) point.value *= 1 + 1e-5;
  return report;
}

RunReport hostile_report() {
  RunReport report = sample_report();
  const std::string text = "</title></style><script>alert(1)</script>\"'&]]>\x01\xff<img src=x>";
  auto& context = report.result.context;
  for (auto* field : {&context.machine, &context.plugin, &context.plugin_version, &context.platform,
                      &context.commit, &context.date, &context.command, &report.model})
    *field = text;
  context.versions = {{text, text}};
  report.result.loss_first = Point::kNone;
  report.result.samples_per_second = -kInfinity;
  report.result.eager_samples_per_second = 0;
  report.sweep.batches[3].ours.rounds = {Point::kNone, kInfinity};
  report.sweep.batches[4].eager.rounds = {};
  report.sweep.batches[5].eager.rounds = {0, 0};
  report.sweep.batches[6].batch = 0;
  report.ours.loss[5].value = kInfinity;
  report.ours.loss[6].value = kMax;
  return report;
}

std::map<std::string, Chart> sample_charts() {
  const RunReport report = sample_report();
  Chart titled = with_points({{1, 1}});
  titled.title = titled.y.label = titled.series[0].name = "<&>\"']]>\x02\xfe";
  titled.references = {{1, "</svg>"}, {Point::kNone, "nowhere"}};
  Chart no_points = with_points({});
  no_points.series.push_back({"two", {{Point::kNone, 1}, {1, kInfinity}}});
  return {
      {"ratio", ratio_chart(report.sweep)},
      {"samples", samples_chart(report.sweep)},
      {"empty", {}},
      {"escaped", titled},
      {"gaps", gaps()},
      {"huge", with_points({{-kMax, kMax, -kMax, kMax}, {kMax, -kMax}})},
      {"huge-log", with_points({{kTiny, kMax}, {1, 1}, {kMax, kTiny}}, Scale::Log10)},
      {"long", long_series()},
      {"many", many_series()},
      {"narrow-log", with_points({{1000, 1001}, {1001, 1003}}, Scale::Log2)},
      {"negative-log", with_points({{-1, -1}, {0, 0}}, Scale::Log2)},
      {"no-points", no_points},
      {"one-point", with_points({{3, 4}})},
      {"same", with_points({{1, 1 + 1e-15}, {1, 1}, {1, 1}})},
      {"tiny", with_points({{0, kTiny}, {kTiny, 0}})},
  };
}

}  // namespace ippatsu::report
