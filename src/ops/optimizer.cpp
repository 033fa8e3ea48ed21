// Optimizers that update all parameters in one call, and what automatic mixed precision asks of the
// device. With `found_inf` set nothing changes; that is decided on the device, so that no step
// waits for the host.

#include "ops/compute.h"
#include "ops/table.h"

namespace ippatsu::ops {

namespace {

using hlo::Direction;

// The update of one fused call: its lists, computed in f32 or wider, and its numbers.
class Update {
 public:
  explicit Update(Lowering& l) : l_(l) {}

  Values list(const char* name) {
    Values values = l_.tensors(name);
    for (const Value& value : values) {
      if (!hlo::is_floating(value.dtype()))
        fail("`{}` must hold floating-point numbers, got {}", name, to_string(value.type()));
    }
    return values;
  }

  // A list with a member for each of `count` parameters; empty where it may be and is.
  Values list(const char* name, size_t count, bool may_be_empty = false) {
    Values values = list(name);
    if (values.size() != count && !(may_be_empty && values.empty()))
      fail("`{}` has {} tensors for {} parameters", name, values.size(), count);
    return values;
  }

  // A number of the call, or a tensor of one element, shaped as `like`.
  Value number(const char* name, Value like) {
    const Value value = l_.operand(name, like.dtype());
    return hlo::broadcast_to(hlo::reshape(value, {}), like.dims());
  }

  // The gradient as it is meant: divided by the scale of mixed precision.
  Value unscaled(Value gradient) {
    return l_.has("grad_scale") ? gradient / number("grad_scale", gradient) : gradient;
  }

  Value uphill(Value gradient) { return l_.flag("maximize") ? -gradient : gradient; }

  Value decayed(Value gradient, Value parameter) {
    return l_.is("weight_decay", 0) ? gradient
                                    : gradient + number("weight_decay", parameter) * parameter;
  }

  // `updated`, in the type of `before`; `before` itself if something was not finite.
  Value kept_if_infinite(Value before, Value updated) {
    const Value rounded = hlo::convert(updated, before.dtype());
    if (!l_.has("found_inf")) return rounded;
    const Value found = hlo::reshape(l_.tensor("found_inf"), {});
    const Value finite = compare(Direction::Eq, found, fill_like(found, 0));
    return select(hlo::broadcast_to(finite, before.dims()), rounded, before);
  }

