#include "pjrt/plugin.h"

#include <cstdlib>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/environment.h"
#include "base/error.h"
#include "base/file.h"
#include "pjrt/default_flags.h"
#include "pjrt/test_plugins.h"

namespace ippatsu::pjrt {

namespace {

using testing::AllOf;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using testing::ThrowsMessage;

namespace fs = std::filesystem;

constexpr const char* kVariables[] = {"IPPATSU_PLUGIN", "PJRT_NAMES_AND_LIBRARY_PATHS",
                                      "TPU_LIBRARY_PATH", "VIRTUAL_ENV"};

// Each test starts without variables, in a scratch folder of its own.
class PluginSearchTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* variable : kVariables) ::unsetenv(variable);
    fs::remove_all(scratch_);
    fs::create_directories(scratch_);
  }
  void TearDown() override { SetUp(); }

  // An empty file where a plugin would lie.
  fs::path put(const fs::path& relative) const {
    const fs::path path = scratch_ / relative;
    fs::create_directories(path.parent_path());
    write_file_atomically(path, "");
    return path;
  }

  void set(const char* variable, const std::string& value) const {
    ::setenv(variable, value.c_str(), 1);
  }

  const fs::path scratch_ = fs::path(testing::TempDir()) / "ippatsu_plugin_search";
};

auto location(const std::string& name, const fs::path& path) {
  return AllOf(Field(&PluginLocation::name, name), Field(&PluginLocation::path, path));
}

void expect_refused(const std::string& path, const char* why) {
  EXPECT_THAT([&] { Plugin::load(path); },
              ThrowsMessage<Error>(AllOf(StartsWith(path), HasSubstr(why))));
}

}  // namespace

TEST_F(PluginSearchTest, BothCpuPluginsAreThereTheDefaultFirst) {
  const auto plugins = cpu_plugins();
  ASSERT_EQ(plugins.size(), 2u);
  EXPECT_EQ(plugins[0].filename(), "pjrt_c_api_cpu_plugin.so");
  EXPECT_EQ(plugins[1].filename(), "xla_cpu_pjrt.so");
  EXPECT_EQ(locate_plugin("cpu"), plugins[0]);
  EXPECT_EQ(locate_plugin(""), plugins[0]);
}

TEST_F(PluginSearchTest, PackagesAreKnownByTheirNames) {
  struct Package {
    const char* name;
    const char* path;
  };
  constexpr Package kPackages[] = {
      {"cuda", "jax_plugins/xla_cuda13/xla_cuda_plugin.so"},
      {"rocm", "jax_plugins/xla_rocm7/xla_rocm_plugin.so"},
      {"oneapi", "jax_plugins/xla_oneapi/pjrt_plugin_oneapi.so"},
      {"tpu", "libtpu/libtpu.so"},
      {"metal", "jax_plugins/metal_plugin/pjrt_plugin_metal_14.dylib"},
      {"my_chip", "jax_plugins/my_chip/pjrt_plugin_my_chip.so"},
  };
  set("VIRTUAL_ENV", scratch_.string());
  for (const Package& package : kPackages) {
    const fs::path path = put(fs::path("lib/python3.11/site-packages") / package.path);
    EXPECT_THAT(find_plugins().found, Contains(location(package.name, path)));
    EXPECT_EQ(locate_plugin(package.name), path);
  }
}

TEST_F(PluginSearchTest, VariablesComeFirstInTheirOrder) {
  const fs::path mine = put("mine.so");
  const fs::path chip = put("chip.so");
  const fs::path other = put("other.so");
  const fs::path tpu = put("libtpu.so");
  set("IPPATSU_PLUGIN", mine.string());
  set("PJRT_NAMES_AND_LIBRARY_PATHS", "chip:" + chip.string() + ",junk,,cpu:" + other.string());
  set("TPU_LIBRARY_PATH", tpu.string());
  const auto found = find_plugins().found;
  ASSERT_GE(found.size(), 4u);
  EXPECT_THAT(found[0], location("mine", mine));
  EXPECT_THAT(found[1], location("chip", chip));
  EXPECT_THAT(found[2], location("cpu", other));
  EXPECT_THAT(found[3], location("tpu", tpu));
  EXPECT_EQ(locate_plugin(""), mine);
  EXPECT_EQ(locate_plugin("cpu"), other);
}

