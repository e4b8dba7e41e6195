/*
** command_doctor.c - mettle doctor: what this machine has, what is missing and
** the command that fixes it.
**
** A table of checks. Each prints one line with its verdict: good, worth
** knowing, or bad, and then the remedy. The last one runs a kernel, which is
** what matters: it alone decides the exit status.
*/
#include <dlfcn.h>
#include <lauxlib.h>
#include <lua.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <origin.h> /* MT_LINENOISE: written by the Makefile */

#include "base/files/file.h"
#include "base/files/file_ownership.h"
#include "base/macos.h"
#include "base/pool.h"
#include "base/process/child.h"
#include "base/version.h"
#include "devices/cuda/cuda.h"
#include "devices/device.h"
#include "lua/bind/gpu/missing_features.h"
#include "msl/clang/clang.h"
#include "repl/commands/commands.h"
#include "repl/lua/session.h"
#include "repl/terminal/style.h"
#include "repl/terminal/terminal.h"

typedef enum Verdict { GOOD, KNOW, BAD } Verdict;

/* The verdict if there is no host device: a Mac still has its GPU. */
#ifdef __APPLE__
#define NO_HOST KNOW
#else
#define NO_HOST BAD
#endif

typedef struct Finding {
  char text[512]; /* what was found */
  char remedy[256]; /* the remedy; "" if none is needed */
} Finding;

static void found(Finding *f, const char *fmt, ...) MT_PRINTF(2, 3);
static void found(Finding *f, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  vsnprintf(f->text, sizeof f->text, fmt, args);
  va_end(args);
}

static Verdict advise(Finding *f, Verdict v, const char *how) {
  snprintf(f->remedy, sizeof f->remedy, "%s", how);
  return v;
}

/* ------------------------------------------------------------- the remedy */

typedef enum Origin { SOURCES, INSTALLED, BUNDLE } Origin;

/* Where this program comes from: the remedy depends on that. A bundle, also
** one inside a wheel, says what it needs (scripts/bundle). */
static Origin origin(void) {
  static const char tail[] = "share/mettle";
  char path[4096];
  const char *data = mt_dir_data();
  if (data == NULL || !mt_path_ends(data, tail, strlen(tail))) return SOURCES;
  snprintf(path, sizeof path, "%s/../doc/mettle/needs.txt", data);
  return mt_file_exists(path) ? BUNDLE : INSTALLED;
}

/* The verdict for a part of Mettle that is missing or does not work; 'why', if
** not "", is added to the remedy. */
static Verdict part_remedy(Finding *f, Verdict v, const char *why) {
  static const char *const how[] = {
      [SOURCES] = "scripts/deps, then make",
      [INSTALLED] = ("install Mettle again, by its package or, in its source "
                     "folder, scripts/deps, then make install"),
      [BUNDLE] = "unpack or install the bundle again: it has all of its parts",
  };
  snprintf(f->remedy, sizeof f->remedy, "%s%s%s", how[origin()],
           why[0] ? ": " : "", why);
  return v;
}

/* ------------------------------------------------------------ the machine */

static Verdict check_system(Finding *f) {
  struct utsname u;
  if (uname(&u) != 0) return found(f, "unknown"), KNOW;
  char version[64];
  if (!mt_macos_version(version, sizeof version)) {
    found(f, "%s %s, %s", u.sysname, u.release, u.machine);
    return GOOD;
  }
  found(f, "macOS %s, %s", version, u.machine);
  return mt_macos_is_old(version) ? advise(f, BAD, mt_macos_advice) : GOOD;
}

static Verdict check_cores(Finding *f) {
  double pages = (double)sysconf(_SC_PHYS_PAGES);
  double gigabytes = pages * (double)sysconf(_SC_PAGESIZE) / 1073741824.0;
  found(f, "%u threads of %ld cores, %.1f GB of memory", mt_pool_size(),
        sysconf(_SC_NPROCESSORS_ONLN), gigabytes);
  return GOOD;
}

static Verdict check_lua(Finding *f) {
  found(f, "%s", LUA_RELEASE);
  return GOOD;
}

