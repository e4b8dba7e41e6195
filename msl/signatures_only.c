/*
** signatures_only.c - the kernels of a large library, without their code.
**
** The one idea: a launch needs only a kernel's signature. Where kernels are no
** templates, their signatures follow the text that Clang checks (compile.c).
** For others a second text, in which kernels have empty bodies, goes to a Clang
** that generates bitcode; that takes a tenth of the time. The full text goes to
** a Clang that only checks it.
*/
#include <stdlib.h>
#include <string.h>

#include "msl/module.h"
#include "msl/reader/reader.h"

#define LARGE (128u << 10) /* bytes of text, or of kernel bodies to compile */
#define SMALL_KERNEL 400 /* bytes each: below it signatures save little */

struct mt_SignaturesOnly {
  mt_Lex lex;
  mt_Str text;
  mt_Str bitcode;
  mt_Child *child; /* NULL: 'bitcode' is complete */
  size_t given; /* bytes of the text already written to the child */
};

static size_t body_size(const mt_Lex *lex, const mt_ReadKernel *k) {
  const mt_Token *open = &lex->tokens[k->end];
  return open->match > k->end ? lex->tokens[open->match].at - open->at : 0;
}

/* The template that kernel 'i' instantiates; usually shortly before it. */
static const mt_ReadKernel *template_of(const mt_Reading *r, uint32_t i) {
  const char *name = r->kernels[i].name;
  while (i-- > 0)
    if (!r->kernels[i].instance && strcmp(r->kernels[i].name, name) == 0)
      return &r->kernels[i];
  return NULL;
}

/* The total size of kernel bodies that Clang would compile, counted once per
** instance. */
static size_t made_size(const mt_Lex *lex, const mt_Reading *r) {
  size_t size = 0, last = 0;
  const char *name = "";
  for (uint32_t i = 0; i < r->kernel_count; i++) {
    const mt_ReadKernel *k = &r->kernels[i], *from = k;
    if (k->instance && strcmp(k->name, name) != 0) {
      from = template_of(r, i);
      last = from ? body_size(lex, from) : 0;
      name = k->name;
    }
    if (k->instance) size += last;
    else if (k->head[0] == '\0') size += body_size(lex, k);
  }
  return size;
}

bool mt_signatures_only_pays(const mt_MslModule *m, const mt_Reading *r) {
  size_t written = m->lex.length, made = made_size(&m->lex, r);
  return r->kernel_count > 1 && (written >= LARGE || made >= LARGE) &&
         (written + made) / r->kernel_count >= SMALL_KERNEL;
}

static bool write_headers(mt_MslModule *m, mt_SignaturesOnly *s) {
  mt_LexError bad;
  mt_Reading reading = {0};
  if (mt_lex_read(&s->lex, m->lex.text, m->lex.length, &bad) != MT_OK)
    return false;
  for (uint32_t i = 0; m->raw && i < s->lex.directive_count; i++)
    s->lex.directives[i].instead = m->lex.directives[i].instead;
  bool ok = mt_reader_run(&s->lex, false, &reading) == MT_OK;
  if (ok) mt_reading_headers(&s->lex, &reading);
  if (ok) mt_reading_lazy(&s->lex, &reading);
  mt_reading_free(&reading);
  if (ok) mt_lex_write(&s->lex, &s->text);
  mt_str_add_char(&s->text, '\n');
  return ok && !s->text.failed;
}

static void signatures_only_free(mt_SignaturesOnly *s) {
  mt_lex_free(&s->lex);
  mt_str_free(&s->text);
  mt_str_free(&s->bitcode);
  free(s);
}

mt_SignaturesOnly *mt_signatures_only_start(mt_MslModule *m, mt_Child *child) {
  mt_SignaturesOnly *s = calloc(1, sizeof *s);
  if (s == NULL || !write_headers(m, s)) {
    if (s) signatures_only_free(s);
    mt_child_kill(child);
    return NULL;
  }
  s->child = child;
  s->given = mt_child_feed(child, s->text.text, s->text.length);
  return s;
}

static bool generate(mt_SignaturesOnly *s) {
  mt_Str said = MT_STR_INIT;
  int code = -1;
  bool ok = mt_child_finish(s->child, s->text.text + s->given,
                            s->text.length - s->given, &s->bitcode, &said,
                            &code, NULL) == MT_OK &&
            code == 0 && s->bitcode.length > 0;
  s->child = NULL;
  mt_str_free(&said);
  return ok;
}

bool mt_signatures_only_finish(mt_SignaturesOnly *s, mt_Str *bitcode) {
  if (s == NULL) return false;
  bool ok = bitcode && generate(s);
  mt_child_kill(s->child);
  if (ok) *bitcode = s->bitcode, s->bitcode = (mt_Str)MT_STR_INIT;
  signatures_only_free(s);
  return ok;
}
