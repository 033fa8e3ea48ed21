#include "report/throughput.h"

#include <cmath>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "report/samples.h"

namespace ippatsu::report {

namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;
using Json = nlohmann::ordered_json;

std::filesystem::path scratch(const char* name) {
  return std::filesystem::path(testing::TempDir()) / name;
}

Json sample_json() { return to_json(sample_report().sweep); }

SweepResult read(const Json& json) {
  const auto path = scratch("edited-bench.json");
  write_file_atomically(path, json.dump());
  return read_bench(path);
}

}  // namespace

TEST(Throughput, StatisticsAreOfTheFiniteValues) {
  const auto odd = statistics({5, 1, 3});
  EXPECT_EQ(odd.median, 3);
  EXPECT_EQ(odd.min, 1);
  EXPECT_EQ(odd.max, 5);
  EXPECT_EQ(statistics({4, 1, 2, 3}).median, 2.5);
  EXPECT_EQ(statistics({NAN, 7, INFINITY}).median, 7);
  EXPECT_TRUE(std::isnan(statistics({}).median));
}

TEST(Throughput, TheRatioIsOfMediansItsSpreadOfRounds) {
  const BatchResult result{8, {.rounds = {10, 20, 30}}, {.rounds = {10, 10, 20}}};
  EXPECT_EQ(result.ratio().median, 2);  // 20 / 10
  EXPECT_EQ(result.ratio().min, 1);     // 10 / 10
  EXPECT_EQ(result.ratio().max, 2);
  EXPECT_TRUE(std::isnan(BatchResult{8}.ratio().median));
}

TEST(Throughput, BenchJsonHasTheShapeOfGoogleBenchmark) {
  SweepResult sweep{.context = {.cores = 2, .commit = "abc", .command = "ippatsu bench --all"}};
  sweep.batches = {{64, {50, {128, 64}, 1.5, 2.25}, {40, {32}, NAN, 2.25}}};
  const Json json = to_json(sweep);
  EXPECT_EQ(json["context"]["num_cpus"], 2);
  EXPECT_EQ(json["context"]["executable"], "ippatsu");
  ASSERT_EQ(json["benchmarks"].size(), 2u);
  const Json& ours = json["benchmarks"][0];
  EXPECT_EQ(ours["name"], "train_step/ippatsu/batch:64");
  EXPECT_EQ(ours["iterations"], 50);
  EXPECT_EQ(ours["samples_per_second"], 96);
  EXPECT_DOUBLE_EQ(ours["real_time"], 64.0 / 96 * 1000);
  EXPECT_EQ(ours["time_unit"], "ms");
  EXPECT_EQ(ours["ratio"], 3);
  EXPECT_EQ(ours["compile_seconds"], 1.5);
  EXPECT_EQ(json["benchmarks"][1]["name"], "train_step/eager/batch:64");
  EXPECT_THAT(json["benchmarks"][1].dump(), HasSubstr("\"compile_seconds\":null"));
}

TEST(Throughput, BenchJsonComesBackTheSame) {
  const auto path = scratch("bench.json");
  write_bench(path, sample_report().sweep);
  EXPECT_EQ(to_json(read_bench(path)).dump(), sample_json().dump());
}

TEST(Throughput, BenchJsonKeepsOddResultsReadable) {
  const auto path = scratch("odd-bench.json");
  write_bench(path, hostile_report().sweep);
  const SweepResult back = read_bench(path);
  EXPECT_EQ(back.batches.size(), 12u);
  EXPECT_EQ(back.batches.front().batch, 0);
  write_bench(path, back);
  EXPECT_EQ(to_json(read_bench(path)).dump(), to_json(back).dump());
}

TEST(Throughput, ABrokenBenchJsonIsOneClearSentence) {
  struct Case {
    const char* pointer;  // what to replace, by JSON pointer
    Json value;
    const char* message;
  };
  const Case cases[] = {
      {"/context", 5, "not the result of a sweep"},
      {"/context/num_cpus", -1, "\"num_cpus\" is not a whole number"},
      {"/context/num_cpus", 1e300, "\"num_cpus\" is not a whole number"},
      {"/context/versions", "x", "not the result of a sweep"},
      {"/benchmarks", nullptr, ""},
      {"/benchmarks/0", nullptr, "not the result of a sweep"},
      {"/benchmarks/0/batch", "one", "\"batch\" is not a whole number"},
      {"/benchmarks/0/rounds", {"x"}, "not the result of a sweep"},
      {"/benchmarks/0/device", "abacus", "batch 1: \"device\" is \"abacus\""},
      {"/benchmarks/0/device", "eager", "batch 1: \"eager\" is there twice"},
      {"/benchmarks/0/batch", 3, "batch 1: \"ippatsu\" is missing"},
  };
  for (const auto& [pointer, value, message] : cases) {
    Json json = sample_json();
    json[Json::json_pointer(pointer)] = value;
    if (*message == '\0')
      EXPECT_TRUE(read(json).batches.empty());
    else
      EXPECT_THAT([&] { read(json); }, ThrowsMessage<Error>(HasSubstr(message))) << pointer;
  }
  write_file_atomically(scratch("bench.json"), "{\"context\": ");
  EXPECT_THAT([] { read_bench(scratch("bench.json")); },
              ThrowsMessage<Error>(HasSubstr("bench.json: not the result of a sweep")));
}

TEST(Throughput, EveryCutAndEveryChangedByteIsRefusedOrRead) {
  const std::string text = sample_json().dump();
  const auto path = scratch("damaged-bench.json");
  uint32_t random = 1;
  for (int i = 0; i < 500; ++i) {
    std::string damaged = text;
    random = random * 1664525 + 1013904223;
    damaged[random % text.size()] = static_cast<char>(random >> 24);
    if (i % 3 == 0) damaged.resize(random % text.size());
    std::ofstream(path, std::ios::binary) << damaged;
    try {
      throughput_table(read_bench(path));
    } catch (const Error&) {
    }
  }
}

TEST(Throughput, TheChartsShowEveryBatch) {
  const auto sweep = sample_report().sweep;
  EXPECT_EQ(ratio_chart(sweep).series[0].points.size(), 12u);
  const auto samples = samples_chart(sweep);
  ASSERT_EQ(samples.series.size(), 2u);
  EXPECT_EQ(samples.series[1].points[11].x, 2048);
  EXPECT_EQ(samples.series[1].points[11].y, sweep.batches[11].eager.samples_per_second().median);
}

}  // namespace ippatsu::report
