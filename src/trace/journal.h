#pragma once

// Everything that costs time, one entry each, with the place in the user's program: kept only while
// somebody asks, as the port check does.

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "hlo/outline.h"
#include "hlo/type.h"
#include "pjrt/executable.h"

namespace ippatsu::trace {

struct Journal {
  struct HostOp {  // an operator that ran on the host
    std::string op;
    int64_t bytes = 0;
    std::string site;
  };
  struct HostRead {
    int64_t bytes = 0;
    std::string site;
  };
  struct SizeRead {  // an operator that had to know how large its result is
    std::string op;
    std::string site;
  };
  struct WideResult {  // an operator that computes in 64 bits
    std::string op;
    hlo::Type type;
    std::string site;
  };
  struct Program {  // one that was run
    bool compiled = false;
    hlo::Difference why;  // it was compiled
    double compile_seconds = 0;
    int64_t operations = 0;
    int64_t constant_bytes = 0;
    std::string constant_site;  // of the largest constant
    std::optional<pjrt::MemoryPlan> memory;
    std::string site;
  };

  std::vector<HostOp> host_ops;
  std::vector<HostRead> host_reads;
  std::vector<SizeRead> size_reads;
  std::vector<WideResult> wide_results;
  std::vector<Program> programs;
};

// Begins a journal, in place of one that is kept already.
void start_journal();

// The journal so far, which ends.
Journal end_journal();

bool journal_is_kept();

// Adds an entry to the journal, if one is kept: note(&Journal::host_reads, {bytes, call_site()}).
template <typename Entry>
void note(std::vector<Entry> Journal::*entries, std::type_identity_t<Entry> entry);

// While one lives, what this thread reads is part of an entry of another kind: of an operator on
// the host, of a size. It is no entry of its own.
class PartOfAnEntry {
 public:
  PartOfAnEntry();
  ~PartOfAnEntry();
  PartOfAnEntry(const PartOfAnEntry&) = delete;
};

bool reads_are_entries();

}  // namespace ippatsu::trace
