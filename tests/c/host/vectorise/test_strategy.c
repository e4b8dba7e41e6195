/*
** test_strategy.c - what the vectoriser makes of a kernel, on each kind of
** machine: the kernels of tests/strategy, which say in their comments what must
** and what must not be in the list of accesses and in the assembly.
**
**   // GROUP: 16 16          the threadgroup; 256 if not given
**   // WIDE: yes             the grid has long rows: multiples of 32, or ragged
**   // ALL: load, gather     this text is there, after the text before it
**   // ALL-NOT: scatter      this text is nowhere
**   // ALL-LOOP-NOT: imul    this text is not in the assembly's first loop
**
** ALL is for every machine, X86 for the three of its kind; then AVX512, AVX2,
** SSE42 and NEON. Code is made for all four on any of them, but for a machine
** on which a kernel asks for nothing, or for the list alone (a text of several
** words), only with METTLE_TESTS=all. Each kernel is also run on this machine,
** thread by thread and as vectors, in full groups, in a ragged grid or in
** smaller groups (these by turns, with METTLE_TESTS=all all three), and both
** answers are the same.
**
**   test_strategy FILE MACHINE    shows the text that a kernel's comments are
**                                 about; FILE with or without its folder
**
** Guards: devices/host/analyse/uniform_memory.c, devices/host/vectorise,
** devices/compiler/prepare/split_structs.c: the kernels of tests/strategy, each
** about one strategy, say in their comments what must and must not be in the
** list of accesses and in the assembly for AVX-512, AVX2, SSE4.2 and NEON; each
** gives the same answer thread by thread and as vectors. A strategy without a
** kernel is named; several targets in one process are independent.
** `build/tests/test_strategy FILE.metal NEON` shows the text;
** devices/host/strategy/{memory, plan}.c, devices/host/access/{availability,
** contiguity_guarded, contiguity_tested, gather_scatter, prefetch,
** private_memory, table_lookup}.c, devices/host/plan/{branch_uniformity,
** grid_rows, row_alignment, scalar_tail, stream_width, vector_width}.c,
** devices/host/transform/{hoist_barriers, order_products, sink_guards,
** split_sums, unroll_steps}.c, devices/host/region/{frame, matrix_frame}.c,
** devices/host/analyse/{affine, fold_number, matrix_layout, matrix_pairs}.c,
** devices/host/emit/{inner_loop_code, matrix_place, simdgroup_matrix,
** simdgroup_multiply, wide_division, x86_instructions}.c,
** devices/compiler/prepare/{bit_vectors, debug_lines, distribute_factors,
** equal_phis, flip_signs, keep_quotients, noalias_scopes, split_vector_access,
** unroll, unroll_contiguous}.c,
** devices/compiler/target/target.c, devices/host/access/{run_test, runs}.c,
** devices/host/strategy/parts.c, devices/host/native/gathers.c
*/
#include <dirent.h>

#include "base/files/file.h"
#include "devices/compiler/prepare/prepare.h"
#include "devices/compiler/target/target.h"
#include "devices/host/native/native.h"
#include "devices/host/vectorise/vectorise.h"
#include "msl/clang/clang.h"
#include "tests/c/all_tests.h"
#include "tests/c/file_check.h"
#include "tests/c/host_case.h"
#include "tests/c/skip.h"

#define FOLDER "tests/strategy"
#define WORDS 65536 /* of a buffer */
#define MOST_FILES 100

typedef struct Machine {
  const char *name, *kind, *names;
} Machine;

static const Machine machines[] = {
    {"AVX512", "X86", "x86_64-linux-gnu,x86-64-v4"},
    {"AVX2", "X86", "x86_64-linux-gnu,x86-64-v3"},
    {"SSE42", "X86", "x86_64-linux-gnu,x86-64-v2"},
    {"NEON", "", "aarch64-linux-gnu,cortex-a76"}};
#define MACHINES (sizeof machines / sizeof *machines)

