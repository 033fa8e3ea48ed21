#pragma once

// What a program looked like, kept after its graph is gone: enough to say in what another program
// differs from it.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hlo/program.h"

namespace ippatsu::hlo {

// A scope may say where in the user's program the operation stands: "aten::cat @ train.py:31".
inline constexpr std::string_view kSiteMark = " @ ";
std::string_view op_of(std::string_view scope);    // "aten::cat"
std::string_view site_of(std::string_view scope);  // "train.py:31", or nothing

// In what a program differs from one that is known.
struct Difference {
  enum class Kind { Nothing, Shape, DType, Constant, Operations };

  Kind kind = Kind::Nothing;
  std::string text;  // for people
  std::string site;  // of what differs, or of what made the input that does, where it is known
};

class Outline {
 public:
  // `makers`: by the parameters' numbers, the scopes that made them in programs before; "" where
  // that is not known. May be shorter. Scopes must outlive the outline.
  explicit Outline(const Program& program, std::span<const char* const> makers = {});

  // How many operations and inputs are the same, from the beginning and from the end.
  size_t shared_with(const Outline& other) const;

  // The first difference, for people: "an input of aten::addmm is f32[33,8] and was f32[32,8]: dim
  // 0 went from 32 to 33".
  Difference difference_from(const Outline& known) const;

 private:
  struct Step {
    uint64_t hash;
    Opcode opcode;
    const char* scope;  // of an input: of the first operation that takes it
    const char* maker;  // of an input
    Type type;
  };

  size_t first_difference(const Outline& other) const;
  static std::string described(const Step& step);

  std::vector<Step> steps_;
};

}  // namespace ippatsu::hlo