static Verdict check_editing(Finding *f) {
  found(f, "linenoise, %s", MT_LINENOISE);
  return GOOD;
}

static Verdict check_terminal(Finding *f) {
  const char *term = getenv("TERM");
  int rows, columns;
  if (!mt_term_here())
    return found(f, "none: input or output is not one"), KNOW;
  mt_term_size(&rows, &columns);
  found(f, "%s, %d x %d, %s, %s", term ? term : "TERM is not set", columns,
        rows, mt_style_on(STDOUT_FILENO) ? "colours" : "no colours",
        mt_term_clever() ? "line editing" : "no line editing");
  if (!mt_term_clever())
    return advise(f, KNOW, "TERM=xterm-256color mettle, if the terminal can");
  return GOOD;
}

static Verdict check_folder(Finding *f, const char *path, const char *variable,
                            const char *loses) {
  if (path) return found(f, "%s", path), GOOD;
  found(f, "cannot be written: %s", loses);
  snprintf(f->remedy, sizeof f->remedy, "set %s to a folder of yours",
           variable);
  return KNOW;
}

static Verdict check_state(Finding *f) {
  return check_folder(f, mt_dir_state(), "XDG_STATE_HOME",
                      "history and progress are not kept");
}

/* Why machine code in the cache folder is not trusted; NULL: it is. */
static const char *cache_refused(void) {
  static mt_Error why;
  char path[4096];
  const char *cache = mt_dir_cache();
  if (cache == NULL) return mt_dir_cache_refused();
  snprintf(path, sizeof path, "%s/host", cache);
  return !mt_file_exists(path) || mt_folder_is_owned(path, &why) ? NULL
                                                                 : why.text;
}

static Verdict check_cache(Finding *f) {
  const char *refused = cache_refused();
  if (refused) {
    const char *remedy = strstr(refused, "; ");
    found(f, "not used, compiled kernels are not kept: %.*s",
          (int)strcspn(refused, ";"), refused);
    return advise(f, KNOW, remedy ? remedy + 2 : "");
  }
  return check_folder(f, mt_dir_cache(), "XDG_CACHE_HOME",
                      "compiled kernels are not kept");
}

static Verdict check_data(Finding *f) {
  char path[4096];
  const char *data = mt_dir_data();
  if (data) snprintf(path, sizeof path, "%s/lua/session/show.lua", data);
  if (data && mt_file_exists(path)) return found(f, "%s", data), GOOD;
  found(f, "not found beside the program (%s)",
        mt_program_path() ? mt_program_path() : "?");
  return advise(f, BAD,
              "install or unpack Mettle again, or METTLE_DATA=the source "
              "folder");
}

/* -------------------------------------------------------------- host device */

/* The first line of `PROGRAM --version`, without a shell: there may be none,
** and a path may have any character in it. */
static bool version_of(const char *program, char *out, size_t size) {
  const char *argv[] = {program, "--version", NULL};
  mt_ChildLimits limits = {60, 0, 1 << 16, 0};
  mt_Child *child;
  mt_Str text = MT_STR_INIT, errors = MT_STR_INIT;
  int code = -1;
  if (mt_child_start(argv, &limits, &child, NULL) == MT_OK &&
      mt_child_finish(child, "", 0, &text, &errors, &code, NULL) != MT_OK)
    code = -1;
  const char *said = mt_str_text(&text);
  snprintf(out, size, "%.*s", (int)strcspn(said, "\n"), said);
  mt_str_free(&text);
  mt_str_free(&errors);
  return code == 0 && out[0];
}

static Verdict check_clang(Finding *f) {
  const char *named = getenv("METTLE_CLANG"), *clang = mt_clang_path();
  char version[256];
  if (!version_of(clang, version, sizeof version)) {
    found(f, "%s does not run: the host device cannot compile%s", clang,
          clang == named ? " (METTLE_CLANG names it)" : "");
    return clang == named ? advise(f, NO_HOST, "unset METTLE_CLANG")
                          : part_remedy(f, NO_HOST, "");
  }
  const char *number = strstr(version, "version ");
  found(f, "%s: %s", clang, version);
  /* its numbers are others, and it lacks vectors of bool */
  if (strncmp(version, "Apple", 5) == 0)
    return part_remedy(f, NO_HOST,
                     "Apple's Clang is not enough, LLVM's is needed");
  if (number && atoi(number + strlen("version ")) >= 19) return GOOD;
  return part_remedy(f, NO_HOST, "version 19 or newer is needed");
}

