/*
** server.c - PTX made in a worker process, see ptx.h.
**
** The one idea: as for the host device, some kernel may crash LLVM or keep it
** busy for ever, so LLVM runs elsewhere, one request after the other.
*/
#include <stdlib.h>
#include <string.h>

#include "base/process/worker_process.h"
#include "devices/compiler/target/target.h"
#include "devices/cuda/cuda.h"
#include "devices/cuda/ptx/ptx.h"

#define SECONDS 120 /* of processor time, for one kernel */

typedef struct Answer {
  mt_Status status;
  mt_Error err;
  mt_PtxFacts facts;
} Answer;

/* ------------------------------------------------------------ in the worker */

static void begin(void *context) {
  mt_Error ignored;
  (void)context;
  mt_target_nvptx(90, &ignored);
}

static void serve(void *context, const void *question, size_t size,
                  mt_Str *out) {
  (void)context;
  Answer a = {.status = MT_FAIL};
  mt_PtxRequest request;
  mt_CompileJob job;
  mt_Str ptx = MT_STR_INIT;
  mt_CompileJobCopy *copy = NULL;
  if (size >= sizeof request) {
    memcpy(&request, question, sizeof request);
    copy = mt_compile_job_unpack((const char *)question + sizeof request,
                                 size - sizeof request, &job);
  }
  if (copy)
    a.status = mt_ptx_make(&job, &request, &a.facts, &ptx, &a.err);
  else
    mt_error(&a.err, MT_FAIL, "out of memory");
  mt_compile_job_free(copy);
  mt_str_add_bytes(out, &a, sizeof a);
  if (a.status == MT_OK) mt_str_add_bytes(out, ptx.text, ptx.length);
  mt_str_free(&ptx);
}

int mt_ptx_serve(const char *word) {
  (void)word;
  return mt_worker_process_serve(begin, serve, NULL);
}

/* ----------------------------------------------------------- in the console */

static mt_WorkerProcess *worker;

void mt_ptx_open(void) {
  if (mt_worker_process_usable(worker)) return;
  mt_worker_process_free(worker);
  worker = mt_worker_process_new(begin, serve, NULL, MT_CUDA_WORD);
}

static mt_Status read_answer(const mt_Str *answer, mt_PtxFacts *facts,
                             mt_Str *out, mt_Error *err) {
  Answer a;
  if (answer->length < sizeof a)
    return mt_error(err, MT_FAIL, "LLVM's process gave no answer");
  memcpy(&a, answer->text, sizeof a);
  if (a.status != MT_OK) return mt_error(err, a.status, "%s", a.err.text);
  *facts = a.facts;
  mt_str_add_bytes(out, answer->text + sizeof a, answer->length - sizeof a);
  return out->failed ? mt_error(err, MT_FAIL, "out of memory") : MT_OK;
}

mt_Status mt_ptx_request(const mt_CompileJob *job, const mt_PtxRequest *request,
                         mt_PtxFacts *facts, mt_Str *out, mt_Error *err) {
  mt_ptx_open();
  if (!worker) return mt_ptx_make(job, request, facts, out, err);
  mt_Str question = MT_STR_INIT, answer = MT_STR_INIT, notice = MT_STR_INIT;
  mt_str_add_bytes(&question, request, sizeof *request);
  mt_compile_job_pack(job, &question);
  mt_str_addf(&notice, "%s: making the code…", job->msl->name);
  mt_Question q = {.bytes = question.text,
                   .size = question.length,
                   .seconds = SECONDS,
                   .notice = mt_str_text(&notice)};
  mt_Error how = {{0}};
  mt_Status status = MT_FAIL;
  if (question.failed) {
    mt_error(err, MT_FAIL, "out of memory");
  } else {
    status = mt_worker_process_ask(worker, &q, &answer, &how);
    if (status == MT_OK)
      status = read_answer(&answer, facts, out, err);
    else if (status == MT_CANCELLED)
      mt_error(err, status, "%s", how.text);
    else
      status = mt_error(err, MT_FAIL,
                        "LLVM failed over kernel '%s': %s; try "
                        "a simpler kernel, and please report this one",
                        job->msl->name, how.text);
  }
  mt_str_free(&question);
  mt_str_free(&answer);
  mt_str_free(&notice);
  return status;
}
