#!/bin/bash
# test_metal.sh - the stand-in for macOS proves itself, then the Metal device's
# own features on it: captures, logging, validation, errors of the GPU, headers.
#
# Each seeded mistake must be seen (one in four is tried, all of them with
# METTLE_TESTS=all), and the correct program must pass. The Lua suites go
# through the Metal device too, each as a suite of its own (tests/metal/lua,
# called by tests/run).
#
# Guards: devices/metal over a stand-in for macOS (tests/metal/*.c), which must
# first see 66 seeded mistakes; then captures, logging (late lines too, and none
# for kernels that cannot log), validation, GPU errors, Intel's GPU, pipelines
# that take fewer threads; devices/metal/{launch, logs, metal, program,
# reflection, samples}.cpp, devices/metal/{doctor, error_advice}.c
standin=$(dirname "$METTLE")/standin here=$PWD
count=0
result() { count=$((count + 1)); echo "$1 $count - $2"; }

if [ ! -x "$standin/mettle" ]; then
  echo "ok 1 - the Metal device on the stand-in # SKIP the stand-in is built on Linux, with LLVM and metal-cpp"
  echo "1..1"
  exit 0
fi

# ------------------------------------------------------------ seeded mistakes

problems=(
  [1]="without a pipeline" [2]="past the end of a buffer" [3]="'out' is not bound"
  [4]="index 31 is above 30" [5]="setBytes of 5000" [6]="setBytes of 0" [7]="setThreadgroupMemoryLength: 100"
  [8]="65536 bytes of threadgroup memory" [9]="'t' is not bound" [10]="is 0"
  [11]="2048 threads in a threadgroup" [12]="is 0" [13]="without a pool" [14]="NSRangeException" [15]="length 0"
  [16]="a second encoder" [17]="open encoder" [18]="after endEncoding" \
    [19]="committed twice"
  [20]="before the commands are done" [21]="released once too often|which is gone" [22]="MTLBuffer .* leaks" [23]="unrecognized selector"
  [24]="which is gone" [25]="written by the kernel and bound by setBytes" [26]="'n' has space for 2 bytes, its type has 4"
  [27]="'n' is constant and starts at byte 2" [28]="more threads than 32 bits" [29]="1024 threads in a threadgroup, the pipeline takes 512"
  [30]="'image' is not bound" [31]="'image' .* of another type" [32]="'image' .* of another type" [33]="for reading and writing"
  [34]="lacks its object" [35]="lacks its object, destination" [36]="lacks its object, destination or URL" [37]="wants a whole path"
  [38]="while a capture runs" [39]="never stopped" [40]="no capture runs" [41]="released once too often|which is gone"
  [42]="addCompletedHandler: after commit" [43]="with type 0" [44]="nil in a dictionary" [45]="level or size" [46]="MTLLogState .* leaks"
  [47]="managed texture that was not synchronized" [48]="managed on a GPU that is not Apple's"
  [49]="byte 0 of 'job' leads to nothing that is resident" [50]="byte 8 of 'job' leads to nothing" [51]="not made for argument buffers"
  [52]="byte 16 of 'job' leads to nothing" [53]="managed on a GPU that is not Apple's" [54]="getBytes.*bytesPerImage is 256"
  [55]="replaceRegion.*bytesPerRow is 32" [56]="1024 threads in a threadgroup, the pipeline takes 640" [57]="setLabel: without a text"
  [58]="asked of a binding of another type" [59]="talk logs, and neither" [60]="talk logs, and was compiled without"
  [61]="'n' is constant and starts at byte 4" [62]="'job' holds addresses.*tier 1" [63]="setComputePipelineState: nil"
  [64]="setComputePipelineState: nil" [65]="setMathMode:.: unrecognized" [66]="newLogStateWithDescriptor.*unrecognized"
  [67]="of 1 to 4096 samples" [68]="samples 2 and 4 of a buffer for 4" [69]="resolveCounterRange: before the commands are done"
  [70]="of 4 samples from 1 on, there are 4" [71]="does not sample at an encoder's ends")

