/*
** unit.h - a module that mettle opt works on, and the tables of its rows; for
** this room alone.
*/
#ifndef MT_OPT_UNIT_H
#define MT_OPT_UNIT_H

#include <llvm-c/Core.h>

#include "base/pass.h"
#include "devices/compiler/ir/ir.h"
#include "devices/compiler/prepare/prepare.h"
#include "devices/opt/opt.h"

#define MT_OPT_PARAMS 64

typedef struct mt_OptVectors mt_OptVectors;

typedef struct mt_OptUnit {
  mt_PassState state;
  const mt_OptRequest *request;
  mt_Target *target;
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMValueRef function; /* the kernel */
  mt_MslKernel kernel;   /* what its parameters say */
  mt_Param params[MT_OPT_PARAMS];
  /* copies: a pass may replace the function */
  char name[256], param_name[MT_OPT_PARAMS][64];
  mt_ArgumentFacts facts;
  /* what rows of prepare found out: see mt_PrepareUnit */
  mt_Prepared prepared;
  bool nested;
  /* the kernel on its way to vectors; NULL: no row began with that */
  mt_OptVectors *vectors;
  mt_Str *out;           /* answers */
} mt_OptUnit;

/* Read and verify the text; mt_opt_unit_close in any case. */
mt_Status mt_opt_unit_open(mt_OptUnit *u, const mt_OptRequest *request,
                           mt_Str *out, mt_Error *err);
void mt_opt_unit_close(mt_OptUnit *u);

/* The kernel may be another function after a pass, with the same name, or where
** none has that, the first with a body. */
mt_Status mt_opt_follow_kernel(mt_OptUnit *u, mt_Error *err);

/* A row of mt_prepare's table alone, or all that apply: what comes in is taken
** for what they need. */
mt_Status mt_opt_prepare_row(mt_OptUnit *u, const mt_Pass *pass, mt_Error *err);
mt_Status mt_opt_prepare_all(mt_OptUnit *u, mt_Error *err);

/* A row of mt_vectorise's table: it finds what the rows before it found out.
** Before a change of another kind to the module, that is forgotten. */
mt_Status mt_opt_vectorise_row(mt_OptUnit *u, const mt_Pass *pass,
                               mt_Error *err);
void mt_opt_forget_vectors(mt_OptUnit *u);

/* How a person reads them: %x, @f, 7; the name of a block, or its number. */
void mt_opt_add_value(mt_Str *out, LLVMValueRef v);
void mt_opt_add_block(mt_Str *out, LLVMBasicBlockRef b);

/* questions_ir.c, questions_analyse.c: answered by compiler/ir and
** host/analyse. passes_ir.c, vectorise.c: rewrites that are no row of a room's
** own table. Their unit is an mt_OptUnit. */
extern const mt_PassTable mt_opt_ir_questions, mt_opt_ir_passes,
    mt_opt_analyse_questions, mt_opt_host_passes, mt_opt_host_questions;

#endif
