/*
** runtime_symbols.c - the functions of this room that generated code calls.
*/
#include "devices/host/native/native.h"
#include "devices/host/run/fiber.h"
#include "devices/host/run/kept_tiles.h"
#include "devices/host/run/kernel_log.h"
#include "devices/host/run/transpose.h"

static const mt_RuntimeSymbol table[] = {
    MT_RUNTIME_SYMBOL("mt_fiber_wait", mt_fiber_wait),
    MT_RUNTIME_SYMBOL("mt_fibers_run", mt_fibers_run),
    MT_RUNTIME_SYMBOL("mt_log_value", mt_log_value),
    MT_RUNTIME_SYMBOL("mt_log_end", mt_log_end),
    MT_RUNTIME_SYMBOL("mt_assert_failed", mt_assert_failed),
    MT_RUNTIME_SYMBOL("mt_assert_placed", mt_assert_placed),
    MT_RUNTIME_SYMBOL("mt_tile_slots", mt_tile_slots),
    MT_RUNTIME_SYMBOL("mt_tile_enter", mt_tile_enter),
    MT_RUNTIME_SYMBOL("mt_tile_keep", mt_tile_keep),
    MT_RUNTIME_SYMBOL("mt_tile_leave", mt_tile_leave),
    MT_RUNTIME_SYMBOL("mt_transpose_in", mt_transpose_in),
    MT_RUNTIME_SYMBOL("mt_transpose_out", mt_transpose_out),
};

MT_OFFERS_SYMBOLS(table)
