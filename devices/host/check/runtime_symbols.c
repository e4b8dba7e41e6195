/*
** runtime_symbols.c - the symbols that instrumented code of a check links to.
*/
#include "devices/host/check/check.h"
#include "devices/host/native/native.h"

static const mt_RuntimeSymbol table[] = {
    MT_RUNTIME_SYMBOL("mt_check_one", mt_check_one),
    MT_RUNTIME_SYMBOL("mt_check_row", mt_check_row),
    MT_RUNTIME_SYMBOL("mt_check_spread", mt_check_spread),
    MT_RUNTIME_SYMBOL("mt_check_lanes", mt_check_lanes),
    MT_RUNTIME_SYMBOL("mt_check_tile", mt_check_tile),
    MT_RUNTIME_SYMBOL("mt_check_matrix", mt_check_matrix),
    MT_RUNTIME_SYMBOL("mt_check_matrix_lanes", mt_check_matrix_lanes),
    MT_RUNTIME_SYMBOL("mt_check_order", mt_check_order),
    MT_RUNTIME_SYMBOL("mt_check_if", mt_check_if),
    MT_RUNTIME_SYMBOL("mt_check_thread_if", mt_check_thread_if),
    MT_RUNTIME_SYMBOL("mt_check_texel", mt_check_texel),
    MT_RUNTIME_SYMBOL("mt_check_thread_texel", mt_check_thread_texel),
    MT_RUNTIME_SYMBOL("mt_check_wait", mt_check_wait),
    MT_RUNTIME_SYMBOL("mt_check_go", mt_check_go),
    MT_RUNTIME_SYMBOL("mt_check_lane", mt_check_lane),
    MT_RUNTIME_SYMBOL("mt_check_convergent", mt_check_convergent),
    MT_RUNTIME_SYMBOL("mt_check_thread_lane", mt_check_thread_lane),
    MT_RUNTIME_SYMBOL("mt_check_thread_asked", mt_check_thread_asked),
};

MT_OFFERS_SYMBOLS(table)
