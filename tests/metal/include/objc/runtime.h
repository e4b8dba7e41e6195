// What metal-cpp needs of <objc/runtime.h>, for the stand-in (runtime.c).
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef struct objc_class *Class;
typedef struct objc_object *id;
typedef struct objc_selector *SEL;
typedef struct objc_object Protocol;
typedef signed char BOOL;
Class objc_lookUpClass(const char *name);
Protocol *objc_getProtocol(const char *name);
SEL sel_registerName(const char *name);
#ifdef __cplusplus
}
#endif
