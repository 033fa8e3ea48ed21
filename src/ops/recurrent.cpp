// The cells of recurrent networks, as gru and lstm call them on devices: everything behind the two
// matrix products of a step.

#include "ops/compute.h"
#include "ops/table.h"

namespace ippatsu::ops {

namespace {

// Equal parts of the last dim of [N, count * H].
Values parts(Value x, int64_t count) {
  if (x.rank() != 2 || x.dim(1) % count != 0)
    fail("the gates of a cell are [N, {} * H], got {}", count, to_string(x.type()));
  const int64_t width = x.dim(1) / count;
  Values parts;
  for (int64_t i = 0; i < count; ++i) parts.push_back(slice_dim(x, 1, i * width, (i + 1) * width));
  return parts;
}

// What one of the two products gives each gate, with its bias.
Values gates(Lowering& l, std::string_view product, std::string_view bias, int64_t count) {
  const Value x = to_compute_type(floating_tensor(l, product));
  if (!l.has(bias)) return parts(x, count);
  return parts(x + hlo::broadcast_to(l.tensor(bias, x.dtype()), x.dims()), count);
}

Value typed(Value x, DType dtype) { return hlo::convert(x, dtype); }

Value joined(Values parts, DType dtype) {
  return typed(hlo::concatenate(std::move(parts), 1), dtype);
}

// Of a sigmoid and of a hyperbolic tangent, by their results.
Value sigmoid_slope(Value y) { return y * (1 - y); }
Value tanh_slope(Value y) { return 1 - y * y; }

// --- LSTM: Hochreiter and Schmidhuber, "Long short-term memory", 1997, with the forget gate of
// Gers et al., 2000

// Results: the output, the cell's state, and the four gates for backward.
Results lstm_cell(Lowering& l) {
  const DType dtype = l.type("input_gates").dtype;
  const Values own = gates(l, "input_gates", "input_bias", 4);
  const Values back = gates(l, "hidden_gates", "hidden_bias", 4);
  const Value input = logistic(own[0] + back[0]), forget = logistic(own[1] + back[1]);
  const Value fresh = tanh(own[2] + back[2]), output = logistic(own[3] + back[3]);
  const Value state = forget * l.tensor("cx", input.dtype()) + input * fresh;
  return {typed(output * tanh(state), dtype), typed(state, dtype),
          joined({input, forget, fresh, output}, dtype)};
}

Value gradient_or_zero(Lowering& l, std::string_view name, Value like) {
  return l.has(name) ? l.tensor(name, like.dtype()) : fill_like(like, 0);
}

// Results: the gradients of the gates, of the state before, and of the bias.
Results lstm_cell_backward(Lowering& l) {
  const DType dtype = l.type("cx").dtype;
  const Values gate = parts(to_compute_type(l.tensor("workspace")), 4);
  const Value &input = gate[0], &forget = gate[1], &fresh = gate[2], &output = gate[3];
  const Value before = l.tensor("cx", input.dtype());
  const Value squashed = tanh(l.tensor("cy", input.dtype()));
  const Value grad = gradient_or_zero(l, "grad_hy", squashed);
  const Value to_state =
      gradient_or_zero(l, "grad_cy", squashed) + grad * output * tanh_slope(squashed);
  const Value to_gates = hlo::concatenate(
      {to_state * fresh * sigmoid_slope(input), to_state * before * sigmoid_slope(forget),
       to_state * input * tanh_slope(fresh), grad * squashed * sigmoid_slope(output)},
      1);
  const Value to_bias = l.flag("has_bias") ? typed(reduce_sum(to_gates, {0}), dtype) : Value();
  return {typed(to_gates, dtype), typed(to_state * forget, dtype), to_bias};
}

// --- GRU: Cho et al., "Learning phrase representations using RNN encoder-decoder", 2014

// Results: the output, and for backward the gates, the output before, and what the reset gate is
// applied to.
Results gru_cell(Lowering& l) {
  const DType dtype = l.type("input_gates").dtype;
  const Values own = gates(l, "input_gates", "input_bias", 3);
  const Values back = gates(l, "hidden_gates", "hidden_bias", 3);
  const Value reset = logistic(own[0] + back[0]), keep = logistic(own[1] + back[1]);
  const Value fresh = tanh(own[2] + reset * back[2]);
  const Value before = l.tensor("hx", fresh.dtype());
  return {typed(fresh + keep * (before - fresh), dtype),
          joined({reset, keep, fresh, before, back[2]}, dtype)};
}

// Results: the gradients of both products, of the output before, and of both biases.
Results gru_cell_backward(Lowering& l) {
  const DType dtype = l.type("grad_hy").dtype;
  const Values kept = parts(to_compute_type(l.tensor("workspace")), 5);
  const Value &reset = kept[0], &keep = kept[1], &fresh = kept[2], &before = kept[3];
  const Value grad = l.tensor("grad_hy", reset.dtype());
  const Value to_fresh = grad * (1 - keep) * tanh_slope(fresh);
  const Value to_keep = grad * (before - fresh) * sigmoid_slope(keep);
  const Value to_reset = to_fresh * kept[4] * sigmoid_slope(reset);
  const Value to_own = hlo::concatenate({to_reset, to_keep, to_fresh}, 1);
  const Value to_back = hlo::concatenate({to_reset, to_keep, to_fresh * reset}, 1);
  const auto to_bias = [&](Value gates) {
    return l.flag("has_bias") ? typed(reduce_sum(gates, {0}), dtype) : Value();
  };
  return {typed(to_own, dtype), typed(to_back, dtype), typed(grad * keep, dtype), to_bias(to_own),
          to_bias(to_back)};
}

constexpr OpRow kRows[] = {
    {"aten::_thnn_fused_lstm_cell", lstm_cell},
    {"aten::_thnn_fused_lstm_cell_backward_impl", lstm_cell_backward},
    {"aten::_thnn_fused_gru_cell", gru_cell},
    {"aten::_thnn_fused_gru_cell_backward", gru_cell_backward},
};

}  // namespace

std::span<const OpRow> recurrent_rows() { return kRows; }

}  // namespace ippatsu::ops
