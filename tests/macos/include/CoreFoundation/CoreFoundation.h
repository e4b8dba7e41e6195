// What metal-cpp needs of <CoreFoundation/CoreFoundation.h>, for
// cross-compiling.
#pragma once
#include <Availability.h>
#include <AvailabilityMacros.h>
#include <TargetConditionals.h>
#include <math.h>
#include <stdint.h>
typedef double CFTimeInterval;
typedef const struct __CFString *CFStringRef;