 private:
  Lowering& l_;
};

// A state that a step counts in, as a number shaped as `like`.
Value count_of(Value steps, Value like) {
  return hlo::broadcast_to(hlo::reshape(hlo::convert(steps, like.dtype()), {}), like.dims());
}

// --- Adam (Kingma and Ba, "Adam: a method for stochastic optimization", 2015), and with the decay
// kept off the moments AdamW (Loshchilov and Hutter, "Decoupled weight decay regularization", 2019)

struct Moments {
  Value first, second;
};

Moments moved(Update& update, Value gradient, const Moments& before) {
  const Value beta1 = update.number("beta1", gradient), beta2 = update.number("beta2", gradient);
  return {before.first + (gradient - before.first) * (1 - beta1),
          before.second * beta2 + gradient * gradient * (1 - beta2)};
}

// How far Adam goes; `second` may be the greatest second moment so far.
Value adam_step(Update& update, const Moments& moments, Value second, Value steps) {
  const Value like = moments.first, count = count_of(steps, like);
  const Value correction1 = 1 - power(update.number("beta1", like), count);
  const Value correction2 = sqrt(1 - power(update.number("beta2", like), count));
  const Value size = update.number("lr", like) / correction1;
  return size * moments.first / (sqrt(second) / correction2 + update.number("eps", like));
}

template <bool kDecoupledDecay>
Results fused_adam(Lowering& l) {
  Update update(l);
  const Values parameters = update.list("self");
  const size_t count = parameters.size();
  const bool amsgrad = l.flag("amsgrad");
  const Values gradients = update.list("grads", count), steps = update.list("state_steps", count);
  const Values firsts = update.list("exp_avgs", count), seconds = update.list("exp_avg_sqs", count);
  const Values greatest = update.list("max_exp_avg_sqs", count, !amsgrad);
  std::vector<Values> results(5);
  for (size_t i = 0; i < count; ++i) {
    Value parameter = to_compute_type(parameters[i]);
    const Value meant = update.unscaled(to_compute_type(gradients[i]));
    Value gradient = update.uphill(meant);
    if (kDecoupledDecay) {
      parameter = parameter - parameter * update.number("lr", parameter) *
                                  update.number("weight_decay", parameter);
    } else {
      gradient = update.decayed(gradient, parameter);
    }
    const Moments moments =
        moved(update, gradient, {to_compute_type(firsts[i]), to_compute_type(seconds[i])});
    Value second = moments.second;
    if (amsgrad) {
      second = maximum(to_compute_type(greatest[i]), second);
      results[4].push_back(update.kept_if_infinite(greatest[i], second));
    } else if (!greatest.empty()) {
      results[4].push_back(greatest[i]);
    }
    const Value step = adam_step(update, moments, second, steps[i]);
    results[0].push_back(update.kept_if_infinite(parameters[i], parameter - step));
    results[1].push_back(update.kept_if_infinite(gradients[i], meant));
    results[2].push_back(update.kept_if_infinite(firsts[i], moments.first));
    results[3].push_back(update.kept_if_infinite(seconds[i], moments.second));
  }
  return Results::lists(results);
}

// --- stochastic gradient descent, with momentum as torch.optim.SGD defines it

Results fused_sgd(Lowering& l) {
  Update update(l);
  const Values parameters = update.list("self");
  const size_t count = parameters.size();
  const bool momentum = !l.is("momentum", 0), first_step = l.flag("is_first_step");
  const Values gradients = update.list("grads", count);
  const Values buffers = update.list("momentum_buffer_list", count, !momentum);
  std::vector<Values> results(3);
  for (size_t i = 0; i < count; ++i) {
    const Value parameter = to_compute_type(parameters[i]);
    const Value meant = update.unscaled(to_compute_type(gradients[i]));
    const Value gradient = update.decayed(update.uphill(meant), parameter);
    Value direction = gradient;
    if (momentum) {
      const Value factor = update.number("momentum", gradient);
      const Value buffer = first_step ? gradient
                                      : factor * to_compute_type(buffers[i]) +
                                            (1 - update.number("dampening", gradient)) * gradient;
      direction = l.flag("nesterov") ? gradient + factor * buffer : buffer;
      results[2].push_back(update.kept_if_infinite(buffers[i], buffer));
    } else if (!buffers.empty()) {
      results[2].push_back(buffers[i]);
    }
    const Value step = update.number("lr", direction) * direction;
    results[0].push_back(update.kept_if_infinite(parameters[i], parameter - step));
    results[1].push_back(update.kept_if_infinite(gradients[i], meant));
  }
  return Results::lists(results);
}

// --- Adagrad (Duchi, Hazan and Singer, "Adaptive subgradient methods", 2011)

template <bool kReturnsSteps>
Results fused_adagrad(Lowering& l) {
  Update update(l);
  const Values parameters = update.list("self");
  const size_t count = parameters.size();
  const Values gradients = update.list("grads", count), sums = update.list("state_sums", count);
  const Values steps = update.list("state_steps", count);
  std::vector<Values> results(3);
  for (size_t i = 0; i < count; ++i) {
    const Value parameter = to_compute_type(parameters[i]);
    const Value meant = update.unscaled(to_compute_type(gradients[i]));
    const Value gradient = update.decayed(update.uphill(meant), parameter);
    const Value sum = to_compute_type(sums[i]) + gradient * gradient;
    const Value taken = count_of(steps[i], gradient) - 1;
    const Value rate =
        update.number("lr", gradient) / (1 + taken * update.number("lr_decay", gradient));
    const Value step = rate * gradient / (sqrt(sum) + update.number("eps", gradient));
    results[0].push_back(update.kept_if_infinite(parameters[i], parameter - step));
    results[1].push_back(update.kept_if_infinite(gradients[i], meant));
    results[2].push_back(update.kept_if_infinite(sums[i], sum));
  }
  if (kReturnsSteps) results.push_back(steps);
  return Results::lists(results);
}

// --- automatic mixed precision

// Gradients times `inv_scale`, and 1 in `found_inf` if one of them is not finite.
Results unscale(Lowering& l) {
  Update update(l);
  const Value found = l.tensor("found_inf");
  Value infinite = hlo::reshape(hlo::convert(found, DType::Pred), {});
  Values unscaled;
  for (const Value gradient : update.list("self")) {
    const Value finite = hlo::unary(hlo::Opcode::IsFinite, gradient);
    infinite = infinite | hlo::reduce_or(~finite, all_dims(gradient));
    const Value x = to_compute_type(gradient);
    unscaled.push_back(hlo::convert(x * update.number("inv_scale", x), gradient.dtype()));
  }
  const Value flag = hlo::broadcast_to(hlo::convert(infinite, found.dtype()), found.dims());
  return Results::lists({unscaled, {flag}});
}

// The scale falls as soon as something was not finite, and grows after an interval without that,
// unless it would not be finite itself.
Results update_scale(Lowering& l) {
  Update update(l);
  const Value scale = l.tensor("self"), tracker = l.tensor("growth_tracker");
  const Value infinite =
      hlo::broadcast_to(hlo::reshape(l.tensor("found_inf", DType::Pred), {}), scale.dims());
  const Value smooth = tracker + fill_like(tracker, 1);
  const Value grows = compare(Direction::Eq, smooth, update.number("growth_interval", tracker));
  const Value grown = scale * update.number("scale_growth_factor", scale);
  const Value may_grow = hlo::reshape(grows, scale.dims()) & unary(hlo::Opcode::IsFinite, grown);
  const Value kept = select(may_grow, grown, scale);
  const Value fallen = scale * update.number("scale_backoff_factor", scale);
  const Value starts_over = hlo::reshape(infinite, tracker.dims()) | grows;
  return {select(infinite, fallen, kept), select(starts_over, fill_like(tracker, 0), smooth)};
}

constexpr OpRow kRows[] = {
    {"aten::_fused_adam", fused_adam<false>},
    {"aten::_fused_adam.tensor_lr", fused_adam<false>},
    {"aten::_fused_adamw", fused_adam<true>},
    {"aten::_fused_adamw.tensor_lr", fused_adam<true>},
    {"aten::_fused_sgd", fused_sgd},
    {"aten::_fused_sgd.tensor_lr", fused_sgd},
    {"aten::_fused_adagrad", fused_adagrad<true>},
    {"aten::_fused_adagrad.tensor_lr", fused_adagrad<false>},
    {"aten::_amp_foreach_non_finite_check_and_unscale", unscale},
    {"aten::_amp_update_scale", update_scale},
};

}  // namespace

std::span<const OpRow> optimizer_rows() { return kRows; }

}  // namespace ippatsu::ops
