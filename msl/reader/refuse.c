/*
** refuse.c - C++ that Metal does not accept.
**
** Keywords of C++ that MSL excludes, variables where it allows none, and
** pointers without an address space. Clang checks the types.
*/
#include <string.h>

#include "base/kernel_types/reflect.h"
#include "msl/reader/attributes.h"
#include "msl/reader/parts.h"

#define LONGEST_NAME 4096
#define MANY_PROBLEMS 100

#define POINTER_HELP                                                       \
  "Say where it leads: device for a buffer, constant for read-only data, " \
  "threadgroup for memory "                                                \
  "that a threadgroup shares, thread for a thread's own variables."

#define WIDEST                                                                \
  "The widest integers are long and ulong; mulhi(a, b) gives the upper half " \
  "of a product."

static const struct {
  const char *word, *message, *help;
} words[] = {
    {"double", "'double' is not supported in Metal",
     "Use float; the GPU has no double precision."},
    {"__int128", "'__int128' is not supported in Metal", WIDEST},
    {"__int128_t", "'__int128_t' is not supported in Metal", WIDEST},
    {"__uint128_t", "'__uint128_t' is not supported in Metal", WIDEST},
    {"virtual", "virtual functions are not supported in Metal",
     "Use a template, or a switch over a kind."},
    {"new", "'new' is not supported in Metal",
     "Memory cannot be allocated in a kernel: use a local array or a buffer."},
    {"delete", "'delete' is not supported in Metal",
     "Memory cannot be allocated in a kernel."},
    {"try", "'try': exceptions are not supported in Metal",
     "Write an error code to a buffer instead."},
    {"catch", "'catch': exceptions are not supported in Metal", NULL},
    {"throw", "'throw': exceptions are not supported in Metal",
     "Write an error code to a buffer instead."},
    {"goto", "'goto' is not supported in Metal", "Use a loop."},
    {"dynamic_cast", "'dynamic_cast' is not supported in Metal", NULL},
    {"typeid", "'typeid' is not supported in Metal", NULL},
    {"thread_local", "'thread_local' is not supported in Metal",
     "A variable in a function belongs to its thread already."},
    {"asm", "'asm' is not supported in Metal", NULL},
    {"__asm__", "'asm' is not supported in Metal", NULL},
    {"__kernel", "unknown type name '__kernel'", "In Metal write kernel."},
    {"__syncthreads", "use of undeclared identifier '__syncthreads'",
     "In Metal write threadgroup_barrier(mem_flags::mem_threadgroup)."},
};

/* false: the word is fine. */
static bool forbidden(mt_Reader *r, uint32_t i) {
  const mt_Lex *lex = r->lex;
  for (size_t w = 0; w < sizeof words / sizeof words[0]; w++) {
    if (!mt_lex_is(lex, i, words[w].word)) continue;
    if (i > 0 &&
        (mt_lex_is(lex, i - 1, "operator") || mt_lex_is(lex, i - 1, "::")))
      return false;
    if (strcmp(words[w].word, "delete") == 0 && i > 0 &&
        mt_lex_is(lex, i - 1, "="))
      return false;
    mt_read_problem(r, i, words[w].help, "%s", words[w].message);
    return true;
  }
  if (!mt_lex_is(lex, i, "long") || !mt_lex_is(lex, i + 1, "long"))
    return false;
  mt_read_problem(r, i, "Write long or ulong, which have 64 bits.",
                  "'long long' is not supported in Metal");
  return true;
}

static bool is_scalar(const mt_Lex *lex, uint32_t i) {
  const mt_Token *t = &lex->tokens[i];
  return mt_scalar_known(lex->text + t->at, t->length) ||
         mt_read_vector_name(lex, i);
}

