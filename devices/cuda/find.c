/*
** find.c - is there an NVIDIA driver? Told by files alone, in microseconds:
** every prompt asks, and most machines have none.
*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files/file.h"
#include "devices/cuda/gpu.h"

#define LIBRARY "libcuda.so.1"
#define MOST_GPUS 16

/* In one of the folders of a list as LD_LIBRARY_PATH is? */
static bool in_folders(const char *list) {
  char path[4096];
  while (list && *list) {
    int n = (int)strcspn(list, ":;");
    snprintf(path, sizeof path, "%.*s/" LIBRARY, n, list);
    if (n && mt_file_exists(path)) return true;
    list += n + (list[n] != 0);
  }
  return false;
}

/* Does the dynamic linker's cache name it? */
static bool in_cache(void) {
  struct stat st;
  bool found = false;
  int fd = open("/etc/ld.so.cache", O_RDONLY | O_CLOEXEC);
  if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0) {
    size_t size = (size_t)st.st_size;
    void *all = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (all != MAP_FAILED) {
      found = memmem(all, size, LIBRARY, sizeof LIBRARY) != NULL;
      munmap(all, size);
    }
  }
  if (fd >= 0) close(fd);
  return found;
}

static bool library_found(void) {
  return in_cache() || in_folders(getenv("LD_LIBRARY_PATH")) ||
         in_folders("/usr/lib/x86_64-linux-gnu:/usr/lib/aarch64-linux-gnu:"
                    "/usr/lib64:/usr/lib:/lib64:/lib:/usr/local/lib:"
                    "/usr/lib/wsl/lib:/usr/local/nvidia/lib64:"
                    "/run/opengl-driver/lib");
}

/* A GPU shows as one of these: a card, Windows's, or a Jetson's. */
static mt_Status check_nodes(mt_Error *err) {
  static const char card[] = "/dev/nvidiactl";
  if (access("/dev/dxg", F_OK) == 0 || access("/dev/nvmap", F_OK) == 0)
    return MT_OK;
  if (access(card, F_OK) != 0)
    return mt_error(err, MT_FAIL,
                    "NVIDIA's driver library is there, but no GPU: %s does not "
                    "exist; load the driver's kernel module (sudo nvidia-smi "
                    "does), or start the container with --gpus all", card);
  if (access(card, R_OK | W_OK) != 0)
    return mt_error(err, MT_FAIL,
                    "%s may not be opened (%s): add the user to its group, "
                    "often 'video'", card, strerror(errno));
  return MT_OK;
}

mt_Status mt_cuda_find(mt_Error *err) {
  const char *named = getenv("METTLE_CUDA_DRIVER");
  if (named && named[0]) {
    if (mt_file_exists(named)) return MT_OK;
    return mt_error(err, MT_FAIL,
                    "METTLE_CUDA_DRIVER names %s, which does not exist: unset "
                    "it for the system's driver", named);
  }
  if (!library_found())
    return mt_error(err, MT_FAIL,
                    "there is no NVIDIA driver: its library " LIBRARY
                    " is not found; install the driver, or start the container "
                    "with --gpus all");
  return check_nodes(err);
}

unsigned mt_cuda_count(void) {
  unsigned n = 0;
  char path[32];
  do
    snprintf(path, sizeof path, "/dev/nvidia%u", ++n);
  while (n < MOST_GPUS && access(path, F_OK) == 0);
  return n;
}
