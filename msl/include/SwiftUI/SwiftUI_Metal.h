// -*- c++ -*-
// What SwiftUI's own header declares for its shader effects: the layer that
// a [[stitchable]] function samples. Such functions compile and are left out.
#ifndef METTLE_SWIFTUI
#define METTLE_SWIFTUI
#pragma clang system_header
#include "../metal_stdlib"
namespace SwiftUI {
struct Layer {
  metal::texture2d<half> tex;
  float2 info[5];
  __MSL_FN half4 sample(float2 p) const {
    return tex.sample(metal::sampler(metal::filter::linear), p);
  }
};
}  // namespace SwiftUI
#endif
