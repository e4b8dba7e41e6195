/*
** ir.h - queries and small rewrites on LLVM IR: the room's public header.
**
** A function, an instruction or a name comes in, an answer goes out. Nothing
** here depends on a target or on a code generator, and nothing keeps state: any
** thread may ask about a module that it owns. Results of an analysis are a
** struct of the caller's, to be freed as its header says.
**
** Each question has one answer, in one of these headers:
**
**   what does this instruction call?         call.h, crosslane.h
**   which object does a pointer point into?  pointer.h
**   which parameter of the kernel is this?   parameter.h
**   which blocks are a loop, which dominate? loop_nest.h, dominators.h
**   what is a loop's step, its trip count?   induction.h, loop_counters.h
**   where does a loop close, and end?        loop_ends.h
**   where do lanes diverge and reconverge?   divergence.h
**   where is a threadgroup variable?         threadgroup_variables.h
**   what may be undefined behaviour?         undefined.h
**   how does a loop want to be unrolled?     unrolling.h
**   what does the kernel read and write?     uses.h
*/
#ifndef MT_COMPILER_IR_IR_H
#define MT_COMPILER_IR_IR_H

#include "devices/compiler/ir/call.h"
#include "devices/compiler/ir/crosslane.h"
#include "devices/compiler/ir/divergence.h"
#include "devices/compiler/ir/dominators.h"
#include "devices/compiler/ir/induction.h"
#include "devices/compiler/ir/instructions.h"
#include "devices/compiler/ir/loop_counters.h"
#include "devices/compiler/ir/loop_ends.h"
#include "devices/compiler/ir/loop_nest.h"
#include "devices/compiler/ir/metadata.h"
#include "devices/compiler/ir/parameter.h"
#include "devices/compiler/ir/pointer.h"
#include "devices/compiler/ir/sections.h"
#include "devices/compiler/ir/threadgroup_variables.h"
#include "devices/compiler/ir/undefined.h"
#include "devices/compiler/ir/unrolling.h"
#include "devices/compiler/ir/uses.h"

#endif