/* float *p, (float *)x, f(float &y) without an address space. */
static void bare_pointer(mt_Reader *r, uint32_t i) {
  const mt_Lex *lex = r->lex;
  bool pointer = mt_lex_is(lex, i + 1, "*");
  if (!pointer && !mt_lex_is(lex, i + 1, "&")) return;
  if (!is_scalar(lex, i) || mt_read_is_space(lex, i + 2)) return;
  uint32_t k = i;
  while (k > 0 &&
         (mt_lex_is(lex, k - 1, "const") || mt_lex_is(lex, k - 1, "volatile") ||
          mt_lex_is(lex, k - 1, "unsigned") ||
          mt_lex_is(lex, k - 1, "static") ||
          mt_lex_is(lex, k - 1, "constexpr")))
    k--;
  if (k == 0) return;
  bool starts = mt_lex_is(lex, k - 1, ";") || mt_lex_is(lex, k - 1, "{") ||
                mt_lex_is(lex, k - 1, "}") || mt_lex_is(lex, k - 1, "(");
  if (!starts || (k > 1 && mt_lex_is(lex, k - 2, "__attribute__"))) return;
  if (!mt_lex_is(lex, i + 2, ")") && lex->tokens[i + 2].kind != MT_TOKEN_NAME)
    return;
  mt_read_problem(r, i + 1, POINTER_HELP,
                  "%s type must have explicit address space qualifier",
                  pointer ? "pointer" : "reference");
}

/* Clang's search for similar names takes minutes for an unknown name of a
** megabyte. */
static bool endless(mt_Reader *r, uint32_t i) {
  if (r->lex->tokens[i].length <= LONGEST_NAME) return false;
  mt_read_problem(r, i, NULL,
                  "a name of %u characters; the longest that is taken has %d",
                  r->lex->tokens[i].length, LONGEST_NAME);
  mt_lex_blank(r->lex, i);
  return true;
}

/* uint half = 2: a keyword in MSL, but only a type name in our headers. */
static void keyword_as_name(mt_Reader *r, uint32_t i) {
  static const char *const after[] = {"=", ";", ",", ")", "["};
  mt_Lex *lex = r->lex;
  bool ends = false;
  if (i == 0 || !mt_read_narrow_float(lex, i)) return;
  bool type = is_scalar(lex, i - 1) || mt_lex_is(lex, i - 1, "auto");
  for (size_t k = 0; k < sizeof after / sizeof after[0]; k++)
    ends = ends || mt_lex_is(lex, i + 1, after[k]);
  if (type && ends)
    mt_read_problem(r, i, "It is the name of a type; choose another name.",
                    "'%s' cannot be the name of a variable",
                    mt_lex_text(lex, i, i + 1));
}

void mt_read_lambda(mt_Reader *r, uint32_t i) {
  const mt_Lex *lex = r->lex;
  uint32_t close = lex->tokens[i].match;
  bool place =
      i > 0 && (mt_lex_is(lex, i - 1, "=") || mt_lex_is(lex, i - 1, "(") ||
                mt_lex_is(lex, i - 1, ",") || mt_lex_is(lex, i - 1, "return"));
  if (!r->functions || !place || close == 0 ||
      !(mt_lex_is(lex, close + 1, "(") || mt_lex_is(lex, close + 1, "{")))
    return;
  mt_read_problem(
      r, i, "Write a function.",
      "lambda expressions are not supported in Metal before version 3.2");
  mt_read_warn_last(r);
}

/* [[buffer((0)]]: Clang passes over what it cannot read of an attribute that is
** none of its own, and a function with brackets that do not match is no kernel
** here. */
void mt_read_open_attribute(mt_Reader *r, uint32_t i) {
  const mt_Lex *lex = r->lex;
  int depth = 0;
  if (lex->tokens[i].match || !mt_lex_is(lex, i + 1, "[")) return;
  for (uint32_t k = i + 2; k < lex->count && depth >= 0; k++) {
    if (mt_lex_is(lex, k, "]") && !lex->tokens[k].match) {
      if (depth > 0)
        mt_read_problem(r, k, "Close the bracket: [[buffer(0)]].",
                        "expected ')' in an attribute");
      return;
    }
    depth += mt_lex_is(lex, k, "(") - mt_lex_is(lex, k, ")");
  }
}

bool mt_read_refuse_word(mt_Reader *r, uint32_t i) {
  if (endless(r, i)) return true;
  keyword_as_name(r, i);
  if (forbidden(r, i)) return true;
  bare_pointer(r, i);
  return false;
}

