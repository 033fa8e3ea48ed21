// Graves et al., "Connectionist temporal classification", 2006. Of a sample with target length S
// there are 2 S + 1 states: its labels, with a blank before, between and behind them. alpha[t, s]
// is the logarithm of the probability of all ways to be in state s at time t, beta[t, s] of all
// ways from there to the end; both count what is emitted at t.
//
// The lengths are inputs of the program, so that batches of other lengths do not compile anew; only
// the greatest decides shapes.

#include "ops/ctc_loss.h"

#include <algorithm>
#include <limits>

#include <fmt/ranges.h>

#include "ops/compute.h"
#include "ops/scan.h"
#include "ops/slices.h"

namespace ippatsu::ops {

namespace {

using hlo::Direction;

constexpr double kNever = -std::numeric_limits<double>::infinity();

// i64[n]
Value runtime_list(hlo::Graph& graph, const Dims& numbers) {
  Values parts;
  for (const int64_t number : numbers)
    parts.push_back(hlo::reshape(runtime_scalar(graph, number, DType::I64), {1}));
  return hlo::concatenate(parts, 0);
}

void check_lengths(std::string_view name, const Dims& lengths, int64_t samples, int64_t most) {
  if (static_cast<int64_t>(lengths.size()) != samples)
    fail("{} must be of size {}, got {}", name, samples, lengths.size());
  const auto fits = [&](int64_t length) { return length >= 0 && length <= most; };
  if (!std::ranges::all_of(lengths, fits))
    fail("Expected {} to have values from 0 to {}, got [{}]", name, most, fmt::join(lengths, ","));
}

// N samples of at most T steps over C classes, and L states.
struct Lattice {
  Value emission;  // [T,N,L]: log probability of the state's label, never beyond the last state
  Value classes;   // i64[N,L]: n * C + the label
  Value may_skip;  // i1[N,L]: may the state be reached from the one before the last?
  Value is_final;  // i1[N,L]: the last label, or the blank behind it
  Value input_lengths;  // i64[N]
};

// i64[N,S]: the targets of each sample, of which some are none of its own.
Value target_table(Lowering& l, Value lengths, int64_t longest) {
  const Value targets = l.tensor("targets", DType::I64);
  if (targets.rank() == 2) return slice_dim(targets, 1, 0, longest);
  const Dims shape{lengths.dim(0), longest};
  const Value first = running_sum(lengths, 0) - lengths;
  const Value place = stretch(first, shape, {1}) + hlo::iota(l.graph(), {DType::I64, shape}, 1);
  return take_slices(targets, place, 0);
}

void check_targets(const hlo::Type& targets, const Dims& lengths, int64_t samples) {
  if (targets.dims.size() == 2) {
    if (targets.dims[0] != samples) fail("targets are [N, S], got {}", to_string(targets));
    return check_lengths("target_lengths", lengths, samples, targets.dims[1]);
  }
  if (targets.dims.size() != 1)
    fail("targets should be 1- or 2-dimensional, got {}", to_string(targets));
  check_lengths("target_lengths", lengths, samples, targets.dims[0]);
  int64_t total = 0;
  for (const int64_t length : lengths) total += length;
  if (total > targets.dims[0])
    fail("target_lengths sum up to {}, but there are only {} targets", total, targets.dims[0]);
}

// i64[N,L]: blank, label, blank, ... label, blank
Value state_labels(Value targets, int64_t blank) {
  const int64_t samples = targets.dim(0), longest = targets.dim(1);
  hlo::Graph& graph = targets.graph();
  const Value filling = hlo::constant(graph, {DType::I64, {}}, blank);
  if (longest == 0) return hlo::broadcast_to(filling, {samples, 1});
  return hlo::pad(targets, filling, {0, 1}, {0, 1}, {0, 1});
}

// x with every state's value moved `by` states on, `filling` in front (behind, if negative).
Value moved(Value x, int64_t by, double filling) {
  return hlo::pad(x, hlo::constant(x.graph(), {x.dtype(), {}}, filling), {0, by}, {0, -by});
}

Value differs_from(Value labels, int64_t by) {
  return compare(Direction::Ne, labels, moved(labels, by, -1));
}

Lattice lattice(Lowering& l) {
  const Value probabilities = to_compute_type(floating_tensor(l, "log_probs"));
  if (probabilities.rank() != 3)
    fail("log_probs are [T, N, C], got {}", to_string(probabilities.type()));
  const int64_t steps = probabilities.dim(0), samples = probabilities.dim(1),
                classes = probabilities.dim(2), blank = l.integer("blank");
  if (blank < 0 || blank >= classes) fail("blank must be in label range [0, {})", classes);
  const Dims inputs = l.ints("input_lengths"), targets = l.ints("target_lengths");
  check_lengths("input_lengths", inputs, samples, steps);
  check_targets(l.type("targets"), targets, samples);
  if (samples == 0 || steps == 0)
    fail("ctc_loss wants at least one step and one sample, got {}",
         to_string(probabilities.type()));

  const Value lengths = runtime_list(l.graph(), targets);
  const Value labels = state_labels(target_table(l, lengths, std::ranges::max(targets)), blank);
  const Value sample = hlo::iota(l.graph(), labels.type(), 0);
  const Value state = hlo::iota(l.graph(), labels.type(), 1);
  const Value last = stretch(lengths * 2, labels.dims(), {1});
  const Value place = sample * static_cast<double>(classes) + labels;
  const Value emission =
      take_slices(hlo::reshape(probabilities, {steps, samples * classes}), place, 1);
  const Value exists = compare(Direction::Le, state, last);
  return {select(hlo::broadcast_in_dim(exists, emission.dims(), {1, 2}), emission,
                 fill_like(emission, kNever)),
          place, differs_from(labels, 2) & compare(Direction::Ge, state, fill_like(state, 2)),
          exists & compare(Direction::Ge, state, last - 1), runtime_list(l.graph(), inputs)};
}

// log of the sum of the exponentials along `dims`; of nothing but impossible things, impossible.
Value log_sum(Value x, const Dims& dims) {
  const Value greatest = reduce_max(x, dims);
  const Value never = compare(Direction::Eq, greatest, fill_like(greatest, kNever));
  const Value shift = select(never, fill_like(greatest, 0), greatest);
  return log(reduce_sum(exp(x - stretch(shift, x.dims(), dims)), dims)) + shift;
}

// [N,L]: from a state, its neighbour and the one beyond it, where that may be skipped to.
Value arrive(Value before, Value may_skip, int64_t direction) {
  Dims column = before.dims();
  column.push_back(1);
  const Value skipped =
      select(may_skip, moved(before, 2 * direction, kNever), fill_like(before, kNever));
  const Value ways = hlo::concatenate(
      {hlo::reshape(before, column), hlo::reshape(moved(before, direction, kNever), column),
       hlo::reshape(skipped, column)},
      2);
  return log_sum(ways, {2});
}

// One step of a tensor [T,N,L], and that step replaced.
Value at_step(Value x, Value step) {
  const Value zero = fill_like(step, 0);
  const Value one = hlo::dynamic_slice(x, {step, zero, zero}, {1, x.dim(1), x.dim(2)});
  return hlo::reshape(one, {x.dim(1), x.dim(2)});
}

Value with_step(Value x, Value step, Value row) {
  const Value zero = fill_like(step, 0);
  return hlo::dynamic_update_slice(x, hlo::reshape(row, {1, x.dim(1), x.dim(2)}),
                                   {step, zero, zero});
}

// [T,N,L]
Value forward(const Lattice& lattice) {
  const Value& emission = lattice.emission;
  const Value first = hlo::reshape(slice_dim(emission, 0, 0, 1), lattice.classes.dims());
  const Value state = hlo::iota(first.graph(), {DType::I64, first.dims()}, 1);
  const Value start =
      select(compare(Direction::Le, state, fill_like(state, 1)), first, fill_like(first, kNever));
  const Value zero = hlo::constant(first.graph(), {DType::I64, {}}, 0);
  const Value rows = with_step(fill_like(emission, kNever), zero, start);
  return hlo::repeat(emission.dim(0) - 1, {start, rows, emission, lattice.may_skip},
                     [](Value index, std::span<const Value> x) -> Values {
                       const Value step = index + 1;
                       const Value row = arrive(x[0], x[3], 1) + at_step(x[2], step);
                       return {row, with_step(x[1], step, row), x[2], x[3]};
                     })[1];
}

// [T,N,L], never from a sample's end on.
Value backward(const Lattice& lattice) {
  const Value& emission = lattice.emission;
  const int64_t steps = emission.dim(0);
  const Value last = stretch(lattice.input_lengths - 1, lattice.classes.dims(), {1});
  const Value may_skip =
      hlo::convert(moved(hlo::convert(lattice.may_skip, DType::I32), -2, 0), DType::Pred);
  const Value nothing =
      hlo::constant(emission.graph(), {emission.dtype(), lattice.classes.dims()}, kNever);
  const auto body = [steps](Value index, std::span<const Value> x) -> Values {
    const Value step = static_cast<double>(steps - 1) - index, emitted = at_step(x[2], step);
    const Value now = hlo::broadcast_to(step, x[5].dims()), none = fill_like(emitted, kNever);
    const Value onward = arrive(x[0], x[3], -1) + emitted;
    const Value row = select(compare(Direction::Eq, now, x[5]), select(x[4], emitted, none),
                             select(compare(Direction::Lt, now, x[5]), onward, none));
    return {row, with_step(x[1], step, row), x[2], x[3], x[4], x[5]};
  };
  return hlo::repeat(
      steps, {nothing, fill_like(emission, kNever), emission, may_skip, lattice.is_final, last},
      body)[1];
}

// [N]: minus the log probability of the targets.
Value losses(const Lattice& lattice, Value alpha) {
  const int64_t samples = alpha.dim(1), states = alpha.dim(2);
  const Value& length = lattice.input_lengths;
  const Value sample = hlo::iota(alpha.graph(), length.type(), 0);
  const Value place = maximum(length - 1, fill_like(length, 0)) * static_cast<double>(samples);
  const Value rows = hlo::reshape(alpha, {alpha.dim(0) * samples, states});
  const Value ends = take_slices(rows, place + sample, 0);
  const Value loss = -log_sum(select(lattice.is_final, ends, fill_like(ends, kNever)), {1});
  // Without a step, only a target without labels is possible.
  const Value first_is_final = hlo::reshape(slice_dim(lattice.is_final, 1, 0, 1), {samples});
  const Value without_steps = select(first_is_final, fill_like(loss, 0), fill_like(loss, -kNever));
  return select(compare(Direction::Eq, length, fill_like(length, 0)), without_steps, loss);
}

}  // namespace

// Results: the losses, and alpha as [N,T,L].
Results ctc_loss(Lowering& l) {
  const DType dtype = l.type("log_probs").dtype;
  const Lattice states = lattice(l);
  const Value alpha = forward(states);
  return {hlo::convert(losses(states, alpha), dtype),
          hlo::convert(hlo::transpose(alpha, {1, 0, 2}), dtype)};
}

// exp(log_probs) less the probability, given the targets, of being in a state of that class.
Results ctc_loss_backward(Lowering& l) {
  const Lattice states = lattice(l);
  const Value& emission = states.emission;
  const DType dtype = emission.dtype();
  const Value probabilities = l.tensor("log_probs", dtype);
  const Value alpha = hlo::transpose(l.tensor("log_alpha", dtype), {1, 0, 2});
  const Value loss = l.tensor("neg_log_likelihood", dtype);
  const Value through = alpha + backward(states);
  const Value never = compare(Direction::Eq, through, fill_like(through, kNever));
  const Value given = exp(through - emission + hlo::broadcast_in_dim(loss, through.dims(), {1}));
  const Dims& shape = probabilities.dims();
  const Value visited = hlo::reshape(
      sum_slices(select(never, fill_like(given, 0), given), states.classes, 1, shape[1] * shape[2]),
      shape);

  const auto by_sample = [&](Value x) { return hlo::broadcast_in_dim(x, shape, {1}); };
  const Value gradient = (exp(probabilities) - visited) * by_sample(l.tensor("grad", dtype));
  const Value impossible = by_sample(compare(Direction::Eq, loss, fill_like(loss, -kNever)));
  const Value unknown = fill_like(gradient, l.flag("zero_infinity") ? 0 : NAN);
  const Value step = hlo::iota(l.graph(), {DType::I64, shape}, 0);
  const Value ended = compare(Direction::Ge, step, by_sample(states.input_lengths));
  const Value possible = select(impossible, unknown, gradient);
  return hlo::convert(select(ended, fill_like(gradient, 0), possible), l.type("log_probs").dtype);
}

}  // namespace ippatsu::ops
