/*
** compile_result.c - the result of a compile, and its serialised form, see
** compile.h.
*/
#include <stdlib.h>
#include <string.h>

#include "base/serialise.h"
#include "devices/host/sites/sites.h"
#include "devices/host/kernel/compile.h"

void mt_compile_result_free(mt_CompileResult *b) {
  mt_str_free(&b->bytes);
  mt_str_free(&b->accesses);
  mt_sites_free(&b->sites);
  mt_counts_free(&b->counts);
  memset(b, 0, sizeof *b);
}

/* ----------------------------------------------------------------- packing */

static void put_sites(mt_Str *out, const mt_SiteTable *t) {
  mt_pack_bytes(out, &t->full, sizeof t->full);
  mt_pack_list(out, t->missed, t->missed_count, sizeof *t->missed);
  for (size_t i = 0; i < t->missed_count; i++)
    mt_pack_text(out, t->missed[i].place.file);
  mt_pack_list(out, t->root, t->roots, sizeof *t->root);
  for (size_t i = 0; i < t->roots; i++) mt_pack_text(out, t->root[i].type_text);
  mt_pack_list(out, t->frame, t->frames, sizeof *t->frame);
  mt_pack_list(out, t->variable, t->variables, sizeof *t->variable);
  for (size_t i = 0; i < t->variables; i++)
    mt_pack_text(out, t->variable[i].type);
  mt_pack_list(out, t->site, t->count, sizeof *t->site);
  for (size_t i = 0; i < t->count; i++) {
    mt_pack_text(out, t->site[i].place.file);
    mt_pack_text(out, t->site[i].name);
    mt_pack_text(out, t->site[i].path);
  }
}

static void put_counts(mt_Str *out, const mt_CountTable *t) {
  mt_pack_bytes(out, &t->textures, sizeof t->textures);
  mt_pack_bytes(out, &t->registers, sizeof t->registers);
  mt_pack_list(out, t->tally, t->tallies, sizeof *t->tally);
  mt_pack_list(out, t->block, t->blocks, sizeof *t->block);
  mt_pack_list(out, t->site, t->sites, sizeof *t->site);
}

void mt_compile_result_pack(const mt_CompileResult *b, mt_Str *out) {
  mt_pack_bytes(out, &b->made, sizeof b->made);
  mt_pack_text(out, b->why.text);
  mt_pack_list(out, b->bytes.text, b->bytes.length, 1);
  put_sites(out, &b->sites);
  put_counts(out, &b->counts);
}

/* --------------------------------------------------------------- unpacking */

static char *get_own_text(mt_Unpacker *p) {
  const char *text = mt_unpack_text(p);
  return text ? strdup(text) : NULL;
}

static const char *get_file(mt_Unpacker *p) {
  const char *file = mt_unpack_text(p);
  return file ? mt_site_file(file, (unsigned)strlen(file)) : NULL;
}

static void get_sites(mt_Unpacker *p, const mt_MslKernel *kernel,
                      mt_SiteTable *t) {
  mt_unpack_into(p, &t->full, sizeof t->full);
  t->missed = mt_unpack_list(p, &t->missed_count, sizeof *t->missed);
  for (size_t i = 0; i < t->missed_count; i++)
    t->missed[i].place.file = get_file(p);
  t->root = mt_unpack_list(p, &t->roots, sizeof *t->root);
  t->root_room = t->roots;
  for (size_t i = 0; i < t->roots; i++) {
    mt_Root *root = &t->root[i];
    bool param = root->kind == MT_ROOT_PARAM && i < kernel->param_count;
    root->type = param ? kernel->params[i].type : NULL;
    root->type_text = get_own_text(p);
    root->of = NULL;
  }
  t->frame = mt_unpack_list(p, &t->frames, sizeof *t->frame);
  t->variable = mt_unpack_list(p, &t->variables, sizeof *t->variable);
  t->frame_room = t->frames, t->variable_room = t->variables;
  for (size_t i = 0; i < t->variables; i++)
    t->variable[i].type = get_own_text(p);
  t->site = mt_unpack_list(p, &t->count, sizeof *t->site);
  t->room = t->count;
  for (size_t i = 0; i < t->count; i++) {
    mt_Site *s = &t->site[i];
    s->place.file = get_file(p);
    s->name = get_own_text(p);
    s->path = get_own_text(p);
  }
}

static void get_counts(mt_Unpacker *p, mt_CountTable *t) {
  mt_unpack_into(p, &t->textures, sizeof t->textures);
  mt_unpack_into(p, &t->registers, sizeof t->registers);
  t->tally = mt_unpack_list(p, &t->tallies, sizeof *t->tally);
  t->block = mt_unpack_list(p, &t->blocks, sizeof *t->block);
  t->site = mt_unpack_list(p, &t->sites, sizeof *t->site);
  t->tally_room = t->tallies, t->block_room = t->blocks;
  t->site_room = t->sites;
}

bool mt_compile_result_unpack(const char *bytes, size_t size,
                              const mt_MslKernel *kernel,
                              mt_CompileResult *out) {
  mt_Unpacker p = {bytes, bytes + size, false};
  mt_unpack_into(&p, &out->made, sizeof out->made);
  const char *why = mt_unpack_text(&p);
  if (why) mt_error(&out->why, MT_FAIL, "%s", why);
  size_t length = mt_unpack_count(&p, 1);
  const char *object = mt_unpack_bytes(&p, length);
  if (object && length) mt_str_add_bytes(&out->bytes, object, length);
  get_sites(&p, kernel, &out->sites);
  get_counts(&p, &out->counts);
  return !p.failed && !out->bytes.failed && p.at == p.end;
}