static char *files[MOST_FILES];
static mt_MslModule *modules[MOST_FILES]; /* of those compiled already */
static size_t file_count;

/* ------------------------------------------------------------------- files */

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static int find_files(void **state) {
  DIR *d = opendir(FOLDER);
  struct dirent *e;
  if (!d) return -1;
  while ((e = readdir(d))) {
    size_t n = strlen(e->d_name);
    if (n <= 6 || strcmp(e->d_name + n - 6, ".metal")) continue;
    if (file_count == MOST_FILES) return -1; /* none is left out in silence */
    files[file_count++] = strdup(e->d_name);
  }
  closedir(d);
  qsort(files, file_count, sizeof *files, by_name);
  return open_host(state);
}

static char *read_file(const char *name) {
  char path[300];
  mt_Str text = MT_STR_INIT;
  snprintf(path, sizeof path, FOLDER "/%s", name);
  if (mt_file_read(path, 1 << 20, &text, &error) != MT_OK)
    fail_msg("%s", error.text);
  char *copy = strdup(mt_str_text(&text));
  mt_str_free(&text);
  return copy;
}

static void group_of(const char *source, unsigned group[3]) {
  char text[64];
  group[0] = 256, group[1] = group[2] = 1;
  if (check_directive(&source, "//", "GROUP", text, sizeof text))
    sscanf(text, "%u %u %u", &group[0], &group[1], &group[2]);
}

static mt_GridRows rows_of(const char *source) {
  char text[8];
  if (!check_directive(&source, "//", "WIDE", text, sizeof text))
    return MT_ROWS_SHORT;
  return strstr(text, "ragged") ? MT_ROWS_LONG : MT_ROWS_WHOLE;
}

/* What a kernel asks for on a machine. */
typedef enum Need { NOTHING, LIST, CODE } Need;

static Need need_of(const char *source, const char *prefix) {
  static const char *const kinds[] = {"", "-NOT", "-LOOP-NOT"};
  Need need = NOTHING;
  for (int i = 0; i < 3; i++) {
    char name[40], text[200];
    snprintf(name, sizeof name, "%s%s", prefix, kinds[i]);
    for (const char *at = source;
         check_directive(&at, "//", name, text, sizeof text);)
      if (i == 2 || !strchr(text, ' ') || strpbrk(text, "(%$\t"))
        return CODE;
      else
        need = LIST;
  }
  return need;
}

static Need need(const char *source, const Machine *a) {
  const char *const prefixes[] = {"ALL", a->name, a->kind};
  Need most = NOTHING;
  for (int i = 0; i < 3; i++) {
    Need one = *prefixes[i] ? need_of(source, prefixes[i]) : NOTHING;
    if (one > most) most = one;
  }
  return all_tests() ? CODE : most;
}

/* --------------------------------------------------------------- the text */

/* The list of accesses and, if wanted, the assembly for a machine. */
static mt_Status list(const Machine *a, const mt_MslModule *m,
                      const char *source, Need wanted, mt_Str *out,
                      mt_Error *err) {
  unsigned group[3];
  group_of(source, group);
  static const mt_ArgumentFacts any;
  const mt_MslKernel *k;
  mt_Prepared p;
  mt_msl_kernels(m, &k);
  mt_PrepareInput in = {.target = mt_target_named(a->names, err),
                        .kernel = k,
                        .formats = &any};
  if (!in.target) return MT_UNSUPPORTED;
  in.bitcode = mt_msl_bitcode(m, &in.size);
  in.constant_count = mt_msl_constants(m, &in.constants);
  mt_Status status = mt_prepare(&in, &p, err);
  if (status != MT_OK) return status;
  mt_Geometry g = {.size = {group[0], group[1], group[2]}, .many = true};
  g.rows = rows_of(source);
  mt_VectorFacts facts = {.list = out};
  LLVMValueRef fn;
  if ((status = mt_vectorise(p.target, p.module, k, &g, NULL, &fn, &facts,
                             err)) == MT_OK &&
      wanted == CODE &&
      (status = mt_optimise(p.target, p.module, false, err)) == MT_OK)
    status = mt_emit(p.target, p.module, false, true, out, NULL, err);
  mt_prepared_free(&p);
  return status;
}