if said=$(METAL_CAPTURE_ENABLED=1 "$standin/seeded" 0 2>&1) && [ -z "$said" ]; then result ok "a correct program passes"
else result "not ok" "a correct program passes"; echo "# ${said//$'\n'/$'\n'# }"; fi
for bug in "${!problems[@]}"; do
  [ "${METTLE_TESTS:-}" = all ] || [ $((bug % 4)) = 0 ] || continue
  said=$(METAL_CAPTURE_ENABLED=1 "$LIMIT" 120 "$standin/seeded" "$bug" 2>&1)
  status=$?
  if [ $status != 0 ] && grep -qE "PROBLEM: .*(${problems[bug]})" <<<"$said"; then result ok "mistake $bug is seen: ${problems[bug]}"
  else result "not ok" "mistake $bug is seen: ${problems[bug]} (status $status)"; echo "$said" | head -5 | sed 's/^/# /'; fi
done

# ------------------------------------------- a program of the reader's own
# demos/metal/saxpy.cpp, which the lesson about Metal's host side shows in parts

said=$("$LIMIT" 120 "$standin/saxpy" 2>&1)
if [ "$said" = "y[999] = 1999" ]; then result ok "the lesson's C++ program runs, and Metal has no objection"
else result "not ok" "the lesson's C++ program runs, and Metal has no objection"; echo "# ${said//$'\n'/$'\n'# }"; fi