TEST_F(PluginSearchTest, APathIsTakenAsItIs) {
  EXPECT_EQ(locate_plugin("/no/such/thing"), "/no/such/thing");
  EXPECT_EQ(locate_plugin("thing.so"), "thing.so");
}

TEST_F(PluginSearchTest, AnUnknownNameListsTheNamesAndThePlaces) {
  set("TPU_LIBRARY_PATH", "/no/such/libtpu.so");
  EXPECT_THAT(
      [] { Plugin::load("abacus"); },
      ThrowsMessage<Error>(AllOf(HasSubstr("no PJRT plugin is called abacus"),
                                 HasSubstr("there is cpu"), HasSubstr("IPPATSU_PLUGIN (not set)"),
                                 HasSubstr("TPU_LIBRARY_PATH=/no/such/libtpu.so"),
                                 HasSubstr(".venv/lib/python3"), HasSubstr("give the path"))));
}

TEST_F(PluginSearchTest, WhatIsNoPluginIsRefusedInOneSentence) {
  const std::string text = put("text.so").string();
  write_file_atomically(text, "just some text");
  expect_refused(text, "is no PJRT plugin");
  expect_refused("/no/such/plugin.so", "No such file");
  expect_refused(scratch_.string(), "it is no file");
}

TEST_F(PluginSearchTest, ALibraryThatIsNoPluginIsRefused) {
  EXPECT_THAT([] { Plugin::load("/lib/x86_64-linux-gnu/libz.so.1"); },
              ThrowsMessage<Error>(HasSubstr("it has no function GetPjrtApi")));
}

TEST_F(PluginSearchTest, APluginOfAnotherMajorVersionIsRefused) {
  expect_refused(FUTURE_PLUGIN, "speaks PJRT API 1.2; Ippatsu needs 0.30 or a later 0.x");
}

class PluginTest : public testing::TestWithParam<fs::path> {};

INSTANTIATE_TEST_SUITE_P(Cpu, PluginTest, testing::ValuesIn(cpu_plugins()), plugin_label);

TEST_P(PluginTest, LoadsOnceAndTellsItsVersion) {
  const auto plugin = Plugin::load(GetParam().string());
  EXPECT_EQ(Plugin::load(GetParam().string()), plugin);
  EXPECT_EQ(plugin->path(), fs::canonical(GetParam()));
  EXPECT_EQ(plugin->api_version().major, 0);
  EXPECT_GE(plugin->api_version().minor, 30);
  EXPECT_THAT(plugin->identity(), HasSubstr(GetParam().filename().string()));
  EXPECT_TRUE(plugin->attributes().contains("xla_version"));
  EXPECT_TRUE(plugin->has(Extension::Ffi));
}

TEST(Plugin, TheTwoPluginsAreNotTheSame) {
  const auto plugins = cpu_plugins();
  ASSERT_EQ(plugins.size(), 2u);
  EXPECT_NE(Plugin::load(plugins[0].string())->identity(),
            Plugin::load(plugins[1].string())->identity());
}

TEST(DefaultFlags, StandAheadOfTheUsersWhileAClientStarts) {
  struct Row {
    std::optional<std::string> users;
    std::string meanwhile;
  };
  const std::string kOurs = "--xla_backend_extra_options=xla_cpu_disable_new_fusion_emitters ";
  const Row kRows[] = {{std::nullopt, kOurs},
                       {"--xla_dump_to=here", kOurs + "--xla_dump_to=here"},
                       {"--xla_backend_extra_options=x", "--xla_backend_extra_options=x"}};
  for (const Row& row : kRows) {
    ::unsetenv("XLA_FLAGS");
    if (row.users) ::setenv("XLA_FLAGS", row.users->c_str(), 1);
    {
      const DefaultFlags flags;
      EXPECT_EQ(environment(Variable::XlaFlags), row.meanwhile);
    }
    EXPECT_EQ(environment(Variable::XlaFlags), row.users);
  }
  ::unsetenv("XLA_FLAGS");
}

}  // namespace ippatsu::pjrt
