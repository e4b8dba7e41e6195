// -*- c++ -*-
// uint16_t, which Xcode likes to include for you.
#include "../metal_stdlib"
