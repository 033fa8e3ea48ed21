#pragma once

#include <string>
#include <vector>

#include "pjrt/options.h"

namespace ippatsu::pjrt {

struct CompileOptions {
  int num_replicas = 1;
  int num_partitions = 1;

  // Device ids, replica by replica, num_replicas x num_partitions of them; empty leaves the choice
  // to the plugin, which takes the first ones.
  std::vector<int> device_ids = {};

  // Whether a partitioned program carries Shardy (`sdy`) shardings, not GSPMD attributes.
  bool use_shardy = false;

  // XLA flags for this program alone, such as {"xla_cpu_enable_fast_math", true}. A list is not
  // allowed here.
  Options flags = {};
};

// The bytes of XLA's CompileOptionsProto.
std::string serialize(const CompileOptions& options);

}  // namespace ippatsu::pjrt
