/*
** sass.c - the GPU's own instructions (SASS), where a disassembler is there.
**
** The driver's compiler makes machine code of a kernel's PTX but does not list
** it. NVIDIA's nvdisasm, of the CUDA toolkit, lists a file of that code.
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/process/child.h"
#include "devices/cuda/driver/shared_memory.h"
#include "devices/cuda/gpu.h"

#define PROGRAM "nvdisasm"
#define SECONDS 60
#define MOST ((size_t)64 << 20) /* bytes of text */

static const mt_DriverWait compiling = {
    .grace = 0.2, .notice = "NVIDIA's driver compiles the kernel"};

/* ------------------------------------------------------------ the program */

static bool is_there(const char *folder, size_t length, const char *more,
                     mt_Str *out) {
  mt_str_clear(out);
  if (length == 0) return false;
  mt_str_addf(out, "%.*s%s/" PROGRAM, (int)length, folder, more);
  return access(mt_str_text(out), X_OK) == 0;
}

/* On the PATH, or where toolkits are. */
static bool find_program(mt_Str *out) {
  static const char *const named[] = {"CUDA_HOME", "CUDA_PATH"};
  static const char usual[] = "/usr/local/cuda";
  const char *path = getenv("PATH");
  while (path && *path) {
    size_t n = strcspn(path, ":");
    if (is_there(path, n, "", out)) return true;
    path += n + (path[n] == ':');
  }
  for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
    const char *folder = getenv(named[i]);
    if (folder && is_there(folder, strlen(folder), "/bin", out)) return true;
  }
  return is_there(usual, sizeof usual - 1, "/bin", out);
}

static mt_Status disassemble(const char *program, const char *file, mt_Str *out,
                             mt_Error *err) {
  const char *const argv[] = {program, "-c", file, NULL};
  mt_ChildLimits limits = {.seconds = SECONDS, .output = MOST};
  mt_Child *child = NULL;
  mt_Str said = MT_STR_INIT;
  int code = 0;
  mt_Status status = mt_child_start(argv, &limits, &child, err);
  if (status == MT_OK)
    status = mt_child_finish(child, "", 0, out, &said, &code, err);
  if (status == MT_OK && code != 0)
    status = mt_error(err, MT_FAIL, "%s ended with status %d: %.*s", program,
                      code, (int)strcspn(mt_str_text(&said), "\n"),
                      mt_str_text(&said));
  mt_str_free(&said);
  return status;
}

/* --------------------------------------------------------------- the code */

/* The code that the driver makes of it; in the shared memory, freed by
** mt_shared_memory_free. */
static mt_Status link_code(mt_Cuda *gpu, const mt_CudaKernel *k, char **out,
                           size_t *room, size_t *size, mt_Error *err) {
  mt_Channel *c = gpu->driver.channel;
  size_t text = k->whole.size + 1;
  *room = 8 * text + ((size_t)1 << 20);
  char *memory = *out = mt_shared_memory_new(*room);
  if (!memory) return mt_error(err, MT_FAIL, "out of memory");
  memcpy(memory, k->whole.ptx, text);
  c->load = (mt_DriverLoad){.offset = mt_shared_memory_offset(memory),
                            .size = text};
  c->number = *room;
  mt_Status status =
      mt_driver_ask(&gpu->driver, MT_DRIVER_LINK, &compiling, err);
  if (status != MT_OK)
    return mt_cuda_stopped(k->head.info.name, 0, status, err);
  if (c->result != MT_CU_OK)
    return mt_cuda_fault(gpu, k->head.info.name, "be compiled once more", err);
  *size = c->answer;
  return MT_OK;
}

static bool write_file(const char *bytes, size_t size, char path[4096]) {
  const char *folder = getenv("TMPDIR");
  snprintf(path, 4096, "%.4000s/mettle-XXXXXX",
           folder && *folder ? folder : "/tmp");
  int fd = mkstemp(path);
  if (fd < 0) return false;
  FILE *f = fdopen(fd, "wb");
  bool done = f && fwrite(bytes, 1, size, f) == size;
  if (f ? fclose(f) != 0 : close(fd) != 0) done = false;
  if (!done) unlink(path);
  return done;
}

static mt_Status list(mt_Cuda *gpu, const mt_CudaKernel *k, const char *program,
                      mt_Str *out, mt_Error *err) {
  char *code = NULL, path[4096];
  size_t room = 0, size = 0;
  mt_Status status = link_code(gpu, k, &code, &room, &size, err);
  if (status == MT_OK && !write_file(code, size, path))
    status = mt_error(err, MT_FAIL, "no temporary file can be written");
  mt_shared_memory_free(code, room);
  if (status != MT_OK) return status;
  status = disassemble(program, path, out, err);
  unlink(path);
  return status;
}

mt_Status mt_cuda_sass(mt_CudaKernel *k, mt_Str *out, mt_Error *err) {
  mt_Cuda *gpu = (mt_Cuda *)k->head.device;
  mt_Str program = MT_STR_INIT, text = MT_STR_INIT;
  mt_Status status = MT_OK;
  if (!find_program(&program)) {
    mt_str_add(out, "// no SASS, the GPU's own instructions: " PROGRAM
               " of NVIDIA's CUDA toolkit is not on the PATH\n");
  } else if ((status = mt_cuda_awake(gpu, err)) == MT_OK) {
    mt_Error why = {""};
    status = list(gpu, k, mt_str_text(&program), &text, &why);
    if (status == MT_OK)
      mt_str_addf(out, "\n// SASS, by %s\n%s", mt_str_text(&program),
                  mt_str_text(&text));
    else if (status == MT_FAIL) /* the rest is worth reading */
      mt_str_addf(out, "// no SASS: %s\n", why.text), status = MT_OK;
    else
      *err = why;
  }
  mt_str_free(&text);
  mt_str_free(&program);
  return status;
}
