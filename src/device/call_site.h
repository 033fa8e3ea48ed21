#pragma once

// Where in the user's program an operator is called: the innermost line of Python or TorchScript
// that is neither torch's nor ours. In a backward pass it is the line of the forward operator.

namespace ippatsu::device {

// Tells the trace how to find out.
void register_call_sites();

// The name of a hlo::Scope for `op`: with the place while a journal is kept, else `op` itself.
// Lives as long as the process. Like trace::call_site, not to be called with a trace's lock held.
const char* scope_name(const char* op);

}  // namespace ippatsu::device
