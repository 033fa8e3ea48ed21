#include "trace/compile_log.h"

#include <algorithm>
#include <charconv>
#include <ranges>

#include "base/environment.h"
#include "base/error.h"
#include "base/log.h"

namespace ippatsu::trace {

namespace {

constexpr int64_t kDefaultLimit = 64;

// Programs of a site that a new one is compared with: they are few, or something is wrong anyway.
constexpr size_t kKept = 16;

int64_t read_limit() {
  const auto text = environment(Variable::CompileLimit);
  if (!text) return kDefaultLimit;
  int64_t limit = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), limit);
  if (error != std::errc() || end != text->data() + text->size() || limit < 1)
    fail("IPPATSU_COMPILE_LIMIT must be a whole number from 1 on, got `{}`", *text);
  return limit;
}

}  // namespace

int64_t CompileLog::limit() {
  static const int64_t limit = read_limit();
  return limit;
}

hlo::Difference CompileLog::explain(std::shared_ptr<const hlo::Outline> program,
                                    const std::string& site) {
  const std::lock_guard lock(mutex_);
  Site& here = sites_[site];
  hlo::Difference why{.text = "it is the first program of this place"};
  if (!here.latest.empty()) {
    const auto nearest = std::ranges::max_element(  // of several, the latest
        here.latest | std::views::reverse, {},
        [&](const auto& known) { return known->shared_with(*program); });
    why = program->difference_from(**nearest);
  }
  here.latest.push_back(std::move(program));
  if (here.latest.size() > kKept) here.latest.pop_front();
  if (++here.programs == limit()) {
    log().warn(
        "{} has compiled {} programs, the last because {}. If sizes change from step to step, pad "
        "to one size, or to a few (buckets); if a number does, keep it in a tensor",
        site.empty() ? "one place" : site, here.programs, why.text);
  }
  return why;
}

CompileLog& compile_log() {
  static CompileLog log;
  return log;
}

}  // namespace ippatsu::trace