# in_order FILE: all lines of stdin stand in the file, in this order, whatever
# their indentation
in_order() {
  awk 'NR == FNR { gsub(/^ +/, ""); want[++n] = $0; next }
       { gsub(/^ +/, "") } $0 == want[at + 1] { at++ }
       END { if (at < n) print want[at + 1]; exit !(n > 5 && at == n) }' - "$1"
}
# shown LANGUAGE: the lines of the lesson's blocks in it
shown() { awk -v "fence=\`\`\`$1" '$0 == fence { inside = 1; next } /^```/ { inside = 0 } inside' lessons/*-metal-host-side/lesson.md; }
for language in cpp swift; do
  name="the lesson's $language is that of demos/metal"
  if said=$(shown $language |
    in_order demos/metal/saxpy.$language); then result ok "$name"
  else result "not ok" "$name: $said"; fi
done

# ------------------------------------------------------ the device's features

cd "$HOME" || exit 1
add='k = gpu.kernel [=[kernel void add(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) { a[i] += 1; }]=]
a = gpu.buffer(8)'

# says WHAT STATUS WORDS COMMAND…: it ends so, says so, and nothing is wrong
says() {
  local what=$1 status=$2 words=$3; shift 3
  local said got
  said=$("$LIMIT" 120 "$@" 2>&1 </dev/null); got=$?
  if [ $got = "$status" ] && grep -qE -- "$words" <<<"$said" &&
    ! grep -q PROBLEM <<<"$said"; then result ok "$what"
  else result "not ok" "$what (status $got)"; echo "$said" | head -8 |
    sed 's/^/# /'; fi
}
m=$standin/mettle

says "the device tells its families, memory and limits" 0 "families: Apple 7, Mac 2, Metal 3" "$m" devices
says "and to Lua" 0 "^Apple 7.*true" "$m" -e 'print(gpu.device.families, gpu.device.unified_memory)'
says "--validate starts again with validation on" 0 "1 1 nslog" "$m" --validate -e 'print(os.getenv "MTL_SHADER_VALIDATION" .. " " .. os.getenv "MTL_DEBUG_LAYER" .. " " .. os.getenv "MTL_DEBUG_LAYER_ERROR_MODE")'
says "--validate without Metal says what to do" 1 "no Metal here; check" "$METTLE" --validate -e 'print(1)'
says "--validate passes arguments and the exit status on" 1 "left" "$m" --validate -e 'error "left"'

ulong='#include <metal_stdlib>
using namespace metal;
kernel void most(device atomic_ulong *a [[buffer(0)]], uint i [[thread_position_in_grid]]) { atomic_max_explicit(a, (ulong)i, memory_order_relaxed); }'
says "what an M1 lacks is refused with the reason" 1 "most compiles but cannot run here: .*; it uses 64-bit atomics, which Macs have from the M2 on" "$m" -e "gpu.kernel [=[$ulong]=]"
says "an M2 has it" 0 "^9$" env STANDIN_GPU=m2 "$m" -e "k = gpu.kernel [=[$ulong]=] a = gpu.buffer('ulong', 1) k{a, grid = 10} print(a[0])"
says "a neighbour in the source that uses it is no reason" 0 "^1.0$" "$m" \
  -e "k = gpu.kernel([=[kernel void one(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) { a[i] = 1; }
  $ulong]=], 'one') a = gpu.buffer(8) k{a, grid = 8} print(a[7])"
says "a pipeline that cannot be made" 1 "wide compiles but cannot run here: .*40000 bytes of threadgroup" "$m" -e "gpu.kernel [=[#include <metal_stdlib>
  using namespace metal;
  kernel void wide(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  threadgroup float t[10000]; t[i] = i; threadgroup_barrier(mem_flags::mem_threadgroup); a[i] = t[9999 - i]; }]=]"
says "gpu.device tells what this GPU lacks" 0 "lacks: SIMD-group shift and fill, 64-bit atomics$" "$m" -e "print(gpu.device)"
says "an M5 lacks nothing" 0 "^0$" env STANDIN_GPU=m5 "$m" -e "print(#gpu.device.lacks)"
bfloat='kernel void narrow(device bfloat *a [[buffer(0)]], uint i [[thread_position_in_grid]]) { a[i] = bfloat(a[i] + 1.0bf); }'
says "macOS 13 knows no bfloat, and the reason is said" 1 "^it uses bfloat, which macOS has from 14 on; this is 13.0" env STANDIN_MACOS=13 "$m" -e "gpu.kernel [=[$bfloat]=]"
says "macOS 14 does" 0 "^3.0$" env STANDIN_MACOS=14 "$m" -e "k = gpu.kernel [=[$bfloat]=] a = gpu.buffer('bfloat', 4) a:fill(2) k{a, grid = 4} print(a[3])"
says "a source that is wrong is not told of macOS" 1 "program_source:1:.*error[^;]*$" env STANDIN_MACOS=13 "$m" -e "gpu.kernel 'kernel void f() { g(); }'"
says "nothing that came later is used on macOS 13" 0 "^1.0$" env STANDIN_MACOS=13 "$m" -e "$add k{a, grid = 8} print(a[7])"
says "nor for safe math" 0 "^1.0$" env STANDIN_MACOS=13 "$m" -e "k = gpu.kernel([=[kernel void one(device float *a [[buffer(0)]]) { a[0] = 1; }]=], {math = 'safe'}) a = gpu.buffer(1) k{a, grid = 1} print(a[0])"
says "gpu.device tells the version, and what it lacks" 0 "^13.0	.*bfloat .macOS 14.*tensors .macOS 26" env STANDIN_MACOS=13 "$m" -e "print(gpu.device.macos, table.concat(gpu.device.lacks, '; '))"
says "so does the doctor of macOS 15" 0 "it lacks .*64-bit atomics, tensors .macOS 26.$" env STANDIN_MACOS=15 "$m" doctor
says "so does the doctor" 0 "Apple M3, played .Apple 9, Mac 2, Metal 3.$" env STANDIN_GPU=m3 "$m" doctor
says "and of an older one what it lacks" 0 "it lacks .*64-bit atomics" env STANDIN_GPU=paravirtual "$m" doctor
says "its memory is shared, and it is of no Apple family" 0 "^Mac 2, Metal 3	true" env STANDIN_GPU=intel "$m" -e 'print(gpu.device.families, gpu.device.unified_memory)'
says "and each kernel has its own size of SIMD-groups" 0 "^nil	32$" env STANDIN_GPU=intel "$m" -e "$add print(gpu.device.simd_width, k.simd_width)"
says "which the doctor says, and of an M1 not" 0 "Mac 2, Metal 3.; each kernel has its own size of SIMD-groups" env STANDIN_GPU=intel "$m" doctor
says "and mettle devices" 0 "SIMD-groups of a size of each kernel's own, up to 1024" env STANDIN_GPU=amd "$m" devices
says "an M1 has 32" 0 "^32	32$" "$m" -e "$add print(gpu.device.simd_width, k.simd_width)"
says "a pipeline that takes fewer threads than the device" 0 "^640	1999.0	false.*at most 640" env STANDIN_MAX_THREADS=640 "$m" -e "$add
  b = gpu.buffer(2000) k{b, grid = 2000} b:fill(1998) k{b, grid = 2000} print(k.max_threads, b[1999], pcall(k, {b, grid = 2000, group = 1000}))"
for width in 8 16 64; do
  says "a kernel has the SIMD-groups of its pipeline: $width" 0 "^$width	$((16 * (width - 1) ))$" env STANDIN_WIDTH=$width STANDIN_GPU=amd "$m" -e "$add r = k{gpu.buffer(16), groups = 16, group = 1} print(k.simd_width, r.idle)"
done
says "a sum by narrow SIMD-groups has no more of them than lanes" 0 "^64	true$" env STANDIN_WIDTH=8 STANDIN_GPU=intel "$m" -e "p = require('lua.workload.kernels').workload('sum_simd', {n = 5000}) print(p.steps[1].launch.group[1], p:verify().ok)"
says "and by wide ones as it was" 0 "^256	true$" env STANDIN_WIDTH=64 STANDIN_GPU=amd "$m" -e "p = require('lua.workload.kernels').workload('sum_simd', {n = 5000}) print(p.steps[1].launch.group, p:verify().ok)"
bits='k = gpu.kernel [=[struct S { uint a : 3, b : 5; float c; }; kernel void f(constant S &s, device float *o) { o[0] = s.b + s.c; }]=]'
says "a table with bit-fields is refused" 0 "^false	.*field 'a': .*bit-field" "$m" -e "$bits print(pcall(k, {{a = 2, b = 3, c = 1}, gpu.buffer(1), grid = 1}))"
says "also where Metal calls them numbers" 0 "^false	.*field '[ab]': .*bit-field" env STANDIN_BITS=1 "$m" -e "$bits print(pcall(k, {{a = 2, b = 3, c = 1}, gpu.buffer(1), grid = 1}))"
lanes='kernel void lanes(device float *a, uint i [[thread_position_in_grid]]) { a[i] = metal::simd_sum(a[i]); }'
says "who counts on 32 is told, once" 0 "^note: SIMD-groups of lanes have 8 threads on this GPU.*	nil	nil$" "$m" -e "w = require('lua.reference.apple_target').width_here print(w([=[$lanes]=], 'lanes', 8), w([=[$lanes]=], 'lanes', 8), (w([=[$lanes]=], 'others', 32)))"
says "no matrices on AMD's GPUs, with the reason" 1 "cannot run here: .*it uses SIMD-group matrices, which Macs have from the M1 on" env STANDIN_GPU=amd "$m" -e "gpu.kernel [=[#include <metal_stdlib>
  using namespace metal;
  kernel void f(device float *a) { simdgroup_float8x8 m; simdgroup_load(m, a, 8); simdgroup_store(m, a, 8); }]=]"
# Two copies of each buffer: what either side writes, the other sees.
managed='k = gpu.kernel [=[kernel void k(device float *a [[buffer(0)]], device const float *b [[buffer(1)]], uint i [[thread_position_in_grid]]) { a[i] += b[i]; }]=]
  a, b = gpu.buffer(64), gpu.buffer(64)'
says "AMD: new buffers are zeros on both sides" 0 "^0.0	0.0$" env STANDIN_GPU=amd "$m" -e "$managed print(a:sum(), (k{a, b, grid = 64} and a:sum()))"
says "AMD: what the GPU wrote is read, and what the CPU writes in between is kept" 0 "^64.0	164.0	228.0	100.0$" env STANDIN_GPU=amd "$m" -e "$managed
  b:fill(1) k{a, b, grid = 64} s = a:sum() a[3] = a[3] + 100 t = a:sum() k{a, b, grid = 64} print(s, t, a:sum(), a[3] - a[4])"
says "AMD: two places that the CPU writes, and one that the GPU wrote between" 0 "^7.0	1.0	9.0$" env STANDIN_GPU=amd "$m" -e "$managed
  b:fill(1) k{a, b, grid = 64} a[0] = 6 a[63] = 8 k{a, b, grid = 32} c = gpu.buffer(64) c[63] = 1 k{a, c, grid = 64} print(a[0], a[40], a[63])"
says "AMD: a buffer that is written all over need not come back first" 0 "^128.0$" env STANDIN_GPU=amd "$m" -e "$managed b:fill(1) k{a, b, grid = 64} a:fill(1) k{a, b, grid = 64} print(a:sum())"
says "AMD: within one command buffer, and after a launch that failed" 0 "^3.0	false	4.0$" env STANDIN_GPU=amd "$m" -e "$managed b:fill(1)
  gpu.commands(function() k{a, b, grid = 64} k{a, b, grid = 64} k{a, b, grid = 64} end) x = a[9]
  wild = gpu.kernel [=[kernel void wild(device float *a [[buffer(0)]], constant uint &n, uint i [[thread_position_in_grid]]) { a[i * n] = 1; }]=]
  ok = pcall(wild, {b, 0x3fffffff, grid = 8}) b:fill(1) k{a, b, grid = 64} print(x, ok, a[9])"
says "its memory is said to be its own" 0 "of its own memory" env STANDIN_GPU=amd "$m" devices

says "a capture needs --capture" 1 "start Mettle as mettle --capture" "$m" -e "$add gpu.capture('x.gputrace', function() k{a, grid = 8} end)"
says "a capture holds the launches inside it" 0 "^1	8" "$m" --capture -e "$add k{a, grid = 8} print(gpu.capture('a.gputrace', function() k{a, grid = 8} k{a, grid = 8} return 1 end), 8)"
if [ "$(cat a.gputrace 2>/dev/null)" = "2 command buffers" ]; then result ok "two of three launches were captured"; else result "not ok" "two of three launches were captured: $(cat a.gputrace)"; fi
says "a launch has its kernel's name as label" 0 "^label of MTLComputeCommandEncoder: add$" env STANDIN_COUNTS=1 "$m" -e "$add k{a, grid = 8}"
says "each launch of gpu.commands has an encoder" 0 "^label of MTLComputeCommandEncoder: add, launch 3 of 4$" env STANDIN_COUNTS=1 "$m" -e "$add gpu.commands(function() for i = 1, 4 do k{a, grid = 8} end end)"
says "those of a concurrent one share it" 0 "^label of MTLComputeCommandEncoder: add, add, add and 1 more$" env STANDIN_COUNTS=1 "$m" -e "$add gpu.commands({function() for i = 1, 4 do k{a, grid = 8} end end, concurrent = true})"
slow='slow = gpu.kernel [=[kernel void slow(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) { float s = a[i]; for (int n = 0; n < 30000000; n++) s = s * 0.999f + 1; a[i] = s; }]=]
  function told(r) for i = 1, #r do local one = r[i] io.write(one.time and one.time > 0 and one.start + one.time <= r.time * 1.3 and (i == 1 or one.start >= r[i - 1].start + r[i - 1].time) and "timed " or "not ") end
    print(r[2].time and r[2].time > 20 * r[1].time and r[2].time > 0.5 * r.time and "most" or "") end'
says "and is timed by the GPU's clock" 0 "^timed timed timed most$" "$m" -e "$add $slow
  told(gpu.commands(function() k{a, grid = 8} slow{a, grid = 1} k{a, grid = 8} end))"
says "so is a launch between barriers of a concurrent one" 0 "^timed timed not not most$" "$m" -e "$add $slow
  b = gpu.buffer(8) r = gpu.commands({function() k{a, grid = 8} gpu.barrier() slow{a, grid = 1} gpu.barrier() k{a, grid = 8} k{b, grid = 8} end, concurrent = true}) told(r) assert(tostring(r):find 'share an encoder')"
says "a GPU that does not sample times the whole" 0 "^not not not $" env STANDIN_GPU=intel "$m" -e "$add $slow
  r = gpu.commands(function() k{a, grid = 8} slow{a, grid = 1} k{a, grid = 8} end) told(r) assert(r.time > 0)"
says "a capture sees them as one" 0 "^1.0$" "$m" --capture -e "$add gpu.capture('s.gputrace', function() gpu.commands(function() k{a, grid = 4} k{a:view(4, 4), grid = 4} end) end) print(a[7])"
if [ "$(cat s.gputrace 2>/dev/null)" = "1 command buffers" ]; then result ok "two launches in one command buffer"; else result "not ok" "two launches in one command buffer: $(cat s.gputrace)"; fi
says "a concurrent encoder without a barrier promises no order" 0 "^9.0	10.0$" "$m" -e "$add
  set = gpu.kernel [=[kernel void set(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) { a[i] = 9; }]=]
  gpu.commands({function() set{a, grid = 8} k{a, grid = 8} end, concurrent = true}) first = a[0]
  gpu.commands({function() set{a, grid = 8} gpu.barrier() k{a, grid = 8} end, concurrent = true}) print(first, a[0])"
says "buffers are labelled by number" 0 "^label of MTLBuffer: buffer 3$" env STANDIN_COUNTS=1 "$m" -e "for i = 1, 3 do a = gpu.buffer(8) end"
says "a kernel's name may have any letters of C" 0 "^label of MTLComputeCommandEncoder: n::f_1$" env STANDIN_COUNTS=1 "$m" -e "gpu.kernel('namespace n { kernel void f_1() {} }', 'n::f_1'){grid = 1}"
says "a capture does not replace a file" 1 "is there already" "$m" --capture -e "gpu.capture('a.gputrace', print)"
says "a capture's name" 1 "ends in .gputrace" "$m" --capture -e "gpu.capture('a.txt', print)"
says "one capture at a time" 1 "one at a time" "$m" --capture -e "gpu.capture('b.gputrace', function() gpu.capture('c.gputrace', print) end)"
says "an error inside ends the capture" 0 "oops	true" "$m" --capture \
  -e "print(pcall(gpu.capture, 'd.gputrace', function() error 'oops' end), pcall(gpu.capture, 'e.gputrace', function() end))
  print(select(2, pcall(gpu.capture, 'f.gputrace', function() error 'oops' end)), io.open 'f.gputrace' ~= nil)"
says "the host device has no captures" 1 "profile" "$m" --capture -e "gpu.use 'host' gpu.capture('g.gputrace', print)"

logging='library = gpu.library [=[#include <metal_stdlib>
#include <metal_logging>
using namespace metal;
struct Diary { void note(uint i) const { os_log_default.log_info("%u", i); } };
#define NOTE(i) Diary().note(i)
static void tell(uint i) { NOTE(i); }
namespace far { template <typename T> void told(T i) { tell(i); } }
// os_log is no reason, nor is "os_log" in a text
kernel void silent(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) { a[i] = 1; }
kernel void talk(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) { a[i] = 2; far::told(i); }]=]
talk, silent, a = library:kernel "talk", library:kernel "silent", gpu.buffer(8)
'
says "what a kernel logs is shown" 0 "^kernel: 1$" "$m" -e "$logging talk{a, grid = 2}"
says "a kernel that does not log is silent" 0 "^quiet$" "$m" -e "$add k{a, grid = 8} print 'quiet'"
says "a kernel that cannot log costs no log state, though its neighbour does" 0 "^log states: 0$" env STANDIN_COUNTS=1 "$m" -e "$logging for i = 1, 5 do silent{a, grid = 8} end"
says "one that can has one for each launch" 0 "^log states: 2$" env STANDIN_COUNTS=1 "$m" -e "$logging silent{a, grid = 8} talk{a, grid = 8} talk{a, grid = 8}"
# in_order WHAT LINES MILLISECONDS CHUNK: the launches' lines, and prints
# between them, are these
in_order() {
  local said
  said=$(STANDIN_LATE_LOGS=$3 "$LIMIT" 120 "$m" -e "$4" 2>&1 </dev/null |
    tr '\n' ';')
  if [ "$said" = "$2" ]; then
    result ok "$1"
  else
    result "not ok" "$1: $said"
  fi
}
in_order "lines that come late are shown with their own launch" "kernel: 0;first;kernel: 0;kernel: 1;second;" 100 \
  "$logging talk{a, grid = 1} io.stderr:write 'first\n' talk{a, grid = 2} io.stderr:write 'second\n'"
in_order "lines that come too late are shown, and whose they are" "kernel: (talk, launched earlier) 0;done;" 1400 \
  "$logging silent{a, grid = 1} talk{a, grid = 1} require('mettle.system').sleep(4) silent{a, grid = 1} io.stderr:write 'done\n'"
says "compare has a row by the GPU's clock and one with the launch, and sweep takes that clock" 0 "^2	true	true	true	metal$" "$m" -e "dofile '$here/tests/quick.lua'
  k = gpu.kernel [=[kernel void add(device const float *a, device const float *b, device float *c, uint i [[thread_position_in_grid]]) { c[i] = a[i] + b[i]; }]=]
  n = 5000 a, b, c = gpu.buffer(n):random(1), gpu.buffer(n):random(2), gpu.buffer(n)
  r = compare{k, a, b, c, grid = n, cpu = cpu.add, budget = 0.01}
  s = sweep{k, a, b, c, grid = n, group_sizes = {32, 64}, cpu = cpu.add, budget = 0.01}
  print(#r.rows - #cpu.add.ways, r.ok, tostring(r):find 'metal, GPU time' ~= nil, tostring(r):find 'metal, launched' ~= nil, s.device)"
# Measuring launches many times, as fast as it can; no line of any is lost or
# another's.
measured=$(STANDIN_LATE_LOGS=3 STANDIN_COUNTS=1 "$LIMIT" 120 "$m" -e "$logging
  compare{talk, a, grid = 1, cpu = function(a) a:fill(2) end, budget = 0.05} sweep{talk, a, grid = 1, group_sizes = {1, 2}, budget = 0.05}" 2>&1 </dev/null)
shown=$(grep -c '^kernel: 0$' <<<"$measured")
if [ "$shown" -gt 20 ] && grep -q "^log lines: $shown$" <<<"$measured" && ! grep -q PROBLEM <<<"$measured"; then result ok "late lines within compare and sweep: $shown, each with its launch"
else result "not ok" "late lines within compare and sweep"; echo "$measured" | tail -5 | sed 's/^/# /'; fi

hang='Caused GPU Hang Error (00000003:kIOGPUCommandBufferCallbackErrorHang)'
says "a GPU error says what it means" 1 "add: it ran too long and the GPU was reset.*ErrorHang" env STANDIN_GPU_ERROR="$hang" "$m" -e "$add k{a, grid = 8}"
says "an error without a name goes by its number" 1 "outside its buffers.*--validate" env STANDIN_GPU_ERROR="something" "$m" -e "$add k{a, grid = 8}"
says "after an error there is a new queue" 0 "^false.*1.0" "$m" -e "$add
  wild = gpu.kernel [=[kernel void wild(device float *a [[buffer(0)]], constant uint &n, uint i [[thread_position_in_grid]]) { a[i * n] = 1; }]=]
  ok = pcall(wild, {a, 0x3fffffff, grid = 8}) k{a, grid = 8} print(ok, a[1])"
wild='wild = gpu.kernel [=[kernel void wild(device float *a [[buffer(0)]], constant uint &n, uint i [[thread_position_in_grid]]) { a[i * n] = 1; }]=]'
says "an error names the launch" 0 "launch 2 of 3: wild: it touched memory outside" "$m" -e "$add $wild
  print(select(2, pcall(gpu.commands, function() k{a, grid = 8} wild{a, 0x3fffffff, grid = 8} k{a, grid = 8} end)))"
says "of a concurrent command buffer too, where barriers part it" 0 "launch 2 of 3: wild: it touched" "$m" -e "$add $wild
  print(select(2, pcall(gpu.commands, {function() k{a, grid = 8} gpu.barrier() wild{a, 0x3fffffff, grid = 8} gpu.barrier() k{a, grid = 8} end, concurrent = true})))"
says "or those that share an encoder" 0 "^wild, add, launches 2 to 3 of 4: it touched" "$m" -e "$add $wild
  print(select(2, pcall(gpu.commands, {function() k{a, grid = 8} gpu.barrier() wild{a, 0x3fffffff, grid = 8} k{a, grid = 8} gpu.barrier() k{a, grid = 8} end, concurrent = true})))"
says "and all kernels where the GPU does not tell" 0 "^add, add: it ran too long" env STANDIN_GPU_ERROR="$hang" "$m" -e "$add
  print(select(2, pcall(gpu.commands, function() k{a, grid = 8} k{a, grid = 8} end)))"
echo "1..$count"
