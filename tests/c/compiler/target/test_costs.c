/*
** test_costs.c - the table of costs beside what LLVM itself says of the same
** machines.
**
** Guards: devices/compiler/target/costs.c: registers, masked access, caches and
** prices are LLVM's own where it has them
*/
#include <llvm-c/IRReader.h>

#include "devices/compiler/target/target.h"
#include "tests/c/compiler/target/llvm_costs.h"
#include "tests/c/host_case.h"
#include "tests/c/skip.h"

/* One instruction of each kind that the table has a price of, over 32 lanes and
** over one. */
static const char code[] =
    "declare <32 x i32> @llvm.masked.gather.v32i32.v32p0(<32 x ptr>, i32,\n"
    "    <32 x i1>, <32 x i32>)\n"
    "declare void @llvm.masked.scatter.v32i32.v32p0(<32 x i32>, <32 x ptr>,\n"
    "    i32, <32 x i1>)\n"
    "define void @f(ptr %p, <32 x ptr> %q, <32 x i1> %m, <32 x i32> %i,\n"
    "    <32 x i64> %l, <32 x float> %x, i32 %a, i64 %b, float %y) #0 {\n"
    "  %access = load <32 x i32>, ptr %p, align 4\n"
    "  %gather = call <32 x i32> @llvm.masked.gather.v32i32.v32p0(\n"
    "      <32 x ptr> %q, i32 4, <32 x i1> %m, <32 x i32> %i)\n"
    "  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %i,\n"
    "      <32 x ptr> %q, i32 4, <32 x i1> %m)\n"
    "  %integer = add <32 x i32> %i, %access\n"
    "  %wide = add <32 x i64> %l, %l\n"
    "  %real = fmul <32 x float> %x, %x\n"
    "  %divide = udiv <32 x i32> %i, %access\n"
    "  %divide_wide = udiv <32 x i64> %l, %l\n"
    "  %access.1 = load i32, ptr %p, align 4\n"
    "  %integer.1 = add i32 %a, %a\n"
    "  %wide.1 = add i64 %b, %b\n"
    "  %real.1 = fmul float %y, %y\n"
    "  %divide.1 = udiv i32 %a, %access.1\n"
    "  %divide_wide.1 = udiv i64 %b, %b\n"
    "  ret void\n"
    "}\n"
    "attributes #0 = { \"prefer-vector-width\"=\"512\" }\n";

/* LLVM's names of CPUs that have the row, the least of them first. */
static const struct {
  const char *row, *machine;
} machines[] = {{"AVX-512", "x86_64-linux-gnu,x86-64-v4"},
                {"AVX-512", "x86_64-linux-gnu,skylake-avx512"},
                {"AVX-512", "x86_64-linux-gnu,cascadelake"},
                {"AVX-512 VBMI", "x86_64-linux-gnu,icelake-server"},
                {"AVX-512 VBMI", "x86_64-linux-gnu,sapphirerapids"},
                {"AVX-512 VBMI", "x86_64-linux-gnu,znver4"},
                {"AVX2", "x86_64-linux-gnu,x86-64-v3"},
                {"AVX2", "x86_64-linux-gnu,haswell"},
                {"AVX2", "x86_64-linux-gnu,skylake"},
                {"AVX2", "x86_64-linux-gnu,znver3"},
                {"SSE", "x86_64-linux-gnu,x86-64"},
                {"SSE", "x86_64-linux-gnu,x86-64-v2"},
                {"NEON", "aarch64-linux-gnu,generic"},
                {"NEON", "aarch64-linux-gnu,apple-m1"},
                {"NEON", "aarch64-linux-gnu,neoverse-n1"}};
#define MACHINES (sizeof machines / sizeof *machines)

typedef struct Machine {
  const mt_TargetCosts *row;
  LLVMTargetMachineRef llvm;
  LLVMContextRef context;
  LLVMValueRef function;
  LlvmFacts facts;
} Machine;

