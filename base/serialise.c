/*
** serialise.c - data as bytes, from one process to another, see serialise.h.
*/
#include "base/serialise.h"

#include <stdlib.h>
#include <string.h>

void mt_pack_bytes(mt_Str *out, const void *bytes, size_t size) {
  if (size) mt_str_add_bytes(out, bytes, size);
}

void mt_pack_list(mt_Str *out, const void *list, size_t count, size_t item) {
  mt_pack_bytes(out, &count, sizeof count);
  mt_pack_bytes(out, list, count * item);
}

void mt_pack_text(mt_Str *out, const char *text) {
  mt_pack_list(out, text, text ? strlen(text) + 1 : 0, 1);
}

const void *mt_unpack_bytes(mt_Unpacker *p, size_t size) {
  if (p->failed || (size_t)(p->end - p->at) < size) {
    p->failed = true;
    return NULL;
  }
  const char *at = p->at;
  p->at += size;
  return at;
}

void mt_unpack_into(mt_Unpacker *p, void *to, size_t size) {
  const void *from = mt_unpack_bytes(p, size);
  if (from) memcpy(to, from, size);
}

size_t mt_unpack_count(mt_Unpacker *p, size_t item) {
  size_t count = 0;
  mt_unpack_into(p, &count, sizeof count);
  if (count > (size_t)(p->end - p->at) / item) p->failed = true;
  return p->failed ? 0 : count;
}

void *mt_unpack_list(mt_Unpacker *p, size_t *count, size_t item) {
  *count = mt_unpack_count(p, item);
  const void *from = mt_unpack_bytes(p, *count * item);
  void *list = from && *count ? malloc(*count * item) : NULL;
  if (list)
    memcpy(list, from, *count * item);
  else if (*count)
    p->failed = true;
  if (!list) *count = 0;
  return list;
}

const char *mt_unpack_text(mt_Unpacker *p) {
  size_t size = mt_unpack_count(p, 1);
  const char *text = mt_unpack_bytes(p, size);
  if (!text || !size) return NULL;
  if (text[size - 1]) p->failed = true;
  return p->failed ? NULL : text;
}
