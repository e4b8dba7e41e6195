/*
** driver_device.c - the driver and its GPUs: what they are and can.
*/
#include "tests/cuda/driver.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* NVIDIA's driver does not start where it may not write below /proc. */
static bool may_write(const char *path) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file >= 0) close(file);
  return file >= 0;
}

API cuInit(unsigned flags) {
  BEGIN(ANY);
  NEED(flags == 0, INVALID_VALUE, "flags are 0");
  if (!may_write("/proc/self/comm")) return OPERATING_SYSTEM;
  return OK;
}

API cuDriverGetVersion(int *version) {
  BEGIN(ANY);
  NEED(version != NULL, INVALID_VALUE, "no place for the version");
  *version = personality()->driver;
  return OK;
}

API cuDeviceGetCount(int *count) {
  BEGIN(ANY);
  NEED(count != NULL, INVALID_VALUE, "no place for the count");
  *count = personality()->gpus;
  return OK;
}

API cuDeviceGet(CUdevice *device, int ordinal) {
  BEGIN(ANY);
  NEED(device != NULL, INVALID_VALUE, "no place for the device");
  NEED(ordinal >= 0 && ordinal < personality()->gpus, INVALID_DEVICE,
       "there is no device %d", ordinal);
  *device = ordinal;
  return OK;
}

static bool is_device(int d) { return d >= 0 && d < personality()->gpus; }

API cuDeviceGetName(char *name, int size, CUdevice device) {
  BEGIN(ANY);
  NEED(is_device(device), INVALID_DEVICE, "there is no device %d", device);
  NEED(name != NULL && size > 0, INVALID_VALUE, "no room for the name");
  unsigned c = personality()->capability;
  snprintf(name, (size_t)size, "Stand-in sm_%u%s", c, device ? " (2)" : "");
  return OK;
}

API cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
  BEGIN(ANY);
  NEED(is_device(device), INVALID_DEVICE, "there is no device %d", device);
  NEED(bytes != NULL, INVALID_VALUE, "no place for the size");
  *bytes = personality()->memory;
  return OK;
}

API cuDeviceGetUuid_v2(unsigned char uuid[16], CUdevice device) {
  BEGIN(ANY);
  NEED(is_device(device), INVALID_DEVICE, "there is no device %d", device);
  NEED(uuid != NULL, INVALID_VALUE, "no place for the number");
  memset(uuid, 0x5a, 16);
  uuid[15] = (unsigned char)device;
  return OK;
}

static int opt_in_shared(unsigned capability) {
  return capability >= 120  ? 101376
         : capability >= 90 ? 232448
         : capability == 89 ? 101376
         : capability == 86 ? 101376
         : capability >= 80 ? 166912
         : capability == 75 ? 65536
                            : 98304;
}

API cuDeviceGetAttribute(int *value, int attribute, CUdevice device) {
  BEGIN(ANY);
  unsigned c = personality()->capability;
  NEED(is_device(device), INVALID_DEVICE, "there is no device %d", device);
  NEED(value != NULL, INVALID_VALUE, "no place for the value");
  switch (attribute) {
    case 1:
      *value = 1024;
      break; /* threads of a block */
    case 2:
    case 3:
      *value = 1024;
      break; /* block, x and y */
    case 4:
      *value = 64;
      break;
    case 5:
      *value = 2147483647;
      break; /* grid */
    case 6:
    case 7:
      *value = 65535;
      break;
    case 8:
      *value = 49152;
      break; /* shared memory of a block */
    case 9:
      *value = 65536;
      break; /* constant memory */
    case 10:
      *value = WARP;
      break;
    case 12:
    case 82:
      *value = 65536;
      break; /* registers */
    case 13:
      *value = 1980000;
      break; /* clock, in kHz */
    case 14:
      *value = 512;
      break; /* texture alignment */
    case 16:
      *value = 4;
      break; /* multiprocessors */
    case 17:
    case 18:
    case 20:
      *value = 0;
      break;
    case 19:
      *value = 1;
      break; /* can map host memory */
    case 31:
      *value = 1;
      break;
    case 32:
      *value = 0;
      break; /* ECC */
    case 33:
      *value = 1 + device;
      break; /* PCI bus */
    case 34:
    case 35:
    case 50:
      *value = 0;
      break;
    case 36:
      *value = 2619000;
      break;
    case 37:
      *value = 512;
      break; /* bus width */
    case 38:
      *value = 4 << 20;
      break; /* L2 cache */
    case 39:
      *value = c == 75 ? 1024 : c >= 86 && c != 90 ? 1536 : 2048;
      break;
    case 40:
      *value = 2;
      break;
    case 41:
      *value = 1;
      break; /* unified addressing */
    case 75:
      *value = (int)c / 10;
      break;
    case 76:
      *value = (int)c % 10;
      break;
    case 81:
      *value = opt_in_shared(c) + 1024;
      break;
    case 83:
      *value = 1;
      break; /* managed memory */
    case 84:
      *value = 0;
      break;
    case 88:
      *value = 0;
      break; /* pageable memory access */
    case 89:
      *value = 1;
      break; /* concurrent managed access */
    case 90:
      *value = 1;
      break;
    case 91:
      *value = 1;
      break;
    case 95:
      *value = 1;
      break;
    case 97:
      *value = opt_in_shared(c);
      break;
    case 100:
      *value = 0;
      break;
    case 106:
      *value = c == 75 ? 16 : 32;
      break;
    case 111:
      *value = 1024;
      break;
    default:
      return problem(&call, INVALID_VALUE, "attribute %d is not known",
                     attribute);
  }
  return OK;
}
