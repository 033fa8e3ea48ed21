// The program's malloc is jemalloc, with settings for training on a CPU device: XLA frees and maps
// its buffers anew in every step, and memory that is kept, in huge pages, spares the kernel's page
// faults. docs/decisions has the measurements.

extern "C" {
// Read by jemalloc before main (jemalloc's manual, "TUNING").
const char* malloc_conf = "thp:always,dirty_decay_ms:-1,muzzy_decay_ms:-1";
}
