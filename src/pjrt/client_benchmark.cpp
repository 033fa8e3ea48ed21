// What the layer and the plugin cost when the device has nothing to do.

#include <benchmark/benchmark.h>

#include "pjrt/client.h"

namespace ippatsu::pjrt {

namespace {

using hlo::DType;
using hlo::Type;

const std::shared_ptr<Client>& client() {
  static const auto* client = new std::shared_ptr<Client>(Client::create(Plugin::load()));
  return *client;
}

// Takes `count` scalars and gives each back, negated.
std::string negate_all(int count) {
  std::string parameters, body, values, types;
  for (int i = 0; i < count; ++i) {
    const char* comma = i == 0 ? "" : ", ";
    parameters += fmt::format("{}%x{}: tensor<f32>", comma, i);
    body += fmt::format("  %y{0} = stablehlo.negate %x{0} : tensor<f32>\n", i);
    values += fmt::format("{}%y{}", comma, i);
    types += fmt::format("{}tensor<f32>", comma);
  }
  return fmt::format("func.func public @main({}) -> ({}) {{\n{}  return {} : {}\n}}\n", parameters,
                     types, body, values, types);
}

void execute(benchmark::State& state) {
  const auto count = static_cast<int>(state.range(0));
  const auto program = client()->compile(negate_all(count));
  const float one = 1;
  std::vector<Buffer> buffers;
  std::vector<const Buffer*> arguments;
  for (int i = 0; i < count; ++i)
    buffers.push_back(client()->upload({DType::F32, {}}, std::as_bytes(std::span(&one, 1)),
                                       client()->devices()[0]));
  for (const Buffer& buffer : buffers) arguments.push_back(&buffer);
  for (auto _ : state) {
    const auto results = program->execute(arguments);
    results.back().ready().wait();
  }
}
BENCHMARK(execute)->ArgName("arguments")->Arg(1)->Arg(500)->UseRealTime();

void upload(benchmark::State& state) {
  const std::vector<std::byte> host(static_cast<size_t>(state.range(0)));
  const Type type{DType::F32, {state.range(0) / 4}};
  for (auto _ : state) {
    const Buffer buffer = client()->upload(type, host, client()->devices()[0]);
    benchmark::DoNotOptimize(buffer.handle());
  }
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(upload)->ArgName("bytes")->Arg(4)->Arg(16 << 20)->UseRealTime();

void download(benchmark::State& state) {
  std::vector<std::byte> host(static_cast<size_t>(state.range(0)));
  const Type type{DType::F32, {state.range(0) / 4}};
  const Buffer buffer = client()->upload(type, host, client()->devices()[0]);
  for (auto _ : state) buffer.download(host).wait();
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(download)->ArgName("bytes")->Arg(4)->Arg(16 << 20)->UseRealTime();

}  // namespace

}  // namespace ippatsu::pjrt