static void read_code(Machine *m, mt_Target *t) {
  LLVMMemoryBufferRef text = LLVMCreateMemoryBufferWithMemoryRangeCopy(
      code, sizeof code - 1, "code");
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(m->llvm);
  LLVMModuleRef module;
  char *why = NULL;
  if (LLVMParseIRInContext(m->context, text, &module, &why))
    fail_msg("%s", why);
  LLVMSetTarget(module, mt_target_triple(t));
  LLVMSetModuleDataLayout(module, layout);
  LLVMDisposeTargetData(layout);
  m->function = LLVMGetNamedFunction(module, "f");
}

/* False: this LLVM makes no code for it. */
static bool open_machine(size_t i, Machine *m) {
  mt_Error err;
  mt_Target *t = mt_target_named(machines[i].machine, &err);
  if (!t) return false;
  m->row = mt_target_costs(t);
  m->llvm = mt_target_machine(t);
  m->context = LLVMContextCreate();
  read_code(m, t);
  m->facts = llvm_facts(m->llvm, m->function);
  assert_string_equal(m->row->name, machines[i].row);
  return true;
}

static void close_machine(Machine *m) {
  LLVMDisposeModule(LLVMGetGlobalParent(m->function));
  LLVMContextDispose(m->context);
}

static void each_machine(void (*look)(const Machine *m)) {
  unsigned seen = 0;
  for (size_t i = 0; i < MACHINES; i++) {
    Machine m;
    if (!open_machine(i, &m)) continue;
    look(&m);
    close_machine(&m);
    seen++;
  }
  if (!seen) skip_because("this LLVM makes code for none of them");
}

/* The row of SSE has more than there are, by a measurement (costs.c). */
static void has_registers(const Machine *m) {
  assert_int_equal(m->row->register_bytes, m->facts.register_bytes);
  if (strcmp(m->row->name, "SSE") != 0)
    assert_int_equal(m->row->live_registers, m->facts.registers);
}

static void test_registers(void **state) {
  (void)state;
  each_machine(has_registers);
}

/* LLVM expands gathers where they are slow, by the CPU and not by the row. */
static void has_masked_access(const Machine *m) {
  const LlvmFacts *f = &m->facts;
  assert_int_equal(m->row->gather, f->loads_words && f->stores_words);
  assert_int_equal(m->row->masks,
                   f->stores_bytes && f->gathers && f->scatters);
}

static void test_masked_access(void **state) {
  (void)state;
  each_machine(has_masked_access);
}

static void has_caches(const Machine *m) {
  if (m->facts.cache_line)
    assert_int_equal(m->row->cache_line, m->facts.cache_line);
  if (m->facts.cache_first)
    assert_int_equal(m->row->cache_first, m->facts.cache_first);
}

static void test_caches(void **state) {
  (void)state;
  each_machine(has_caches);
}

static LLVMValueRef named(const Machine *m, const char *name) {
  LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetFirstBasicBlock(m->function));
  size_t n;
  while (i && strcmp(LLVMGetValueName2(i, &n), name) != 0)
    i = LLVMGetNextInstruction(i);
  return i;
}

static double price(const Machine *m, const char *name) {
  return llvm_price(m->llvm, named(m, name));
}

/* Registers that 32 words take: the table's prices are for those of AVX-512,
** and of the others LLVM's are as many times as much. */
static void has_prices(const Machine *m) {
  const mt_OperationCosts *all = &m->row->vector;
  double times = 64 / m->row->register_bytes;
  assert_true(price(m, "access") == times * all->access);
  assert_true(price(m, "integer") == times * all->integer);
  assert_true(price(m, "wide") == times * all->wide);
  assert_true(price(m, "real") >= times * all->real);
  assert_true(m->row->scalar.access == price(m, "access.1"));
  /* these LLVM has no good price of; but which are expensive is the same */
  assert_true(price(m, "gather") > 8 * price(m, "access"));
  assert_true(all->gather > 8 * all->access);
  assert_true(price(m, "divide") > 8 * price(m, "integer"));
  assert_true(all->divide > 8 * all->integer);
}

static void test_prices(void **state) {
  (void)state;
  each_machine(has_prices);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_registers),
      cmocka_unit_test(test_masked_access),
      cmocka_unit_test(test_caches),
      cmocka_unit_test(test_prices),
  };
  return cmocka_run_group_tests(tests, open_host, close_host);
}
