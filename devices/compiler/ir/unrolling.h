/*
** unrolling.h - hints about unrolling, in the metadata of loops.
*/
#ifndef MT_COMPILER_IR_UNROLLING_H
#define MT_COMPILER_IR_UNROLLING_H

#include <llvm-c/Core.h>
#include <stdint.h>

/*
** The hint of the loop that 'branch' closes, and its number. Add one, unless
** there is one; replace it: so many copies, 1: stay a loop.
*/
typedef enum mt_UnrollHint {
  MT_HINT_NONE,
  MT_HINT_FULL,
  MT_HINT_COUNT,
  MT_HINT_ENABLE,
  MT_HINT_DISABLE
} mt_UnrollHint;
mt_UnrollHint mt_unroll_hint(LLVMValueRef branch, int64_t *count);
void mt_unroll_hint_add(LLVMValueRef branch, const char *text);
void mt_unroll_hint_replace(LLVMValueRef branch, int64_t count);

#endif
