#include "pjrt/executable.h"

#include <algorithm>

#include "pjrt/call.h"
#include "pjrt/client.h"
#include "pjrt/program_shape.h"
#include "pjrt/seal.h"

namespace ippatsu::pjrt {

namespace {

Handle<PJRT_Executable> program_of(const Handle<PJRT_LoadedExecutable>& loaded) {
  const PJRT_Api* api = loaded.get_deleter().api;
  auto args = PJRT_NEW(PJRT_LoadedExecutable_GetExecutable_Args);
  args.loaded_executable = loaded.get();
  call(api, &PJRT_Api::PJRT_LoadedExecutable_GetExecutable, args);
  return {args.executable, {api}};
}

std::string name_of(const PJRT_Api* api, PJRT_Executable* program) {
  auto args = PJRT_NEW(PJRT_Executable_Name_Args);
  args.executable = program;
  call(api, &PJRT_Api::PJRT_Executable_Name, args);
  return {args.executable_name, args.executable_name_size};
}

const Device& device_of(const Client& client, const PJRT_Device* handle) {
  const auto device = std::ranges::find(client.devices(), handle, &Device::handle);
  if (device == client.devices().end())
    fail("the program runs on a device that the client does not have");
  return *device;
}

std::vector<const Device*> devices_of(const Client& client,
                                      const Handle<PJRT_LoadedExecutable>& loaded) {
  auto args = PJRT_NEW(PJRT_LoadedExecutable_AddressableDevices_Args);
  args.executable = loaded.get();
  call(loaded.get_deleter().api, &PJRT_Api::PJRT_LoadedExecutable_AddressableDevices, args);
  std::vector<const Device*> devices;
  for (PJRT_Device* handle : std::span(args.addressable_devices, args.num_addressable_devices))
    devices.push_back(&device_of(client, handle));
  if (devices.empty()) fail("the program runs on no device of this process");
  return devices;
}

// One row per device, over one list of `count` handles each.
template <typename Pointer>
std::vector<Pointer*> rows(std::vector<Pointer>& handles, size_t devices) {
  std::vector<Pointer*> starts(devices);
  const size_t count = handles.size() / devices;
  for (size_t i = 0; i < devices; ++i) starts[i] = handles.data() + i * count;
  return starts;
}

}  // namespace

Executable::Executable(std::shared_ptr<const Client> client, Handle<PJRT_LoadedExecutable> handle)
    : client_(std::move(client)),
      handle_(std::move(handle)),
      program_(program_of(handle_)),
      name_(name_of(api(), program_.get())),
      devices_(devices_of(*client_, handle_)),
      parameter_types_(pjrt::parameter_types(api(), program_.get())),
      output_types_(pjrt::output_types(api(), program_.get())) {
  for (const Device* device : devices_)
    for (const hlo::Type& type : output_types_)
      placements_.push_back(std::make_shared<Placement>(Placement{client_, type, device}));
}

void Executable::check_argument(const Buffer* argument, size_t index,
                                const hlo::Type* parameter) const {
  if (argument == nullptr || argument->handle() == nullptr)
    fail("{}: argument {} is no buffer, or one that was moved away", name_, index);
  if (argument->client() != client_)
    fail("{}: argument {} belongs to another client than the program", name_, index);
  if (parameter != nullptr && argument->type() != *parameter)
    fail("{}: argument {} is {}, but the program takes {}", name_, index,
         to_string(argument->type()), to_string(*parameter));
}

void Executable::check_arguments(std::span<const Buffer* const> arguments) const {
  const size_t per_device = arguments.size() / devices_.size();
  if (parameter_types_ && arguments.size() != devices_.size() * parameter_types_->size())
    fail("{}: takes {} arguments on each of {} devices, not {} in all", name_,
         parameter_types_->size(), devices_.size(), arguments.size());
  if (per_device * devices_.size() != arguments.size())
    fail("{}: {} arguments do not divide among {} devices", name_, arguments.size(),
         devices_.size());
  for (size_t i = 0; i < arguments.size(); ++i)
    check_argument(arguments[i], i,
                   parameter_types_ ? &(*parameter_types_)[i % per_device] : nullptr);
}

std::vector<Buffer> Executable::execute(std::span<const Buffer* const> arguments,
                                        std::span<const int> not_donated) const {
  check_arguments(arguments);
  std::vector<PJRT_Buffer*> inputs(arguments.size());
  std::ranges::transform(arguments, inputs.begin(), &Buffer::handle);
  std::vector<PJRT_Buffer*> outputs(placements_.size());
  const std::vector<PJRT_Buffer**> input_rows = rows(inputs, devices_.size());
  const std::vector<PJRT_Buffer**> output_rows = rows(outputs, devices_.size());
  const std::vector<int64_t> kept(not_donated.begin(), not_donated.end());
  std::vector<Buffer> results;
  results.reserve(outputs.size());

  auto options = PJRT_NEW(PJRT_ExecuteOptions);
  options.non_donatable_input_indices = kept.data();
  options.num_non_donatable_input_indices = kept.size();
  auto args = PJRT_NEW(PJRT_LoadedExecutable_Execute_Args);
  args.executable = handle_.get();
  args.options = &options;
  args.argument_lists = input_rows.data();
  args.num_devices = devices_.size();
  args.num_args = inputs.size() / devices_.size();
  args.output_lists = output_rows.data();
  call(api(), &PJRT_Api::PJRT_LoadedExecutable_Execute, args);

  for (size_t i = 0; i < outputs.size(); ++i)
    results.emplace_back(placements_[i], Handle<PJRT_Buffer>(outputs[i], {api()}));
  return results;
}

std::optional<MemoryPlan> Executable::memory_plan() const {
  auto args = PJRT_NEW(PJRT_Executable_GetCompiledMemoryStats_Args);
  args.executable = program_.get();
  if (!call_if_offered(api(), &PJRT_Api::PJRT_Executable_GetCompiledMemoryStats, args))
    return std::nullopt;
  return MemoryPlan{
      .arguments = args.argument_size_in_bytes,
      .outputs = args.output_size_in_bytes,
      .temporaries = args.temp_size_in_bytes,
      .aliased = args.alias_size_in_bytes,
      .code = args.generated_code_size_in_bytes,
  };
}

std::optional<std::string> Executable::serialize() const {
  auto args = PJRT_NEW(PJRT_Executable_Serialize_Args);
  args.executable = program_.get();
  if (!call_if_offered(api(), &PJRT_Api::PJRT_Executable_Serialize, args)) return std::nullopt;
  const std::unique_ptr<PJRT_SerializedExecutable, void (*)(PJRT_SerializedExecutable*)> owner(
      args.serialized_executable, args.serialized_executable_deleter);
  return seal({args.serialized_bytes, args.serialized_bytes_size}, client_->plugin().identity());
}

}  // namespace ippatsu::pjrt
