/*
** crosslane_call.h - which cross-lane operation a call is.
**
** compiler/ir/crosslane.h has the table, run/crosslane_reference.h defines what
** each operation does.
*/
#ifndef MT_HOST_ANALYSE_CROSSLANE_CALL_H
#define MT_HOST_ANALYSE_CROSSLANE_CALL_H

#include "devices/compiler/ir/crosslane.h"
#include "devices/host/vector/vector.h"

typedef struct mt_CrosslaneCall {
  mt_CrosslaneOp op;
  const mt_CrosslaneRow *row;
  int width; /* 32, or 4 in a quad */
  mt_CrosslaneType type;
  LLVMValueRef call;
} mt_CrosslaneCall;

/* False: 'name', the function that 'call' calls, is no operation between the
** lanes of a SIMD-group or quad. */
bool mt_crosslane_call(LLVMValueRef call, const char *name,
                       mt_CrosslaneCall *out);

#endif
