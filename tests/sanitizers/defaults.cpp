// The sanitizers' default options and suppressions, linked into every program of a sanitizer build.
// Each function is called by the runtime of its sanitizer; without sanitizers nothing calls them.

extern "C" {

// LibTorch and a PJRT plugin each carry their own copies of LLVM's and protobuf's globals.
const char* __asan_default_options() { return "detect_odr_violation=0:strict_string_checks=1"; }

const char* __ubsan_default_options() { return "print_stacktrace=1:halt_on_error=1"; }

// XLA's compiler leaves a few bytes behind with each program. Handles of ours that are never
// destroyed are hidden with them: the tests that measure memory show those.
const char* __lsan_default_suppressions() {
  return "leak:pjrt_c_api_cpu_plugin.so\nleak:xla_cpu_pjrt.so\n";
}

// LibTorch and the plugins are not instrumented: what they do among themselves cannot be judged.
const char* __tsan_default_options() {
  return "ignore_noninstrumented_modules=1:second_deadlock_stack=1";
}
}
