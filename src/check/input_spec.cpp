#include "check/input_spec.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "base/error.h"

namespace ippatsu::check {

namespace {

using hlo::DType;

constexpr std::array<std::pair<std::string_view, DType>, 12> kNames{{
    {"f32", DType::F32},
    {"f64", DType::F64},
    {"f16", DType::F16},
    {"bf16", DType::BF16},
    {"i64", DType::I64},
    {"i32", DType::I32},
    {"i16", DType::I16},
    {"i8", DType::I8},
    {"u8", DType::U8},
    {"bool", DType::Pred},
    {"c64", DType::C64},
    {"c128", DType::C128},
}};

constexpr int64_t kMostElements = int64_t{1} << 30;  // of an example

// Takes pieces off the front of a text; each is nothing where the text goes on otherwise.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }

  bool take(std::string_view literal) {
    if (!rest_.starts_with(literal)) return false;
    rest_.remove_prefix(literal.size());
    return true;
  }

  std::optional<int64_t> number() {
    int64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc()) return std::nullopt;
    rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
    return value;
  }

  std::optional<DType> dtype() {
    for (const auto& [name, dtype] : kNames) {
      if (rest_.substr(0, rest_.find('[')) != name) continue;
      rest_.remove_prefix(name.size());
      return dtype;
    }
    return std::nullopt;
  }

 private:
  std::string_view rest_;
};

// "[2,3]"; "[]" and nothing at all are a number.
bool read_dims(Reader& reader, hlo::Dims& dims) {
  if (!reader.take("[")) return reader.at_end();
  if (reader.take("]")) return true;
  int64_t elements = 1;
  do {
    const auto dim = reader.number();
    if (!dim || *dim < 0 || *dim > kMostElements / std::max<int64_t>(elements, 1)) return false;
    dims.push_back(*dim);
    elements *= *dim;
  } while (reader.take(","));
  return reader.take("]");
}

// "{0..100}", for integers.
bool read_range(Reader& reader, InputSpec& spec) {
  if (reader.at_end()) return true;
  if (!hlo::is_integer(spec.type.dtype) || !reader.take("{")) return false;
  const auto low = reader.number();
  if (!low || !reader.take("..")) return false;
  const auto high = reader.number();
  if (!high || *high <= *low || !reader.take("}")) return false;
  spec.low = *low;
  spec.high = *high;
  return true;
}

}  // namespace

bool is_drawn_from_a_range(const InputSpec& spec) {
  return hlo::is_integer(spec.type.dtype) || spec.type.dtype == DType::Pred;
}

InputSpec parse_input(std::string_view text) {
  Reader reader(text);
  InputSpec spec;
  const auto dtype = reader.dtype();
  if (dtype) spec.type.dtype = *dtype;
  if (dtype == DType::Pred) spec.high = 2;
  if (!dtype || !read_dims(reader, spec.type.dims) || !read_range(reader, spec) || !reader.at_end())
    fail("`{}` is no input: write a dtype and a shape, as f32[8,3,32,32] or i64[4,16]{{0..100}}",
         text);
  return spec;
}

}  // namespace ippatsu::check
