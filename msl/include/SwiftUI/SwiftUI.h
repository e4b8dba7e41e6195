// -*- c++ -*-
// SwiftUI for shaders is this one header.
#include "SwiftUI_Metal.h"
