#include "pjrt/compile_options.h"

#include "base/error.h"
#include "xla_messages.pb.h"

namespace ippatsu::pjrt {

namespace {

void assign_devices(const CompileOptions& options, messages::DeviceAssignment& assignment) {
  assignment.set_replica_count(options.num_replicas);
  assignment.set_computation_count(options.num_partitions);
  for (int partition = 0; partition < options.num_partitions; ++partition) {
    auto* devices = assignment.add_computation_devices();
    for (int replica = 0; replica < options.num_replicas; ++replica) {
      const int64_t place = int64_t{replica} * options.num_partitions + partition;
      devices->add_replica_device_ids(options.device_ids[static_cast<size_t>(place)]);
    }
  }
}

struct SetFlag {
  messages::FlagValue& flag;

  void operator()(const std::string& value) const { flag.set_text(value); }
  void operator()(bool value) const { flag.set_truth(value); }
  void operator()(int64_t value) const { flag.set_integer(value); }
  void operator()(float value) const { flag.set_real(value); }
  void operator()(const std::vector<int64_t>& value) const {
    fail("an XLA flag takes one value, not the list {}", to_string(OptionValue(value)));
  }
};

void check(const CompileOptions& options) {
  if (options.num_replicas < 1 || options.num_partitions < 1)
    fail("a program runs on at least 1 replica and 1 partition, not {} and {}",
         options.num_replicas, options.num_partitions);
  const int64_t wanted = int64_t{options.num_replicas} * options.num_partitions;
  const auto given = static_cast<int64_t>(options.device_ids.size());
  if (given != 0 && given != wanted)
    fail("{} replicas x {} partitions take {} devices, not {}", options.num_replicas,
         options.num_partitions, wanted, given);
}

}  // namespace

std::string serialize(const CompileOptions& options) {
  check(options);
  messages::CompileOptions message;
  messages::BuildOptions& build = *message.mutable_executable_build_options();
  build.set_device_ordinal(-1);  // none: the assignment says where
  build.set_num_replicas(options.num_replicas);
  build.set_num_partitions(options.num_partitions);
  build.set_use_spmd_partitioning(options.num_partitions > 1);
  build.set_use_shardy_partitioner(options.use_shardy);
  if (!options.device_ids.empty()) assign_devices(options, *build.mutable_device_assignment());
  for (const auto& [name, value] : options.flags)
    std::visit(SetFlag{(*message.mutable_env_option_overrides())[name]}, value);
  return message.SerializeAsString();
}

}  // namespace ippatsu::pjrt
