#include "hlo/opcode.h"

#include <array>
#include <bit>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "hlo/graph.h"

namespace ippatsu::hlo {

namespace {

using List = std::span<const int64_t>;

// Attributes of more than one list hold each as its length followed by its members.
class Lists {
 public:
  explicit Lists(List attributes) : rest_(attributes) {}
  List next() {
    const auto length = static_cast<size_t>(rest_[0]);
    const List list = rest_.subspan(1, length);
    rest_ = rest_.subspan(1 + length);
    return list;
  }

 private:
  List rest_;
};

std::string array(std::string_view key, List values) {
  return values.empty() ? fmt::format("{} = array<i64>", key)
                        : fmt::format("{} = array<i64: {}>", key, fmt::join(values, ", "));
}

std::string number(DType dtype, int64_t bits) {
  if (dtype == DType::Pred) return bits != 0 ? "true" : "false";
  if (is_integer(dtype)) {
    const bool is_unsigned = dtype >= DType::U8 && dtype <= DType::U64;
    return is_unsigned ? fmt::format("{}", static_cast<uint64_t>(bits)) : fmt::format("{}", bits);
  }
  const double value = std::bit_cast<double>(bits);
  if (std::isfinite(value)) return fmt::format("{:#}", value);
  switch (dtype) {  // MLIR takes infinities and NaN as the bits of the element type
    case DType::F16:
      return std::isnan(value) ? "0x7E00" : value > 0 ? "0x7C00" : "0xFC00";
    case DType::BF16:
      return std::isnan(value) ? "0x7FC0" : value > 0 ? "0x7F80" : "0xFF80";
    case DType::F32:
      return std::isnan(value) ? "0x7FC00000" : value > 0 ? "0x7F800000" : "0xFF800000";
    default:
      return std::isnan(value) ? "0x7FF8000000000000"
             : value > 0       ? "0x7FF0000000000000"
                               : "0xFFF0000000000000";
  }
}

std::string constant(const Node& node) {
  const Type& type = node.types[0];
  if (type.elements() == 0) return fmt::format("value = dense<> : {}", mlir(type));
  const DType part = real_part(type.dtype);
  std::string text = number(part, node.attributes[0]);
  if (is_complex(type.dtype))
    text = fmt::format("({}, {})", text, number(part, node.attributes[1]));
  return fmt::format("value = dense<{}> : {}", text, mlir(type));
}

std::string constant_list(const Node& node) {
  const Type& type = node.types[0];
  std::vector<std::string> numbers;
  for (const int64_t bits : node.attributes) numbers.push_back(number(type.dtype, bits));
  return fmt::format("value = dense<[{}]> : {}", fmt::join(numbers, ", "), mlir(type));
}

std::string compare(const Node& node) {
  constexpr std::array<std::string_view, 6> kDirections{"EQ", "NE", "LT", "LE", "GT", "GE"};
  const auto direction = kDirections[static_cast<size_t>(node.attributes[0])];
  const std::string text =
      fmt::format("comparison_direction = #stablehlo<comparison_direction {}>", direction);
  return node.attributes[1] == 0 ? text
                                 : text + ", compare_type = #stablehlo<comparison_type TOTALORDER>";
}

std::string slice(const Node& node) {
  Lists lists(node.attributes);
  const std::string starts = array("start_indices", lists.next());
  const std::string limits = array("limit_indices", lists.next());
  return fmt::format("{}, {}, {}", starts, limits, array("strides", lists.next()));
}

std::string pad(const Node& node) {
  Lists lists(node.attributes);
  const std::string low = array("edge_padding_low", lists.next());
  const std::string high = array("edge_padding_high", lists.next());
  return fmt::format("{}, {}, {}", low, high, array("interior_padding", lists.next()));
}

std::string gather(const Node& node) {
  Lists lists(node.attributes);
  const List offset = lists.next(), collapsed = lists.next(), map = lists.next(),
             sizes = lists.next();
  return fmt::format(
      "dimension_numbers = #stablehlo.gather<offset_dims = [{}], collapsed_slice_dims = [{}], "
      "start_index_map = [{}], index_vector_dim = {}>, {}, indices_are_sorted = false",
      fmt::join(offset, ", "), fmt::join(collapsed, ", "), fmt::join(map, ", "),
      node.operands[1].rank() - 1, array("slice_sizes", sizes));
}

std::string scatter(const Node& node) {
  Lists lists(node.attributes);
  const List window = lists.next(), inserted = lists.next(), map = lists.next();
  return fmt::format(
      "scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [{}], "
      "inserted_window_dims = [{}], "
      "scatter_dims_to_operand_dims = [{}], index_vector_dim = {}>, indices_are_sorted = false, "
      "unique_indices = false",
      fmt::join(window, ", "), fmt::join(inserted, ", "), fmt::join(map, ", "),
      node.operands[1].rank() - 1);
}

std::string dot_general(const Node& node) {
  Lists lists(node.attributes);
  const List lhs_batch = lists.next(), rhs_batch = lists.next(), lhs = lists.next(),
             rhs = lists.next();
  return fmt::format(
      "dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [{}], "
      "rhs_batching_dimensions = [{}], "
      "lhs_contracting_dimensions = [{}], rhs_contracting_dimensions = [{}]>",
      fmt::join(lhs_batch, ", "), fmt::join(rhs_batch, ", "), fmt::join(lhs, ", "),
      fmt::join(rhs, ", "));
}

std::string booleans(std::string_view key, List values) {
  if (values.empty()) return fmt::format("{} = array<i1>", key);
  std::vector<bool> flags(values.begin(), values.end());
  return fmt::format("{} = array<i1: {}>", key, fmt::join(flags, ", "));
}

// Each spatial dim's padding in front and behind, as a matrix.
std::string padding(List low, List high) {
  if (low.empty()) return "padding = dense<> : tensor<0x2xi64>";
  std::vector<std::string> pairs;
  for (size_t i = 0; i < low.size(); ++i) pairs.push_back(fmt::format("[{}, {}]", low[i], high[i]));
  return fmt::format("padding = dense<[{}]> : tensor<{}x2xi64>", fmt::join(pairs, ", "),
                     low.size());
}

// Three numbers of dims: of `first` and `second`, and the spatial ones.
std::string convolution_dims(std::string_view operand, std::string_view first,
                             std::string_view second, List dims) {
  return fmt::format(
      "{0}_{1}_dimension = {3}, {0}_{2}_dimension = {4}, "
      "{0}_spatial_dimensions = [{5}]",
      operand, first, second, dims[0], dims[1], fmt::join(dims.subspan(2), ", "));
}

std::string convolution(const Node& node) {
  Lists lists(node.attributes);
  const List strides = lists.next(), low = lists.next(), high = lists.next(), base = lists.next(),
             window = lists.next(), reversal = lists.next(), input = lists.next(),
             kernel = lists.next(), output = lists.next(), groups = lists.next();
  return fmt::format(
      "{}, {}, {}, {}, {}, dimension_numbers = #stablehlo.conv<raw {}, {}, {}>, "
      "feature_group_count = {} : i64, batch_group_count = {} : i64",
      array("window_strides", strides), padding(low, high), array("lhs_dilation", base),
      array("rhs_dilation", window), booleans("window_reversal", reversal),
      convolution_dims("input", "batch", "feature", input),
      convolution_dims("kernel", "output_feature", "input_feature", kernel),
      convolution_dims("output", "batch", "feature", output), groups[0], groups[1]);
}

std::string reduce_window(const Node& node) {
  Lists lists(node.attributes);
  const List sizes = lists.next(), strides = lists.next(), low = lists.next(), high = lists.next(),
             base = lists.next(), window = lists.next();
  return fmt::format("{}, {}, {}, {}, {}", array("window_dimensions", sizes),
                     array("window_strides", strides), padding(low, high),
                     array("base_dilations", base), array("window_dilations", window));
}

std::string select_and_scatter(const Node& node) {
  Lists lists(node.attributes);
  const List sizes = lists.next(), strides = lists.next(), low = lists.next(), high = lists.next();
  return fmt::format("{}, {}, {}", array("window_dimensions", sizes),
                     array("window_strides", strides), padding(low, high));
}

std::string cholesky(const Node& node) {
  return fmt::format("lower = {}", node.attributes[0] != 0);
}

std::string triangular_solve(const Node& node) {
  constexpr std::array<std::string_view, 3> kTransposes{"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"};
  const Attributes& a = node.attributes;
  return fmt::format(
      "left_side = {}, lower = {}, unit_diagonal = {}, transpose_a = #stablehlo<transpose {}>",
      a[0] != 0, a[1] != 0, a[2] != 0, kTransposes[static_cast<size_t>(a[3])]);
}

std::string fft(const Node& node) {
  constexpr std::array<std::string_view, 4> kKinds{"FFT", "IFFT", "RFFT", "IRFFT"};
  const List attributes(node.attributes);
  return fmt::format("fft_type = #stablehlo<fft_type {}>, {}",
                     kKinds[static_cast<size_t>(attributes[0])],
                     array("fft_length", attributes.subspan(1)));
}

// A string attribute is a list of its bytes. MLIR reads \XX as a byte.
std::string quoted(List bytes) {
  std::string text = "\"";
  for (const int64_t byte : bytes) {
    const bool plain = byte >= ' ' && byte <= '~' && byte != '"' && byte != '\\';
    text += plain ? std::string(1, static_cast<char>(byte)) : fmt::format("\\{:02X}", byte);
  }
  return text + "\"";
}

std::string custom_call(const Node& node) {
  Lists lists(node.attributes);
  const List target = lists.next(), config = lists.next(), options = lists.next();
  std::string text =
      fmt::format("call_target_name = {}, api_version = {} : i32, has_side_effect = {}",
                  quoted(target), options[0], options[1] != 0);
  return config.empty() ? text : text + ", backend_config = " + quoted(config);
}

std::string no_attributes(const Node&) { return ""; }
std::string iota(const Node& node) {
  return fmt::format("iota_dimension = {} : i64", node.attributes[0]);
}
std::string broadcast(const Node& node) { return array("broadcast_dimensions", node.attributes); }
std::string transpose(const Node& node) { return array("permutation", node.attributes); }
std::string dimensions(const Node& node) { return array("dimensions", node.attributes); }
std::string concatenate(const Node& node) {
  return fmt::format("dimension = {} : i64", node.attributes[0]);
}
std::string dynamic_slice(const Node& node) { return array("slice_sizes", node.attributes); }
std::string sort(const Node& node) {
  return fmt::format("dimension = {} : i64, is_stable = true", node.attributes[0]);
}
std::string top_k(const Node& node) { return fmt::format("k = {} : i64", node.attributes[0]); }
std::string rng(const Node&) { return "rng_algorithm = #stablehlo<rng_algorithm PHILOX>"; }

struct OpcodeInfo {
  Opcode opcode;
  std::string_view name;
  std::string (*attributes)(const Node&) = no_attributes;
};

// In the order of the enumeration.
constexpr std::array<OpcodeInfo, kOpcodes> kInfo{{
    {Opcode::Parameter, "parameter"},
    {Opcode::Scalar, "scalar"},
    {Opcode::Constant, "stablehlo.constant", constant},
    {Opcode::ConstantList, "stablehlo.constant", constant_list},
    {Opcode::Iota, "stablehlo.iota", iota},
    {Opcode::Abs, "stablehlo.abs"},
    {Opcode::Cbrt, "stablehlo.cbrt"},
    {Opcode::Ceil, "stablehlo.ceil"},
    {Opcode::Cosine, "stablehlo.cosine"},
    {Opcode::CountLeadingZeros, "stablehlo.count_leading_zeros"},
    {Opcode::Exponential, "stablehlo.exponential"},
    {Opcode::ExponentialMinusOne, "stablehlo.exponential_minus_one"},
    {Opcode::Floor, "stablehlo.floor"},
    {Opcode::Imag, "stablehlo.imag"},
    {Opcode::IsFinite, "stablehlo.is_finite"},
    {Opcode::Log, "stablehlo.log"},
    {Opcode::LogPlusOne, "stablehlo.log_plus_one"},
    {Opcode::Logistic, "stablehlo.logistic"},
    {Opcode::Negate, "stablehlo.negate"},
    {Opcode::Not, "stablehlo.not"},
    {Opcode::PopulationCount, "stablehlo.popcnt"},
    {Opcode::Real, "stablehlo.real"},
    {Opcode::RoundNearestAfz, "stablehlo.round_nearest_afz"},
    {Opcode::RoundNearestEven, "stablehlo.round_nearest_even"},
    {Opcode::Rsqrt, "stablehlo.rsqrt"},
    {Opcode::Sign, "stablehlo.sign"},
    {Opcode::Sine, "stablehlo.sine"},
    {Opcode::Sqrt, "stablehlo.sqrt"},
    {Opcode::Tan, "stablehlo.tan"},
    {Opcode::Tanh, "stablehlo.tanh"},
    {Opcode::Acos, "chlo.acos"},
    {Opcode::Acosh, "chlo.acosh"},
    {Opcode::Asin, "chlo.asin"},
    {Opcode::Asinh, "chlo.asinh"},
    {Opcode::Atan, "chlo.atan"},
    {Opcode::Atanh, "chlo.atanh"},
    {Opcode::BesselI1e, "chlo.bessel_i1e"},
    {Opcode::Cosh, "chlo.cosh"},
    {Opcode::Digamma, "chlo.digamma"},
    {Opcode::Erf, "chlo.erf"},
    {Opcode::ErfInv, "chlo.erf_inv"},
    {Opcode::Erfc, "chlo.erfc"},
    {Opcode::Lgamma, "chlo.lgamma"},
    {Opcode::Sinh, "chlo.sinh"},
    {Opcode::Add, "stablehlo.add"},
    {Opcode::And, "stablehlo.and"},
    {Opcode::Atan2, "stablehlo.atan2"},
    {Opcode::Complex, "stablehlo.complex"},
    {Opcode::Divide, "stablehlo.divide"},
    {Opcode::Maximum, "stablehlo.maximum"},
    {Opcode::Minimum, "stablehlo.minimum"},
    {Opcode::Multiply, "stablehlo.multiply"},
    {Opcode::NextAfter, "chlo.next_after"},
    {Opcode::Or, "stablehlo.or"},
    {Opcode::Polygamma, "chlo.polygamma"},
    {Opcode::Power, "stablehlo.power"},
    {Opcode::Remainder, "stablehlo.remainder"},
    {Opcode::ShiftLeft, "stablehlo.shift_left"},
    {Opcode::ShiftRightArithmetic, "stablehlo.shift_right_arithmetic"},
    {Opcode::ShiftRightLogical, "stablehlo.shift_right_logical"},
    {Opcode::Subtract, "stablehlo.subtract"},
    {Opcode::Xor, "stablehlo.xor"},
    {Opcode::Zeta, "chlo.zeta"},
    {Opcode::Compare, "stablehlo.compare", compare},
    {Opcode::Select, "stablehlo.select"},
    {Opcode::Clamp, "stablehlo.clamp"},
    {Opcode::Convert, "stablehlo.convert"},
    {Opcode::BitcastConvert, "stablehlo.bitcast_convert"},
    {Opcode::Broadcast, "stablehlo.broadcast_in_dim", broadcast},
    {Opcode::Reshape, "stablehlo.reshape"},
    {Opcode::Transpose, "stablehlo.transpose", transpose},
    {Opcode::Reverse, "stablehlo.reverse", dimensions},
    {Opcode::Slice, "stablehlo.slice", slice},
    {Opcode::Pad, "stablehlo.pad", pad},
    {Opcode::Concatenate, "stablehlo.concatenate", concatenate},
    {Opcode::DynamicSlice, "stablehlo.dynamic_slice", dynamic_slice},
    {Opcode::DynamicUpdateSlice, "stablehlo.dynamic_update_slice"},
    {Opcode::Gather, "stablehlo.gather", gather},
    {Opcode::Scatter, "stablehlo.scatter", scatter},
    {Opcode::DotGeneral, "stablehlo.dot_general", dot_general},
    {Opcode::Reduce, "stablehlo.reduce", dimensions},
    {Opcode::Sort, "stablehlo.sort", sort},
    {Opcode::TopK, "chlo.top_k", top_k},
    {Opcode::Convolution, "stablehlo.convolution", convolution},
    {Opcode::ReduceWindow, "stablehlo.reduce_window", reduce_window},
    {Opcode::SelectAndScatter, "stablehlo.select_and_scatter", select_and_scatter},
    {Opcode::Cholesky, "stablehlo.cholesky", cholesky},
    {Opcode::TriangularSolve, "stablehlo.triangular_solve", triangular_solve},
    {Opcode::Fft, "stablehlo.fft", fft},
    {Opcode::RngBitGenerator, "stablehlo.rng_bit_generator", rng},
    {Opcode::While, "stablehlo.while"},
    {Opcode::CustomCall, "stablehlo.custom_call", custom_call},
}};

constexpr bool in_order() {
  for (size_t i = 0; i < kInfo.size(); ++i) {
    if (kInfo[i].opcode != static_cast<Opcode>(i)) return false;
  }
  return true;
}
static_assert(in_order(), "kInfo must follow the enumeration");

}  // namespace

std::string_view name(Opcode opcode) { return kInfo[static_cast<size_t>(opcode)].name; }

std::string attribute_text(const Node& node) {
  return kInfo[static_cast<size_t>(node.opcode)].attributes(node);
}

}  // namespace ippatsu::hlo
