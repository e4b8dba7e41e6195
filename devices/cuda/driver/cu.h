/*
** cu.h - as much of NVIDIA's driver API as Mettle uses.
**
** The library (libcuda.so.1) comes with the driver and is loaded at run time,
** in the driver's process alone. Types and numbers are written down here, as
** the API has kept them since its version 2: no CUDA headers at build time.
*/
#ifndef MT_CUDA_DRIVER_CU_H
#define MT_CUDA_DRIVER_CU_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef int mt_CuResult;
typedef int mt_CuDevice;
typedef uint64_t mt_CuAddress;
typedef struct mt_CuOpaque *mt_CuHandle; /* context, module, stream, … */

enum { /* results that are more than a number here */
  MT_CU_OK = 0,
  MT_CU_INVALID_VALUE = 1,
  MT_CU_OUT_OF_MEMORY = 2,
  MT_CU_NOT_INITIALIZED = 3,
  MT_CU_DEINITIALIZED = 4,
  MT_CU_STUB_LIBRARY = 34,
  MT_CU_DEVICE_UNAVAILABLE = 46,
  MT_CU_NO_DEVICE = 100,
  MT_CU_INVALID_DEVICE = 101,
  MT_CU_NO_BINARY = 209,
  MT_CU_ECC = 214,
  MT_CU_INVALID_PTX = 218,
  MT_CU_UNSUPPORTED_PTX = 222,
  MT_CU_NOT_READY = 600,
  MT_CU_ILLEGAL_ADDRESS = 700,
  MT_CU_OUT_OF_RESOURCES = 701,
  MT_CU_LAUNCH_TIMEOUT = 702,
  MT_CU_ASSERT = 710,
  MT_CU_HOST_ALREADY_REGISTERED = 712,
  MT_CU_STACK = 714,
  MT_CU_ILLEGAL_INSTRUCTION = 715,
  MT_CU_MISALIGNED = 716,
  MT_CU_ADDRESS_SPACE = 717,
  MT_CU_INVALID_PC = 718,
  MT_CU_LAUNCH_FAILED = 719,
  MT_CU_NOT_PERMITTED = 800,
  MT_CU_SYSTEM_NOT_READY = 802,
  MT_CU_DRIVER_MISMATCH = 803,
};

enum { /* attributes of a device */
  MT_CU_MAX_BLOCK_X = 2,
  MT_CU_MAX_BLOCK_Y = 3,
  MT_CU_MAX_BLOCK_Z = 4,
  MT_CU_MAX_THREADS = 1,
  MT_CU_WARP = 10,
  MT_CU_MULTIPROCESSORS = 16,
  MT_CU_MAJOR = 75,
  MT_CU_MINOR = 76,
  MT_CU_MAX_SHARED_OPTIN = 97,
};

enum { /* attributes of a function */
  MT_CU_FUNC_MAX_THREADS = 0,
  MT_CU_FUNC_SHARED = 1,
  MT_CU_FUNC_CONSTANT = 2,
  MT_CU_FUNC_LOCAL = 3,
  MT_CU_FUNC_REGISTERS = 4,
  MT_CU_FUNC_MAX_DYNAMIC_SHARED = 8,
};

enum { /* options of the compiler in the driver */
  MT_CU_JIT_MAX_REGISTERS = 0,
  MT_CU_JIT_ERROR_LOG = 5,
  MT_CU_JIT_ERROR_LOG_SIZE = 6,
};

enum {
  MT_CU_EVENT_BLOCKING = 1,
  MT_CU_STREAM_NON_BLOCKING = 1,
  MT_CU_HOST_MAPPED = 2,
  MT_CU_INPUT_PTX = 1,
};

