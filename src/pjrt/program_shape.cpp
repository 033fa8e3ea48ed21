#include "pjrt/program_shape.h"

#include "pjrt/call.h"
#include "pjrt/element_type.h"
#include "xla_messages.pb.h"

namespace ippatsu::pjrt {

namespace {

constexpr std::string_view kModuleWithConfig = "hlo_with_config";

// The bytes of an HloModuleProtoWithConfig.
std::optional<std::string> optimized_program(const PJRT_Api* api, PJRT_Executable* executable) {
  auto program = PJRT_NEW(PJRT_Program);
  auto args = PJRT_NEW(PJRT_Executable_OptimizedProgram_Args);
  args.executable = executable;
  args.program = &program;
  if (!call_if_offered(api, &PJRT_Api::PJRT_Executable_OptimizedProgram, args)) return std::nullopt;
  if (std::string_view(program.format, program.format_size) != kModuleWithConfig)
    return std::nullopt;
  std::string code(program.code_size, '\0');
  program.code = code.data();
  call(api, &PJRT_Api::PJRT_Executable_OptimizedProgram, args);
  return code;
}

std::optional<hlo::Type> read_shape(const messages::Shape& shape) {
  const auto dtype = from_xla(shape.element_type());
  if (!dtype) return std::nullopt;
  return hlo::Type{*dtype, {shape.dimensions().begin(), shape.dimensions().end()}};
}

PJRT_Executable_OutputDimensions_Args output_dimensions(const PJRT_Api* api,
                                                        PJRT_Executable* program) {
  auto args = PJRT_NEW(PJRT_Executable_OutputDimensions_Args);
  args.executable = program;
  return call(api, &PJRT_Api::PJRT_Executable_OutputDimensions, args);
}

PJRT_Executable_OutputElementTypes_Args output_element_types(const PJRT_Api* api,
                                                             PJRT_Executable* program) {
  auto args = PJRT_NEW(PJRT_Executable_OutputElementTypes_Args);
  args.executable = program;
  return call(api, &PJRT_Api::PJRT_Executable_OutputElementTypes, args);
}

}  // namespace

std::optional<std::vector<hlo::Type>> parameter_types(const PJRT_Api* api,
                                                      PJRT_Executable* program) {
  const auto code = optimized_program(api, program);
  messages::HloModuleWithConfig module;
  if (!code || !module.ParseFromString(*code)) return std::nullopt;
  std::vector<hlo::Type> types;
  for (const auto& parameter : module.hlo_module().host_program_shape().parameters()) {
    auto type = read_shape(parameter);
    if (!type) return std::nullopt;
    types.push_back(std::move(*type));
  }
  return types;
}

std::vector<hlo::Type> output_types(const PJRT_Api* api, PJRT_Executable* program) {
  const auto elements = output_element_types(api, program);
  const auto shapes = output_dimensions(api, program);
  if (elements.num_output_types != shapes.num_outputs)
    fail("the plugin tells the element types of {} results, but the dimensions of {}",
         elements.num_output_types, shapes.num_outputs);
  std::vector<hlo::Type> types;
  const int64_t* dims = shapes.dims;
  for (size_t i = 0; i < shapes.num_outputs; ++i) {
    const int number = number_in(elements.output_types[i]);
    const auto dtype = from_pjrt(number);
    if (!dtype)
      fail("result {} has an element type that Ippatsu does not know (number {} in the PJRT API)",
           i, number);
    types.push_back({*dtype, hlo::Dims(dims, dims + shapes.dim_sizes[i])});
    dims += shapes.dim_sizes[i];
  }
  return types;
}

}  // namespace ippatsu::pjrt