/* Does the module exist, and do all libraries that it is linked to load? */
static Verdict check_module(Finding *f, const char *name, Verdict without,
                            const char *purpose) {
  char path[4096];
  const char *folder = mt_dir_lib();
  snprintf(path, sizeof path, "%s/%s", folder ? folder : ".", name);
  if (!mt_file_exists(path)) {
    found(f, "%s is not there: %s", path, purpose);
    return part_remedy(f, without, "");
  }
  void *module = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
  if (module == NULL) {
    const char *why = dlerror();
    found(f, "does not load: %s", why ? why : path);
    return part_remedy(f, without, "");
  }
  found(f, "%s", path);
  dlclose(module);
  return GOOD;
}

static Verdict check_host(Finding *f) {
  return check_module(f, "host.so", NO_HOST,
                      "kernels cannot run on the processor");
}

static Verdict check_blas(Finding *f) {
  return check_module(f, "blas.so", KNOW,
                      "CPU references run without the vendor's library");
}

static Verdict check_pictures(Finding *f) {
  return check_module(f, "pictures.so", KNOW,
                      "there are no PNG and JPEG files, and no sixels");
}

/* (a bundle has none: SDL belongs to the system's own graphics) */
static Verdict check_window(Finding *f) {
  if (origin() == BUNDLE) {
    found(f, "a bundle has none: play shows pictures in the terminal");
    return KNOW;
  }
  return check_module(f, "window.so", KNOW,
                      "play shows pictures in the terminal");
}

/* ------------------------------------------------------------ Apple's Metal */

static bool is_built(const char *device) {
  const mt_DeviceEntry *entries;
  size_t n = mt_device_list(&entries), i = 0;
  while (i < n && strcmp(entries[i].name, device) != 0) i++;
  return i < n;
}

/* The GPU, and what it lacks by Apple's tables, or falls short of. */
static Verdict check_metal(Finding *f) {
  mt_Device *dev = NULL;
  mt_Error err = {""};
  mt_Str lacks = MT_STR_INIT, falls_short = MT_STR_INIT;
  if (!is_built("metal")) {
    found(f,
          "no Apple GPU here: kernels run on an NVIDIA GPU if CUDA has one, "
          "else on the host device, the processor");
    return KNOW;
  }
  if (mt_device_open("metal", &dev, &err) != MT_OK) {
    found(f, "%s", err.text);
    return advise(f, KNOW, "kernels run on the host device meanwhile");
  }
  const mt_DeviceInfo *i = mt_device_info(dev);
  mt_lua_missing_features(i, &lacks, &falls_short);
  found(f, "%s (%s)%s%s%s%s%s", i->title,
        i->families ? i->families : "of no family",
        i->simd_width ? "" : "; each kernel has its own size of SIMD-groups",
        lacks.length ? "; it lacks " : "", mt_str_text(&lacks),
        falls_short.length ? "; less than Apple's tables promise: " : "",
        mt_str_text(&falls_short));
  mt_str_free(&lacks);
  mt_str_free(&falls_short);
  mt_device_close(dev);
  return GOOD;
}

#ifdef MT_CUDA
/* What is missing is in the device's own words. */
static Verdict check_cuda(Finding *f) {
  mt_Device *dev = NULL;
  mt_Error err = {""};
  mt_Status status = mt_device_open("cuda", &dev, &err);
  if (status == MT_OK) status = mt_cuda_check(dev, &err);
  if (status != MT_OK) {
    mt_device_close(dev);
    return found(f, "%s", err.text), KNOW;
  }
  const mt_DeviceInfo *i = mt_device_info(dev);
  found(f, "%s, %.1f GB for buffers; %s", i->title,
        (double)i->memory / 1073741824.0, i->how);
  mt_device_close(dev);
  return GOOD;
}
#endif

