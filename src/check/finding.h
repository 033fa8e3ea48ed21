#pragma once

// What can be wrong with a training step on a device that records and compiles.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace ippatsu::check {

enum class Severity { Trouble, Note };

enum class Kind {
  HostOp,
  HostRead,
  SizeRead,
  Recompile,
  WideFloat,
  WideInteger,
  LargeConstant,
  GrowingProgram,
  HugeProgram,
  DoesNotPay,
  NothingRan,
  Difference,
};

struct KindInfo {
  Kind kind;
  Severity severity;
  std::string_view name;     // for tools: "host_op"
  std::string_view meaning;  // for people: why this costs
  std::string_view advice;
};

// Every kind, in the order of the enumeration.
std::span<const KindInfo> kinds();
const KindInfo& info(Kind kind);

struct Finding {
  Kind kind = Kind::HostOp;
  Severity severity = Severity::Trouble;
  std::string what;     // "aten::linalg_eig runs on the host"
  std::string where;    // "train.py:31 in step"; empty where nobody knows
  double per_step = 0;  // how often; 0: not a thing that is counted
  int64_t bytes = 0;    // per step
  std::string advice;
};

std::string_view name(Severity severity);

}  // namespace ippatsu::check
