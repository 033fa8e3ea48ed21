#include "pjrt/client.h"

#include <array>
#include <atomic>
#include <chrono>
#include <fstream>
#include <future>
#include <map>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/error.h"
#include "pjrt/test_plugins.h"

namespace ippatsu::pjrt {

namespace {

using hlo::DType;
using hlo::Type;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr int kDevices = 8;

// Clients are started once per plugin: each brings thread pools of its own.
std::shared_ptr<Client> client_of(const std::filesystem::path& plugin) {
  static std::map<std::filesystem::path, std::shared_ptr<Client>> clients;
  std::shared_ptr<Client>& client = clients[plugin];
  if (!client)
    client = Client::create(Plugin::load(plugin.string()), {{"cpu_device_count", kDevices}});
  return client;
}

class ClientTest : public testing::TestWithParam<std::filesystem::path> {
 protected:
  template <typename T>
  Buffer upload(const Type& type, const std::vector<T>& values) const {
    return client_->upload(type, std::as_bytes(std::span(values)), device_);
  }

  const std::shared_ptr<Client> client_ = client_of(GetParam());
  const Device& device_ = client_->devices()[0];
};

INSTANTIATE_TEST_SUITE_P(Cpu, ClientTest, testing::ValuesIn(cpu_plugins()), plugin_label);

template <typename T>
std::vector<T> download(const Buffer& buffer) {
  std::vector<T> values(static_cast<size_t>(buffer.type().elements()));
  buffer.download(std::as_writable_bytes(std::span(values))).wait();
  return values;
}

std::vector<Buffer> run(const Executable& program, std::initializer_list<const Buffer*> arguments,
                        std::span<const int> not_donated = {}) {
  return program.execute({arguments.begin(), arguments.size()}, not_donated);
}

// x, y -> x + y
std::string sum_program(const Type& type) {
  const std::string t = mlir(type);
  return fmt::format(
      "func.func public @main(%x: {0}, %y: {0}) -> {0} {{\n"
      "  %sum = stablehlo.add %x, %y : {0}\n"
      "  return %sum : {0}\n}}\n",
      t);
}

// x -> x, computed so that no plugin hands the argument through.
std::string identity_program(const Type& type) {
  return fmt::format(
      "func.func public @main(%x: {0}) -> {0} {{\n"
      "  %y = stablehlo.optimization_barrier %x : {0}\n"
      "  return %y : {0}\n}}\n",
      mlir(type));
}

constexpr const char* kDonating =
    "func.func public @main(%x: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %y: tensor<4xf32>)"
    " -> tensor<4xf32> {\n"
    "  %sum = stablehlo.add %x, %y : tensor<4xf32>\n"
    "  return %sum : tensor<4xf32>\n}\n";

const Type kFour{DType::F32, {4}};

int64_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  int64_t total = 0, resident = 0;
  statm >> total >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

}  // namespace

TEST_P(ClientTest, TellsItsPlatformAndDevices) {
  EXPECT_EQ(client_->platform_name(), "cpu");
  ASSERT_EQ(client_->devices().size(), static_cast<size_t>(kDevices));
  for (int i = 0; i < kDevices; ++i) {
    EXPECT_EQ(client_->devices()[i].id(), i);
    EXPECT_EQ(&client_->device(i), &client_->devices()[i]);
    EXPECT_EQ(client_->devices()[i].kind(), "cpu");
    EXPECT_NE(client_->devices()[i].description(), "");
    client_->devices()[i].memory_stats();
  }
  EXPECT_THAT([&] { client_->device(99); },
              ThrowsMessage<Error>(HasSubstr("no device 99; it has 0, 1, 2, 3, 4, 5, 6, 7")));
}

TEST_P(ClientTest, EveryElementTypeComesBackAsItWent) {
  const hlo::Dims shapes[] = {{}, {3}, {2, 3}, {0}, {2, 0, 3}, {1, 2, 3, 4}};
  for (int i = 0; i < hlo::kDTypes; ++i)
    for (const hlo::Dims& dims : shapes) {
      const Type type{static_cast<DType>(i), dims};
      SCOPED_TRACE(to_string(type));
      std::vector<uint8_t> bytes(static_cast<size_t>(type.bytes()));
      for (size_t at = 0; at < bytes.size(); ++at)
        bytes[at] = type.dtype == DType::Pred ? at % 2 : static_cast<uint8_t>(at % 60);
      const Buffer buffer = upload(type, bytes);
      EXPECT_EQ(buffer.type(), type);
      EXPECT_EQ(&buffer.device(), &device_);
      const auto program = client_->compile(identity_program(type));
      EXPECT_THAT(program->output_types(), ElementsAre(type));
      EXPECT_THAT(program->parameter_types().value(), ElementsAre(type));
      const auto results = run(*program, {&buffer});
      std::vector<uint8_t> back(bytes.size(), 0xee);
      results[0].download(std::as_writable_bytes(std::span(back))).wait();
      EXPECT_EQ(back, bytes);
    }
}

TEST_P(ClientTest, DownloadsAreRowMajorWhateverTheLayoutOnTheDevice) {
  const Type type{DType::I32, {2, 3}};
  const auto program = client_->compile(
      "func.func public @main(%x: tensor<2x3xi32>) -> tensor<3x2xi32> {\n"
      "  %y = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>\n"
      "  return %y : tensor<3x2xi32>\n}\n");
  const Buffer x = upload<int>(type, {0, 1, 2, 3, 4, 5});
  EXPECT_THAT(download<int>(run(*program, {&x})[0]), ElementsAre(0, 3, 1, 4, 2, 5));
}

TEST_P(ClientTest, HostMemoryMayBeReusedAfterACopyingUpload) {
  std::vector<float> values(1 << 20, 1.0f);
  const Buffer buffer =
      client_->upload({DType::F32, {1 << 20}}, std::as_bytes(std::span(values)), device_);
  std::ranges::fill(values, 2.0f);
  EXPECT_THAT(download<float>(buffer), Each(1.0f));
}

TEST_P(ClientTest, AnUploadWithAnOwnerKeepsItAsLongAsItIsNeeded) {
  auto owner = std::make_shared<std::vector<float>>(1 << 16, 3.0f);
  const std::weak_ptr<std::vector<float>> watch = owner;
  {
    const Buffer buffer =
        client_->upload({DType::F32, {1 << 16}}, owner, std::as_bytes(std::span(*owner)), device_);
    owner.reset();
    EXPECT_THAT(download<float>(buffer), Each(3.0f));
  }
  for (int i = 0; i < 1000 && !watch.expired(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_TRUE(watch.expired());
}

TEST_P(ClientTest, DonationLeavesHostMemoryAsItIs) {
  struct alignas(64) Host {
    std::array<float, 4> values{1, 2, 3, 4};
  };
  const auto host = std::make_shared<Host>();
  const auto program = client_->compile(kDonating);
  const Buffer x = client_->upload(kFour, host, std::as_bytes(std::span(host->values)), device_);
  const Buffer y = upload<float>(kFour, {1, 1, 1, 1});
  EXPECT_THAT(download<float>(run(*program, {&x, &y})[0]), ElementsAre(2, 3, 4, 5));
  EXPECT_TRUE(x.deleted());
  EXPECT_THAT(host->values, ElementsAre(1, 2, 3, 4));
}

TEST_P(ClientTest, AProgramComputes) {
  const auto program = client_->compile(sum_program(kFour));
  EXPECT_EQ(program->devices().size(), 1u);
  const Buffer x = upload<float>(kFour, {1, 2, 3, 4});
  const Buffer y = upload<float>(kFour, {10, 20, 30, 40});
  const auto results = run(*program, {&x, &y});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].type(), kFour);
  EXPECT_GE(results[0].bytes_on_device(), 16);
  EXPECT_THAT(download<float>(results[0]), ElementsAre(11, 22, 33, 44));
  EXPECT_FALSE(x.deleted());
}

TEST_P(ClientTest, AProgramRunsOnTheDeviceItWasCompiledFor) {
  const auto program = client_->compile(sum_program(kFour), {.device_ids = {5}});
  const std::vector<float> ones(4, 1.0f);
  const Buffer here = client_->upload(kFour, std::as_bytes(std::span(ones)), device_);
  const Buffer there = here.copy_to(client_->device(5));
  EXPECT_EQ(there.device().id(), 5);
  const auto results = run(*program, {&there, &there});
  EXPECT_EQ(results[0].device().id(), 5);
  EXPECT_THAT(download<float>(results[0]), Each(2.0f));
  EXPECT_THROW(run(*program, {&here, &here}), Error);
}

TEST_P(ClientTest, APartitionedProgramRunsOnAllDevices) {
  const auto program = client_->compile(
      "module attributes {mhlo.num_partitions = 8 : i32} {\n"
      "func.func public @main(%x: tensor<16xf32> {mhlo.sharding = \"{devices=[8]<=[8]}\"})"
      " -> (tensor<f32> {mhlo.sharding = \"{replicated}\"}) {\n"
      "  %zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
      "  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]"
      " : (tensor<16xf32>, tensor<f32>) -> tensor<f32>\n"
      "  return %sum : tensor<f32>\n}}\n",
      {.num_partitions = kDevices});
  ASSERT_EQ(program->devices().size(), static_cast<size_t>(kDevices));
  const Type part{DType::F32, {2}};
  EXPECT_THAT(program->parameter_types().value(), ElementsAre(part));
  std::vector<Buffer> parts;
  std::vector<const Buffer*> arguments;
  for (int i = 0; i < kDevices; ++i) {
    const std::vector<float> values{static_cast<float>(i), 1.0f};
    parts.push_back(
        client_->upload(part, std::as_bytes(std::span(values)), *program->devices()[i]));
  }
  for (const Buffer& buffer : parts) arguments.push_back(&buffer);
  const auto results = program->execute(arguments);
  ASSERT_EQ(results.size(), static_cast<size_t>(kDevices));
  for (const Buffer& result : results) EXPECT_THAT(download<float>(result), ElementsAre(36.0f));
  EXPECT_THAT([&] { program->execute(std::span(arguments).first(3)); },
              ThrowsMessage<Error>(HasSubstr("takes 1 arguments on each of 8 devices, not 3")));
}

TEST_P(ClientTest, ShardyPartitionsAProgram) {
  const auto program = client_->compile(
      "module attributes {mhlo.num_partitions = 8 : i32} {\n"
      "sdy.mesh @devices = <[\"x\"=8]>\n"
      "func.func public @main(%x: tensor<16xf32> {sdy.sharding = #sdy.sharding<@devices, "
      "[{\"x\"}]>})"
      " -> (tensor<16xf32> {sdy.sharding = #sdy.sharding<@devices, [{\"x\"}]>}) {\n"
      "  %y = stablehlo.add %x, %x : tensor<16xf32>\n"
      "  return %y : tensor<16xf32>\n}}\n",
      {.num_partitions = kDevices, .use_shardy = true});
  EXPECT_EQ(program->devices().size(), static_cast<size_t>(kDevices));
  EXPECT_THAT(program->output_types(), ElementsAre(Type{DType::F32, {2}}));
}

TEST_P(ClientTest, ADonatedArgumentIsGone) {
  const auto program = client_->compile(kDonating);
  const Buffer x = upload<float>(kFour, {1, 2, 3, 4});
  const Buffer y = upload<float>(kFour, {1, 1, 1, 1});
  const auto first = run(*program, {&x, &y});
  EXPECT_TRUE(x.deleted());
  EXPECT_FALSE(y.deleted());
  EXPECT_THAT(download<float>(first[0]), ElementsAre(2, 3, 4, 5));
  EXPECT_THAT([&] { run(*program, {&x, &y}); }, ThrowsMessage<Error>(HasSubstr("deleted")));
  std::vector<float> values(4);
  EXPECT_THROW(x.download(std::as_writable_bytes(std::span(values))).wait(), Error);
}

TEST_P(ClientTest, AnArgumentCannotBeDonatedAndReadAtOnce) {
  const auto program = client_->compile(kDonating);
  const Buffer x = upload<float>(kFour, {1, 2, 3, 4});
  EXPECT_THAT(
      [&] {
        run(*program, {&x, &x});
      },
      ThrowsMessage<Error>(HasSubstr("previously donated in the same call")));
}

TEST_P(ClientTest, AnArgumentThatMustNotBeDonatedStays) {
  const auto program = client_->compile(kDonating);
  const Buffer x = upload<float>(kFour, {1, 2, 3, 4});
  const Buffer y = upload<float>(kFour, {1, 1, 1, 1});
  const int kept[] = {0};
  EXPECT_THAT(download<float>(run(*program, {&x, &y}, kept)[0]), ElementsAre(2, 3, 4, 5));
  EXPECT_FALSE(x.deleted());
  EXPECT_THAT(download<float>(x), ElementsAre(1, 2, 3, 4));
}

TEST_P(ClientTest, WrongArgumentsAreErrors) {
  const auto program = client_->compile(sum_program(kFour));
  const Buffer x = upload<float>(kFour, {1, 2, 3, 4});
  const Buffer integers = upload<int>({DType::I32, {4}}, {1, 2, 3, 4});
  const Buffer longer = upload<float>({DType::F32, {5}}, {1, 2, 3, 4, 5});
  Buffer moved = upload<float>(kFour, {1, 2, 3, 4});
  const Buffer elsewhere = std::move(moved);
  const auto expect_error = [&](std::initializer_list<const Buffer*> arguments, const char* text) {
    EXPECT_THAT([&] { run(*program, arguments); }, ThrowsMessage<Error>(HasSubstr(text)));
  };
  expect_error({}, "takes 2 arguments");
  expect_error({&x}, "takes 2 arguments");
  expect_error({&x, &x, &x}, "takes 2 arguments");
  expect_error({&x, &integers}, "argument 1 is i32[4], but the program takes f32[4]");
  expect_error({&longer, &x}, "argument 0 is f32[5], but the program takes f32[4]");
  expect_error({&x, nullptr}, "argument 1 is no buffer");
  expect_error({&moved, &x}, "argument 0 is no buffer");
}

TEST_P(ClientTest, BuffersAndDevicesOfAnotherClientAreErrors) {
  const auto other = Client::create(Plugin::load(GetParam().string()));
  const auto program = client_->compile(sum_program(kFour));
  const std::vector<float> ones(4, 1.0f);
  const auto bytes = std::as_bytes(std::span(ones));
  const Buffer foreign = other->upload(kFour, bytes, other->devices()[0]);
  EXPECT_THAT(
      [&] {
        run(*program, {&foreign, &foreign});
      },
      ThrowsMessage<Error>(HasSubstr("another client")));
  EXPECT_THAT([&] { client_->upload(kFour, bytes, other->devices()[0]); },
              ThrowsMessage<Error>(HasSubstr("another client")));
  EXPECT_THAT([&] { foreign.copy_to(device_); }, ThrowsMessage<Error>(HasSubstr("another client")));
}

TEST_P(ClientTest, WrongSizesAreErrors) {
  const std::vector<float> values(3);
  EXPECT_THAT([&] { upload(kFour, values); },
              ThrowsMessage<Error>(HasSubstr("f32[4] takes 16 bytes, not 12")));
  EXPECT_THROW(upload(Type{DType::F32, {-1}}, values), Error);
  EXPECT_THROW(upload(Type{DType::F32, {int64_t{1} << 62, 4}}, values), Error);
  const Buffer buffer = upload<float>(kFour, {1, 2, 3, 4});
  std::vector<float> small(3);
  EXPECT_THAT([&] { buffer.download(std::as_writable_bytes(std::span(small))).wait(); },
              ThrowsMessage<Error>(HasSubstr("takes 16 bytes of host memory, not 12")));
}

TEST_P(ClientTest, ABadProgramKeepsTheCompilersMessage) {
  EXPECT_THAT([&] { client_->compile("this is no program"); },
              ThrowsMessage<Error>(HasSubstr("custom op 'this' is unknown")));
  EXPECT_THROW(client_->compile(""), Error);
  EXPECT_THROW(client_->compile("func.func @main() {"), Error);
  EXPECT_THAT(
      [&] {
        client_->compile(
            "func.func public @main(%x: tensor<2xf32>) -> tensor<3xf32> {\n"
            "  %y = stablehlo.add %x, %x : tensor<3xf32>\n"
            "  return %y : tensor<3xf32>\n}\n");
      },
      ThrowsMessage<Error>(HasSubstr("%x")));
}

TEST_P(ClientTest, BadClientOptionsAreErrors) {
  const auto plugin = Plugin::load(GetParam().string());
  const OptionValue values[] = {"eight", true, 1.5f, std::vector<int64_t>{8}, 0, -1};
  for (const OptionValue& value : values) {
    SCOPED_TRACE(to_string(value));
    EXPECT_THAT(
        [&] {
          Client::create(plugin, {{"cpu_device_count", value}});
        },
        ThrowsMessage<Error>(HasSubstr("starting")));
  }
}

TEST_P(ClientTest, BadOptionsAreErrors) {
  const std::string program = sum_program(kFour);
  const auto expect_error = [&](const CompileOptions& options, const char* text) {
    EXPECT_THAT([&] { client_->compile(program, options); }, ThrowsMessage<Error>(HasSubstr(text)));
  };
  expect_error({.num_replicas = 0}, "at least 1 replica");
  expect_error({.num_partitions = 2, .device_ids = {0}}, "take 2 devices, not 1");
  expect_error({.device_ids = {77}}, "no device 77");
  expect_error({.num_replicas = 9}, "");
  expect_error({.flags = {{"xla_no_such_flag", true}}}, "xla_no_such_flag");
  expect_error({.flags = {{"xla_no_such_flag", std::vector<int64_t>{1, 2}}}}, "not the list [1,2]");
  EXPECT_NO_THROW(client_->compile(program, {.flags = {{"xla_cpu_enable_fast_math", true}}}));
}

TEST_P(ClientTest, ADownloadRunsBesideTheHost) {
  const Type type{DType::F32, {1 << 22}};
  const std::vector<float> ones(1 << 22, 1.0f);
  const auto program = client_->compile(sum_program(type));
  const Buffer x = upload(type, ones);
  std::vector<float> first(ones.size()), second(ones.size());
  auto results = run(*program, {&x, &x});
  PendingDownload one = results[0].download(std::as_writable_bytes(std::span(first)));
  PendingDownload two = results[0].download(std::as_writable_bytes(std::span(second)));
  results.clear();  // the copies keep what they need
  two = std::move(one);
  const std::vector<float> twos(ones.size(), 2.0f);
  EXPECT_TRUE(second == twos);  // assigning over a download waits for it
  two.wait();
  two.wait();  // nothing is left to wait for
  EXPECT_TRUE(first == twos);
}

TEST_P(ClientTest, EventsTellWhenABufferIsReady) {
  const auto program = client_->compile(sum_program(kFour));
  const Buffer x = upload<float>(kFour, {1, 2, 3, 4});
  const auto results = run(*program, {&x, &x});
  const Event ready = results[0].ready();
  std::promise<bool> failed;
  ready.on_ready([&](const Error* error) { failed.set_value(error != nullptr); });
  ready.wait();
  EXPECT_TRUE(ready.ready());
  EXPECT_FALSE(failed.get_future().get());
  ready.on_ready([](const Error*) { fail("this is logged"); });
}

TEST_P(ClientTest, AMemoryPlanCountsArgumentsAndOutputs) {
  const auto plan = client_->compile(kDonating)->memory_plan();
  if (!plan) GTEST_SKIP() << "the plugin has no memory plans";
  EXPECT_EQ(plan->arguments, 32);
  EXPECT_EQ(plan->outputs, 16);
  EXPECT_EQ(plan->aliased, 16);
}

TEST_P(ClientTest, AProgramCanBeKept) {
  const auto bytes = client_->compile(sum_program(kFour))->serialize();
  if (!bytes) GTEST_SKIP() << "the plugin cannot serialize programs";
  const auto program = client_->deserialize(*bytes);
  EXPECT_THAT(program->output_types(), ElementsAre(kFour));
  const Buffer x = upload<float>(kFour, {1, 2, 3, 4});
  EXPECT_THAT(download<float>(run(*program, {&x, &x})[0]), ElementsAre(2, 4, 6, 8));
  EXPECT_THROW(client_->deserialize(bytes->substr(0, bytes->size() / 2)), Error);
  EXPECT_THROW(client_->deserialize(""), Error);
}

TEST_P(ClientTest, BuffersKeepTheirClientAlive) {
  auto client = Client::create(Plugin::load(GetParam().string()));
  const std::weak_ptr<Client> watch = client;
  const std::vector<float> ones(4, 1.0f);
  {
    Buffer buffer = client->upload(kFour, std::as_bytes(std::span(ones)), client->devices()[0]);
    auto program = client->compile(sum_program(kFour));
    client.reset();
    buffer = std::move(run(*program, {&buffer, &buffer})[0]);
    program.reset();
    EXPECT_THAT(download<float>(buffer), Each(2.0f));
    EXPECT_FALSE(watch.expired());
  }
  EXPECT_TRUE(watch.expired());
}

TEST_P(ClientTest, SeveralThreadsShareAClient) {
  const auto program = client_->compile(sum_program(kFour));
  std::atomic<int> right = 0;
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&, thread] {
      const Buffer x = upload<float>(kFour, std::vector<float>(4, static_cast<float>(thread)));
      for (int i = 0; i < 100; ++i)
        right +=
            download<float>(run(*program, {&x, &x})[0]) == std::vector<float>(4, 2.0f * thread);
    });
  threads.clear();
  EXPECT_EQ(right, 400);
}

TEST_P(ClientTest, MemoryIsGivenBack) {
  const Type type{DType::F32, {1 << 18}};  // 1 MiB
  const std::vector<float> ones(1 << 18, 1.0f);
  const auto program = client_->compile(sum_program(type));
  const auto step = [&] {
    const Buffer x = upload(type, ones);
    run(*program, {&x, &x})[0].ready().wait();
  };
  for (int i = 0; i < 100; ++i) step();
  const int64_t before = resident_bytes();
  for (int i = 0; i < 1000; ++i) step();
  EXPECT_LT(resident_bytes() - before, 50 << 20);
}

}  // namespace ippatsu::pjrt
