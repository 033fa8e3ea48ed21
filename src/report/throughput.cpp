#include "report/throughput.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"

namespace ippatsu::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kOurs = "ippatsu";
constexpr const char* kEager = "eager";

Json measurement_json(int64_t batch, const char* device, const Measurement& measured) {
  const auto name = fmt::format("train_step/{}/batch:{}", device, batch);
  const auto [median, min, max] = measured.samples_per_second();
  return {{"name", name},
          {"run_name", name},
          {"run_type", "iteration"},
          {"iterations", measured.iterations},
          {"real_time", 1e3 * static_cast<double>(batch) / median},
          {"time_unit", "ms"},
          {"samples_per_second", median},
          {"samples_per_second_min", min},
          {"samples_per_second_max", max},
          {"device", device},
          {"batch", batch},
          {"rounds", measured.rounds},
          {"compile_seconds", measured.compile_seconds},
          {"final_loss", measured.final_loss}};
}

double number(const Json& object, const char* key) {
  const auto& value = object.at(key);
  return value.is_null() ? Point::kNone : value.get<double>();
}

int64_t count(const Json& object, const char* key) {
  const auto& value = object.at(key);
  if (!value.is_number_integer() || value.get<int64_t>() < 0)
    fail("\"{}\" is not a whole number of at least 0", key);
  return value.get<int64_t>();
}

Measurement measurement_of(const Json& entry) {
  Measurement measured;
  measured.iterations = count(entry, "iterations");
  for (const auto& round : entry.at("rounds"))
    measured.rounds.push_back(round.is_null() ? Point::kNone : round.get<double>());
  measured.compile_seconds = number(entry, "compile_seconds");
  measured.final_loss = number(entry, "final_loss");
  return measured;
}

Context context_of(const Json& json) {
  Context context;
  context.machine = json.at("machine").get<std::string>();
  context.cores = static_cast<int>(std::min<int64_t>(count(json, "num_cpus"), 1 << 30));
  context.plugin = json.at("plugin").get<std::string>();
  context.plugin_version = json.at("plugin_version").get<std::string>();
  context.platform = json.at("platform").get<std::string>();
  context.versions = json.at("versions").get<std::map<std::string, std::string>>();
  context.commit = json.at("commit").get<std::string>();
  context.date = json.at("date").get<std::string>();
  context.command = json.at("command").get<std::string>();
  return context;
}

struct BothDevices {
  std::optional<Measurement> ours, eager;
};

std::vector<BatchResult> batches_of(const Json& benchmarks) {
  std::map<int64_t, BothDevices> by_batch;
  for (const auto& entry : benchmarks) {
    const int64_t batch = count(entry, "batch");
    const auto device = entry.at("device").get<std::string>();
    if (device != kOurs && device != kEager)
      fail("batch {}: \"device\" is \"{}\", not \"{}\" or \"{}\"", batch, device, kOurs, kEager);
    auto& side = device == kOurs ? by_batch[batch].ours : by_batch[batch].eager;
    if (side) fail("batch {}: \"{}\" is there twice", batch, device);
    side = measurement_of(entry);
  }
  std::vector<BatchResult> batches;
  for (const auto& [batch, both] : by_batch) {
    if (!both.ours || !both.eager)
      fail("batch {}: \"{}\" is missing", batch, both.ours ? kEager : kOurs);
    batches.push_back({batch, *both.ours, *both.eager});
  }
  return batches;
}

SweepResult sweep_of(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    return {context_of(json.at("context")), batches_of(json.at("benchmarks"))};
  } catch (const Json::exception& error) {
    fail("not the result of a sweep: {}", error.what());
  }
}

Series samples_series(const SweepResult& sweep, const char* name, Measurement BatchResult::*side) {
  Series series{.name = name};
  for (const auto& result : sweep.batches) {
    const auto [median, min, max] = (result.*side).samples_per_second();
    series.points.push_back({static_cast<double>(result.batch), median, min, max});
  }
  return series;
}

}  // namespace

