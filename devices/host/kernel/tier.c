/*
** tier.c - quick code first, optimised code from the background, see tier.h.
**
** The one idea: a background compile is a question sent to a worker process;
** later launches poll for the answer. One compile runs at a time, the others
** are queued with their serialised question, so that they do not depend on the
** kernel any more. A compile that LLVM did not survive stays in the list,
** marked, so that it is not repeated.
*/
#include "devices/host/kernel/tier.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "devices/compiler/ir/ir.h"
#include "devices/compiler/target/target.h"
#include "devices/host/native/native.h"
#include "devices/host/run/run.h"

/* Instructions, without those that only move values to and from stack slots,
** over which LLVM takes about a second. */
#define SLOW 7000
#define MOST_JOBS 16 /* the oldest that is not running is dropped */

static mt_TierCounts counts;

const mt_TierCounts *mt_tier_counts(void) { return &counts; }

/* ------------------------------------------------------------------- choice */

static bool only_moves(LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAlloca:
    case LLVMLoad:
    case LLVMStore: return true;
    default: return false;
  }
}

bool mt_tier_is_slow(LLVMModuleRef m) {
  size_t n = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
    MT_EACH_INSTRUCTION(i, f)
      if ((n += !only_moves(i)) > SLOW) return true;
  return false;
}

/* Vector registers that the kernel's instructions write, over which LLVM takes
** half a second without optimisation; and a second, for kernels whose threads
** wait for each other, which is slow thread by thread. */
#define MANY_REGISTERS 12000
#define MANY_WITH_WAITS 30000

static unsigned vector_bits(mt_Target *t) {
  return mt_target_has(t, "avx512f") ? 512
         : mt_target_has(t, "avx")   ? 256
                                     : 128;
}

static uint64_t bits_of(LLVMTypeRef t) {
  switch (LLVMGetTypeKind(t)) {
    case LLVMVectorTypeKind:
      return LLVMGetVectorSize(t) * bits_of(LLVMGetElementType(t));
    case LLVMIntegerTypeKind:
      return LLVMGetIntTypeWidth(t);
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
      return 16;
    case LLVMFloatTypeKind:
      return 32;
    case LLVMPointerTypeKind:
    case LLVMDoubleTypeKind:
      return 64;
    default:
      return 1;
  }
}

static LLVMTypeRef type_moved(LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
    case LLVMStore:
    case LLVMICmp:
    case LLVMFCmp:
      return LLVMTypeOf(LLVMGetOperand(i, 0));
    default:
      return LLVMTypeOf(i);
  }
}

static bool is_matrix_call(LLVMValueRef i) {
  return mt_starts(mt_callee(i), "__mt_matrix_");
}

bool mt_tier_is_huge(const mt_Prepared *p) {
  uint64_t bits = vector_bits(p->target), n = 0;
  MT_EACH_INSTRUCTION(i, p->function) {
    if (is_matrix_call(i)) return false; /* far too slow by threads */
    if (mt_is_free_sum(i)) return false; /* settled, it would be slower */
    n += 1 + MT_LANES * bits_of(type_moved(i)) / bits;
  }
  return n > (p->waits ? MANY_WITH_WAITS : MANY_REGISTERS);
}

static bool forced(const char *word) {
  const char *said = getenv("METTLE_TIER");
  return said && strcmp(said, word) == 0;
}

void mt_tier_ask(mt_CompileRequest *o) {
  o->calls = forced("calls");
  o->huge = o->calls || forced("threads");
  o->large = o->huge || forced("quick") || forced("both");
  if (forced("quick")) o->tier = MT_TIER_QUICK;
}

void mt_tier_add_to_key(mt_Key *key) {
  if (forced("quick") || forced("both")) mt_key_add_text(key, "two tiers");
  if (forced("threads")) mt_key_add_text(key, "quick by threads");
  if (forced("calls")) mt_key_add_text(key, "quick with calls");
}

/* --------------------------------------------------------------- background */

typedef struct Job {
  mt_Key key;       /* of the code to be compiled */
  mt_Str question;
  mt_WorkerProcess *worker;  /* NULL: queued, or lost */
  bool lost;
  bool urgent;      /* the quick code is very slow */
  bool low;         /* the worker's priority was lowered */
  bool hurried;     /* it was begun again for a launch that runs long */
  uint64_t awaited; /* since when the running launch could use it; 0: it has
                    ** not asked */
  struct Job *next; /* the next younger job */
} Job;

