/*
** doctor.c - mettle doctor: what this machine has, what is missing and
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
#include "base/files/folders.h"
#include "base/macos.h"
#include "base/pool.h"
#include "base/process/child.h"
#include "base/version.h"
#include "devices/doctor.h"
#include "lua/bind/gpu/missing_features.h"
#include "msl/clang/clang.h"
#include "repl/commands/commands.h"
#include "repl/lua/session.h"
#include "repl/terminal/style.h"
#include "repl/terminal/terminal.h"

typedef mt_Diagnosis Finding; /* its verdict is what a check returns */
typedef mt_Verdict Verdict;

/* The verdict if there is no host device: a Mac still has its GPU. */
static Verdict no_host(void) {
  return mt_device_has_metal() ? MT_KNOW : MT_BAD;
}

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
#ifdef MT_DARWIN /* there scripts/deps passes over what Homebrew has */
      [SOURCES] = "with Homebrew (https://brew.sh): scripts/deps, then make",
#else
      [SOURCES] = "scripts/deps, then make",
#endif
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
  if (uname(&u) != 0) return found(f, "unknown"), MT_KNOW;
  char version[64];
  if (!mt_macos_version(version, sizeof version)) {
    found(f, "%s %s, %s", u.sysname, u.release, u.machine);
    return MT_GOOD;
  }
  found(f, "macOS %s, %s", version, u.machine);
  return mt_macos_is_old(version) ? advise(f, MT_BAD, mt_macos_advice)
                                  : MT_GOOD;
}

static Verdict check_cores(Finding *f) {
  double pages = (double)sysconf(_SC_PHYS_PAGES);
  double gigabytes = pages * (double)sysconf(_SC_PAGESIZE) / 1073741824.0;
  found(f, "%u threads of %ld cores, %.1f GB of memory", mt_pool_size(),
        sysconf(_SC_NPROCESSORS_ONLN), gigabytes);
  return MT_GOOD;
}

static Verdict check_lua(Finding *f) {
  found(f, "%s", LUA_RELEASE);
  return MT_GOOD;
}

static Verdict check_editing(Finding *f) {
  found(f, "linenoise, %s", MT_LINENOISE);
  return MT_GOOD;
}

static Verdict check_terminal(Finding *f) {
  const char *term = getenv("TERM");
  int rows, columns;
  if (!mt_term_here())
    return found(f, "none: input or output is not one"), MT_KNOW;
  mt_term_size(&rows, &columns);
  found(f, "%s, %d x %d, %s, %s", term ? term : "TERM is not set", columns,
        rows, mt_style_on(STDOUT_FILENO) ? "colours" : "no colours",
        mt_term_clever() ? "line editing" : "no line editing");
  if (!mt_term_clever())
    return advise(f, MT_KNOW,
                  "TERM=xterm-256color mettle, if the terminal can");
  return MT_GOOD;
}

static Verdict check_folder(Finding *f, const char *path, const char *variable,
                            const char *loses) {
  if (path) return found(f, "%s", path), MT_GOOD;
  found(f, "cannot be written: %s", loses);
  snprintf(f->remedy, sizeof f->remedy, "set %s to a folder of yours",
           variable);
  return MT_KNOW;
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
    return advise(f, MT_KNOW, remedy ? remedy + 2 : "");
  }
  return check_folder(f, mt_dir_cache(), "XDG_CACHE_HOME",
                      "compiled kernels are not kept");
}

static Verdict check_data(Finding *f) {
  char path[4096];
  const char *data = mt_dir_data();
  if (data) snprintf(path, sizeof path, "%s/lua/session/show.lua", data);
  if (data && mt_file_exists(path)) return found(f, "%s", data), MT_GOOD;
  found(f, "not found beside the program (%s)",
        mt_program_path() ? mt_program_path() : "?");
  return advise(f, MT_BAD,
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
    return clang == named ? advise(f, no_host(), "unset METTLE_CLANG")
                          : part_remedy(f, no_host(), "");
  }
  const char *number = strstr(version, "version ");
  found(f, "%s: %s", clang, version);
  /* its numbers are others, and it lacks vectors of bool */
  if (strncmp(version, "Apple", 5) == 0)
    return part_remedy(f, no_host(),
                     "Apple's Clang is not enough, LLVM's is needed");
  if (number && atoi(number + strlen("version ")) >= 19) return MT_GOOD;
  return part_remedy(f, no_host(), "version 19 or newer is needed");
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
  return MT_GOOD;
}