Statistics statistics(std::vector<double> values) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  if (values.empty()) return {Point::kNone, Point::kNone, Point::kNone};
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  const double median =
      values.size() % 2 == 1 ? values[middle] : values[middle - 1] / 2 + values[middle] / 2;
  return {median, values.front(), values.back()};
}

Statistics BatchResult::ratio() const {
  const double of_medians = ours.samples_per_second().median / eager.samples_per_second().median;
  std::vector<double> ratios{of_medians};
  for (size_t i = 0; i < std::min(ours.rounds.size(), eager.rounds.size()); ++i)
    ratios.push_back(ours.rounds[i] / eager.rounds[i]);
  const auto seen = statistics(std::move(ratios));
  return {of_medians, seen.min, seen.max};
}

Json to_json(const Context& context) {
  return {{"date", context.date},
          {"executable", context.command.substr(0, context.command.find(' '))},
          {"num_cpus", context.cores},
          {"machine", context.machine},
          {"plugin", context.plugin},
          {"plugin_version", context.plugin_version},
          {"platform", context.platform},
          {"versions", context.versions},
          {"commit", context.commit},
          {"command", context.command}};
}

Json to_json(const SweepResult& sweep) {
  Json benchmarks = Json::array();
  for (const auto& result : sweep.batches) {
    benchmarks.push_back(measurement_json(result.batch, kOurs, result.ours));
    benchmarks.back()["ratio"] = result.ratio().median;
    benchmarks.push_back(measurement_json(result.batch, kEager, result.eager));
  }
  return {{"context", to_json(sweep.context)}, {"benchmarks", benchmarks}};
}

void write_bench(const std::filesystem::path& path, const SweepResult& sweep) {
  write_file_atomically(path,
                        to_json(sweep).dump(2, ' ', false, Json::error_handler_t::replace) + '\n');
}

SweepResult read_bench(const std::filesystem::path& path) {
  const std::string text = read_file(path);
  try {
    return sweep_of(text);
  } catch (const Error& error) {
    throw error.within(path.string());
  }
}

Chart ratio_chart(const SweepResult& sweep) {
  Chart chart{.title = "Speed over eager PyTorch",
              .description =
                  "Training samples per second on this device over those of eager "
                  "PyTorch, by batch size. Above 1 this device is faster.",
              .x = {"batch size", Scale::Log2},
              .y = {"samples/s over eager, by batch size"},
              .series = {{.name = kOurs, .spread = Spread::Bars}},
              .references = {{1, "eager PyTorch"}}};
  for (const auto& result : sweep.batches) {
    const auto [median, min, max] = result.ratio();
    chart.series[0].points.push_back({static_cast<double>(result.batch), median, min, max});
  }
  return chart;
}

Chart samples_chart(const SweepResult& sweep) {
  return {.title = "Training throughput",
          .description =
              "Training samples per second of this device and of eager PyTorch, by "
              "batch size, both on logarithmic scales.",
          .x = {"batch size", Scale::Log2},
          .y = {"samples/s, by batch size", Scale::Log10},
          .series = {samples_series(sweep, kOurs, &BatchResult::ours),
                     samples_series(sweep, kEager, &BatchResult::eager)}};
}

Table throughput_table(const SweepResult& sweep) {
  Table table{.columns = {{"batch"},
                          {"ippatsu", "samples/s", 1},
                          {"eager", "samples/s", 1},
                          {"ratio", "", 2},
                          {"compile", "s", 1},
                          {"ippatsu", "last loss", 4},
                          {"eager", "last loss", 4}}};
  for (const auto& [batch, ours, eager] : sweep.batches)
    table.rows.push_back({static_cast<double>(batch), ours.samples_per_second().median,
                          eager.samples_per_second().median,
                          BatchResult{batch, ours, eager}.ratio().median, ours.compile_seconds,
                          ours.final_loss, eager.final_loss});
  return table;
}

}  // namespace ippatsu::report