static Job *jobs;

static Job *job_of(const mt_Key *key) {
  Job *j = jobs;
  while (j && !mt_key_equal(&j->key, key)) j = j->next;
  return j;
}

static void end_job(Job *j) {
  for (Job **at = &jobs; *at; at = &(*at)->next)
    if (*at == j) {
      *at = j->next;
      break;
    }
  mt_worker_process_free(j->worker);
  mt_str_free(&j->question);
  free(j);
}

static void lose_job(Job *j) {
  mt_worker_process_free(j->worker);
  j->worker = NULL;
  mt_str_free(&j->question);
  j->lost = true;
  counts.lost++;
}

static mt_Question question_of(const Job *j) {
  return (mt_Question){.bytes = j->question.text, .size = j->question.length,
                       .seconds = mt_compile_server_seconds(),
                       .notice = "making the optimised code…"};
}

static void begin_job(Job *j) {
  mt_Question q = question_of(j);
  mt_Error ignored;
  j->low = false;
  j->worker = mt_compile_server_background();
  if (!j->worker || mt_worker_process_send(j->worker, &q, &ignored) != MT_OK)
    lose_job(j);
  else
    counts.begun++;
}

/* Start the oldest queued job, unless one is running. */
static void begin_next(void) {
  Job *next = NULL;
  for (Job *j = jobs; j; j = j->next) {
    if (j->worker) return;
    if (!next && !j->lost) next = j;
  }
  if (next) begin_job(next);
}

static void limit_jobs(void) {
  size_t n = 0;
  Job *oldest = NULL;
  for (Job *j = jobs; j; j = j->next, n++)
    if (!j->worker && !oldest) oldest = j;
  if (n >= MOST_JOBS && oldest) end_job(oldest);
}

static void add_job(const mt_HostKernel *k, const mt_CompileRequest *order,
                    const mt_Key *key, bool urgent) {
  limit_jobs();
  Job *j = calloc(1, sizeof *j), **at = &jobs;
  if (!j) return;
  mt_CompileRequest optimised = *order;
  optimised.tier = MT_TIER_OPTIMISED;
  j->key = *key;
  j->urgent = urgent;
  mt_compile_server_question(k, &optimised, &j->question);
  while (*at) at = &(*at)->next;
  *at = j;
  if (j->question.failed) lose_job(j);
  begin_next();
}

static mt_Status keep(const mt_Key *key, mt_CompileResult *built,
                      mt_LoadedCode **out, mt_Error *err) {
  built->made.key = *key;
  mt_disk_cache_write(&built->made, &built->bytes);
  return mt_code_cache_add(&built->made, &built->bytes, out, err);
}

/* The job's code, waiting for it if necessary. MT_CANCELLED: the job is queued
** again. */
static mt_Status take_answer(Job *j, mt_LoadedCode **out, mt_Error *err) {
  mt_Question q = question_of(j);
  mt_Str answer = MT_STR_INIT;
  mt_CompileResult built = {0};
  mt_Status status = mt_worker_process_receive(j->worker, &q, &answer, err);
  if (status == MT_OK) status = mt_compile_server_answer(&answer, &built, err);
  if (status == MT_OK) status = keep(&j->key, &built, out, err);
  mt_compile_result_free(&built);
  mt_str_free(&answer);
  if (status == MT_OK) {
    counts.arrived++;
    end_job(j);
  } else if (status == MT_CANCELLED) {
    mt_worker_process_free(j->worker);
    j->worker = NULL;
  } else {
    lose_job(j);
  }
  return status;
}

/* Take an answer that has arrived; then start the next job. */
static void look_after_jobs(void) {
  for (Job *j = jobs; j; j = j->next) {
    mt_LoadedCode *code = NULL;
    mt_Error ignored;
    if (!j->worker || !mt_worker_process_answers(j->worker)) continue;
    if (take_answer(j, &code, &ignored) == MT_OK) mt_code_cache_release(code);
    break;
  }
  begin_next();
}

