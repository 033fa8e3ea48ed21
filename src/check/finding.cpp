#include "check/finding.h"

#include <array>

namespace ippatsu::check {

namespace {

using enum Kind;
using enum Severity;

constexpr std::array<KindInfo, 12> kKinds{{
    {HostOp, Trouble, "host_op",
     "The device has no form of this operator: its arguments are fetched, it runs on the CPU, and "
     "its results are sent back, with a wait each time.",
     "Say it with operators that the device has, or do it before the step, on the host."},
    {HostRead, Trouble, "host_read",
     "The host waits here until the device has done all that was recorded, and records nothing "
     "meanwhile.",
     "Keep the value in a tensor (detach() it) and read it every so many steps, after sync(), or "
     "one step late; for an `if` on a value use torch.where."},
    {SizeRead, Trouble, "size_read",
     "The size of the result depends on values: the host waits for it, and each new size is a new "
     "program.",
     "Use a mask (torch.where, masked_fill, a weight of 0), or a result of fixed size (topk, "
     "nonzero_static)."},
    {Recompile, Trouble, "recompile",
     "A program is compiled anew after the second step, by which time everything should be known.",
     "Let every step record the same operations on the same shapes."},
    {WideFloat, Trouble, "wide_float",
     "64-bit floating-point arithmetic: a TPU has none and emulates it, a GPU is many times "
     "slower at it.",
     "Make it float32 where it enters: numpy arrays come as float64, so that "
     "torch.as_tensor(array, dtype=torch.float32) is needed."},
    {WideInteger, Note, "wide_integer",
     "64-bit integer arithmetic on many elements, which a TPU emulates.",
     "Indices are int64 in torch; for arithmetic on many of them convert to torch.int32 first."},
    {LargeConstant, Trouble, "large_constant",
     "A large table is spelled out in the program itself, which makes it slow to compile.",
     "Put the table into a tensor on the device once, such as a buffer of the module."},
    {GrowingProgram, Trouble, "growing_program",
     "Each step records more operations than the one before: every step is a new program, and "
     "slower to compile than the last.",
     "detach() what one step hands to the next, and keep no list that grows; a step that was "
     "recorded without a sync() is part of the next."},
    {HugeProgram, Trouble, "huge_program",
     "The program is so large that compiling it takes minutes.",
     "Call ippatsu.sync() in the midst of the step, and write loops over elements as operations "
     "on whole tensors."},
    {DoesNotPay, Note, "does_not_pay",
     "The programs of a step are so small that starting them takes longer than running them.",
     "Do more between two reads or syncs (a larger batch, several steps), or leave it on the "
     "CPU."},
    {NothingRan, Trouble, "nothing_ran", "Nothing was computed on the device.",
     "Move the module and its inputs to the device (`.to(device)`)."},
    {Difference, Trouble, "difference", "The device's result is not the CPU's.",
     "Long sums and low precision round differently: if that explains it, raise the tolerance. "
     "Otherwise compare the modules' outputs one by one, and report the operator that differs."},
}};

}  // namespace

std::span<const KindInfo> kinds() { return kKinds; }

const KindInfo& info(Kind kind) { return kKinds[static_cast<size_t>(kind)]; }

std::string_view name(Severity severity) { return severity == Trouble ? "trouble" : "note"; }

}  // namespace ippatsu::check
