/*
** runtime_symbols.c - the symbols that profiled code links to.
*/
#include "devices/host/native/native.h"
#include "devices/host/profile/profile.h"

static const mt_RuntimeSymbol table[] = {
    MT_RUNTIME_SYMBOL("mt_count_block", mt_count_block),
    MT_RUNTIME_SYMBOL("mt_count_split", mt_count_split),
    MT_RUNTIME_SYMBOL("mt_count_one", mt_count_one),
    MT_RUNTIME_SYMBOL("mt_count_row", mt_count_row),
    MT_RUNTIME_SYMBOL("mt_count_lanes", mt_count_lanes),
};

MT_OFFERS_SYMBOLS(table)
