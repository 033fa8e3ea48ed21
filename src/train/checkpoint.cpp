#include "train/checkpoint.h"

#include <charconv>
#include <vector>

#include <fmt/ranges.h>

#include "base/error.h"
#include "mahjong/features.h"
#include "report/safetensors.h"

namespace ippatsu::train {

namespace {

constexpr std::string_view kFormat = "2";
constexpr std::string_view kSetting = "setting.";

using Metadata = std::map<std::string, std::string>;

struct DTypeName {
  torch::Dtype dtype;
  std::string_view name;
};
constexpr DTypeName kDTypeNames[] = {{torch::kFloat, "F32"}, {torch::kByte, "U8"}};

std::string_view dtype_name(torch::Dtype dtype) {
  for (const auto& [known, name] : kDTypeNames) {
    if (known == dtype) return name;
  }
  fail("a checkpoint holds no tensors of type {}", c10::toString(dtype));
}

using NamedTensors = std::map<std::string, torch::Tensor>;

torch::optim::AdamWParamState& moments(Learner& learner, const torch::Tensor& parameter) {
  auto& state = learner.optimizer().state()[parameter.unsafeGetTensorImpl()];
  if (state == nullptr) state = std::make_unique<torch::optim::AdamWParamState>();
  return static_cast<torch::optim::AdamWParamState&>(*state);
}

at::Generator generator(torch::Device device) {
  return at::globalContext().defaultGenerator(device);
}

std::map<std::string, torch::Device> generators(Learner& learner) {
  std::map<std::string, torch::Device> devices{{"generator.cpu", torch::kCPU}};
  if (!learner.device().is_cpu()) devices.emplace("generator.device", learner.device());
  return devices;
}

NamedTensors parameters_of(Learner& learner) {
  NamedTensors tensors;
  for (const auto& parameter : learner.model()->named_parameters()) {
    tensors.emplace("model." + parameter.key(), parameter.value());
  }
  return tensors;
}

NamedTensors moments_of(Learner& learner) {
  NamedTensors tensors;
  for (const auto& parameter : learner.model()->named_parameters()) {
    const auto& state = moments(learner, parameter.value());
    tensors.emplace("optimizer.exp_avg." + parameter.key(), state.exp_avg());
    tensors.emplace("optimizer.exp_avg_sq." + parameter.key(), state.exp_avg_sq());
  }
  return tensors;
}

std::string text(uint64_t number) { return fmt::format("{}", number); }

template <typename T>
T number(const Metadata& metadata, const std::string& key) {
  const auto found = metadata.find(key);
  if (found == metadata.end()) fail("is no checkpoint of a training run: it lacks `{}`", key);
  T value{};
  const std::string& digits = found->second;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size())
    fail("`{}` is no number: {}", key, digits);
  return value;
}

void check_settings(const Metadata& metadata, const Metadata& settings) {
  for (const auto& [key, wanted] : settings) {
    const auto found = metadata.find(std::string(kSetting) + key);
    const std::string_view saved =
        found == metadata.end() ? "(nothing)" : std::string_view(found->second);
    if (saved != wanted) {
      fail(
          "was made with {} = {}, this run has {}; continue with the same, or start anew in "
          "another folder",
          key, saved, wanted);
    }
  }
}

void check_features(const Metadata& metadata) {
  const int version = number<int>(metadata, "features");
  if (version != mahjong::kFeatureVersion)
    fail("was trained on feature version {}, this program makes version {}", version,
         mahjong::kFeatureVersion);
}

void check_format(const Metadata& metadata) {
  const auto format = metadata.find("format");
  if (format == metadata.end()) fail("is no checkpoint of a training run: it lacks `format`");
  if (format->second != kFormat)
    fail("has checkpoint format {}, this program reads {}", format->second, kFormat);
  check_features(metadata);
}

RunState state_of(const Metadata& metadata, const Metadata& settings) {
  check_format(metadata);
  check_settings(metadata, settings);
  RunState state{.step = number<int64_t>(metadata, "step"),
                 .position = {.seed = number<uint64_t>(metadata, "position.seed"),
                              .epoch = number<int64_t>(metadata, "position.epoch"),
                              .index = number<int64_t>(metadata, "position.index")},
                 .settings = settings};
  constexpr int64_t kMostSteps = int64_t{1} << 53;
  if (state.step < 0 || state.step > kMostSteps || state.position.epoch < 0 ||
      state.position.index < 0) {
    fail("has an impossible step {} or position {}:{}", state.step, state.position.epoch,
         state.position.index);
  }
  return state;
}

models::NagaConfig config_of(const Metadata& metadata) {
  const auto config = metadata.find(std::string(kSetting) + "config");
  const auto policy = metadata.find(std::string(kSetting) + "policy");
  if (config == metadata.end() || policy == metadata.end())
    fail("does not say which configuration it is of");
  const bool full = policy->second == name_of(mahjong::Policy::Full);
  return models::naga_config(config->second,
                             full ? mahjong::Policy::Full : mahjong::Policy::Discard);
}

// The tensor of that name as a host tensor of its own, if it has the dtype and shape wanted.
torch::Tensor take(const report::SafeTensors& content, const std::string& name, torch::Dtype dtype,
                   torch::IntArrayRef shape) {
  const auto found = content.tensors.find(name);
  if (found == content.tensors.end()) fail("lacks the tensor {}", name);
  const report::TensorEntry& entry = found->second;
  if (entry.dtype != dtype_name(dtype) || torch::IntArrayRef(entry.shape) != shape) {
    fail("holds {} as {}[{}], the model has {}[{}]", name, entry.dtype, fmt::join(entry.shape, ","),
         dtype_name(dtype), fmt::join(shape, ","));
  }
  return torch::from_blob(const_cast<std::byte*>(entry.bytes.data()), shape, dtype).clone();
}

}  // namespace