static Verdict check_host(Finding *f) {
  return check_module(f, "host.so", no_host(),
                      "kernels cannot run on the processor");
}

static Verdict check_blas(Finding *f) {
  return check_module(f, "blas.so", MT_KNOW,
                      "CPU references run without the vendor's library");
}

static Verdict check_pictures(Finding *f) {
  return check_module(f, "pictures.so", MT_KNOW,
                      "there are no PNG and JPEG files, and no sixels");
}

/* (a bundle has none: SDL belongs to the system's own graphics) */
static Verdict check_window(Finding *f) {
  if (origin() == BUNDLE) {
    found(f, "a bundle has none: play shows pictures in the terminal");
    return MT_KNOW;
  }
  return check_module(f, "window.so", MT_KNOW,
                      "play shows pictures in the terminal");
}

/* ---------------------------------------------------------------- devices */

/* Metal is what all is about: a machine that cannot have it is told so. */
static Verdict check_no_metal(Finding *f) {
  found(f,
        "no Apple GPU here: kernels run on an NVIDIA GPU if CUDA has one, "
        "else on the host device, the processor");
  return MT_KNOW;
}

/* What the GPU lacks by Apple's tables, or falls short of. */
static void add_lacks(Finding *f, const mt_DeviceInfo *i) {
  mt_Str lacks = MT_STR_INIT, falls_short = MT_STR_INIT;
  size_t n = strlen(f->text);
  mt_lua_missing_features(i, &lacks, &falls_short);
  snprintf(f->text + n, sizeof f->text - n, "%s%s%s%s",
           lacks.length ? "; it lacks " : "", mt_str_text(&lacks),
           falls_short.length ? "; less than Apple's tables promise: " : "",
           mt_str_text(&falls_short));
  mt_str_free(&lacks);
  mt_str_free(&falls_short);
}

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
             ? MT_GOOD
             : advise(f, MT_BAD,
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
    {"the devices", NULL}, /* they have lines of their own */
    {"Clang", check_clang},
    {"host engine", check_host},
    {"vendor library", check_blas},
    {"pictures", check_pictures},
    {"window", check_window},
    {"a kernel", check_kernel},
};

/* What is done with each finding. */
typedef void Tell(void *context, const char *name, const Finding *f);

typedef struct Teller {
  Tell *tell;
  void *context;
} Teller;

static void tell_of_device(void *context, const char *name, Finding *f,
                           const mt_DeviceInfo *info) {
  const Teller *to = context;
  if (info && info->families) add_lacks(f, info);
  to->tell(to->context, name, f);
}

static void check_devices(Teller *to) {
  Finding f = {0};
  if (!mt_device_has_metal()) {
    f.verdict = check_no_metal(&f);
    to->tell(to->context, "Metal", &f);
  }
  mt_device_diagnose(tell_of_device, to);
}

/* Look at everything; the verdict of the last, the kernel. */
static Verdict check_all(Teller to) {
  Verdict last = MT_BAD;
  for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
    Finding f = {0};
    if (!checks[i].check) {
      check_devices(&to);
      continue;
    }
    last = f.verdict = checks[i].check(&f);
    to.tell(to.context, checks[i].name, &f);
  }
  return last;
}

static const char *const marks[] = {"ok", "--", "NO"};

static void print_finding(void *unused, const char *name, const Finding *f) {
  static const mt_Style styles[] = {MT_STYLE_GOOD, MT_STYLE_WARN,
                                    MT_STYLE_ERROR};
  (void)unused;
  printf("%s%s%s  %-15s %s\n", mt_style(STDOUT_FILENO, styles[f->verdict]),
         marks[f->verdict], mt_style(STDOUT_FILENO, MT_STYLE_PLAIN), name,
         f->text);
  if (f->remedy[0]) printf("    %-15s to fix it: %s\n", "", f->remedy);
  fflush(stdout);
}

static void list_finding(void *out, const char *name, const Finding *f) {
  mt_str_addf(out, "%s  %-15s %s\n", marks[f->verdict], name, f->text);
}

/* lua/measure/report.lua writes the report, with these findings. */
static int report(const char *file, const char *only) {
  mt_Str findings = MT_STR_INIT;
  check_all((Teller){list_finding, &findings});
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
  bool runs = check_all((Teller){print_finding, NULL}) == MT_GOOD;
  printf("%s\n", runs ? "Kernels run here." : "Kernels do not run here yet.");
  return runs ? 0 : 1;
}
