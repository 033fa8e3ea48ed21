#pragma once

// A learner and its place in the data, as one safetensors file: "model.*" the parameters,
// "optimizer.*" AdamW's moments, "generator.*" the states of the random generators, and metadata.
// It is written in one step: after a crash the old or the new checkpoint is there, whole.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "data/batch.h"
#include "train/learner.h"

namespace ippatsu::train {

struct RunState {
  int64_t step = 0;         // taken so far
  data::Position position;  // where the next batch starts
  // What the run was started with. A run may continue only with the same.
  std::map<std::string, std::string> settings;
};

// Waits for the device.
void save_checkpoint(const std::filesystem::path& path, Learner& learner, const RunState& state);

// Puts the checkpoint into the learner and gives its state. Fails, changing nothing, if the file is
// damaged, or if its settings or a tensor's shape are not those of `settings` and the learner; the
// message names the first that differs.
RunState load_checkpoint(const std::filesystem::path& path, Learner& learner,
                         const std::map<std::string, std::string>& settings);

// The configuration of a checkpoint's model. Fails as load_model does.
models::NagaConfig model_config(const std::filesystem::path& path);

// The model of a checkpoint alone, ready to be asked on the device. Fails if the file is damaged or
// is of another feature version, naming both.
models::Naga load_model(const std::filesystem::path& path, torch::Device device);

}  // namespace ippatsu::train