/* How long a launch runs quick code until its optimised code is more urgent
** than anything else. */
#define LONG_NS 300000000u

/* A launch that runs long uses all cores, and a compile of low priority would
** get little of them. No process may raise its priority again, so it is begun
** again, and another one waits; but each only once, or launches that take turns
** would stop each other's compiles for ever. */
static void hurry(Job *j) {
  uint64_t now = mt_now_ns();
  if (j->awaited == 0) j->awaited = now;
  if (now - j->awaited < LONG_NS || j->hurried || (j->worker && !j->low))
    return;
  for (Job *other = jobs; other; other = other->next)
    if (other->worker && other->hurried) return;
  for (Job *other = jobs; other; other = other->next) {
    mt_worker_process_free(other->worker);
    other->worker = NULL;
  }
  j->hurried = true;
  begin_job(j);
}

void mt_tier_launch_ended(void) {
  for (Job *j = jobs; j; j = j->next) {
    j->awaited = 0;
    if (!j->worker || j->urgent || j->low) continue;
    mt_worker_process_lower(j->worker);
    j->low = true;
  }
}

bool mt_tier_has_arrived(const mt_Key *key) {
  Job *j = job_of(key);
  if (!j || j->lost) return false;
  look_after_jobs();
  mt_LoadedCode *code = mt_code_cache_find(key);
  if (code) mt_code_cache_release(code);
  else if ((j = job_of(key)) && !j->lost) hurry(j);
  return code != NULL;
}

size_t mt_tier_unfinished(void) {
  size_t n = 0;
  look_after_jobs();
  for (const Job *j = jobs; j; j = j->next) n += !j->lost;
  return n;
}

/* --------------------------------------------------------------------- code */

static mt_Key quick_key(const mt_Key *key) {
  mt_Key quick = *key;
  mt_key_add_text(&quick, "quick");
  return quick;
}

/* Look in memory, then on disk. */
static bool find(const mt_Key *key, bool quick, mt_LoadedCode **out) {
  mt_CodeFacts made;
  mt_Str object = MT_STR_INIT;
  mt_Error ignored;
  *out = mt_code_cache_find(key);
  bool found = *out != NULL;
  if (!found && mt_disk_cache_read(key, &made, &object)) {
    made.quick = quick;
    found = mt_code_cache_add(&made, &object, out, &ignored) == MT_OK;
  }
  mt_str_free(&object);
  return found;
}

static mt_Status make(mt_HostKernel *k, const mt_CompileRequest *order,
                      const mt_Key *key, const mt_Key *quick,
                      mt_LoadedCode **out, mt_Error *err) {
  mt_CompileResult built = {0};
  mt_Status status = mt_compile_server_request(k, order, &built, err);
  counts.quick += status == MT_OK && built.made.quick;
  if (status == MT_OK)
    status = keep(built.made.quick ? quick : key, &built, out, err);
  mt_compile_result_free(&built);
  return status;
}

mt_Status mt_tier_hold(mt_HostKernel *k, const mt_Variant *kind,
                       const mt_Key *key, bool measured, mt_LoadedCode **out,
                       mt_Error *err) {
  mt_Key quick = quick_key(key);
  mt_CompileRequest order = mt_request_for(k, MT_TASK_CODE, kind, key);
  bool stays = forced("quick");
  mt_Status status = MT_OK;
  look_after_jobs();
  if (find(key, false, out)) return MT_OK;
  Job *job = job_of(key);
  if (job && job->worker && measured) {
    status = take_answer(job, out, err);
    begin_next();
    if (status == MT_OK || status == MT_CANCELLED) return status;
  }
  bool wait = forced("optimised") ||
              (measured && !stays && !(job && job->lost));
  mt_tier_ask(&order);
  order.tier = wait || !mt_compile_server_is_process() ? MT_TIER_OPTIMISED
                                                       : MT_TIER_QUICK;
  mt_key_symbol(&quick, order.quick_symbol);
  if (wait || !find(&quick, true, out))
    status = make(k, &order, key, &quick, out, err);
  job = job_of(key);
  if (status == MT_OK && (*out)->made.quick && !stays && !job)
    add_job(k, &order, key, !(*out)->made.simd);
  if (status == MT_OK && !(*out)->made.quick && job) end_job(job);
  return status;
}
