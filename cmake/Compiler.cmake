# How everything is compiled: the standard, warnings, sanitizers, the compiler cache and the pool that
# keeps the memory of parallel compilations in bounds.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

set(IPPATSU_SANITIZE "" CACHE STRING "Sanitizers to build with, as for -fsanitize=")
# Line tables suffice for backtraces and profiles; the rest doubles the time to compile torch's headers.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1 -DNDEBUG")

option(IPPATSU_CCACHE "Compile through ccache where it is installed" ON)

# -fPIC for programs too: GCC uses the precompiled header only where this flag is the same.
add_library(ippatsu_options INTERFACE)
target_compile_options(ippatsu_options INTERFACE
  -fPIC -Wall -Wextra -Wno-missing-field-initializers)

# The defaults of the sanitizers are part of each program: it behaves alike however it is started.
add_library(sanitizer_defaults OBJECT ${CMAKE_SOURCE_DIR}/tests/sanitizers/defaults.cpp)
if(IPPATSU_SANITIZE)
  target_compile_options(ippatsu_options INTERFACE
    -fsanitize=${IPPATSU_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(ippatsu_options INTERFACE -fsanitize=${IPPATSU_SANITIZE})
endif()

# A file that sees torch takes up to 3 GB to compile.
cmake_host_system_information(RESULT memory_mb QUERY TOTAL_PHYSICAL_MEMORY)
math(EXPR torch_jobs "${memory_mb} / 4000 + 1")
set_property(GLOBAL PROPERTY JOB_POOLS torch=${torch_jobs})

# Paths relative to the build folder and the sloppiness that precompiled headers need make the cache
# serve every build folder of the same depth and every clone.
find_program(CCACHE ccache)
if(IPPATSU_CCACHE AND CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE})
endif()
