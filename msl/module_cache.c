/*
** module_cache.c - what the front end made of a source, kept on disk.
**
** The one idea: a module is a function of the source and of what
** msl/clang/source_key.h lists, so it is kept under a hash of that, with what a
** caller asks of it: reflection, bitcode, diagnostics, and the reader's text,
** of which kernels are taken. What only a place in the source needs
** (mt_msl_typed) is made of that text when it is asked for.
*/
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/cache_limit.h"
#include "msl/clang/source_key.h"
#include "msl/module.h"
#include "msl/pack.h"

#define MOST_BYTES ((size_t)64 << 20) /* of a file */

typedef struct Head {
  bool raw, signatures_only, of_many;
} Head;

/* ------------------------------------------------------------------ writing */

static void put_files(mt_Str *out, const mt_MslModule *m) {
  size_t count = 0;
  for (const mt_File *f = m->files; f; f = f->next) count++;
  mt_pack_bytes(out, &count, sizeof count);
  for (const mt_File *f = m->files; f; f = f->next) mt_pack_text(out, f->name);
}

static void put_diagnostics(mt_Str *out, const mt_MslModule *m) {
  mt_pack_list(out, m->diagnostics, m->diagnostic_count,
               sizeof *m->diagnostics);
  for (size_t i = 0; i < m->diagnostic_count; i++) {
    const mt_Diagnostic *d = &m->diagnostics[i];
    mt_pack_text(out, d->file);
    mt_pack_text(out, d->message);
    mt_pack_text(out, d->help);
  }
}

void mt_module_cache_write(const mt_MslModule *m) {
  char path[PATH_MAX];
  mt_Str out = MT_STR_INIT;
  Head h = {m->raw, m->signatures_only, mt_msl_main_of_many(m) != NULL};
  if (!m->keyed || !mt_source_key_path(&m->key, path, sizeof path)) return;
  mt_pack_bytes(&out, &h, sizeof h);
  put_files(&out, m);
  put_diagnostics(&out, m);
  mt_pack_text(&out, mt_str_text(&m->log));
  mt_msl_pack(&out, m->kernels, m->kernel_count, m->constants,
              m->constant_count);
  mt_pack_list(&out, m->bitcode, m->bitcode_size, 1);
  mt_pack_list(&out, m->preprocessed.text,
               m->taken ? 0 : m->preprocessed.length, 1);
  if (out.length <= MOST_BYTES && out.length <= (size_t)mt_cache_limit() / 2)
    mt_cache_entry_write(path, &m->key, &out);
  mt_str_free(&out);
}

/* ------------------------------------------------------------------ reading */

static void get_files(mt_Unpacker *p, mt_MslModule *m) {
  size_t count = mt_unpack_count(p, 1);
  for (size_t i = 0; i < count && !p->failed; i++) {
    const char *name = mt_unpack_text(p);
    if (name) mt_map_admit(m, name);
  }
}

static void get_diagnostics(mt_Unpacker *p, mt_MslModule *m) {
  m->diagnostics = mt_unpack_list(p, &m->diagnostic_count,
                                  sizeof *m->diagnostics);
  m->diagnostic_room = m->diagnostic_count;
  for (size_t i = 0; i < m->diagnostic_count && !p->failed; i++) {
    mt_Diagnostic *d = &m->diagnostics[i];
    d->file = mt_unpack_text(p);
    d->message = mt_unpack_text(p);
    d->help = mt_unpack_text(p);
  }
}

static void get_kernels(mt_Unpacker *p, mt_MslModule *m) {
  mt_MslUnpacked *u = m->unpacked = calloc(1, sizeof *u);
  if (u == NULL) {
    p->failed = true;
    return;
  }
  mt_msl_unpack(p, u);
  m->kernels = u->kernels, m->kernel_count = u->kernel_count;
  m->constants = u->constants, m->constant_count = u->constant_count;
  u->kernels = NULL, u->constants = NULL;
}

static bool unpack(mt_MslModule *m) {
  mt_Unpacker p = {m->kept.text, m->kept.text + m->kept.length, false};
  size_t length;
  Head h = {0};
  mt_unpack_into(&p, &h, sizeof h);
  get_files(&p, m);
  get_diagnostics(&p, m);
  const char *log = mt_unpack_text(&p);
  get_kernels(&p, m);
  m->bitcode = mt_unpack_list(&p, &m->bitcode_size, 1);
  length = mt_unpack_count(&p, 1);
  const char *text = mt_unpack_bytes(&p, length);
  if (p.failed || p.at != p.end) return false;
  mt_str_add(&m->log, log ? log : "");
  mt_str_add_bytes(&m->preprocessed, text, length);
  m->raw = h.raw;
  m->signatures_only = h.signatures_only;
  m->asleep = true;
  m->of_many = h.of_many;
  return !m->log.failed && !m->preprocessed.failed;
}

/* Memory was short: as if there were nothing. */
static void forget(mt_MslModule *m) {
  if (m->unpacked) mt_msl_unpacked_free(m->unpacked);
  free(m->unpacked);
  free(m->kernels);
  free(m->constants);
  free(m->diagnostics);
  free(m->bitcode);
  mt_str_free(&m->log);
  if (!m->taken) mt_str_free(&m->preprocessed);
  m->unpacked = NULL, m->kernels = NULL, m->constants = NULL;
  m->diagnostics = NULL, m->bitcode = NULL;
  m->kernel_count = m->constant_count = m->bitcode_size = 0;
  m->diagnostic_count = m->diagnostic_room = 0;
  m->asleep = m->signatures_only = false;
}

bool mt_module_cache_read(mt_MslModule *m) {
  char path[PATH_MAX];
  if (!m->keyed || !mt_source_key_path(&m->key, path, sizeof path) ||
      !mt_cache_entry_read(path, &m->key, MOST_BYTES, &m->kept))
    return false;
  if (unpack(m)) return true;
  forget(m);
  return false;
}

/* ------------------------------------------------------------- what is kept */

/* The files that Clang has read are admitted by now. */
bool mt_module_is_lasting(const mt_MslModule *m, const mt_MslOptions *o) {
  mt_Key now;
  mt_NamedFiles *named = mt_named_files_new(m->source, m->length, o);
  bool same = named &&
              mt_source_key(m->source, m->length, o, named, &now) &&
              mt_key_equal(&now, &m->key);
  for (const mt_File *f = m->files; same && f; f = f->next)
    same = f->text == m->source || mt_named_files_has(named, f->name);
  mt_named_files_free(named);
  return same;
}
