#include "trace/trace.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "base/error.h"
#include "trace/call_site.h"
#include "trace/compile_log.h"
#include "trace/journal.h"
#include "trace/metrics.h"
#include "trace/reinterpret.h"

namespace ippatsu::trace {

namespace {

using hlo::Value;
using BufferPtr = std::shared_ptr<const pjrt::Buffer>;

// The host records one step while the device runs another; more would only take memory.
constexpr size_t kStepsInFlight = 2;

// Programs compile the slower the more operations are fused into one. No model has a chain of as
// many with nothing between that ends a fusion: only a loop has.
constexpr int32_t kLongestChain = 1000;

// Whether an operation is computed on its own, not as part of what reads it.
bool ends_fusion(hlo::Opcode opcode) {
  using enum hlo::Opcode;
  switch (opcode) {
    case Cholesky:
    case Convolution:
    case CustomCall:
    case DotGeneral:
    case Fft:
    case Reduce:
    case ReduceWindow:
    case Scatter:
    case SelectAndScatter:
    case Sort:
    case TriangularSolve:
    case While:
      return true;
    default:
      return false;
  }
}

// Whole arrays up to this size are fetched and viewed on the host; of larger ones only the view is.
constexpr int64_t kFetchWholeBytes = 1 << 16;

// Copies the viewed elements, each of `width` bytes, one after the other.
void copy_view(std::span<const std::byte> array, const View& view, size_t width,
               std::span<std::byte> destination) {
  const size_t rank = view.sizes.size();
  hlo::Dims index(rank, 0);
  int64_t place = view.offset;
  for (size_t written = 0; written < destination.size(); written += width) {
    std::memcpy(destination.data() + written, array.data() + static_cast<size_t>(place) * width,
                width);
    for (size_t dim = rank; dim-- > 0;) {
      place += view.strides[dim];
      if (++index[dim] < view.sizes[dim]) break;
      place -= view.strides[dim] * view.sizes[dim];
      index[dim] = 0;
    }
  }
}

}  // namespace

Trace::Trace(std::shared_ptr<const pjrt::Client> client, const pjrt::Device& device)
    : client_(std::move(client)), device_(device) {}

// --- recording

Value Trace::parameter(const BufferPtr& buffer) {
  Value& known = parameters_[buffer.get()];
  if (!known) {
    known = graph_->parameter(buffer->type(), static_cast<int64_t>(inputs_.size()));
    inputs_.push_back(buffer);
  }
  return known;
}

Value Trace::value(Cell& cell) {
  if (cell.pending_) return cell.pending_;
  if (cell.buffer_) return parameter(cell.buffer_);
  return hlo::constant(*graph_, {cell.dtype_, {cell.elements_}}, 0);
}

// An array that nobody wrote to yet has the type of whoever comes first.
void Trace::take_type(Cell& cell, hlo::DType dtype) {
  if (cell.pending_ || cell.buffer_ || cell.dtype_ == dtype) return;
  cell.become(dtype);
}

Value Trace::read(Cell& cell, const View& view, hlo::DType dtype) {
  take_type(cell, dtype);
  return strided_read(reinterpret(value(cell), dtype, cell.elements_of(dtype)), view);
}

void Trace::write(Cell& cell, const View& view, Value update) {
  const hlo::DType dtype = update.dtype();
  take_type(cell, dtype);
  if (covers(view, cell.elements_of(dtype)) && cell.holds_whole(dtype)) {
    cell.become(dtype);
    return set_pending(cell, update);
  }
  const Value seen = reinterpret(value(cell), dtype, cell.elements_of(dtype));
  set_pending(cell, reinterpret(strided_write(seen, view, update), cell.dtype_, cell.elements_));
}

void Trace::set_pending(Cell& cell, Value value) {
  if (!cell.pending_) pending_.append(cell);
  if (cell.buffer_) {
    const auto input = parameters_.find(cell.buffer_.get());
    cell.replaced_input_ = input == parameters_.end() ? -1 : input->second.node->parameter;
    cell.buffer_ = nullptr;
  }
  cell.pending_ = value;
  measure_chains();
}

// Programs number the nodes when they are recorded; until then a node's number is the length of the
// chain that it ends.
void Trace::measure_chains() {
  const std::deque<hlo::Node>& nodes = graph_->nodes();
  for (; measured_nodes_ < nodes.size(); ++measured_nodes_) {
    const hlo::Node& node = nodes[measured_nodes_];
    node.number = 0;
    if (ends_fusion(node.opcode)) continue;
    for (const Value& operand : node.operands)
      node.number = std::max(node.number, operand.node->number + 1);
    longest_chain_ = std::max(longest_chain_, node.number);
  }
}

void Trace::settle(Cell& cell, BufferPtr buffer) {
  if (cell.pending_) pending_.remove(cell);
  cell.pending_ = {};
  cell.replaced_input_ = -1;
  cell.buffer_ = std::move(buffer);
}

void Trace::forget(Cell& cell) {
  const Lock lock(mutex_);
  settle(cell, nullptr);
}

Value Trace::input(const hlo::Type& type, std::span<const std::byte> host) {
  const Lock lock(mutex_);
  metrics_log().record([&](Metrics& metrics) { metrics.bytes_to_device += type.bytes(); });
  return parameter(std::make_shared<pjrt::Buffer>(client_->upload(type, host, device_)));
}

void Trace::upload(Cell& cell, const hlo::Type& type, std::span<const std::byte> host) {
  const Lock lock(mutex_);
  if (type.bytes() != cell.bytes())
    fail("a storage of {} bytes cannot take {}", cell.bytes(), to_string(type));
  auto buffer = std::make_shared<pjrt::Buffer>(client_->upload(type, host, device_));
  metrics_log().record([&](Metrics& metrics) { metrics.bytes_to_device += type.bytes(); });
  cell.become(type.dtype);
  settle(cell, std::move(buffer));
}

void Trace::resize(Cell& cell, int64_t bytes) {
  const Lock lock(mutex_);
  const int64_t width = hlo::byte_width(cell.dtype_), elements = (bytes + width - 1) / width;
  const int64_t kept = std::min(cell.elements_, elements);
  const bool initialized = cell.pending_ || cell.buffer_;
  if (initialized && elements != cell.elements_) {
    const Value flat = hlo::reshape(value(cell), {cell.elements_});
    const Value zero = hlo::constant(*graph_, {cell.dtype_, {}}, 0);
    set_pending(cell, hlo::pad(hlo::slice_dim(flat, 0, 0, kept), zero, {0}, {elements - kept}));
  }
  cell.elements_ = elements;
}

// --- running

Trace::Run Trace::collect_pending() {
  Run run;
  std::map<std::pair<const hlo::Node*, int>, size_t> known;
  for (Cell* cell = pending_.first(); cell != nullptr;) {
    Cell* const next = PendingCells::next(*cell);
    const Value value = cell->pending_;
    if (value.node->opcode == hlo::Opcode::Parameter) {
      settle(
          *cell,
          inputs_[static_cast<size_t>(value.node->parameter)]);  // a plain copy: share the buffer
    } else {
      const auto [root, is_new] = known.try_emplace({value.node, value.result}, run.roots.size());
      if (is_new) run.roots.push_back(value);
      run.outputs.emplace_back(cell, root->second);
    }
    cell = next;
  }
  return run;
}

// For each input of the program the output that may take over its memory, -1 if none: the new value
// of the cell whose old value the input was, if nothing else holds that.
std::vector<int> Trace::aliased_outputs(const hlo::Program& program, const Run& run) const {
  std::unordered_map<int64_t, size_t> root_of_input;
  for (const auto& [cell, root] : run.outputs) {
    if (cell->replaced_input_ >= 0) root_of_input.emplace(cell->replaced_input_, root);
  }
  std::vector<int> aliased;
  std::vector<bool> taken(run.roots.size(), false);
  for (const hlo::Node* parameter : program.parameters()) {
    int& output = aliased.emplace_back(-1);
    const auto found = root_of_input.find(parameter->parameter);
    if (found == root_of_input.end() || taken[found->second]) continue;
    const bool only_owner = inputs_[static_cast<size_t>(parameter->parameter)].use_count() == 1;
    if (!only_owner || run.roots[found->second].type() != parameter->types[0]) continue;
    taken[found->second] = true;
    output = static_cast<int>(found->second);
  }
  return aliased;
}

std::vector<BufferPtr> Trace::execute(const hlo::Program& program,
                                      const std::vector<int>& aliased_output, RunReport& report) {
  hlo::Fingerprint fingerprint = program.fingerprint();
  for (const int output : aliased_output) fingerprint.extend(static_cast<uint64_t>(output));
  auto [executable, compile_seconds] = executables_.get(fingerprint, [&] {
    return client_->compile(program.text(aliased_output), {.device_ids = {device_.id()}});
  });
  report.operations = program.size();
  report.constant_bytes = program.constant_bytes();
  report.largest_constant_scope = program.largest_constant_scope();
  report.compile_seconds = compile_seconds;
  if (compile_seconds) report.outline = std::make_shared<hlo::Outline>(program, makers());
  report.executable = executable;

  std::vector<pjrt::Buffer> scalars;
  for (const hlo::ScalarPack& pack : program.scalar_packs()) {
    scalars.push_back(client_->upload(pack.type(), pack.bytes(), device_));
  }
  std::vector<const pjrt::Buffer*> arguments;
  for (const hlo::Node* parameter : program.parameters()) {
    const pjrt::Buffer& input = *inputs_[static_cast<size_t>(parameter->parameter)];
    if (aliased_output[arguments.size()] >= 0) input.count_as_donated();
    arguments.push_back(&input);
  }
  for (const pjrt::Buffer& pack : scalars) arguments.push_back(&pack);

  std::vector<BufferPtr> results;
  for (pjrt::Buffer& result : executable->execute(arguments)) {
    results.push_back(std::make_shared<const pjrt::Buffer>(std::move(result)));
  }
  metrics_log().record([](Metrics& metrics) { ++metrics.executions; });
  return results;
}

void Trace::limit_steps_in_flight(const pjrt::Buffer& result) {
  in_flight_.push_back(result.ready());
  if (in_flight_.size() <= kStepsInFlight) return;
  const pjrt::Event oldest = std::move(in_flight_.front());
  in_flight_.pop_front();
  oldest.wait();
}

void Trace::remember_makers(const hlo::Values& roots, const std::vector<BufferPtr>& results) {
  std::erase_if(makers_, [](const auto& known) { return known.first.expired(); });
  for (size_t i = 0; i < roots.size(); ++i) makers_[results[i]] = roots[i].node->scope;
}

// Of the pending program's inputs.
std::vector<const char*> Trace::makers() const {
  std::vector<const char*> scopes;
  for (const BufferPtr& input : inputs_) {
    const auto maker = makers_.find(input);
    scopes.push_back(maker == makers_.end() ? "" : maker->second);
  }
  return scopes;
}

std::optional<Trace::RunReport> Trace::run_pending() {
  const Lock lock(mutex_);
  const Run run = collect_pending();
  std::optional<RunReport> report;
  if (!run.roots.empty()) {
    const hlo::Program program(run.roots);
    const auto results = execute(program, aliased_outputs(program, run), report.emplace());
    for (const auto& [cell, root] : run.outputs) settle(*cell, results[root]);
    if (journal_is_kept()) remember_makers(run.roots, results);
    limit_steps_in_flight(*results[0]);
  }
  graph_ = std::make_unique<hlo::Graph>();
  measured_nodes_ = 0;
  longest_chain_ = 0;
  inputs_.clear();
  parameters_.clear();
  return report;
}

void Trace::tell(const std::optional<RunReport>& report) {
  if (!report || !(report->compile_seconds || journal_is_kept())) return;
  const std::string site = call_site();
  hlo::Difference why;
  if (report->compile_seconds) {
    why = compile_log().explain(report->outline, site);
    metrics_log().record([&](Metrics& metrics) {
      SiteCompiles& compiles = metrics.compile_sites[site];
      ++compiles.count;
      compiles.seconds += *report->compile_seconds;
      compiles.last_reason = why.text;
    });
  }
  if (!journal_is_kept()) return;
  note(&Journal::programs,
       {.compiled = report->compile_seconds.has_value(),
        .why = why,
        .compile_seconds = report->compile_seconds.value_or(0),
        .operations = report->operations,
        .constant_bytes = report->constant_bytes,
        .constant_site = std::string(hlo::site_of(report->largest_constant_scope)),
        .memory = report->executable->memory_plan(),
        .site = site});
}

void Trace::sync() { tell(run_pending()); }

void Trace::cut_chain() {
  Lock lock(mutex_);
  if (longest_chain_ < kLongestChain) return;
  lock.unlock();
  sync();
}

bool Trace::is_done() {
  sync();
  const Lock lock(mutex_);
  return std::ranges::all_of(in_flight_, [](const pjrt::Event& event) { return event.ready(); });
}

void Trace::wait() {
  sync();
  const Lock lock(mutex_);
  while (!in_flight_.empty()) {
    const pjrt::Event oldest = std::move(in_flight_.front());
    in_flight_.pop_front();
    oldest.wait();
  }
}

// --- to the host

BufferPtr Trace::materialize(Cell& cell) {
  std::optional<RunReport> report;
  BufferPtr buffer;
  {
    const Lock lock(mutex_);
    if (!cell.pending_ && !cell.buffer_) set_pending(cell, value(cell));
    if (cell.pending_) report = run_pending();
    buffer = cell.buffer_;
  }
  tell(report);
  return buffer;
}

void Trace::download(Cell& cell, const View& view, hlo::DType dtype, std::span<std::byte> host) {
  const int64_t width = hlo::byte_width(dtype);
  {
    const Lock lock(mutex_);
    take_type(cell, dtype);
  }
  if (static_cast<int64_t>(host.size()) != view.elements() * width) {
    fail("a download of {} elements of {} wants {} bytes, got {}", view.elements(),
         hlo::name(dtype), view.elements() * width, host.size());
  }
  metrics_log().record([&](Metrics& metrics) { ++metrics.host_reads; });
  if (journal_is_kept() && reads_are_entries())
    note(&Journal::host_reads, {static_cast<int64_t>(host.size()), call_site()});
  if (host.empty()) return;
  const auto fetch = [](const pjrt::Buffer& buffer, std::span<std::byte> destination) {
    metrics_log().record([&](Metrics& metrics) { metrics.bytes_to_host += buffer.type().bytes(); });
    buffer.download(destination).wait();
  };
  const int64_t whole_bytes = cell.bytes();
  if (covers(view, cell.elements_of(dtype)) && cell.holds_whole(dtype))
    return fetch(*materialize(cell), host);
  if (whole_bytes <= std::max<int64_t>(kFetchWholeBytes, 4 * static_cast<int64_t>(host.size()))) {
    std::vector<std::byte> whole(static_cast<size_t>(whole_bytes));
    fetch(*materialize(cell), whole);
    return copy_view(whole, view, static_cast<size_t>(width), host);
  }
  Cell viewed(*this, dtype, view.elements());
  {
    const Lock lock(mutex_);
    set_pending(viewed, read(cell, view, dtype));
  }
  fetch(*materialize(viewed), host);
}

}  // namespace ippatsu::trace
