/*
** runtime_symbols.c - what generated code may call besides the C library.
**
** The scheduler of threads that wait (run/fiber.c), and conversions of half and
** bfloat that the CPU has no instruction for: LLVM calls them by these names,
** and not every system's compiler runtime has them all. They take and give half
** in the register of a float, as LLVM does.
*/
#include "devices/host/native/runtime_symbols.h"

#include <string.h>

#include "base/half.h"
#include "devices/host/native/native.h"
#include "devices/host/profile/profile.h"
#include "devices/host/run/fiber.h"
#include "devices/host/run/kernel_log.h"
#include "devices/host/run/transpose.h"

#ifdef __FLT16_MAX__
typedef _Float16 Half; /* travels in a floating-point register */
#else
typedef uint16_t Half;
#endif

static Half as_half(uint16_t bits) {
  Half h;
  memcpy(&h, &bits, sizeof h);
  return h;
}

static uint16_t half_bits(Half h) {
  uint16_t bits;
  memcpy(&bits, &h, sizeof bits);
  return bits;
}

static Half float_to_half(float f) { return as_half(mt_half_from_float(f)); }
static float half_to_float(Half h) { return mt_half_to_float(half_bits(h)); }

static Half float_to_bfloat(float f) { return as_half(mt_bfloat_from_float(f)); }

#define HELPER(name, f) {name, (void *)(uintptr_t)(f)}

static const mt_RuntimeSymbol table[] = {
    HELPER("mt_fiber_wait", mt_fiber_wait),
    HELPER("mt_fibers_run", mt_fibers_run),
    HELPER("mt_check_one", mt_check_one),
    HELPER("mt_check_row", mt_check_row),
    HELPER("mt_check_spread", mt_check_spread),
    HELPER("mt_check_limit", mt_check_limit),
    HELPER("mt_check_start", mt_check_start),
    HELPER("mt_check_clean", mt_check_clean),
    HELPER("mt_check_list", mt_check_list),
    HELPER("mt_check_listed", &mt_check_listed),
    HELPER("mt_check_lanes", mt_check_lanes),
    HELPER("mt_check_tile", mt_check_tile),
    HELPER("mt_check_matrix", mt_check_matrix),
    HELPER("mt_check_matrix_lanes", mt_check_matrix_lanes),
    HELPER("mt_check_order", mt_check_order),
    HELPER("mt_check_if", mt_check_if),
    HELPER("mt_check_thread_if", mt_check_thread_if),
    HELPER("mt_check_texel", mt_check_texel),
    HELPER("mt_check_thread_texel", mt_check_thread_texel),
    HELPER("mt_check_wait", mt_check_wait),
    HELPER("mt_check_go", mt_check_go),
    HELPER("mt_check_lane", mt_check_lane),
    HELPER("mt_check_convergent", mt_check_convergent),
    HELPER("mt_check_thread_lane", mt_check_thread_lane),
    HELPER("mt_log_value", mt_log_value),
    HELPER("mt_log_end", mt_log_end),
    HELPER("mt_assert_failed", mt_assert_failed),
    HELPER("mt_transpose_in", mt_transpose_in),
    HELPER("mt_transpose_out", mt_transpose_out),
    HELPER("mt_count_block", mt_count_block),
    HELPER("mt_count_split", mt_count_split),
    HELPER("mt_count_one", mt_count_one),
    HELPER("mt_count_row", mt_count_row),
    HELPER("mt_count_lanes", mt_count_lanes),
    HELPER("__truncsfhf2", float_to_half),
    HELPER("__gnu_f2h_ieee", float_to_half),
    HELPER("__extendhfsf2", half_to_float),
    HELPER("__gnu_h2f_ieee", half_to_float),
    HELPER("__truncsfbf2", float_to_bfloat),
};

size_t mt_runtime_symbols(const mt_RuntimeSymbol **out) {
  *out = table;
  return sizeof table / sizeof *table;
}
