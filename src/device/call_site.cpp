#include "device/call_site.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include <ATen/SequenceNumber.h>
#include <torch/csrc/autograd/node.h>
#include <torch/csrc/jit/runtime/interpreter.h>

#include <dlfcn.h>

#include "base/error.h"
#include "device/python_stack.h"
#include "hlo/outline.h"
#include "trace/call_site.h"
#include "trace/journal.h"

namespace ippatsu::device {

namespace {

namespace fs = std::filesystem;

// The folder, with a closing slash, of the Python package whose `lib` holds the library that `code`
// is in.
std::string package_of(const void* code) {
  Dl_info info{};
  if (::dladdr(code, &info) == 0 || info.dli_fname == nullptr) return "";
  const fs::path library = info.dli_fname;
  if (library.parent_path().filename() != "lib") return "";
  return (library.parent_path().parent_path() / "").string();
}

// Frames of torch and of this package are on the way to the user's program, not in it.
bool is_users(std::string_view file) {
  static const std::string torch =
      package_of(reinterpret_cast<const void*>(&torch::jit::currentCallstack));
  static const std::string ours = package_of(reinterpret_cast<const void*>(&register_call_sites));
  if (file.empty() || file.starts_with("<string>") || file.starts_with("<frozen")) return false;
  const auto is_in = [&](std::string_view folder) {
    return !folder.empty() && file.starts_with(folder);
  };
  // A TorchScript file may have been written on another machine, with another torch.
  return !is_in(torch) && !is_in(ours) && file.find("-packages/torch/") == std::string_view::npos;
}

// With a closing slash; nothing where the folder is gone.
std::string current_folder() {
  std::error_code gone;
  const fs::path folder = fs::current_path(gone);
  return gone ? "" : (folder / "").string();
}

// "train.py:31 in step"; a file below the current folder by its short name.
std::string place(std::string_view file, uint64_t line, std::string_view function) {
  static const std::string here = current_folder();
  if (!here.empty() && file.starts_with(here)) file.remove_prefix(here.size());
  return fmt::format("{}:{} in {}", file, line, function);
}

std::string python_site() {
  const auto frame = find_python_frame(is_users);
  return frame ? place(frame->file, static_cast<uint64_t>(frame->line), frame->function) : "";
}

// A traced program keeps the Python stack of its tracing as text: "train.py(31): step" lines.
std::string traced_site(const std::string& stack) {
  size_t begin = 0;
  while (begin < stack.size()) {
    const size_t end = std::min(stack.find('\n', begin), stack.size());
    const std::string_view line(stack.data() + begin, end - begin);
    begin = end + 1;
    const size_t close = line.find("): ");
    const size_t open = line.substr(0, close).rfind('(');
    if (close == std::string_view::npos || open == std::string_view::npos) return "";
    uint64_t number = 0;
    std::from_chars(line.data() + open + 1, line.data() + close, number);
    if (is_users(line.substr(0, open)))
      return place(line.substr(0, open), number, line.substr(close + 3));
  }
  return "";
}

// The source that a program was written in, where its file still knows, else the file's own code.
std::string script_site(const torch::jit::StackEntry& entry) {
  const auto original = entry.range.findSourceRangeThatGenerated();
  const torch::jit::SourceRange& range = original ? *original : entry.range;
  if (const auto position = range.file_line_col()) {
    const auto& [file, line, column] = *position;
    return is_users(file) ? place(file, line, entry.filename) : "";
  }
  return range.source() ? traced_site(range.source()->text_str().str()) : "";
}

std::string script_site() {
  if (!torch::jit::in_torchscript_runtime()) return "";
  for (const torch::jit::StackEntry& entry : torch::jit::currentCallstack()) {
    if (std::string site = script_site(entry); !site.empty()) return site;
  }
  return "";
}

// The places of forward operators, by the number that autograd gives the operator's node.
class ForwardSites {
 public:
  // The first operator that comes with a number made the node: those that follow, until the next
  // node, have none.
  void keep(uint64_t number, const std::string& site) {
    const std::lock_guard lock(mutex_);
    if (sites_.size() >= kMost) sites_.clear();
    sites_.try_emplace(number, site);
  }

  std::string find(uint64_t number) const {
    const std::lock_guard lock(mutex_);
    const auto found = sites_.find(number);
    return found == sites_.end() ? "" : found->second;
  }

 private:
  static constexpr size_t kMost = size_t{1} << 20;  // more than a step has

  mutable std::mutex mutex_;
  std::unordered_map<uint64_t, std::string> sites_;
};

ForwardSites& forward_sites() {
  static ForwardSites sites;
  return sites;
}

std::string backward_site(const torch::autograd::Node& node) {
  const std::string site = forward_sites().find(node.sequence_nr());
  return site.empty() ? node.name() + " in the backward pass" : site + " (backward)";
}

std::string find_site() {
  std::string site = script_site();
  if (site.empty()) site = python_site();
  const auto node = torch::autograd::get_current_node();
  if (node) return site.empty() ? backward_site(*node) : site;
  // Autograd has made the operator's node, if it has one, just before it calls us.
  if (!site.empty() && trace::journal_is_kept())
    forward_sites().keep(at::sequence_number::peek() - 1, site);
  return site;
}

// A scope is quoted in the program's text.
std::string quotable(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; },
      '\'');
  return text;
}

const char* keep_for_good(std::string text) {
  static std::mutex mutex;
  static std::set<std::string> texts;
  const std::lock_guard lock(mutex);
  return texts.insert(std::move(text)).first->c_str();
}

}  // namespace

void register_call_sites() { trace::set_call_site_source(find_site); }

const char* scope_name(const char* op) {
  if (!trace::journal_is_kept()) return op;
  const std::string site = trace::call_site();
  if (site.empty()) return op;
  return keep_for_good(quotable(fmt::format("{}{}{}", op, hlo::kSiteMark, site)));
}

}  // namespace ippatsu::device
