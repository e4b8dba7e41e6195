/*
** fold_number.c - integer operations on constants, see analyse.h.
**
** The one idea: what is known of each lane at compile time is computed as the
** instruction would: in its width, wrapping, and not at all where it traps or
** has no result.
*/
#include "devices/host/analyse/analyse.h"

bool mt_fold_compare(LLVMIntPredicate p, int64_t a, int64_t b, uint64_t keep) {
  uint64_t x = (uint64_t)a & keep, y = (uint64_t)b & keep;
  switch (p) {
    case LLVMIntEQ: return x == y;
    case LLVMIntNE: return x != y;
    case LLVMIntUGT: return x > y;
    case LLVMIntUGE: return x >= y;
    case LLVMIntULT: return x < y;
    case LLVMIntULE: return x <= y;
    case LLVMIntSGT: return a > b;
    case LLVMIntSGE: return a >= b;
    case LLVMIntSLT: return a < b;
    default: return a <= b;
  }
}

bool mt_fold_number(LLVMOpcode op, unsigned bits, int64_t a, int64_t b,
                    int64_t *out) {
  uint64_t keep = bits < 64 ? (1ull << bits) - 1 : ~0ull;
  uint64_t x = (uint64_t)a & keep, y = (uint64_t)b & keep, z;
  bool shift = op == LLVMShl || op == LLVMLShr || op == LLVMAShr;
  if (shift && y >= bits) return false;
  if ((op == LLVMUDiv || op == LLVMURem) && !y) return false;
  switch (op) {
    case LLVMAdd: z = x + y; break;
    case LLVMSub: z = x - y; break;
    case LLVMMul: z = x * y; break;
    case LLVMUDiv: z = x / y; break;
    case LLVMURem: z = x % y; break;
    case LLVMAnd: z = x & y; break;
    case LLVMOr: z = x | y; break;
    case LLVMXor: z = x ^ y; break;
    case LLVMShl: z = x << y; break;
    case LLVMLShr: z = x >> y; break;
    case LLVMAShr: z = (uint64_t)(a >> y); break;
    default: return false;
  }
  *out = bits < 64 ? (int64_t)(z << (64 - bits)) >> (64 - bits) : (int64_t)z;
  return true;
}

LLVMIntPredicate mt_swapped_comparison(LLVMIntPredicate p) {
  switch (p) {
    case LLVMIntUGT: return LLVMIntULT;
    case LLVMIntUGE: return LLVMIntULE;
    case LLVMIntULT: return LLVMIntUGT;
    case LLVMIntULE: return LLVMIntUGE;
    case LLVMIntSGT: return LLVMIntSLT;
    case LLVMIntSGE: return LLVMIntSLE;
    case LLVMIntSLT: return LLVMIntSGT;
    case LLVMIntSLE: return LLVMIntSGE;
    default: return p;
  }
}
