#include "device/call_site.h"

#include <string>
#include <string_view>

#include <torch/csrc/profiler/combined_traceback.h>

#include "base/error.h"
#include "trace/call_site.h"

namespace ippatsu::device {

namespace {

// Frames of torch and of this package are on the way to the user's program, not in it.
bool is_ours_or_torchs(std::string_view file) {
  for (const std::string_view folder : {"/torch/", "/ippatsu/", "<string>", "<frozen"}) {
    if (file.find(folder) != std::string_view::npos) return true;
  }
  return file.empty();
}

std::string innermost_user_frame() {
  const auto traceback =
      torch::CapturedTraceback::gather(/*python=*/true, /*script=*/true, /*cpp=*/false);
  const torch::SymbolizedTracebacks symbolized = torch::symbolize({traceback.get()});
  for (const uint64_t index : symbolized.tracebacks.at(0)) {
    const torch::unwind::Frame& frame = symbolized.all_frames.at(index);
    if (!is_ours_or_torchs(frame.filename))
      return fmt::format("{}:{} in {}", frame.filename, frame.lineno, frame.funcname);
  }
  return "";
}

}  // namespace

void register_call_sites() { trace::set_call_site_source(innermost_user_frame); }

}  // namespace ippatsu::device
