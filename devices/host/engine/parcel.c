/*
** parcel.c - what was built, as bytes from one process to another, see build.h.
**
** The one idea: both are the same program at the same addresses, one a copy of the
** other, so structs go as they are. Only what the copy has allocated itself is
** sent along: lists and texts.
*/
#include <stdlib.h>
#include <string.h>

#include "devices/host/engine/build.h"

/* ----------------------------------------------------------------- writing */

static void put(mt_Str *out, const void *bytes, size_t size) {
  if (size) mt_str_add_bytes(out, bytes, size);
}

static void put_list(mt_Str *out, const void *list, size_t count,
                     size_t item) {
  put(out, &count, sizeof count);
  put(out, list, count * item);
}

/* NULL is told from "". */
static void put_text(mt_Str *out, const char *text) {
  put_list(out, text, text ? strlen(text) + 1 : 0, 1);
}

static void put_sites(mt_Str *out, const mt_SiteTable *t) {
  bool said[] = {t->full, t->strays, t->odd_copies, t->crowded};
  put(out, said, sizeof said);
  put_list(out, t->root, t->roots, sizeof *t->root);
  put_list(out, t->site, t->count, sizeof *t->site);
  for (size_t i = 0; i < t->count; i++) {
    put_text(out, t->site[i].place.file);
    put_text(out, t->site[i].name);
    put_text(out, t->site[i].path);
  }
}

static void put_counts(mt_Str *out, const mt_CountTable *t) {
  put(out, &t->textures, sizeof t->textures);
  put_list(out, t->tally, t->tallies, sizeof *t->tally);
  put_list(out, t->block, t->blocks, sizeof *t->block);
  put_list(out, t->site, t->sites, sizeof *t->site);
}

void mt_built_pack(const mt_Built *b, mt_Str *out) {
  put(out, &b->made, sizeof b->made);
  put_text(out, b->why.text);
  put_list(out, b->bytes.text, b->bytes.length, 1);
  put_sites(out, &b->sites);
  put_counts(out, &b->counts);
}

/* ----------------------------------------------------------------- reading */

typedef struct Reader {
  const char *at, *end;
  bool failed; /* there was less than it said */
} Reader;

static const void *get(Reader *r, size_t size) {
  if (r->failed || (size_t)(r->end - r->at) < size) {
    r->failed = true;
    return NULL;
  }
  const char *at = r->at;
  r->at += size;
  return at;
}

static void get_into(Reader *r, void *to, size_t size) {
  const void *from = get(r, size);
  if (from) memcpy(to, from, size);
}

static size_t get_count(Reader *r, size_t item) {
  size_t count = 0;
  get_into(r, &count, sizeof count);
  if (count > (size_t)(r->end - r->at) / item) r->failed = true;
  return r->failed ? 0 : count;
}

static void *get_list(Reader *r, size_t *count, size_t item) {
  *count = get_count(r, item);
  const void *from = get(r, *count * item);
  void *list = from && *count ? malloc(*count * item) : NULL;
  if (list)
    memcpy(list, from, *count * item);
  else if (*count)
    r->failed = true;
  if (!list) *count = 0;
  return list;
}

/* In the bytes; NULL: none. */
static const char *get_text(Reader *r) {
  size_t size = get_count(r, 1);
  const char *text = get(r, size);
  if (!text || !size) return NULL;
  if (text[size - 1]) r->failed = true;
  return r->failed ? NULL : text;
}

static char *get_own_text(Reader *r) {
  const char *text = get_text(r);
  return text ? strdup(text) : NULL;
}

static void get_sites(Reader *r, mt_SiteTable *t) {
  bool said[4] = {false};
  get_into(r, said, sizeof said);
  t->full = said[0], t->strays = said[1], t->odd_copies = said[2];
  t->crowded = said[3];
  t->root = get_list(r, &t->roots, sizeof *t->root);
  t->root_room = t->roots;
  for (size_t i = 0; i < t->roots; i++) t->root[i].of = NULL;
  t->site = get_list(r, &t->count, sizeof *t->site);
  t->room = t->count;
  for (size_t i = 0; i < t->count; i++) {
    mt_Site *s = &t->site[i];
    const char *file = get_text(r);
    s->place.file = file ? mt_site_file(file, (unsigned)strlen(file)) : NULL;
    s->name = get_own_text(r);
    s->path = get_own_text(r);
  }
}

static void get_counts(Reader *r, mt_CountTable *t) {
  get_into(r, &t->textures, sizeof t->textures);
  t->tally = get_list(r, &t->tallies, sizeof *t->tally);
  t->block = get_list(r, &t->blocks, sizeof *t->block);
  t->site = get_list(r, &t->sites, sizeof *t->site);
  t->tally_room = t->tallies, t->block_room = t->blocks;
  t->site_room = t->sites;
}

bool mt_built_unpack(const char *bytes, size_t size, mt_Built *out) {
  Reader r = {bytes, bytes + size, false};
  get_into(&r, &out->made, sizeof out->made);
  const char *why = get_text(&r);
  if (why) mt_error(&out->why, MT_FAIL, "%s", why);
  size_t length = get_count(&r, 1);
  const char *object = get(&r, length);
  if (object && length) mt_str_add_bytes(&out->bytes, object, length);
  get_sites(&r, &out->sites);
  get_counts(&r, &out->counts);
  return !r.failed && !out->bytes.failed && r.at == r.end;
}
