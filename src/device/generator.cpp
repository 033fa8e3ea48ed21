#include "device/generator.h"

#include <array>
#include <cstring>
#include <deque>
#include <mutex>
#include <random>

#include <ATen/Functions.h>
#include <c10/core/GeneratorImpl.h>

#include "device/guard.h"

namespace ippatsu::device {

namespace {

// A draw may take up to 2^32 blocks of random words: draws are that far apart on the counter.
constexpr int kDrawShift = 32;

// A seed and the number of draws made since.
class Generator final : public c10::GeneratorImpl {
 public:
  explicit Generator(c10::Device device)
      : GeneratorImpl(device, c10::DispatchKeySet(c10::DispatchKey::PrivateUse1)) {}

  // What at::check_generator asks for.
  static c10::DeviceType device_type() { return c10::DeviceType::PrivateUse1; }

  void set_current_seed(uint64_t seed) override {
    seed_ = seed;
    draws_ = 0;
  }
  uint64_t current_seed() const override { return seed_; }
  uint64_t seed() override {
    std::random_device entropy;
    set_current_seed(static_cast<uint64_t>(entropy()) << 32 | entropy());
    return seed_;
  }
  void set_offset(uint64_t offset) override { draws_ = offset; }
  uint64_t get_offset() const override { return draws_; }

  // The state as torch keeps it: a host tensor of bytes, the seed and then the draws.
  c10::intrusive_ptr<c10::TensorImpl> get_state() const override {
    const std::array<uint64_t, 2> words{seed_, draws_};
    const at::Tensor state =
        at::empty({sizeof words}, at::TensorOptions(at::kCPU).dtype(at::kByte));
    std::memcpy(state.mutable_data_ptr(), words.data(), sizeof words);
    return state.getIntrusivePtr();
  }
  void set_state(const c10::TensorImpl& state) override {
    std::array<uint64_t, 2> words;
    TORCH_CHECK(state.dtype() == caffe2::TypeMeta::Make<uint8_t>() &&
                    state.numel() == sizeof words && state.is_cpu(),
                "the state of an ippatsu generator is a CPU tensor of ", sizeof words, " bytes");
    std::memcpy(words.data(), state.data(), sizeof words);
    seed_ = words[0];
    draws_ = words[1];
  }

  uint64_t take_draw() { return draws_++; }

 private:
  Generator* clone_impl() const override {
    auto* copy = new Generator(device());
    copy->seed_ = seed_;
    copy->draws_ = draws_;
    return copy;
  }

  uint64_t seed_ = c10::default_rng_seed_val;
  uint64_t draws_ = 0;
};

}  // namespace

at::Generator make_generator(c10::DeviceIndex index) {
  return at::make_generator<Generator>(
      c10::Device(c10::DeviceType::PrivateUse1, index < 0 ? current_device() : index));
}

namespace {

struct DefaultGenerators {
  std::mutex mutex;
  std::deque<at::Generator> of_device;
  uint64_t seed = c10::default_rng_seed_val;
};

DefaultGenerators& default_generators() {
  static DefaultGenerators generators;
  return generators;
}

}  // namespace

const at::Generator& default_generator(c10::DeviceIndex index) {
  DefaultGenerators& all = default_generators();
  const std::lock_guard lock(all.mutex);
  const auto wanted = static_cast<size_t>(index < 0 ? current_device() : index);
  while (all.of_device.size() <= wanted) {
    const auto next = static_cast<c10::DeviceIndex>(all.of_device.size());
    all.of_device.push_back(make_generator(next));
    all.of_device.back().set_current_seed(all.seed);
  }
  return all.of_device[wanted];
}

void seed_default_generators(uint64_t seed) {
  DefaultGenerators& all = default_generators();
  const std::lock_guard lock(all.mutex);
  all.seed = seed;
  for (at::Generator& generator : all.of_device) {
    const std::lock_guard generator_lock(generator.mutex());
    generator.set_current_seed(seed);
  }
}

hlo::Value next_state(const at::Generator& generator, hlo::Graph& graph) {
  auto* impl = at::check_generator<Generator>(generator);
  uint64_t seed, draw;
  {
    const std::lock_guard lock(impl->mutex_);
    seed = impl->current_seed();
    draw = impl->take_draw();
  }
  const auto word = [&](uint64_t value) {
    return hlo::reshape(graph.scalar(hlo::DType::U64, {.integer = static_cast<int64_t>(value)}),
                        {1});
  };
  return hlo::concatenate({word(seed), word(draw << kDrawShift)}, 0);
}

}  // namespace ippatsu::device