/* v.xyzzy: Clang's swizzles may have any length. */
void mt_read_swizzle(mt_Reader *r, uint32_t i) {
  mt_Lex *lex = r->lex;
  const mt_Token *t = &lex->tokens[i];
  const char *s = lex->text + t->at;
  if (t->kind != MT_TOKEN_NAME || t->length <= 4 || mt_lex_is(lex, i + 1, "("))
    return;
  /* each error searches all tokens */
  if (r->out->problem_count > MANY_PROBLEMS) return;
  if (!mt_lex_only(lex, i, "xyzw") && !mt_lex_only(lex, i, "rgba")) return;
  for (uint32_t k = 0; k < lex->count; k++) { /* a member of that name? */
    const mt_Token *o = &lex->tokens[k];
    bool reached =
        k > 0 && (mt_lex_is(lex, k - 1, ".") || mt_lex_is(lex, k - 1, "->"));
    if (o->kind == MT_TOKEN_NAME && !reached && o->length == t->length &&
        memcmp(lex->text + o->at, s, t->length) == 0)
      return;
  }
  mt_read_problem(r, i, "A swizzle names one to four components.",
                  "vector component access has invalid length %u", t->length);
  mt_lex_replace(lex, i, mt_lex_format(lex, "%.4s", s));
}

/* ---------------------------------------------------------------- functions */

static void idle(mt_Reader *r, const mt_FunctionHeader *h, uint32_t i,
                 const char *name) {
  mt_read_problem(r, i, "Write kernel before it, if it is to be launched.",
                  "'%s' attribute says nothing here: '%s' is not a kernel",
                  name, mt_lex_text(r->lex, h->name, h->name + 1));
  mt_read_warn_last(r);
}

/* [[host_name("f")]] and the like apply only to kernels. */
static bool is_launched(const mt_Lex *lex, uint32_t i) {
  return mt_lex_is(lex, i, "host_name") ||
         mt_lex_is(lex, i, "max_total_threads_per_threadgroup") ||
         mt_lex_is(lex, i, "required_threads_per_threadgroup");
}

/* Attributes of kernels and their parameters, on another function. */
static void idle_attributes(mt_Reader *r, const mt_FunctionHeader *h) {
  mt_Lex *lex = r->lex;
  for (uint32_t i = r->start, close; i < h->open; i++) {
    if (mt_lex_is(lex, i, "vertex") || mt_lex_is(lex, i, "fragment")) return;
    if (!mt_read_attribute_at(lex, i, &close)) continue;
    if (!is_launched(lex, i + 2) &&
        mt_attribute_known(mt_lex_text(lex, i + 2, i + 3)))
      return;
    if (is_launched(lex, i + 2))
      idle(r, h, i + 2, mt_lex_text(lex, i + 2, i + 3));
    i = close;
  }
  for (uint32_t i = h->open, close; i < h->close; i++) {
    if (!mt_read_attribute_at(lex, i, &close)) continue;
    for (uint32_t k = i + 2; k < close - 1;
         k = mt_read_entry_end(lex, k, close - 1) + 1) {
      const char *name = mt_lex_text(lex, k, k + 1);
      mt_AttributeKind kind = mt_attribute_kind(name);
      if (kind >= MT_ATTR_BUFFER && kind <= MT_ATTR_SCALAR) idle(r, h, k, name);
    }
    i = close;
  }
}

/* f(threadgroup float x): a copy, which is always in the thread address
** space. */
static void placed_parameters(mt_Reader *r, const mt_FunctionHeader *h) {
  mt_Lex *lex = r->lex;
  for (uint32_t i = h->open + 1, stop; i < h->close; i = stop + 1) {
    stop = mt_read_parameter_end(lex, i, h->close);
    mt_ReadParameter p = mt_read_parameter(lex, i, stop);
    if (p.space == 0 || p.star || p.array || p.name == 0 ||
        mt_lex_is(lex, p.space, "thread"))
      continue;
    if (mt_lex_is(lex, p.space, "ray_data") ||
        mt_lex_is(lex, p.space, "object_data"))
      continue;
    const char *space = mt_lex_text(lex, p.space, p.space + 1);
    mt_read_problem(
        r, p.name,
        mt_lex_format(
            lex, "Leave the word out for a copy, or take a reference: %s T &x.",
            space),
        "parameter '%s' cannot be in the %s address space",
        mt_lex_text(lex, p.name, p.name + 1), space);
  }
}

