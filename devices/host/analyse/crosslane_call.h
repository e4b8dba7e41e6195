/*
** crosslane_call.h - which cross-lane operation a call is.
**
** run/crosslane_reference.h defines what each one does.
*/
#ifndef MT_HOST_ANALYSE_CROSSLANE_CALL_H
#define MT_HOST_ANALYSE_CROSSLANE_CALL_H

#include "devices/host/vector/vector.h"

typedef enum mt_CrosslaneOp {
  MT_CROSSLANE_NONE, MT_CROSSLANE_SHUFFLE, MT_CROSSLANE_XOR, MT_CROSSLANE_UP, MT_CROSSLANE_DOWN, MT_CROSSLANE_ROTATE_UP, MT_CROSSLANE_ROTATE_DOWN,
  MT_CROSSLANE_FILL_UP, MT_CROSSLANE_FILL_DOWN, MT_CROSSLANE_BROADCAST, MT_CROSSLANE_FIRST, MT_CROSSLANE_IS_FIRST, MT_CROSSLANE_BALLOT,
  MT_CROSSLANE_ACTIVE, MT_CROSSLANE_LANE, MT_CROSSLANE_SUM, MT_CROSSLANE_PRODUCT, MT_CROSSLANE_MIN, MT_CROSSLANE_MAX, MT_CROSSLANE_AND, MT_CROSSLANE_OR,
  MT_CROSSLANE_BIT_XOR, MT_CROSSLANE_EXCLUSIVE_SUM, MT_CROSSLANE_INCLUSIVE_SUM, MT_CROSSLANE_EXCLUSIVE_PRODUCT,
  MT_CROSSLANE_INCLUSIVE_PRODUCT, MT_CROSSLANE_HOLD
} mt_CrosslaneOp;

typedef struct mt_CrosslaneCall {
  mt_CrosslaneOp op;
  int width; /* 32, or 4 in a quad */
  char type; /* 'f', 's' or 'u' */
  LLVMValueRef call;
} mt_CrosslaneCall;

/* False: 'name', the function that 'call' calls, is no cross-lane operation. */
bool mt_crosslane_call(LLVMValueRef call, const char *name,
                       mt_CrosslaneCall *out);

#endif
