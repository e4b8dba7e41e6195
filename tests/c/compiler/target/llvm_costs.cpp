/*
** llvm_costs.cpp - LLVM's TargetTransformInfo, through its C++ interface.
*/
#include "tests/c/compiler/target/llvm_costs.h"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Target/TargetMachine.h>

using namespace llvm;

static TargetTransformInfo info_of(LLVMTargetMachineRef machine, Function &f) {
  return reinterpret_cast<TargetMachine *>(machine)->getTargetTransformInfo(f);
}

#if LLVM_VERSION_MAJOR >= 21
#define MASKED(t, what, type) t.isLegalMasked##what(type, Align(4), 0)
#else
#define MASKED(t, what, type) t.isLegalMasked##what(type, Align(4))
#endif

LlvmFacts llvm_facts(LLVMTargetMachineRef machine, LLVMValueRef function) {
  Function &f = *unwrap<Function>(function);
  TargetTransformInfo t = info_of(machine, f);
  LLVMContext &c = f.getContext();
  LlvmFacts out = {};
  out.register_bytes = (int)t.getRegisterBitWidth(
      TargetTransformInfo::RGK_FixedWidthVector).getFixedValue() / 8;
  auto *words = FixedVectorType::get(Type::getInt32Ty(c),
                                     (unsigned)out.register_bytes / 4);
  auto *bytes = FixedVectorType::get(Type::getInt8Ty(c),
                                     (unsigned)out.register_bytes);
  out.registers =
      (int)t.getNumberOfRegisters(t.getRegisterClassForType(true, words));
  out.loads_words = MASKED(t, Load, words);
  out.stores_words = MASKED(t, Store, words);
  out.stores_bytes = MASKED(t, Store, bytes);
  out.gathers = t.isLegalMaskedGather(words, Align(4));
  out.scatters = t.isLegalMaskedScatter(words, Align(4));
  out.cache_line = (int)t.getCacheLineSize();
  out.cache_first = (int)t.getCacheSize(
      TargetTransformInfo::CacheLevel::L1D).value_or(0);
  return out;
}

double llvm_price(LLVMTargetMachineRef machine, LLVMValueRef instruction) {
  auto *i = unwrap<Instruction>(instruction);
  InstructionCost cost = info_of(machine, *i->getFunction()).getInstructionCost(
      i, TargetTransformInfo::TCK_RecipThroughput);
  return cost.isValid() ? (double)cost.getValue() : -1;
}
