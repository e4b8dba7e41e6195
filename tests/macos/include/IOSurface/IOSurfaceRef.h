// What metal-cpp needs of <IOSurface/IOSurfaceRef.h>, for cross-compiling.
#pragma once
#include <dispatch/dispatch.h>
typedef struct __IOSurface *IOSurfaceRef;