/* X(result, member, symbol, parameters); the symbols of version 2 where there
** are two. */
#define MT_CU_FUNCTIONS(X) \
  X(init, "cuInit", (unsigned flags)) \
  X(driver_version, "cuDriverGetVersion", (int *version)) \
  X(device_count, "cuDeviceGetCount", (int *count)) \
  X(device_get, "cuDeviceGet", (mt_CuDevice * device, int number)) \
  X(device_name, "cuDeviceGetName", (char *name, int size, mt_CuDevice d)) \
  X(device_attribute, "cuDeviceGetAttribute", \
    (int *value, int attribute, mt_CuDevice d)) \
  X(device_memory, "cuDeviceTotalMem_v2", (size_t *bytes, mt_CuDevice d)) \
  X(context_retain, "cuDevicePrimaryCtxRetain", \
    (mt_CuHandle * context, mt_CuDevice d)) \
  X(context_set, "cuCtxSetCurrent", (mt_CuHandle context)) \
  X(memory_info, "cuMemGetInfo_v2", (size_t *available, size_t *total)) \
  X(memory_alloc, "cuMemAlloc_v2", (mt_CuAddress * address, size_t size)) \
  X(memory_free, "cuMemFree_v2", (mt_CuAddress address)) \
  X(copy_in, "cuMemcpyHtoDAsync_v2", \
    (mt_CuAddress to, const void *from, size_t size, mt_CuHandle stream)) \
  X(copy_out, "cuMemcpyDtoHAsync_v2", \
    (void *to, mt_CuAddress from, size_t size, mt_CuHandle stream)) \
  X(set_bytes, "cuMemsetD8Async", \
    (mt_CuAddress at, unsigned char value, size_t size, mt_CuHandle stream)) \
  X(set_words, "cuMemsetD32Async", \
    (mt_CuAddress at, unsigned value, size_t count, mt_CuHandle stream)) \
  X(host_alloc, "cuMemHostAlloc", (void **at, size_t size, unsigned flags)) \
  X(module_load, "cuModuleLoadDataEx", \
    (mt_CuHandle * module, const void *image, unsigned count, int *options, \
     void **values)) \
  X(module_unload, "cuModuleUnload", (mt_CuHandle module)) \
  X(link_new, "cuLinkCreate_v2", \
    (unsigned count, int *options, void **values, mt_CuHandle *link)) \
  X(link_add, "cuLinkAddData_v2", \
    (mt_CuHandle link, int kind, void *data, size_t size, const char *name, \
     unsigned count, int *options, void **values)) \
  X(link_complete, "cuLinkComplete", \
    (mt_CuHandle link, void **code, size_t *size)) \
  X(link_free, "cuLinkDestroy", (mt_CuHandle link)) \
  X(module_function, "cuModuleGetFunction", \
    (mt_CuHandle * function, mt_CuHandle module, const char *name)) \
  X(function_attribute, "cuFuncGetAttribute", \
    (int *value, int attribute, mt_CuHandle function)) \
  X(function_set, "cuFuncSetAttribute", \
    (mt_CuHandle function, int attribute, int value)) \
  X(occupancy, "cuOccupancyMaxActiveBlocksPerMultiprocessor", \
    (int *blocks, mt_CuHandle function, int threads, size_t shared)) \
  X(launch, "cuLaunchKernel", \
    (mt_CuHandle function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, \
     unsigned by, unsigned bz, unsigned shared, mt_CuHandle stream, \
     void **parameters, void **extra)) \
  X(stream_new, "cuStreamCreate", (mt_CuHandle * stream, unsigned flags)) \
  X(stream_wait, "cuStreamSynchronize", (mt_CuHandle stream)) \
  X(event_new, "cuEventCreate", (mt_CuHandle * event, unsigned flags)) \
  X(event_record, "cuEventRecord", (mt_CuHandle event, mt_CuHandle stream)) \
  X(event_query, "cuEventQuery", (mt_CuHandle event)) \
  X(event_wait, "cuEventSynchronize", (mt_CuHandle event)) \
  X(event_elapsed, "cuEventElapsedTime", \
    (float *ms, mt_CuHandle start, mt_CuHandle end)) \
  X(error_name, "cuGetErrorName", (mt_CuResult result, const char **name)) \
  X(error_text, "cuGetErrorString", (mt_CuResult result, const char **text))

#define MT_CU_MEMBER(member, symbol, parameters) \
  mt_CuResult(*member) parameters;
typedef struct mt_Cu {
  MT_CU_FUNCTIONS(MT_CU_MEMBER)
} mt_Cu;
#undef MT_CU_MEMBER

/* Load the driver's library: METTLE_CUDA_DRIVER, or the system's. */
mt_Status mt_cu_load(mt_Cu *out, mt_Error *err);

/* "700, CUDA_ERROR_ILLEGAL_ADDRESS" */
#define MT_CU_TEXT 96
void mt_cu_error(const mt_Cu *cu, mt_CuResult r, char out[MT_CU_TEXT]);

#endif
