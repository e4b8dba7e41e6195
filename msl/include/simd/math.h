// -*- c++ -*-
// A part of <simd/simd.h> that some include by itself.
#include "simd.h"
