#include "trace/strided.h"

#include <algorithm>
#include <numeric>
#include <random>

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "hlo/program.h"
#include "pjrt/client.h"

namespace ippatsu::trace {

namespace {

using hlo::Dims;
using hlo::DType;

const pjrt::Client& client() {
  static const auto client = pjrt::Client::create(pjrt::Plugin::load("cpu"));
  return *client;
}

std::vector<int32_t> run(hlo::Value root, const std::vector<std::vector<int32_t>>& inputs) {
  const hlo::Program program({root});
  const auto executable = client().compile(program.text());
  const pjrt::Device& device = client().devices()[0];
  std::vector<pjrt::Buffer> buffers;
  for (const hlo::Node* parameter : program.parameters()) {
    const auto& input = inputs[static_cast<size_t>(parameter->parameter)];
    buffers.push_back(
        client().upload(parameter->types[0], std::as_bytes(std::span(input)), device));
  }
  std::vector<const pjrt::Buffer*> arguments;
  for (const auto& buffer : buffers) arguments.push_back(&buffer);
  std::vector<int32_t> result(static_cast<size_t>(root.type().elements()));
  executable->execute(arguments)[0].download(std::as_writable_bytes(std::span(result))).wait();
  return result;
}

std::vector<int32_t> counted(int64_t elements, int32_t first) {
  std::vector<int32_t> values(static_cast<size_t>(elements));
  std::iota(values.begin(), values.end(), first);
  return values;
}

std::vector<int64_t> places(const View& view) {
  std::vector<int64_t> places{view.offset};
  for (size_t dim = 0; dim < view.sizes.size(); ++dim) {
    std::vector<int64_t> next;
    for (const int64_t place : places) {
      for (int64_t i = 0; i < view.sizes[dim]; ++i) next.push_back(place + i * view.strides[dim]);
    }
    places = std::move(next);
  }
  return places;
}

bool has_opcode(const hlo::Graph& graph, hlo::Opcode opcode) {
  return std::ranges::any_of(graph.nodes(),
                             [&](const hlo::Node& node) { return node.opcode == opcode; });
}

struct Case {
  const char* name;
  int64_t elements;
  Dims sizes;
  Dims strides;
  int64_t offset;
  bool is_box = true;  // must it do without gather and scatter?
  bool overlaps = false;
};

const Case kCases[] = {
    {"whole", 12, {3, 4}, {4, 1}, 0},
    {"transposed", 12, {4, 3}, {1, 4}, 0},
    {"row of a matrix", 12, {4}, {1}, 8},
    {"column of a matrix", 12, {3}, {4}, 2},
    {"columns 0 and 2", 8, {2, 2}, {4, 2}, 0},
    {"every other of five columns", 15, {3, 2}, {5, 2}, 1},
    {"corner", 9, {2, 2}, {3, 1}, 0},
    {"last corner", 9, {2, 2}, {3, 1}, 4},
    {"every third of ten", 10, {3}, {3}, 2},
    {"block of three dims", 60, {2, 2, 3}, {20, 5, 1}, 26},
    {"permuted block", 60, {3, 2, 2}, {1, 20, 5}, 26},
    {"one element", 12, {}, {}, 7},
    {"unit dims", 12, {1, 4, 1}, {99, 1, 5}, 4},
    {"none", 12, {0, 4}, {4, 1}, 0},
    {"diagonal", 9, {3}, {4}, 0},
    {"stretched", 4, {3, 4}, {0, 1}, 0, true, true},
    {"stretched inside", 6, {2, 5, 3}, {3, 0, 1}, 0, true, true},
    {"sliding windows", 6, {4, 3}, {1, 1}, 0, false, true},
    {"wraps over rows", 12, {2, 3}, {4, 2}, 1, false},
    {"more rows than fit whole", 10, {3, 2}, {4, 1}, 0},
};

class Strided : public testing::TestWithParam<Case> {};

}  // namespace

TEST_P(Strided, ReadsWhatTheViewNames) {
  const Case& c = GetParam();
  const View view{c.sizes, c.strides, c.offset};
  hlo::Graph graph;
  const hlo::Value array = graph.parameter({DType::I32, {c.elements}}, 0);
  const hlo::Value read = strided_read(array, view);
  EXPECT_EQ(read.dims(), c.sizes);
  EXPECT_EQ(has_opcode(graph, hlo::Opcode::Gather), !c.is_box);
  std::vector<int32_t> expected;
  for (const int64_t place : places(view)) expected.push_back(static_cast<int32_t>(100 + place));
  EXPECT_EQ(run(read, {counted(c.elements, 100)}), expected);
}

TEST_P(Strided, WritesWhatTheViewNamesAndNothingElse) {
  const Case& c = GetParam();
  if (c.overlaps) GTEST_SKIP() << "which update wins is not defined";
  const View view{c.sizes, c.strides, c.offset};
  hlo::Graph graph;
  const hlo::Value array = graph.parameter({DType::I32, {c.elements}}, 0);
  const hlo::Value update = graph.parameter({DType::I32, c.sizes}, 1);
  const hlo::Value written = strided_write(array, view, update);
  EXPECT_EQ(has_opcode(graph, hlo::Opcode::Scatter), !c.is_box);
  std::vector<int32_t> expected = counted(c.elements, 100);
  int32_t next = 500;
  for (const int64_t place : places(view)) expected[static_cast<size_t>(place)] = next++;
  EXPECT_EQ(run(written, {counted(c.elements, 100), counted(view.elements(), 500)}), expected);
}

INSTANTIATE_TEST_SUITE_P(Cases, Strided, testing::ValuesIn(kCases), [](const auto& info) {
  std::string name = info.param.name;
  std::ranges::replace(name, ' ', '_');
  return name;
});

// Views made as ATen makes them: a row-major array, sliced, permuted, sliced again.
TEST(Strided, RandomChainsOfViewsAgreeWithPlainIndexing) {
  std::mt19937 random(7);
  const auto below = [&](int64_t n) {
    return static_cast<int64_t>(random() % static_cast<uint64_t>(n));
  };
  for (int round = 0; round < 60; ++round) {
    Dims sizes(static_cast<size_t>(1 + below(3))), strides(sizes.size());
    for (int64_t& size : sizes) size = 1 + below(5);
    const int64_t elements = hlo::element_count(sizes);
    int64_t step = 1, offset = 0;
    for (size_t i = sizes.size(); i-- > 0; step *= sizes[i]) strides[i] = step;
    for (int cut = 0; cut < 3; ++cut) {
      const auto dim = static_cast<size_t>(below(static_cast<int64_t>(sizes.size())));
      const int64_t start = below(sizes[dim]), stride = 1 + below(2);
      offset += start * strides[dim];
      sizes[dim] = (sizes[dim] - start + stride - 1) / stride;
      strides[dim] *= stride;
      const auto other = static_cast<size_t>(below(static_cast<int64_t>(sizes.size())));
      std::swap(sizes[dim], sizes[other]);
      std::swap(strides[dim], strides[other]);
    }
    const View view{sizes, strides, offset};
    SCOPED_TRACE(
        fmt::format("sizes {} strides {} offset {} of {}", sizes, strides, offset, elements));
    hlo::Graph graph;
    const hlo::Value read = strided_read(graph.parameter({DType::I32, {elements}}, 0), view);
    std::vector<int32_t> expected;
    for (const int64_t place : places(view)) expected.push_back(static_cast<int32_t>(place));
    EXPECT_EQ(run(read, {counted(elements, 0)}), expected);
  }
}

}  // namespace ippatsu::trace