/* The first label that something after it jumps to, up to that jump; NULL if
** there is no loop. The caller frees it. */
static char *first_loop(const char *text) {
  for (const char *p = strstr(text, "\n.LBB"); p; p = strstr(p + 1, "\n.LBB")) {
    char jump[40];
    snprintf(jump, sizeof jump, "\t%.*s\n", (int)strcspn(p + 1, ":\n"), p + 1);
    const char *back = strstr(p + 1, jump);
    if (back) return strndup(p, (size_t)(back - p));
  }
  return NULL;
}

/* What the kernel became: the list that its text begins with. */
static void show_list(const char *text) {
  for (; *text == ';'; text += strspn(text, "\n")) {
    size_t n = strcspn(text, "\n");
    fprintf(stderr, "  %.*s\n", (int)n, text);
    text += n;
  }
}

static bool check(const char *source, const char *prefix, const char *text) {
  bool there = check_present(source, "//", prefix, text);
  if (!there) show_list(text);
  char *loop = first_loop(text);
  bool good = there && check_absent(source, "//", prefix, "-NOT", text) &&
              check_absent(source, "//", prefix, "-LOOP-NOT", loop);
  free(loop);
  return good;
}

static bool check_machine(const Machine *a, const char *source,
                          const mt_MslModule *m) {
  mt_Str text = MT_STR_INIT;
  mt_Error err = {""};
  Need wanted = need(source, a);
  if (wanted == NOTHING) return true;
  mt_Status status = list(a, m, source, wanted, &text, &err);
  if (status != MT_OK) fprintf(stderr, "%s\n", err.text);
  const char *all = mt_str_text(&text);
  bool good = status == MT_OK && check(source, "ALL", all) &&
              check(source, a->name, all) &&
              (!*a->kind || check(source, a->kind, all));
  mt_str_free(&text);
  return good;
}

static mt_MslModule *compile(const char *name, const char *source) {
  mt_MslModule *m = NULL;
  if (mt_msl_compile(source, strlen(source), NULL, &m, &error) != MT_OK)
    fail_msg("%s: %s\n%s", name, error.text, m ? mt_msl_log(m) : "");
  mt_clang_stay();
  return m;
}

/* All machines in one process, which runs code for its own before. */
static void test_text(void **state) {
  const Machine *a = *state;
  int wrong = 0;
  for (size_t i = 0; i < file_count; i++) {
    char *source = read_file(files[i]);
    if (!modules[i]) modules[i] = compile(files[i], source);
    if (!check_machine(a, source, modules[i])) {
      print_error("%s is not as it says, for %s; to see its text: "
                  "build/tests/test_strategy %s %s\n",
                  files[i], a->name, files[i], a->name);
      wrong++;
    }
    free(source);
  }
  assert_int_equal(wrong, 0);
}

/* -------------------------------------------------------------- the answer */

static void fill(uint32_t *in, uint32_t *out) {
  uint32_t x = 12345;
  for (int i = 0; i < WORDS; i++) {
    x = x * 1664525u + 1013904223u;
    in[i] = x >> 9;
    out[i] = 0;
  }
}

static mt_Kernel *kernel_of(const char *name, const char *source) {
  mt_Library *lib = NULL;
  mt_Kernel *k = NULL;
  mt_Str log = MT_STR_INIT;
  if (mt_library_new(host, source, strlen(source), NULL, &lib, &log, &error) !=
          MT_OK ||
      mt_kernel_new(lib, "k", NULL, 0, &k, &error) != MT_OK)
    fail_msg("%s: %s\n%s", name, error.text, mt_str_text(&log));
  mt_str_free(&log);
  mt_library_free(lib);
  return k;
}

