# Everything the layers link against. `tools/setup` installs all of it; a missing piece ends the
# configuration with the command that mends it.

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
require_package(OpenSSL)
require_package(ZLIB)
require_package(Protobuf)
require_package(GTest)
require_package(benchmark)
require_package(Threads)

find_library(JEMALLOC_LIBRARY jemalloc)
if(NOT JEMALLOC_LIBRARY)
  message(FATAL_ERROR "the library jemalloc is missing; run `tools/setup`.")
endif()

set(IPPATSU_VENV ${CMAKE_SOURCE_DIR}/.venv CACHE PATH "Virtual environment with torch and the PJRT wheels")
set(IPPATSU_PYTHON ${IPPATSU_VENV}/bin/python)
file(GLOB IPPATSU_SITE_PACKAGES ${IPPATSU_VENV}/lib/python3*/site-packages)

function(require_piece what path)
  if(NOT EXISTS "${path}")
    message(FATAL_ERROR "${what} is missing (looked for ${path}); run `tools/setup`.")
  endif()
endfunction()

require_piece("the virtual environment" ${IPPATSU_PYTHON})

# LibTorch by hand rather than by find_package(Torch), which asks for a CUDA toolkit when the wheel
# was built with CUDA and warns of libraries that no wheel carries.
set(torch_version_needed 2.13.0)
set(torch ${IPPATSU_SITE_PACKAGES}/torch)
require_piece("LibTorch" ${torch}/version.py)
file(STRINGS ${torch}/version.py torch_version REGEX "^__version__ = ")
if(NOT torch_version MATCHES "'${torch_version_needed}[+']")
  message(FATAL_ERROR "torch ${torch_version_needed} is needed, and ${torch}/version.py says "
                      "${torch_version}; run `tools/setup`.")
endif()
foreach(library c10 torch_cpu)
  add_library(${library} SHARED IMPORTED)
  set_target_properties(${library} PROPERTIES IMPORTED_LOCATION ${torch}/lib/lib${library}.so)
endforeach()
add_library(libtorch INTERFACE)
target_link_libraries(libtorch INTERFACE torch_cpu c10)
target_include_directories(libtorch SYSTEM INTERFACE
  ${torch}/include ${torch}/include/torch/csrc/api/include)

set(pjrt_headers ${IPPATSU_SITE_PACKAGES}/xla_plugins/xla_cpu_pjrt/include)
require_piece("the PJRT header" ${pjrt_headers}/pjrt_c_api.h)
add_library(pjrt_header INTERFACE)
target_include_directories(pjrt_header SYSTEM INTERFACE ${pjrt_headers})