#ifdef __APPLE__
/* The first line that a command prints; false if it fails. */
static bool first_line(const char *command, char *out, size_t size) {
  char rest[512];
  FILE *pipe = popen(command, "r");
  if (pipe == NULL) return false;
  bool got = fgets(out, (int)size, pipe) != NULL;
  while (fgets(rest, sizeof rest, pipe) != NULL) continue; /* drain it */
  if (got) out[strcspn(out, "\n")] = '\0';
  return pclose(pipe) == 0 && got;
}

/* A frequent report: `xcrun metal` fails with "missing Metal Toolchain". That
** is for compiling ahead of time; macOS itself compiles at run time. */
static Verdict check_toolchain(Finding *f) {
  char line[256];
  bool xcode = first_line("xcode-select -p 2>/dev/null", line, sizeof line);
  bool metal = first_line("xcrun -f metal 2>/dev/null", line, sizeof line);
  found(f,
        "%s, %s; neither is needed: macOS compiles kernels at run time (for "
        "`xcrun metal`: xcodebuild -downloadComponent MetalToolchain)",
        xcode ? "developer tools are there" : "no Xcode",
        metal ? "Metal toolchain is there" : "no Metal toolchain");
  return GOOD;
}
#endif

/* ----------------------------------------------------------- a test kernel */

static const char probe[] =
    "#include <metal_stdlib>\n"
    "using namespace metal;\n"
    "kernel void probe(device uint *out [[buffer(0)]],\n"
    "                  uint i [[thread_position_in_grid]]) {\n"
    "  out[i] = 3 * i + 1;\n"
    "}\n";

enum { PROBE_COUNT = 100 };

static mt_Status launch_probe(mt_Kernel *kernel, mt_Buffer *out,
                              mt_Error *err) {
  const mt_KernelInfo *info = mt_kernel_info(kernel);
  mt_Arg args[8] = {{0}};
  mt_Timing timing;
  mt_Launch launch = {.kernel = kernel,
                      .args = args,
                      .arg_count = info->param_count,
                      .grid = {PROBE_COUNT, 1, 1},
                      .group = {32, 1, 1},
                      .repeats = 1,
                      .time_limit = 20};
  for (unsigned i = 0; i < info->param_count && i < 8; i++)
    if (info->params[i].kind == MT_PARAM_BUFFER)
      args[i] = (mt_Arg){
          .kind = MT_ARG_BUFFER, .buffer = out, .size = mt_buffer_size(out)};
  mt_Status status = mt_launch(&launch, &timing, err);
  if (status == MT_OK)
    status = mt_buffer_access(out, 0, mt_buffer_size(out), MT_READ, err);
  const uint32_t *values = mt_buffer_contents(out);
  for (uint32_t i = 0; status == MT_OK && i < PROBE_COUNT; i++)
    if (values[i] != 3 * i + 1)
      status = mt_error(err, MT_FAIL, "out[%u] is %u, not %u", i, values[i],
                        3 * i + 1);
  return status;
}

static mt_Status run_probe(mt_Device *dev, mt_Error *err) {
  mt_Library *library = NULL;
  mt_Kernel *kernel = NULL;
  mt_Buffer *out = NULL;
  mt_Str log = MT_STR_INIT;
  mt_Status status =
      mt_library_new(dev, probe, strlen(probe), NULL, &library, &log, err);
  if (status == MT_OK)
    status = mt_kernel_new(library, "probe", NULL, 0, &kernel, err);
  if (status == MT_OK)
    status = mt_buffer_new(dev, PROBE_COUNT * sizeof(uint32_t), &out, err);
  if (status == MT_OK) status = launch_probe(kernel, out, err);
  mt_buffer_free(out);
  mt_kernel_free(kernel);
  mt_library_free(library);
  mt_str_free(&log);
  return status;
}

