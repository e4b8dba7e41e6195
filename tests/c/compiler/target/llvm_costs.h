/*
** llvm_costs.h - what LLVM itself knows of a target (TargetTransformInfo), and
** its C interface does not tell.
*/
#ifndef MT_TESTS_LLVM_COSTS_H
#define MT_TESTS_LLVM_COSTS_H

#include <llvm-c/TargetMachine.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct LlvmFacts {
  int register_bytes, registers; /* of vectors */
  bool loads_words, stores_words, stores_bytes; /* masked, as one instruction */
  bool gathers, scatters;                       /* words, as one instruction */
  int cache_line, cache_first;                  /* bytes; 0: it does not say */
} LlvmFacts;

/* For code as in 'function', whose attributes say how wide vectors may be. */
LlvmFacts llvm_facts(LLVMTargetMachineRef machine, LLVMValueRef function);

/* Cycles between two of 'instruction', where all ports are free; below 0: LLVM
** has no price. */
double llvm_price(LLVMTargetMachineRef machine, LLVMValueRef instruction);

#ifdef __cplusplus
}
#endif
#endif
