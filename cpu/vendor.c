/*
** vendor.c - loads the module with the vendor's library when it is first
** wanted, and keeps it.
**
** The library starts threads of its own when it is told their number. They must
** not take the console's Ctrl-C, so signals are blocked meanwhile: threads
** inherit that.
*/
#include <stdlib.h>
#include <string.h>

#include "base/files/module.h"
#include "base/pool.h"
#include "base/thread.h"
#include "cpu/inside.h"

/*
** OpenBLAS picks its kernels by the model of the CPU while it loads, and takes
** those of 2004 for one that is younger than itself. So it is told what the CPU
** can do, unless the person has; and to let its threads sleep soon after their
** work (in 2^20 cycles, not 2^26), which would be felt in the next timing.
*/
static void advise_openblas(void) {
#if defined(__x86_64__) && !defined(__APPLE__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    setenv("OPENBLAS_CORETYPE", "SkylakeX", 0);
  else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    setenv("OPENBLAS_CORETYPE", "Haswell", 0);
#endif
  setenv("OPENBLAS_THREAD_TIMEOUT", "20", 0);
}

static const mt_CpuVendor *open_module(mt_Error *err) {
  advise_openblas();
  mt_CpuVendorEntry entry;
  void *symbol = mt_module_symbol("blas.so", MT_CPU_VENDOR_ENTRY,
                                  "the vendor's library is missing, the other "
                                  "ways work without", err);
  memcpy(&entry, &symbol, sizeof entry);
  return entry ? entry() : NULL;
}

/* The thread sanitizer cannot see how the library's threads agree, and would
** report what they write: there it gets one. */
static unsigned library_threads(void) {
#if defined(MT_THREAD_SANITIZER)
  return 1;
#else
  return mt_pool_size();
#endif
}

static const mt_CpuVendor *loaded(mt_Error *err) {
  static const mt_CpuVendor *vendor;
  static unsigned threads;
  if (vendor == NULL) vendor = open_module(err);
  if (vendor && vendor->threads && threads != library_threads()) {
    threads = library_threads();
    vendor->threads(threads);
  }
  return vendor;
}

const mt_CpuVendor *mt_cpu_vendor_load(mt_Error *err) {
  sigset_t before;
  mt_signals_block(&before);
  const mt_CpuVendor *vendor = loaded(err);
  mt_signals_restore(&before);
  return vendor;
}
