#pragma once

// What an examination found: plain data, for text.h, json.h and page.h to write.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "check/finding.h"
#include "pjrt/executable.h"

namespace ippatsu::check {

struct Step {
  int64_t programs = 0;
  int64_t compiles = 0;
  double compile_seconds = 0;
  int64_t operations = 0;  // of all its programs
  int64_t host_ops = 0;
  int64_t host_reads = 0;
  int64_t size_reads = 0;
};

// One of the tensors that the step gives, beside the CPU's.
struct Output {
  std::string name;
  double difference = 0;  // the largest, relative to the largest of the CPU's values
};

struct Report {
  std::string subject;
  std::vector<Finding> findings;  // troubles first
  std::vector<Step> steps;
  std::string compile_count;  // "3 in all", "1 a step, without end"

  // Of the largest program of the last step that ran any; nothing where the plugin does not say.
  std::optional<pjrt::MemoryPlan> memory;

  double tolerance = 0;
  std::vector<Output> outputs;
  std::string not_compared;  // why, where there was no comparison

  int64_t count(Severity severity) const;
};

}  // namespace ippatsu::check
