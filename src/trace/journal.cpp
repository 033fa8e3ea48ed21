#include "trace/journal.h"

#include <atomic>
#include <utility>

namespace ippatsu::trace {

namespace {

std::mutex mutex;
std::atomic<bool> kept = false;
Journal journal;

thread_local int parts = 0;

}  // namespace

void start_journal() {
  const std::lock_guard lock(mutex);
  journal = {};
  kept = true;
}

Journal end_journal() {
  const std::lock_guard lock(mutex);
  kept = false;
  return std::exchange(journal, {});
}

PartOfAnEntry::PartOfAnEntry() { ++parts; }
PartOfAnEntry::~PartOfAnEntry() { --parts; }

bool reads_are_entries() { return parts == 0; }

bool journal_is_kept() { return kept.load(std::memory_order_relaxed); }

template <typename Entry>
void note(std::vector<Entry> Journal::*entries, std::type_identity_t<Entry> entry) {
  const std::lock_guard lock(mutex);
  if (kept) (journal.*entries).push_back(std::move(entry));
}

template void note(std::vector<Journal::HostOp> Journal::*, Journal::HostOp);
template void note(std::vector<Journal::HostRead> Journal::*, Journal::HostRead);
template void note(std::vector<Journal::SizeRead> Journal::*, Journal::SizeRead);
template void note(std::vector<Journal::WideResult> Journal::*, Journal::WideResult);
template void note(std::vector<Journal::Program> Journal::*, Journal::Program);

}  // namespace ippatsu::trace
