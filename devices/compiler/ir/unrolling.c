/*
** unrolling.c - what the metadata of a loop says about unrolling.
**
** The one idea: the branch that closes a loop has a list of hints, whose first
** operand is the list itself, !{!0, !{!"llvm.loop.unroll.count", i32 4}, …}.
** Lists are never changed, since two loops may share one: a new list replaces
** the old one.
*/
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"

#define MOST_HINTS 16
#define UNROLL "llvm.loop.unroll."

typedef struct List {
  LLVMValueRef hint[MOST_HINTS]; /* the first is the list itself */
  unsigned count;
} List;

static LLVMContextRef context_of(LLVMValueRef branch) {
  return LLVMGetTypeContext(LLVMTypeOf(branch));
}

static unsigned kind_in(LLVMContextRef c) {
  return LLVMGetMDKindIDInContext(c, "llvm.loop", 9);
}

/* False: there are too many. */
static bool read_list(LLVMValueRef branch, List *out) {
  LLVMValueRef all = LLVMGetMetadata(branch, kind_in(context_of(branch)));
  out->count = all ? (unsigned)LLVMGetMDNodeNumOperands(all) : 0;
  if (out->count > MOST_HINTS) return false;
  if (out->count) LLVMGetMDNodeOperands(all, out->hint);
  return true;
}

/* The word after "llvm.loop.unroll.", and its number, if it has one; NULL:
** another hint. */
static const char *word_of(LLVMValueRef hint, unsigned *length,
                           int64_t *number) {
  LLVMValueRef part[2] = {NULL, NULL};
  if (!LLVMIsAMDNode(hint)) return NULL;
  unsigned n = (unsigned)LLVMGetMDNodeNumOperands(hint);
  if (!n || n > 2) return NULL;
  LLVMGetMDNodeOperands(hint, part);
  const char *text = part[0] ? LLVMGetMDString(part[0], length) : NULL;
  if (!text || *length <= strlen(UNROLL) || !mt_starts(text, UNROLL))
    return NULL;
  *number = 0;
  if (part[1]) mt_const_number(part[1], number);
  *length -= (unsigned)strlen(UNROLL);
  return text + strlen(UNROLL);
}

static bool is_wish(LLVMValueRef hint) {
  unsigned length;
  int64_t number;
  return word_of(hint, &length, &number) != NULL;
}

/* The list without its unroll hints, and then 'last'. */
static void write_list(LLVMValueRef branch, const List *old,
                       LLVMMetadataRef last) {
  LLVMContextRef c = context_of(branch);
  LLVMMetadataRef list[MOST_HINTS + 1] = {LLVMTemporaryMDNode(c, NULL, 0)};
  unsigned n = 1;
  for (unsigned i = 1; i < old->count; i++)
    if (!is_wish(old->hint[i])) list[n++] = LLVMValueAsMetadata(old->hint[i]);
  list[n++] = last;
  LLVMMetadataRef all = LLVMMDNodeInContext2(c, list, n);
  LLVMMetadataReplaceAllUsesWith(list[0], all);
  LLVMSetMetadata(branch, kind_in(c), LLVMMetadataAsValue(c, all));
}

mt_UnrollHint mt_unroll_hint(LLVMValueRef branch, int64_t *count) {
  List list;
  *count = 0;
  if (!read_list(branch, &list)) return MT_HINT_NONE;
  for (unsigned i = 1; i < list.count; i++) {
    unsigned n;
    const char *word = word_of(list.hint[i], &n, count);
    if (!word) continue;
    if (n == 4 && !memcmp(word, "full", n)) return MT_HINT_FULL;
    if (n == 5 && !memcmp(word, "count", n)) return MT_HINT_COUNT;
    if (n == 6 && !memcmp(word, "enable", n)) return MT_HINT_ENABLE;
    if (n == 7 && !memcmp(word, "disable", n)) return MT_HINT_DISABLE;
  }
  return MT_HINT_NONE;
}

void mt_unroll_hint_add(LLVMValueRef branch, const char *text) {
  List list;
  if (!read_list(branch, &list)) return;
  for (unsigned i = 1; i < list.count; i++)
    if (is_wish(list.hint[i])) return;
  write_list(branch, &list, mt_loop_hint(context_of(branch), text, 0, 0));
}

void mt_unroll_hint_replace(LLVMValueRef branch, int64_t count) {
  List list;
  LLVMContextRef c = context_of(branch);
  if (!read_list(branch, &list)) return;
  write_list(branch, &list,
             count > 1 ? mt_loop_hint(c, UNROLL "count", count, 32)
                       : mt_loop_hint(c, UNROLL "disable", 0, 0));
}