void save_checkpoint(const std::filesystem::path& path, Learner& learner, const RunState& state) {
  NamedTensors tensors = parameters_of(learner);
  tensors.merge(moments_of(learner));
  report::SafeTensors content;
  std::vector<torch::Tensor> kept;  // the host memory that `content` points into
  const auto add = [&](const std::string& name, const torch::Tensor& tensor) {
    const torch::Tensor& host = kept.emplace_back(tensor.detach().cpu().contiguous());
    content.tensors[name] = {std::string(dtype_name(host.scalar_type())),
                             host.sizes().vec(),
                             {static_cast<const std::byte*>(host.const_data_ptr()), host.nbytes()}};
  };
  for (const auto& [name, tensor] : tensors) add(name, tensor);
  for (const auto& [name, device] : generators(learner)) add(name, generator(device).get_state());
  content.metadata = {{"format", std::string(kFormat)},
                      {"features", text(mahjong::kFeatureVersion)},
                      {"step", text(static_cast<uint64_t>(state.step))},
                      {"position.seed", text(state.position.seed)},
                      {"position.epoch", text(static_cast<uint64_t>(state.position.epoch))},
                      {"position.index", text(static_cast<uint64_t>(state.position.index))}};
  for (const auto& [key, value] : state.settings)
    content.metadata[std::string(kSetting) + key] = value;
  report::write_safetensors(path, content);
}

RunState load_checkpoint(const std::filesystem::path& path, Learner& learner,
                         const Metadata& settings) {
  const report::SafeTensorsFile file(path);
  const report::SafeTensors& content = file.content();
  try {
    const RunState state = state_of(content.metadata, settings);
    // Take everything before changing anything.
    NamedTensors loaded;
    const NamedTensors parameters = parameters_of(learner);
    for (const auto& [name, tensor] : parameters)
      loaded[name] = take(content, name, torch::kFloat, tensor.sizes());
    for (const auto& parameter : learner.model()->named_parameters()) {
      for (const char* moment : {"optimizer.exp_avg.", "optimizer.exp_avg_sq."}) {
        const std::string name = moment + parameter.key();
        loaded[name] = take(content, name, torch::kFloat, parameter.value().sizes());
      }
    }
    for (const auto& [name, device] : generators(learner)) {
      loaded[name] = take(content, name, torch::kByte, generator(device).get_state().sizes());
    }
    const torch::NoGradGuard no_grad;
    for (const auto& [name, device] : generators(learner))
      generator(device).set_state(loaded[name]);
    for (const auto& parameter : learner.model()->named_parameters()) {
      parameter.value().copy_(loaded["model." + parameter.key()]);
      auto& state_of_parameter = moments(learner, parameter.value());
      state_of_parameter.step(state.step);
      state_of_parameter.exp_avg(
          loaded["optimizer.exp_avg." + parameter.key()].to(learner.device()));
      state_of_parameter.exp_avg_sq(
          loaded["optimizer.exp_avg_sq." + parameter.key()].to(learner.device()));
    }
    return state;
  } catch (const Error& error) {
    throw error.within(path.string());
  }
}

models::NagaConfig model_config(const std::filesystem::path& path) {
  const report::SafeTensorsFile file(path);
  try {
    check_format(file.content().metadata);
    return config_of(file.content().metadata);
  } catch (const Error& error) {
    throw error.within(path.string());
  }
}

models::Naga load_model(const std::filesystem::path& path, torch::Device device) {
  const report::SafeTensorsFile file(path);
  const report::SafeTensors& content = file.content();
  try {
    check_format(content.metadata);
    models::Naga model(config_of(content.metadata));
    const torch::NoGradGuard no_grad;
    for (const auto& parameter : model->named_parameters())
      parameter.value().copy_(
          take(content, "model." + parameter.key(), torch::kFloat, parameter.value().sizes()));
    model->to(device);
    model->eval();
    return model;
  } catch (const Error& error) {
    throw error.within(path.string());
  }
}

}  // namespace ippatsu::train
