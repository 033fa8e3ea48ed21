#pragma once

// A vector of at most N elements that lie in the object itself: for states that are copied often.

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace ippatsu {

template <typename T, size_t N>
class FixedVector {
  static_assert(N < 256);

 public:
  constexpr FixedVector() = default;
  constexpr FixedVector(std::initializer_list<T> elements) {
    for (const T& element : elements) push_back(element);
  }

  constexpr size_t size() const { return size_; }
  static constexpr size_t capacity() { return N; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr bool full() const { return size_ == N; }
  constexpr const T* data() const { return elements_.data(); }
  constexpr T* begin() { return elements_.data(); }
  constexpr T* end() { return elements_.data() + size_; }
  constexpr const T* begin() const { return elements_.data(); }
  constexpr const T* end() const { return elements_.data() + size_; }

  constexpr T& operator[](size_t i) {
    assert(i < size_);
    return elements_[i];
  }
  constexpr const T& operator[](size_t i) const {
    assert(i < size_);
    return elements_[i];
  }
  constexpr T& back() { return (*this)[size_ - 1]; }
  constexpr const T& back() const { return (*this)[size_ - 1]; }

  constexpr void clear() { size_ = 0; }

  // There must be room.
  constexpr void push_back(const T& element) {
    assert(!full());
    elements_[size_++] = element;
  }

  friend constexpr bool operator==(const FixedVector& a, const FixedVector& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  std::array<T, N> elements_{};
  uint8_t size_ = 0;
};

}  // namespace ippatsu
