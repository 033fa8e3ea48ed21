#pragma once

// One call of one ATen operator, as its row sees it: arguments by their names in the schema,
// tensors as HLO values. A row is a function from this to the results:
//
//     Results silu(Lowering& l) { Value x = l.tensor("self"); return x * logistic(x); }
//
// Numbers that a schema calls Scalar are inputs of the program, not constants: a learning rate may
// change at every step without a new program. `constant` asks for the number itself, where it
// decides what is computed (an exponent of 2, a rounding mode).

#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>

#include "base/error.h"
#include "hlo/builder.h"

namespace ippatsu::ops {

using hlo::Dims;
using hlo::DType;
using hlo::Value;
using hlo::Values;

// Where the contents of tensors come from.
class TensorReader {
 public:
  virtual ~TensorReader() = default;

  // The tensor's elements, shaped as the tensor; for one on the host, an input of the program.
  virtual Value read(const at::Tensor& tensor) = 0;

  // A fresh ui64[2] state (key and counter) of the generator given, or of the device's own.
  virtual Value random_state(const std::optional<at::Generator>& generator) = 0;
};

// What a row returns: a value per result of the schema, or a list of them where the result is a
// list. An empty value is an undefined tensor.
class Results {
 public:
  Results(Value value) : values_{value} {}
  Results(std::initializer_list<Value> values) : values_(values) {}
  Results(Values values) : values_(std::move(values)) {}

  static Results lists(const std::vector<Values>& lists) {
    Results results{Values{}};
    for (const Values& list : lists) {
      results.values_.insert(results.values_.end(), list.begin(), list.end());
      results.lengths_.push_back(list.size());
    }
    return results;
  }

  // All values, one list after the other.
  const Values& values() const { return values_; }

  // How many of them result `index` of the schema has.
  size_t length(size_t index) const { return lengths_.empty() ? 1 : lengths_[index]; }

 private:
  Values values_;
  std::vector<size_t> lengths_;  // empty: no result is a list
};

// Thrown by a row that has no form for these arguments, say because the shape of the result depends
// on what is in the tensors: the call then runs on the host, as an op without a row.
class NoForm : public Error {
 public:
  using Error::Error;
};

// How operands of different types meet.
enum class Promotion {
  Default,         // ATen's result type
  FloatIfInteger,  // the same, but integers become the default floating type
};

class Lowering {
 public:
  Lowering(const c10::FunctionSchema& schema, c10::ArrayRef<c10::IValue> arguments,
           TensorReader& reader, hlo::Graph& graph)
      : schema_(schema), arguments_(arguments), reader_(reader), graph_(graph) {}

  hlo::Graph& graph() { return graph_; }

  // --- tensors
  bool has(std::string_view name) const;  // given, and not None
  Value tensor(std::string_view name);
  Value tensor(std::string_view name, DType dtype);  // converted
  std::optional<Value> optional_tensor(std::string_view name);
  Values tensors(std::string_view name);  // of a list, without promotion
  std::vector<std::optional<Value>> optional_tensors(std::string_view name);  // of a list
  const at::Tensor& raw(std::string_view name) const;
  hlo::Type type(std::string_view name) const;  // without reading the tensor

  // --- operands: a tensor or a Scalar
  DType result_type(std::initializer_list<std::string_view> names,
                    Promotion promotion = Promotion::Default) const;
  Value operand(std::string_view name, DType dtype);

  // The operands in their common type and shape.
  Values promoted(std::initializer_list<std::string_view> names,
                  Promotion promotion = Promotion::Default);

  // x times the Scalar argument; x itself where the argument is 1, as it is unless somebody says
  // so.
  Value scaled(Value x, std::string_view name);

  // --- numbers
  Value scalar(std::string_view name, DType dtype);  // rank 0, known at run time
  Value scalar_like(std::string_view name, Value like);
  double constant(std::string_view name) const;
  bool is(std::string_view name, double number) const;  // is this Scalar that number?
  int64_t integer(std::string_view name) const;
  std::optional<int64_t> optional_integer(std::string_view name) const;
  bool flag(std::string_view name) const;
  bool mask(std::string_view name, size_t index) const;  // of a bool[n]
  std::string_view text(std::string_view name) const;    // "" for None
  Dims ints(std::string_view name) const;
  std::vector<double> numbers(std::string_view name) const;  // of a float[]; None is empty
  std::optional<DType> dtype(std::string_view name) const;

  // --- dimensions, wrapped into [0, rank). A rank-0 tensor has the dims 0 and -1, as in ATen, and
  // reducing over them reduces over nothing.
  int64_t dim(std::string_view name, int64_t rank) const;
  Dims dims(std::string_view name, int64_t rank) const;  // an empty list or None means all

  // A fresh state of the `generator` argument, or of the device's own generator.
  Value random_state();

  // --- what the call leaves in an argument beside its results: running statistics, say. Written
  // when the row is done; `value` has the argument's shape.
  struct Write {
    size_t argument;
    Value value;
  };
  void write(std::string_view name, Value value);
  const std::vector<Write>& writes() const { return writes_; }

 private:
  size_t position(std::string_view name) const;
  const c10::IValue& argument(std::string_view name) const;

  const c10::FunctionSchema& schema_;
  c10::ArrayRef<c10::IValue> arguments_;
  TensorReader& reader_;
  hlo::Graph& graph_;
  std::vector<Write> writes_;
};

// Half-precision values are computed in f32 and rounded once, as ATen does.
Value to_compute_type(Value x);

// A rank-0 value that travels with the program's scalars.
Value runtime_scalar(hlo::Graph& graph, const c10::Scalar& number, DType dtype);

// All dims of a value.
Dims all_dims(Value x);

// `reduced` with its reduced dims put back as 1.
Value keep_dims(Value reduced, const Dims& original, const Dims& dims);

// `reduced` over `dims` stretched back over them to `shape`.
Value stretch(Value reduced, const Dims& shape, const Dims& dims);

}  // namespace ippatsu::ops
