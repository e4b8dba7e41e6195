/*
** advice.c - remedies in the words of a language, see advice.h.
*/
#include "devices/advice.h"

static const mt_Advice lua = {
    .copy_buffer = "copy it with b:copy() after gpu.use",
    .new_texture = "make it again after gpu.use",
    .threadgroup = "threadgroup = {bytes}",
    .free_buffer = "b:free()",
};

static const mt_Advice *advice = &lua;

void mt_advice_set(const mt_Advice *words) { advice = words; }
const mt_Advice *mt_advice(void) { return advice; }
