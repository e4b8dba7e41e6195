/*
** line_table.c - the line of an instruction, see line_table.h.
**
** The one idea: the object file has DWARF's line-number program, for a state
** machine that advances addresses and lines and emits a row where either
** changes. The section is kept as it is and interpreted only after a fault,
** which is rare. LLVM emits the code of an object as one contiguous sequence,
** so only the first sequence of the program matters.
*/
#include "devices/host/native/line_table.h"

#include <llvm-c/Core.h>
#include <llvm-c/Object.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct mt_LineTable {
  size_t entry; /* the symbol's offset in the code */
  size_t size;
  unsigned char program[];
};

/* ---------------------------------------------------------------- reading */

static bool ends_with(const char *s, const char *tail) {
  size_t n = s ? strlen(s) : 0, k = strlen(tail);
  return n >= k && strcmp(s + n - k, tail) == 0;
}

/* ".debug_line" in ELF, "__debug_line" in Mach-O. */
static mt_LineTable *copy_section(LLVMBinaryRef binary) {
  mt_LineTable *l = NULL;
  LLVMSectionIteratorRef i = LLVMObjectFileCopySectionIterator(binary);
  for (; i && !l && !LLVMObjectFileIsSectionIteratorAtEnd(binary, i);
       LLVMMoveToNextSection(i)) {
    if (!ends_with(LLVMGetSectionName(i), "debug_line")) continue;
    size_t size = (size_t)LLVMGetSectionSize(i);
    l = malloc(sizeof *l + size);
    if (!l) break;
    memcpy(l->program, LLVMGetSectionContents(i), size);
    l->size = size;
  }
  LLVMDisposeSectionIterator(i);
  return l;
}

static bool find_entry(LLVMBinaryRef binary, const char *symbol, size_t *out) {
  bool found = false;
  LLVMSymbolIteratorRef i = LLVMObjectFileCopySymbolIterator(binary);
  for (; i && !found && !LLVMObjectFileIsSymbolIteratorAtEnd(binary, i);
       LLVMMoveToNextSymbol(i))
    if (ends_with(LLVMGetSymbolName(i), symbol)) {
      *out = (size_t)LLVMGetSymbolAddress(i);
      found = true;
    }
  LLVMDisposeSymbolIterator(i);
  return found;
}

mt_LineTable *mt_line_table_read(const void *object, size_t size,
                                 const char *symbol) {
  LLVMMemoryBufferRef bytes =
      LLVMCreateMemoryBufferWithMemoryRange(object, size, symbol, 0);
  char *text = NULL;
  LLVMBinaryRef binary = LLVMCreateBinary(bytes, NULL, &text);
  mt_LineTable *l = binary ? copy_section(binary) : NULL;
  if (l && !find_entry(binary, symbol, &l->entry)) {
    free(l);
    l = NULL;
  }
  if (binary) LLVMDisposeBinary(binary);
  LLVMDisposeMessage(text);
  LLVMDisposeMemoryBuffer(bytes);
  return l;
}

void mt_line_table_free(mt_LineTable *l) { free(l); }

/* ---------------------------------------------------------------- running */

typedef struct Reader {
  const unsigned char *at, *end;
} Reader;

static uint64_t number(Reader *r, unsigned bytes) {
  uint64_t x = 0;
  for (unsigned i = 0; i < bytes && r->at < r->end; i++)
    x |= (uint64_t)*r->at++ << 8 * i;
  return x;
}

static uint64_t leb(Reader *r, bool is_signed) {
  uint64_t x = 0;
  unsigned shift = 0;
  while (r->at < r->end) {
    unsigned char b = *r->at++;
    if (shift < 64) x |= (uint64_t)(b & 127) << shift;
    shift += 7;
    if (b & 128) continue;
    if (is_signed && b & 64 && shift < 64) x |= ~(uint64_t)0 << shift;
    break;
  }
  return x;
}

/* The header of the program. */
typedef struct Head {
  unsigned step;      /* minimum instruction length in bytes */
  int line_base;
  unsigned line_range, opcode_base;
  unsigned char operands[256]; /* of each standard opcode */
} Head;

static bool read_head(Reader *r, Head *h) {
  uint64_t length = number(r, 4), version = number(r, 2);
  if (length < 16 || length > (uint64_t)(r->end - r->at) + 2 || version < 2 ||
      version > 5)
    return false;
  r->end = r->at - 2 + length;
  if (version >= 5) number(r, 2);
  uint64_t rest = number(r, 4);
  if (rest > (uint64_t)(r->end - r->at)) return false;
  const unsigned char *program = r->at + rest;
  h->step = (unsigned)number(r, 1);
  if (version >= 4) number(r, 1);
  number(r, 1);
  h->line_base = (int8_t)number(r, 1);
  h->line_range = (unsigned)number(r, 1);
  h->opcode_base = (unsigned)number(r, 1);
  for (unsigned i = 1; i < h->opcode_base; i++)
    h->operands[i] = (unsigned char)number(r, 1);
  r->at = program;
  return h->line_range != 0 && h->opcode_base != 0;
}

typedef struct Row {
  uint64_t address;
  unsigned line;
} Row;

enum { ROW_NONE, ROW_NEW, ROW_END };

static int extended(Reader *r, Row *row) {
  uint64_t size = leb(r, false);
  if (size == 0 || size > (uint64_t)(r->end - r->at)) return ROW_END;
  const unsigned char *next = r->at + size;
  unsigned op = (unsigned)number(r, 1);
  /* DW_LNE_set_address; 0 before linking */
  if (op == 2) row->address = number(r, (unsigned)(size - 1));
  r->at = next;
  return op == 1 ? ROW_END : ROW_NONE;
}

/* Execute one opcode; ROW_NEW if it emits 'row'. */
static int step(Reader *r, const Head *h, Row *row) {
  unsigned op = (unsigned)number(r, 1);
  if (op >= h->opcode_base) {
    op -= h->opcode_base;
    row->address += (uint64_t)(op / h->line_range) * h->step;
    row->line += (unsigned)(h->line_base + (int)(op % h->line_range));
    return ROW_NEW;
  }
  switch (op) {
    case 0: return extended(r, row);
    case 1: return ROW_NEW;
    case 2: row->address += leb(r, false) * h->step; break;
    case 3: row->line += (unsigned)leb(r, true); break;
    case 8:
      row->address +=
          (uint64_t)((255 - h->opcode_base) / h->line_range) * h->step;
      break;
    case 9: row->address += number(r, 2); break;
    default:
      for (unsigned i = 0; i < h->operands[op]; i++) leb(r, false);
      break;
  }
  return ROW_NONE;
}

unsigned mt_line_table_find(const mt_LineTable *l, ptrdiff_t distance) {
  if (!l || (distance < 0 && (size_t)-distance > l->entry)) return 0;
  uint64_t want = l->entry + (uint64_t)distance;
  Reader r = {l->program, l->program + l->size};
  Head h;
  if (!read_head(&r, &h)) return 0;
  Row row = {0, 1};
  unsigned line = 0; /* of the last row at or before 'want' */
  while (r.at < r.end) {
    int what = step(&r, &h, &row);
    if (what == ROW_NONE) continue;
    if (row.address > want) return line;
    if (what == ROW_END) return 0; /* 'want' is past the end */
    if (row.line) line = row.line; /* line 0: no line, keep the last */
  }
  return 0;
}
