#pragma once

// What the files behind builder.h share: lists as attributes, and the checks of operands.

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "hlo/builder.h"

namespace ippatsu::hlo {

inline Dims ones(int64_t rank) { return Dims(static_cast<size_t>(rank), 1); }
inline Dims zeros(int64_t rank) { return Dims(static_cast<size_t>(rank), 0); }

inline bool contains(const Dims& dims, int64_t dim) {
  return std::ranges::find(dims, dim) != dims.end();
}

// The dims that are not at one of the places `dropped`.
Dims without(const Dims& dims, const Dims& dropped);

Values chain(Values first, const Values& second);

// Several lists in one, each with its length in front: see Lists in opcode.cpp.
Attributes join_lists(std::initializer_list<std::span<const int64_t>> lists);

// All results of an operation.
Values results(const Node* node);

std::vector<Type> types_of(const Values& values);
// Their element types, all with the dims `dims`.
std::vector<Type> types_of(const Values& values, const Dims& dims);

void check_dim(std::string_view what, int64_t dim, const Type& type);
void check_count(std::string_view what, std::string_view of, const Dims& list, int64_t wanted);
void check_same(std::string_view what, Value x, Value y);
// At least one, and all of one shape.
void check_operands(std::string_view what, const Values& operands);
// One of rank 0 for each operand, of its element type.
void check_initials(std::string_view what, const Values& operands, const Values& initials);
void check_results(std::string_view what, const Region& region, const std::vector<Type>& wanted);

// The bodies that reductions and scatters call, made once per combiner and element type.
std::shared_ptr<const Region> combiner_region(Combiner combiner, DType dtype);

// The body of a reduction of several operands: so far, then next.
std::shared_ptr<const Region> reduction_region(std::string_view what, const Values& operands,
                                               const Body& body);

}  // namespace ippatsu::hlo