/* The case and what was seen: the first difference, how many there are, and
** whether LLVM was lost over one of the two. */
static void differs(const char *name, const mt_Launch *l, const uint32_t *plain,
                    const uint32_t *out,
                    char fallback[2][MT_FALLBACK_LENGTH]) {
  unsigned n = 0;
  int first = -1;
  for (int i = 0; i < WORDS; i++)
    if (plain[i] != out[i]) {
      if (n++ == 0) first = i;
    }
  fail_msg("%s, grid %u x %u x %u, group %u x %u x %u: %u words differ, the "
           "first is out[%d]: %u (%s) thread by thread, %u (%s) as vectors",
           name, (unsigned)l->grid.x, (unsigned)l->grid.y, (unsigned)l->grid.z,
           (unsigned)l->group.x, (unsigned)l->group.y, (unsigned)l->group.z, n,
           first, plain[first], fallback[0], out[first], fallback[1]);
}

static void compare(const char *name, mt_Kernel *k, mt_Size grid,
                    mt_Size group) {
  mt_Buffer *b[2];
  uint32_t n = 37;
  for (int i = 0; i < 2; i++)
    assert_int_equal(mt_buffer_new(host, 4 * WORDS, &b[i], &error), MT_OK);
  uint32_t *in = mt_buffer_contents(b[0]), *out = mt_buffer_contents(b[1]);
  uint32_t *plain = malloc(4 * WORDS);
  mt_Arg args[] = {{.kind = MT_ARG_BUFFER, .buffer = b[0], .size = 4 * WORDS},
                   {.kind = MT_ARG_BUFFER, .buffer = b[1], .size = 4 * WORDS},
                   {.kind = MT_ARG_BYTES, .bytes = &n, .size = sizeof n},
                   {0}, {0}, {0}, {0}};
  mt_Launch l = {.kernel = k, .args = args, .grid = grid, .group = group,
                 .arg_count = mt_kernel_info(k)->param_count, .repeats = 1,
                 .time_limit = 60};
  mt_Timing timing;
  char fallback[2][MT_FALLBACK_LENGTH];
  for (int way = 0; host_way(way); way++) {
    fill(in, out);
    if (mt_launch(&l, &timing, &error) != MT_OK)
      fail_msg("%s: %s", name, error.text);
    snprintf(fallback[way], sizeof fallback[way], "%s",
             timing.fallback ? timing.fallback : "as asked");
    if (way == 0) memcpy(plain, out, 4 * WORDS);
  }
  if (memcmp(plain, out, 4 * WORDS)) differs(name, &l, plain, out, fallback);
  free(plain);
  for (int i = 0; i < 2; i++) mt_buffer_free(b[i]);
}

/* Rows of less than a group that is a piece of one, and of several. */
static void compare_wide(const char *name, mt_Kernel *k, mt_Size group) {
  static const unsigned rows[] = {64, 121, 1024, 2049};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    compare(name, k, (mt_Size){rows[i], 5, 2}, group);
}

static void test_answers(void **state) {
  (void)state;
  const bool all = all_tests();
  for (size_t i = 0; i < file_count; i++) {
    char *source = read_file(files[i]);
    unsigned g[3];
    group_of(source, g);
    mt_Kernel *k = kernel_of(files[i], source);
    mt_Size group = {g[0], g[1], g[2]}, grid = {2 * g[0], 2 * g[1], g[2]};
    if (all || i % 3 == 0) compare(files[i], k, grid, group);
    grid.x -= g[0] / 3;
    if (all || i % 3 == 1) compare(files[i], k, grid, group);
    if (all || i % 3 == 2)
      compare(files[i], k, grid, (mt_Size){g[0] / 4 + 1, g[1], g[2]});
    if (rows_of(source)) compare_wide(files[i], k, group);
    mt_kernel_free(k);
    free(source);
  }
}

/* Does a comment of some kernel ask for "… , NAME", and not for its absence? */
static bool is_asked_for(const char *all, const char *name) {
  char text[100];
  int n = snprintf(text, sizeof text, ", %s", name);
  for (const char *p = strstr(all, text); p; p = strstr(p + 1, text)) {
    const char *line = p;
    while (line > all && line[-1] != '\n') line--;
    if (strchr("\n:;", p[n]) && !strncmp(line, "// ", 3) &&
        strcspn(line, ":") < strcspn(line, "-"))
      return true;
  }
  return false;
}

