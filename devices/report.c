/*
** report.c - reports as bytes, see report.h.
**
** The one idea: structs go as they are; the strings that they point to follow,
** in an order that both sides know.
*/
#include "devices/report.h"

#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------------- the head */

void mt_report_pack_head(mt_Str *out, const mt_ReportOf *of) {
  mt_pack_bytes(out, of, sizeof *of);
  mt_pack_text(out, of->kernel);
  mt_pack_text(out, of->source);
  mt_pack_text(out, of->file);
  mt_pack_text(out, of->stopped);
  mt_pack_text(out, of->outputs);
}

void mt_report_unpack_head(mt_Unpacker *in, mt_ReportOf *of) {
  mt_unpack_into(in, of, sizeof *of);
  of->kernel = mt_unpack_text(in);
  of->source = mt_unpack_text(in);
  of->file = mt_unpack_text(in);
  of->stopped = mt_unpack_text(in);
  of->outputs = mt_unpack_text(in);
}

/* -------------------------------------------------------------- sentences */

static void pack_sentences(mt_Str *out, char *const *list, size_t count) {
  for (size_t i = 0; i < count; i++) mt_pack_text(out, list[i]);
}

/* They stay in the packed bytes: only the list is allocated. */
static char **unpack_sentences(mt_Unpacker *in, size_t count) {
  char **list = in->failed ? NULL : calloc(count + 1, sizeof *list);
  for (size_t i = 0; list && i < count; i++)
    list[i] = (char *)(uintptr_t)mt_unpack_text(in);
  if (!list) in->failed = true;
  return list;
}

/* ---------------------------------------------------------------- a check */

/* A text with its length, which may have no end of its own. */
static void pack_span(mt_Str *out, const char *text, size_t length) {
  mt_Str copy = MT_STR_INIT;
  if (text) mt_str_add_bytes(&copy, text, length);
  mt_pack_text(out, text ? mt_str_text(&copy) : NULL);
  mt_str_free(&copy);
}

static void pack_place(mt_Str *out, const mt_SourcePlace *p) {
  mt_pack_text(out, p->file);
  pack_span(out, p->text, p->text_length);
}

static void unpack_place(mt_Unpacker *in, mt_SourcePlace *p) {
  p->file = mt_unpack_text(in);
  p->text = mt_unpack_text(in);
  p->text_length = p->text ? strlen(p->text) : 0;
}

void mt_report_pack_check(mt_Str *out, const mt_CheckReport *r) {
  mt_pack_bytes(out, r, sizeof *r);
  mt_pack_list(out, r->findings, r->count, sizeof *r->findings);
  for (size_t i = 0; i < r->count; i++) {
    const mt_Finding *f = &r->findings[i];
    pack_place(out, &f->place);
    pack_place(out, &f->other);
    mt_pack_text(out, f->name);
    mt_pack_text(out, f->type ? f->type->name : NULL);
  }
  pack_sentences(out, r->unchecked, r->unchecked_count);
}

/* Of a type only the name is known there. */
static mt_Type *named_type(const char *name) {
  mt_Type *t = name ? calloc(1, sizeof *t) : NULL;
  if (t) *t = (mt_Type){.kind = MT_TYPE_OTHER, .name = name};
  return t;
}

void mt_report_unpack_check(mt_Unpacker *in, mt_CheckReport *r) {
  size_t n = 0;
  mt_unpack_into(in, r, sizeof *r);
  r->unchecked = NULL;
  r->findings = mt_unpack_list(in, &n, sizeof *r->findings);
  r->count = n;
  for (size_t i = 0; i < n; i++) r->findings[i].type = NULL;
  for (size_t i = 0; i < n; i++) {
    mt_Finding *f = &r->findings[i];
    unpack_place(in, &f->place);
    unpack_place(in, &f->other);
    f->name = mt_unpack_text(in);
    f->type = named_type(mt_unpack_text(in));
  }
  r->unchecked = unpack_sentences(in, r->unchecked_count);
}

void mt_report_free_check(mt_CheckReport *r) {
  for (size_t i = 0; r->findings && i < r->count; i++)
    free((void *)(uintptr_t)r->findings[i].type);
  free(r->findings);
  free(r->unchecked);
  memset(r, 0, sizeof *r);
}

/* -------------------------------------------------------------- a profile */

void mt_report_pack_profile(mt_Str *out, const mt_Profile *p) {
  mt_pack_bytes(out, p, sizeof *p);
  mt_pack_list(out, p->lines, p->line_count, sizeof *p->lines);
  mt_pack_text(out, p->file);
  pack_span(out, p->text, p->text_length);
  pack_sentences(out, p->unknown, p->unknown_count);
}

void mt_report_unpack_profile(mt_Unpacker *in, mt_Profile *p) {
  size_t n = 0;
  mt_unpack_into(in, p, sizeof *p);
  p->unknown = NULL;
  p->lines = mt_unpack_list(in, &n, sizeof *p->lines);
  p->line_count = n;
  p->file = mt_unpack_text(in);
  p->text = mt_unpack_text(in);
  p->text_length = p->text ? strlen(p->text) : 0;
  p->unknown = unpack_sentences(in, p->unknown_count);
}

void mt_report_free_profile(mt_Profile *p) {
  free(p->lines);
  free(p->unknown);
  memset(p, 0, sizeof *p);
}
