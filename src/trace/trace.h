#pragma once

// The pending work of one device. Reading and writing cells only records; `sync()` runs what was
// recorded as one program, for every pending cell at once, so that reading one value in the middle
// of a step does not change what the rest of the step compiles to.
//
// All members may be called from any thread (autograd runs backward on its own); an operation that
// reads, records and writes holds `lock()` throughout.

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "hlo/builder.h"
#include "hlo/outline.h"
#include "pjrt/client.h"
#include "trace/cell.h"
#include "trace/executable_cache.h"
#include "trace/strided.h"

namespace ippatsu::trace {

class Trace {
 public:
  Trace(std::shared_ptr<const pjrt::Client> client, const pjrt::Device& device);

  const pjrt::Client& client() const { return *client_; }
  const pjrt::Device& device() const { return device_; }

  using Lock = std::unique_lock<std::recursive_mutex>;
  Lock lock() { return Lock(mutex_); }

  // The graph that operations are recorded in. Its values are good until the lock is released.
  hlo::Graph& graph() { return *graph_; }

  // The elements of the cell that the view names, as `dtype`: another type than the cell's own, of
  // the same width, sees the same bits.
  hlo::Value read(Cell& cell, const View& view, hlo::DType dtype);

  // Replaces those elements. `value` has the view's shape.
  void write(Cell& cell, const View& view, hlo::Value value);

  // A tensor from the host as an input of the pending program.
  hlo::Value input(const hlo::Type& type, std::span<const std::byte> host);

  // Makes the cell hold a tensor from the host; copies during the call.
  void upload(Cell& cell, const hlo::Type& type, std::span<const std::byte> host);

  // Changes the size of the cell. What both sizes have stays; what is new reads as zero.
  void resize(Cell& cell, int64_t bytes);

  // Runs what is pending, without waiting for it to end.
  void sync();

  // Does so if a loop has recorded operation upon operation, thousands of them, which would compile
  // for longer than they could ever save. Between operations; no lock is held.
  void cut_chain();

  // Runs what is pending. Whether the device has nothing left to do; never waits.
  bool is_done();

  // Waits until the device has nothing left to do. Fails if something it ran failed.
  void wait();

  // Copies the elements that the view names to the host, dense and row-major. Runs what is pending
  // first, and waits.
  void download(Cell& cell, const View& view, hlo::DType dtype, std::span<std::byte> host);

 private:
  friend class Cell;

  // What a sync hands to the executable.
  struct Run {
    std::vector<std::pair<Cell*, size_t>> outputs;  // each pending cell, and which root it takes
    hlo::Values roots;
  };

  // What there is to tell of a run, once no lock is held.
  struct RunReport {
    std::shared_ptr<const pjrt::Executable> executable;
    std::optional<double> compile_seconds;  // if it had to be compiled, and then
    std::shared_ptr<const hlo::Outline> outline;
    int64_t operations = 0;
    int64_t constant_bytes = 0;
    std::string largest_constant_scope;
  };

  void forget(Cell& cell);
  static void take_type(Cell& cell, hlo::DType dtype);
  hlo::Value value(Cell& cell);
  hlo::Value parameter(const std::shared_ptr<const pjrt::Buffer>& buffer);
  void set_pending(Cell& cell, hlo::Value value);
  void measure_chains();
  void settle(Cell& cell, std::shared_ptr<const pjrt::Buffer> buffer);
  Run collect_pending();
  std::vector<int> aliased_outputs(const hlo::Program& program, const Run& run) const;
  std::vector<std::shared_ptr<const pjrt::Buffer>> execute(const hlo::Program& program,
                                                           const std::vector<int>& aliased_output,
                                                           RunReport& report);
  void remember_makers(const hlo::Values& roots,
                       const std::vector<std::shared_ptr<const pjrt::Buffer>>& results);
  std::vector<const char*> makers() const;
  std::optional<RunReport> run_pending();
  static void tell(const std::optional<RunReport>& report);
  void limit_steps_in_flight(const pjrt::Buffer& result);
  std::shared_ptr<const pjrt::Buffer> materialize(Cell& cell);

  std::shared_ptr<const pjrt::Client> client_;
  const pjrt::Device& device_;
  std::recursive_mutex mutex_;

  std::unique_ptr<hlo::Graph> graph_ = std::make_unique<hlo::Graph>();
  size_t measured_nodes_ = 0;  // of the graph: their numbers are how long a chain each one ends
  int32_t longest_chain_ = 0;
  std::vector<std::shared_ptr<const pjrt::Buffer>>
      inputs_;  // of the pending graph, by parameter index
  std::unordered_map<const pjrt::Buffer*, hlo::Value> parameters_;
  PendingCells pending_;

  // While a journal is kept: the scopes that the buffers which live were computed in.
  std::map<std::weak_ptr<const pjrt::Buffer>, const char*, std::owner_less<>> makers_;

  ExecutableCache executables_;
  std::deque<pjrt::Event> in_flight_;
};

}  // namespace ippatsu::trace