void mt_read_refuse_function(mt_Reader *r, const mt_FunctionHeader *h) {
  if (r->depth == 0 && mt_lex_is(r->lex, h->name, "main")) {
    mt_read_problem(
        r, h->name,
        "Give it another name; the program that launches a kernel names it.",
        "a function cannot be named 'main' in Metal");
    /* Clang asks more of one; diagnostics/rewrite_message.c drops the rest of
    ** the name */
    mt_lex_replace(r->lex, h->name, "main__msl1");
  }
  bool dependent =
      h->is_template || (r->depth && r->levels[r->depth - 1].dependent);
  if (!h->kernel && !dependent) idle_attributes(r, h);
  if (!h->kernel) placed_parameters(r, h);
}

/* -------------------------------------------------- program-scope variables */

static bool is_word_of(const mt_Lex *lex, uint32_t i, const char *const *list) {
  for (; *list; list++)
    if (mt_lex_is(lex, i, *list)) return true;
  return false;
}

/* device float *constant x [[buffer(0)]]; of Metal 3.2: true, and diagnosed. */
static bool is_binding(mt_Reader *r, uint32_t end) {
  mt_Lex *lex = r->lex;
  uint32_t close;
  for (uint32_t i = r->start; i < end; i++) {
    if (mt_lex_is(lex, i, "(") || mt_lex_is(lex, i, "=")) return false;
    if (!mt_read_attribute_at(lex, i, &close)) continue;
    mt_AttributeKind kind = mt_attribute_kind(mt_lex_text(lex, i + 2, i + 3));
    if (i == r->start || close + 1 != end || kind < MT_ATTR_BUFFER ||
        kind > MT_ATTR_THREADGROUP)
      return false;
    mt_read_problem(r, i - 1, "Make it a parameter of the kernel.",
                    "buffers, textures and samplers of the whole program are "
                    "not supported here");
    for (uint32_t k = r->start; k < i; k++) /* const needs a value */
      if (mt_lex_is(lex, k, "constant")) mt_lex_replace(lex, k, " ");
    return true;
  }
  return false;
}

/* "static int x = 0;" outside functions and classes. */
void mt_read_refuse_variable(mt_Reader *r, uint32_t end) {
  static const char *const other[] = {
      "using",         "typedef", "template",   "namespace",      "extern",
      "static_assert", "friend",  "struct",     "class",          "union",
      "enum",          "inline",  "METAL_FUNC", "__attribute__",  "decltype",
      "kernel",        "vertex",  "fragment",   "_Static_assert", NULL};
  static const char *const fine[] = {"constant", "sampler", "operator", NULL};
  static const char *const space[] = {"static",    "device",   "threadgroup",
                                      "thread",    "volatile", "const",
                                      "constexpr", NULL};
  mt_Lex *lex = r->lex;
  uint32_t names = 0, name = 0;
  if (is_word_of(lex, r->start, other) || is_binding(r, end)) return;
  for (uint32_t i = r->start, close; i < end; i++) {
    /* a typedef that implies constant */
    const char *said = mt_read_alias(r, i);
    if (is_word_of(lex, i, fine) || mt_lex_is(lex, i, "(") ||
        (said && strcmp(said, "constant") == 0))
      return;
    if (mt_lex_is(lex, i, "=") || mt_lex_is(lex, i, "{")) break;
    if (mt_read_attribute_at(lex, i, &close)) i = close;
    else if (mt_lex_is(lex, i, "[") && lex->tokens[i].match)
      i = lex->tokens[i].match;
    else if (mt_lex_is(lex, i, "<")) {
      close = mt_read_angle(lex, i);
      if (close == 0) return;
      i = close;
    } else if (lex->tokens[i].kind == MT_TOKEN_NAME &&
               !is_word_of(lex, i, space) && !mt_lex_is(lex, i + 1, "::"))
      names++, name = i;
    else if (lex->tokens[i].kind != MT_TOKEN_NAME && !mt_lex_is(lex, i, "::") &&
             !mt_lex_is(lex, i, "*"))
      return;
  }
  if (names < 2 || mt_read_builtin(r, name, end)) return;
  bool shared = mt_lex_is(lex, r->start, "threadgroup");
  mt_read_problem(
      r, name,
      shared ? "Declare threadgroup memory inside the kernel, or take it as a "
               "parameter: threadgroup float *t [[threadgroup(0)]]."
             : "Write constant before it, or give the value to the kernel as a "
               "buffer.",
      "program scope variable '%s' must reside in constant address space",
      mt_lex_text(lex, name, name + 1));
}
