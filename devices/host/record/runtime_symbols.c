/*
** runtime_symbols.c - the symbols that recorded code links to.
*/
#include "devices/host/native/native.h"
#include "devices/host/record/record.h"

static const mt_RuntimeSymbol table[] = {
    MT_RUNTIME_SYMBOL("mt_record_at", mt_record_at),
    MT_RUNTIME_SYMBOL("mt_record_old", mt_record_old),
    MT_RUNTIME_SYMBOL("mt_record_wait", mt_record_wait),
    MT_RUNTIME_SYMBOL("mt_record_pass", mt_record_pass),
    MT_RUNTIME_SYMBOL("mt_record_lanes", mt_record_lanes),
    MT_RUNTIME_SYMBOL("mt_record_matrix", mt_record_matrix),
    MT_RUNTIME_SYMBOL("mt_record_line", mt_record_line),
    MT_RUNTIME_SYMBOL("mt_record_value", mt_record_value),
    MT_RUNTIME_SYMBOL("mt_record_copy", mt_record_copy),
    MT_RUNTIME_SYMBOL("mt_record_pointer", mt_record_pointer),
    MT_RUNTIME_SYMBOL("mt_record_base", mt_record_base),
};

MT_OFFERS_SYMBOLS(table)