/* A strategy that is new has its kernel here. */
static void test_each_strategy(void **state) {
  (void)state;
  mt_Str all = MT_STR_INIT;
  for (size_t i = 0; i < file_count; i++) {
    char *source = read_file(files[i]);
    mt_str_add(&all, source);
    free(source);
  }
  for (mt_AccessStrategy how = 1; how < MT_ACCESS_STRATEGIES; how++)
    for (int store = 0; store < 2; store++) {
      const char *name = mt_access_strategy_name(how, store);
      /* without a name: no store is done so */
      if (*name && !is_asked_for(mt_str_text(&all), name))
        fail_msg("no kernel of " FOLDER " asks for \"%s\"", name);
    }
  mt_str_free(&all);
}

/* ------------------------------------------------------------ two targets */

/* A kernel, prepared for 't', as text. */
static char *prepared_for(mt_Target *t, const mt_MslModule *m) {
  const mt_MslKernel *k;
  mt_Prepared p;
  mt_msl_kernels(m, &k);
  mt_PrepareInput in = {.target = t, .kernel = k};
  in.bitcode = mt_msl_bitcode(m, &in.size);
  in.constant_count = mt_msl_constants(m, &in.constants);
  if (mt_prepare(&in, &p, &error) != MT_OK) fail_msg("%s", error.text);
  char *text = LLVMPrintModuleToString(p.module);
  mt_prepared_free(&p);
  return text;
}

/* Preparing for one target leaves nothing that another one would see. */
static void test_several_targets(void **state) {
  (void)state;
  static const char *const triple[] = {"nvptx64", "x86_64", "aarch64"};
  static const char name[] = "branch_divergent.metal";
  char *source = read_file(name), *first[3];
  mt_MslModule *m = compile(name, source);
  mt_Target *t[3] = {mt_target_nvptx(90, &error),
                     mt_target_named(machines[1].names, &error),
                     mt_target_named(machines[3].names, &error)};
  for (int i = 0; i < 3; i++) {
    if (!t[i]) skip_because("this LLVM has this machine's target alone");
    first[i] = prepared_for(t[i], m);
    assert_non_null(strstr(first[i], triple[i]));
  }
  for (int i = 2; i >= 0; i--) {
    char *again = prepared_for(t[i], m);
    assert_string_equal(again, first[i]);
    LLVMDisposeMessage(again);
  }
  for (int i = 0; i < 3; i++) LLVMDisposeMessage(first[i]);
  mt_msl_free(m);
  free(source);
}

static int show(const char *name, const char *machine) {
  const char *slash = strrchr(name, '/');
  for (size_t i = 0; i < MACHINES; i++) {
    if (strcmp(machines[i].name, machine)) continue;
    char *source = read_file(slash ? slash + 1 : name);
    mt_Str text = MT_STR_INIT;
    mt_Status status = list(&machines[i], compile(name, source), source, CODE,
                            &text, &error);
    printf("%s%s\n", mt_str_text(&text), status == MT_OK ? "" : error.text);
    return status != MT_OK;
  }
  fprintf(stderr, "no machine %s: AVX512, AVX2, SSE42, NEON\n", machine);
  return 2;
}

int main(int argc, char **argv) {
  if (argc == 3) return show(argv[1], argv[2]);
  struct CMUnitTest tests[MACHINES + 3] = {
      cmocka_unit_test(test_answers), cmocka_unit_test(test_each_strategy),
      cmocka_unit_test(test_several_targets)};
  for (size_t i = 0; i < MACHINES; i++)
    tests[i + 3] = (struct CMUnitTest){machines[i].name, test_text, NULL, NULL,
                                       (void *)&machines[i]};
  return cmocka_run_group_tests(tests, find_files, close_host);
}
