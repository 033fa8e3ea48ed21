#pragma once

// Where in the user's program this thread is. The trace knows nothing of programs: whoever can look
// at the stack says so.

#include <functional>
#include <string>

namespace ippatsu::trace {

// "train.py:31 in step"; empty where it is not known. Never called with a trace's lock held:
// looking at a Python stack waits for the interpreter, which may wait for the lock.
std::string call_site();

void set_call_site_source(std::function<std::string()> source);

}  // namespace ippatsu::trace
