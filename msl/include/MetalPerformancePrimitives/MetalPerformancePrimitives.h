// -*- c++ -*-
// The products of tensors that a SIMD-group or a threadgroup computes together
// (Metal 4), declared as metal_tensor is.
#ifndef METTLE_PERFORMANCE_PRIMITIVES
#define METTLE_PERFORMANCE_PRIMITIVES
#pragma clang system_header
#include "../metal_tensor"
namespace mpp {
namespace tensor_ops {
template <class T> inline constexpr T dynamic_length_v = T(-1);
struct matmul2d_descriptor {
  enum class mode { multiply, multiply_accumulate };
  int m, n, k;
  bool transpose_left, transpose_right, relaxed_precision;
  mode matmul_mode;
  __MSL_FN constexpr matmul2d_descriptor(int rows, int columns, int inner = -1,
                                         bool left = false, bool right = false,
                                         bool relaxed = false,
                                         mode how = mode::multiply)
      : m(rows),
        n(columns),
        k(inner),
        transpose_left(left),
        transpose_right(right),
        relaxed_precision(relaxed),
        matmul_mode(how) {}
};
// A part of a matrix that each thread holds some elements of.
template <class T> struct cooperative_tensor {
  typedef T element_type;
  T __element;
  __MSL_FN T &operator[](size_t) { return __mt_missing_tensors(), __element; }
  __MSL_FN const T &operator[](size_t) const {
    return __mt_missing_tensors(), __element;
  }
  __MSL_FN ushort get_capacity() const { return __mt_missing_tensors(), 0; }
  __MSL_FN bool is_valid_element(ushort) const {
    return __mt_missing_tensors(), false;
  }
  __MSL_FN T *begin() { return __mt_missing_tensors(), &__element; }
  __MSL_FN T *end() { return __mt_missing_tensors(), &__element; }
  template <class X> __MSL_FN void load(X) { __mt_missing_tensors(); }
  template <class X> __MSL_FN void store(X) const { __mt_missing_tensors(); }
};
// The reader (msl/reader) gives the descriptor's type for the descriptor.
template <class Descriptor, class Scope, class... A> struct matmul2d {
  template <class L, class R, class C>
  __MSL_FN cooperative_tensor<L> get_left_input_cooperative_tensor() const {
    return __mt_missing_tensors(), cooperative_tensor<L>();
  }
  template <class L, class R, class C>
  __MSL_FN cooperative_tensor<R> get_right_input_cooperative_tensor() const {
    return __mt_missing_tensors(), cooperative_tensor<R>();
  }
  template <class L, class R, class C>
  __MSL_FN cooperative_tensor<C> get_destination_cooperative_tensor() const {
    return __mt_missing_tensors(), cooperative_tensor<C>();
  }
  template <class... X>
  __MSL_FN void run(X &&...) const {
    __mt_missing_tensors();
  }
};
}  // namespace tensor_ops
}  // namespace mpp
#endif
