// libFuzzer target: any text, through the sniffing of its format, reading, check, writing, replay
// and encoding.
//
//     CXX=clang++-16 cmake --preset asan -B build/fuzz
//       -DIPPATSU_SANITIZE=fuzzer-no-link,address,undefined
//     ninja -C build/fuzz record_fuzz
//     mkdir -p build/fuzz/corpus
//     build/fuzz/bin/record_fuzz build/fuzz/corpus tests/records -max_total_time=60

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "mahjong/features.h"
#include "records/check_record.h"
#include "records/read_record.h"
#include "records/replay.h"
#include "records/write_record.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ippatsu::mahjong;
  try {
    const Record record = read_record_text({reinterpret_cast<const char*>(data), size}, "fuzzed");
    check_record(record);
    write_mjai(record);
    std::array<uint64_t, kFeatureWords> bits;
    Replayer replayer(record);
    while (const Decision* decision = replayer.next()) encode(decision->view, bits);
    write_tenhou_json(record);
  } catch (const ippatsu::Error&) {
  }
  return 0;
}
