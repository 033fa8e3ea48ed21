# Everything the layers link against. `tools/setup` installs all of it; a missing piece ends the
# configuration with the command that mends it.

set(IPPATSU_VENV ${CMAKE_SOURCE_DIR}/.venv CACHE PATH "Virtual environment with torch and the PJRT wheels")
file(GLOB IPPATSU_SITE_PACKAGES ${IPPATSU_VENV}/lib/python3*/site-packages)

function(require_piece what path)
  if(NOT EXISTS "${path}")
    message(FATAL_ERROR "${what} is missing (looked for ${path}); run `tools/setup`.")
  endif()
endfunction()

require_piece("LibTorch" ${IPPATSU_SITE_PACKAGES}/torch/share/cmake/Torch/TorchConfig.cmake)
require_piece("the PJRT header" ${IPPATSU_SITE_PACKAGES}/xla_plugins/xla_cpu_pjrt/include/pjrt_c_api.h)

macro(require_package name)
  find_package(${name} ${ARGN} QUIET)
  if(NOT ${name}_FOUND)
    message(FATAL_ERROR "the library ${name} is missing; run `tools/setup`.")
  endif()
endmacro()

require_package(fmt)
require_package(spdlog)
require_package(nlohmann_json)
require_package(CLI11)
require_package(pugixml)
require_package(ZLIB)
require_package(Protobuf)
require_package(GTest)
require_package(benchmark)
require_package(Threads)
require_package(Torch PATHS ${IPPATSU_SITE_PACKAGES}/torch)

add_library(pjrt_header INTERFACE)
target_include_directories(pjrt_header SYSTEM INTERFACE ${IPPATSU_SITE_PACKAGES}/xla_plugins/xla_cpu_pjrt/include)
