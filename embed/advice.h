/*
** advice.h - what mettle.h calls the remedies of messages from below embed/.
*/
#ifndef MT_EMBED_ADVICE_H
#define MT_EMBED_ADVICE_H

#include "base/advice.h"

extern const mt_Advice mt_embed_advice;

#endif