static Verdict check_kernel(Finding *f) {
  mt_Device *dev = NULL;
  mt_Error err = {""};
  mt_Status status = mt_device_open(NULL, &dev, &err);
  if (status == MT_OK) status = run_probe(dev, &err);
  if (status == MT_OK)
    found(f, "compiled, run and right on %s (%s)", mt_device_info(dev)->name,
          mt_device_info(dev)->title);
  else
    found(f, "cannot run: %s",
          err.text[0] ? err.text : "this build has no device");
  mt_device_close(dev);
  return status == MT_OK
             ? GOOD
             : advise(f, BAD,
                    origin() == SOURCES
                        ? "fix what is marked NO above; if nothing is: make "
                          "clean, then make"
                        : "fix what is marked NO above");
}

/* ---------------------------------------------------------------- the table */

static const struct {
  const char *name;
  Verdict (*check)(Finding *f);
} checks[] = {
    {"system", check_system},
    {"processor", check_cores},
    {"Lua", check_lua},
    {"line editing", check_editing},
    {"terminal", check_terminal},
    {"program data", check_data},
    {"state folder", check_state},
    {"cache folder", check_cache},
    {"Metal", check_metal},
#ifdef MT_CUDA
    {"CUDA", check_cuda},
#endif
#ifdef __APPLE__
    {"Metal tools", check_toolchain},
#endif
    {"Clang", check_clang},
    {"host engine", check_host},
    {"vendor library", check_blas},
    {"pictures", check_pictures},
    {"window", check_window},
    {"a kernel", check_kernel},
};

static void print_finding(const char *name, Verdict v, const Finding *f) {
  static const char *const marks[] = {"ok", "--", "NO"};
  static const mt_Style styles[] = {MT_STYLE_GOOD, MT_STYLE_WARN,
                                    MT_STYLE_ERROR};
  printf("%s%s%s  %-15s %s\n", mt_style(STDOUT_FILENO, styles[v]), marks[v],
         mt_style(STDOUT_FILENO, MT_STYLE_PLAIN), name, f->text);
  if (f->remedy[0]) printf("    %-15s to fix it: %s\n", "", f->remedy);
}

/* Every finding as a line of text. */
static void list_findings(mt_Str *out) {
  static const char *const marks[] = {"ok", "--", "NO"};
  for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
    Finding f = {"", ""};
    Verdict v = checks[i].check(&f);
    mt_str_addf(out, "%s  %-15s %s\n", marks[v], checks[i].name, f.text);
  }
}

/* lua/measure/report.lua writes the report, with these findings. */
static int report(const char *file, const char *only) {
  mt_Str findings = MT_STR_INIT;
  list_findings(&findings);
  char *words[] = {(char *)"doctor", (char *)file,
                   (char *)mt_str_text(&findings), (char *)only, NULL};
  int status = mt_session_main("require('lua.measure.report').main(arg)",
                               only ? 4 : 3, words);
  mt_str_free(&findings);
  return status;
}

/* doctor --report [FILE] [--only WORD] */
static int read_report(int argc, char **argv) {
  const char *file = "", *only = NULL;
  for (int i = 2; i < argc; i++) {
    if (strcmp(argv[i], "--only") == 0 && i + 1 < argc) only = argv[++i];
    else if (argv[i][0] != '-' && file[0] == '\0') file = argv[i];
    else return -1;
  }
  return report(file, only);
}

int mt_command_doctor(int argc, char **argv) {
  Verdict last = BAD;
  int status = argc == 1                          ? 0
               : strcmp(argv[1], "--report") == 0 ? read_report(argc, argv)
                                                  : -1;
  if (status < 0)
    fprintf(stderr,
            "mettle: the doctor is called as mettle doctor, or mettle doctor "
            "--report [FILE] [--only WORD]\n");
  if (argc > 1) return status < 0 ? 2 : status;
  printf("Mettle %s, %s\n", MT_VERSION,
         mt_program_path() ? mt_program_path() : "?");
  for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
    Finding f = {"", ""};
    last = checks[i].check(&f);
    print_finding(checks[i].name, last, &f);
    fflush(stdout);
  }
  printf("%s\n",
         last == GOOD ? "Kernels run here." : "Kernels do not run here yet.");
  return last == GOOD ? 0 : 1;
}
