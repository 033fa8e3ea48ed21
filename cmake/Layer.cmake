# layer(NAME SOURCES ... [DEPENDS layers] [LIBRARIES targets] [TESTS files] [BENCHMARKS files] [TORCH]
#       [SHARED])
#
# One folder of src/ as one library, static unless SHARED. DEPENDS names every layer whose headers the folder may
# include; the layering test holds the code to it. TORCH marks the layers that see torch: they share
# one precompiled header, and no other layer may include torch. Each test file becomes the program
# `<name>`, each benchmark file likewise; `<layer>_tests` builds all test programs of a layer.
#
# layer_program(NAME FILE LIBRARIES TORCH) makes one more program, such as the main one.

include(Compiler)
include(Embed)

# LibTorch's include folder carries an fmt of its own: the library's must be found before it.
get_target_property(fmt_headers fmt::fmt INTERFACE_INCLUDE_DIRECTORIES)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/headers_first)
file(CREATE_LINK ${fmt_headers}/fmt ${CMAKE_BINARY_DIR}/headers_first/fmt SYMBOLIC)
target_include_directories(ippatsu_options INTERFACE
  ${CMAKE_SOURCE_DIR}/src ${CMAKE_BINARY_DIR}/headers_first)

function(use_torch target)
  target_link_libraries(${target} PUBLIC libtorch)
  if(NOT TARGET torch_pch)
    file(WRITE ${CMAKE_BINARY_DIR}/torch_pch.cpp "")
    add_library(torch_pch OBJECT ${CMAKE_BINARY_DIR}/torch_pch.cpp)
    target_link_libraries(torch_pch PUBLIC ippatsu_options libtorch)
    target_precompile_headers(torch_pch PRIVATE <torch/torch.h>)
  endif()
  target_precompile_headers(${target} REUSE_FROM torch_pch)
  set_target_properties(${target} PROPERTIES JOB_POOL_COMPILE torch)
endfunction()

function(layer_program name file libraries torch)
  add_executable(${name} ${file})
  target_link_libraries(${name} PRIVATE ${libraries} sanitizer_defaults)
  if(torch)
    use_torch(${name})
  endif()
endfunction()

function(layer name)
  cmake_parse_arguments(ARG "TORCH;SHARED" "" "SOURCES;DEPENDS;LIBRARIES;TESTS;BENCHMARKS" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "layer ${name}: unknown arguments ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  set(kind STATIC)
  if(ARG_SHARED)
    set(kind SHARED)
  endif()
  add_library(${name} ${kind} ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC ippatsu_options ${ARG_DEPENDS} ${ARG_LIBRARIES})
  if(ARG_TORCH)
    use_torch(${name})
  endif()
  layer_tests(${name} "${ARG_TORCH}" ${ARG_TESTS})
  foreach(file ${ARG_BENCHMARKS})
    cmake_path(GET file STEM stem)
    layer_program(${stem} ${file} "${name};benchmark::benchmark_main" "${ARG_TORCH}")
    set_property(GLOBAL APPEND PROPERTY IPPATSU_BENCHMARKS ${stem})
  endforeach()
  string(JOIN " " depends ${ARG_DEPENDS})
  if(ARG_TORCH)
    string(APPEND depends " +torch")
  endif()
  set_property(GLOBAL APPEND PROPERTY IPPATSU_LAYERS "${name}: ${depends}")
endfunction()

# XLA and LibTorch each take every core, so that a test with torch runs alone.
function(layer_tests layer torch)
  add_custom_target(${layer}_tests)
  foreach(file ${ARGN})
    cmake_path(GET file STEM stem)
    layer_program(${stem} ${file} "${layer};GTest::gmock;GTest::gtest_main" "${torch}")
    add_dependencies(${layer}_tests ${stem})
    add_test(NAME ${layer}/${stem} COMMAND ${stem} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    set_tests_properties(${layer}/${stem} PROPERTIES LABELS gtest RUN_SERIAL ${torch})
  endforeach()
endfunction()

# package_test(NAME FILE [VARIABLE=VALUE ...]): a Python program that imports the package, as a test.
# A Python without the sanitizer's runtime cannot load a sanitized library.
function(package_test name file)
  if(NOT IPPATSU_SANITIZE)
    add_test(NAME ${name} COMMAND ${IPPATSU_PYTHON} ${file} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    set(environment PYTHONPATH=${CMAKE_BINARY_DIR}/python ${ARGN})
    set_tests_properties(${name} PROPERTIES RUN_SERIAL TRUE ENVIRONMENT "${environment}")
  endif()
endfunction()

# Writes the declared layers, in order, for the layering test to read.
function(finish_layers)
  get_property(layers GLOBAL PROPERTY IPPATSU_LAYERS)
  string(JOIN "\n" text ${layers})
  file(WRITE ${CMAKE_BINARY_DIR}/layers.txt "${text}\n")
  get_property(benchmarks GLOBAL PROPERTY IPPATSU_BENCHMARKS)
  string(JOIN "\n" text ${benchmarks})
  file(WRITE ${CMAKE_BINARY_DIR}/benchmarks.txt "${text}\n")
endfunction()
