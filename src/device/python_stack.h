#pragma once

// The stack of the Python program that this thread runs, if it runs one. Through the interpreter's
// stable functions, looked up in the process: the library is linked to no Python.

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace ippatsu::device {

struct PythonFrame {
  std::string file;
  int line = 0;
  std::string function;
};

// The innermost frame whose file is wanted. Waits for the interpreter's lock.
std::optional<PythonFrame> find_python_frame(
    const std::function<bool(std::string_view file)>& is_wanted);

}  // namespace ippatsu::device
