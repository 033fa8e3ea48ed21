#include "device/python_stack.h"

#include <utility>

#include <dlfcn.h>

namespace ippatsu::device {

namespace {

using Object = void;  // PyObject and what derives from it

// Functions of the interpreter. torch's own symbolizer would do, but imports its compiler with the
// first stack, which takes seconds.
struct Interpreter {
  int (*is_initialized)() = nullptr;
  int (*is_finalizing)() = nullptr;
  int (*lock)() = nullptr;
  void (*unlock)(int state) = nullptr;
  Object* (*current_frame)() = nullptr;  // borrowed
  Object* (*caller)(Object* frame) = nullptr;
  Object* (*code)(Object* frame) = nullptr;
  int (*line)(Object* frame) = nullptr;
  Object* (*attribute)(Object* object, const char* name) = nullptr;
  const char* (*text)(Object* string, ssize_t* size) = nullptr;
  void (*acquire)(Object* object) = nullptr;
  void (*release)(Object* object) = nullptr;
  void (*clear_error)() = nullptr;
};

template <typename Function>
bool look_up(Function*& function, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (function == nullptr) function = reinterpret_cast<Function*>(::dlsym(RTLD_DEFAULT, name));
  }
  return function != nullptr;
}

std::optional<Interpreter> find_interpreter() {
  Interpreter python;
  const bool complete =
      look_up(python.is_initialized, {"Py_IsInitialized"}) &&
      look_up(python.is_finalizing, {"Py_IsFinalizing", "_Py_IsFinalizing"}) &&
      look_up(python.lock, {"PyGILState_Ensure"}) &&
      look_up(python.unlock, {"PyGILState_Release"}) &&
      look_up(python.current_frame, {"PyEval_GetFrame"}) &&
      look_up(python.caller, {"PyFrame_GetBack"}) && look_up(python.code, {"PyFrame_GetCode"}) &&
      look_up(python.line, {"PyFrame_GetLineNumber"}) &&
      look_up(python.attribute, {"PyObject_GetAttrString"}) &&
      look_up(python.text, {"PyUnicode_AsUTF8AndSize"}) && look_up(python.acquire, {"Py_IncRef"}) &&
      look_up(python.release, {"Py_DecRef"}) && look_up(python.clear_error, {"PyErr_Clear"});
  if (!complete) return std::nullopt;
  return python;
}

const std::optional<Interpreter>& interpreter() {
  static const std::optional<Interpreter> found = find_interpreter();
  return found;
}

// Holds the interpreter's lock.
class Locked {
 public:
  explicit Locked(const Interpreter& python) : python_(python), state_(python.lock()) {}
  ~Locked() { python_.unlock(state_); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  const Interpreter& python_;
  int state_;
};

// Owns one reference, or none.
class Reference {
 public:
  Reference(const Interpreter& python, Object* object) : python_(&python), object_(object) {}
  Reference(Reference&& other) noexcept
      : python_(other.python_), object_(std::exchange(other.object_, nullptr)) {}
  Reference& operator=(Reference&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Reference() { python_->release(object_); }

  Object* get() const { return object_; }

 private:
  const Interpreter* python_;
  Object* object_;
};

// An attribute that is a string; empty if it is none.
std::string text_of(const Interpreter& python, const Reference& object, const char* name) {
  const Reference attribute(python, python.attribute(object.get(), name));
  ssize_t size = 0;
  const char* text = attribute.get() ? python.text(attribute.get(), &size) : nullptr;
  if (text != nullptr) return {text, static_cast<size_t>(size)};
  python.clear_error();
  return "";
}

}  // namespace

std::optional<PythonFrame> find_python_frame(
    const std::function<bool(std::string_view file)>& is_wanted) {
  if (!interpreter() || !interpreter()->is_initialized() || interpreter()->is_finalizing())
    return std::nullopt;
  const Interpreter& python = *interpreter();
  const Locked locked(python);
  Reference frame(python, python.current_frame());
  python.acquire(frame.get());
  while (frame.get() != nullptr) {
    const Reference code(python, python.code(frame.get()));
    const std::string file = text_of(python, code, "co_filename");
    if (is_wanted(file)) {
      return PythonFrame{
          .file = file,
          .line = python.line(frame.get()),
          .function = text_of(python, code, "co_name"),
      };
    }
    frame = Reference(python, python.caller(frame.get()));
  }
  return std::nullopt;
}

}  // namespace ippatsu::device
