#!/bin/bash
# test_mac_report.sh - scripts/mac-report writes its file whatever happens: a
# build that fails, a program that hangs, crashes or says too much, a signal in
# the middle. The Mac is played: its tools, make and the program are small
# scripts; metal/test_mac_report.sh has the program itself.
#
# Guards: scripts/mac-report: the file is written whatever fails, hangs, crashes
# or is killed, without names; scripts/crash.awk
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
number=0
ok() {
  number=$((number + 1))
  if [ "$2" = 0 ]; then
    echo "ok $number - $1"
  else
    echo "not ok $number - $1"; sed 's/^/# /' "$work/said" | head -n 20
  fi
}
if ! command -v perl >/dev/null; then echo "ok 1 - the report of a Mac # SKIP perl is not installed"; echo "1..1"; exit 0; fi

mkdir -p "$work/bin" "$work/jane/tree/scripts" "$work/brew/opt/llvm/bin"
cp "$here/scripts/mac-report" "$here/scripts/crash.awk" \
  "$work/jane/tree/scripts/"
crashes=$work/jane/Library/Logs/DiagnosticReports
mkdir -p "$crashes"
mkdir -p "$work/jane/tree/demos"; cp -R "$here/demos/live" "$work/jane/tree/demos/"
tool() { { echo "#!/bin/sh"; cat; } >"$1"; chmod +x "$1"; }
tool "$work/bin/sw_vers" <<<'echo "ProductVersion: 15.5"'
tool "$work/bin/system_profiler" <<<'exit 3'
tool "$work/bin/brew" <<<"[ \"\$1\" != --prefix ] || echo $work/brew"
tool "$work/bin/hostname" <<<'echo janes-mac'
tool "$work/bin/scutil" <<<'[ "$2" != ComputerName ] || printf "J. Doe\342\200\231s Mac"'
tool "$work/bin/id" <<<'echo "Jay Doe"'
tool "$work/bin/otool" <<<'echo "libs of $2, /usr/lib/libSystem.B.dylib"'
tool "$work/bin/vtool" <<<'echo "minos 13.0"'
tool "$work/bin/xcrun" <<<'echo "sdk 26.1"'
# a Mac's sed stops at what is no UTF-8, unless it is told to look at bytes
real=$(command -v sed)
tool "$work/bin/sed" <<S
[ "\${LC_ALL:-}" != C ] || exec $real "\$@"
for last; do :; done
[ -f "\$last" ] || { cat >$work/bytes.\$\$; last=$work/bytes.\$\$; }
iconv -f UTF-8 <"\$last" >/dev/null 2>&1 ||
  { echo "sed: RE error: illegal byte sequence" >&2; exit 1; }
exec $real "\$@" <"\$last"
S
# a crash report as macOS writes them, of a thread that is not the first
cat >"$work/crash.ips" <<'S'
{"app_name":"mettle","timestamp":"2026-11-18 14:00:00.00 +0000","app_version":"","slice_uuid":"4a9b1e5c-97b2-4d19-97f2-7bd6404c470a","os_version":"macOS 26.1 (25B78)","incident_id":"A72B817D-8250-42A1-AC3B-9566A69D2F90","name":"mettle"}
{
  "uptime" : 12000,
  "userID" : 501,
  "modelCode" : "Mac16,10",
  "procPath" : "\/Users\/USER\/secret\/mettle",
  "coalitionName" : "com.apple.Terminal",
  "crashReporterKey" : "C28F189C-26A5-9231-FF60-5D500339B5DA",
  "exception" : {"codes":"0x0000000000000000, 0x0000000000000000","rawCodes":[0,0],"type":"EXC_CRASH","signal":"SIGABRT"},
  "asi" : {"libsystem_c.dylib":["abort() called in \/Users\/jane\/x"]},
  "faultingThread" : 1,
  "threads" : [{"id":25654,"queue":"com.apple.main-thread","frames":[{"imageOffset":6458,"symbol":"mach_msg_trap","symbolLocation":10,"imageIndex":0}]},{"triggered":true,"id":25655,"threadState":{"x":[{"value":0,"symbolLocation":0,"symbol":"errno"}]},"queue":"com.Metal.CompletionQueueDispatch","frames":[{"imageOffset":37768,"symbol":"__pthread_kill","symbolLocation":8,"imageIndex":0},{"imageOffset":412,"symbol":"-[MTLDebugCommandBuffer commit]","symbolLocation":1276,"imageIndex":1},{"imageOffset":524957,"imageIndex":2}]},{"id":25656,"frames":[{"imageOffset":1,"symbol":"not_this_one","symbolLocation":8,"imageIndex":0}]}],
  "usedImages" : [
  {
    "source" : "P",
    "arch" : "arm64e",
    "path" : "\/usr\/lib\/system\/libsystem_kernel.dylib",
    "name" : "libsystem_kernel.dylib"
  },
  {
    "source" : "P",
    "name" : "MetalTools"
  },
  {
    "source" : "P",
    "path" : "\/Users\/USER\/*\/mettle",
    "name" : "mettle"
  }
],
  "sharedCache" : {
  "uuid" : "164B9CFB-00A7-4661-BA44-F0AC84A62FB5"
}
}
S
cp "$work/crash.ips" "$crashes/mettle-old.ips"
touch -t 202001010000 "$crashes/mettle-old.ips"
tool "$work/jane/tree/scripts/deps" <<<'echo "deps, LLVM=${LLVM:-any}"'
# the program: the doctor says too much, the endless kernel hangs, the first one
# crashes
tool "$work/program" <<S
ends=600.0$$ crashes=$crashes ips=$work/crash.ips
S
cat >>"$work/program" <<'S'
case "$*" in
  "doctor --report "*)
    echo "$METTLE_REPORT_EVERY: 900 of 901 right" >"$3"
    [ -z "${STAYS:-}" ] || sleep "$ends" ;;
  doctor) i=0; while [ $i -lt 900 ]; do echo "line $i of jane at $HOME on janes-mac"; i=$((i + 1)); done ;;
  *spin*) sleep "$ends" ;;
  *random*) printf 'cut \342\202, jane\n'; cp "$ips" "$crashes/mettle-new.ips"; kill -SEGV $$ ;;
  *play*) echo "$*" ;;
  *devices*) printf 'on J. Doe\342\200\231s Mac of Jay Doe\n'; echo "ran: device '${METTLE_DEVICE:-}'"
    echo "mettle: ...e/Old Plans/mettle/lua/x.lua:12: no" ;;
  *) echo "ran: $1" ;;
esac
S
# report NAME=VALUE…: what is said goes to $work/said, the file is
# $work/report.txt
report() {
  rm -f "$work/report.txt" "$work/report.txt.gz"
  env "$@" PATH="$work/bin:$PATH" HOME="$work/jane" USER=jane STEP_LIMIT=2 \
    TMPDIR="$work" CRASH_WAIT=0 LC_ALL=C.UTF-8 \
    bash "$work/jane/tree/scripts/mac-report" "$work/report.txt" >"$work/said" 2>&1 </dev/null
}
has() { grep -q -- "$1" "$work/report.txt"; }

tool "$work/bin/make" <<<'echo "clang: error: no such file"; exit 2'
report QUICK=; [ -s "$work/report.txt" ] && [ -s "$work/report.txt.gz" ]; ok "a file, plain and packed, though nothing builds" $?
has "=== build without LLVM: failed, status 2" && has "clang: error: no such file"; ok "with what the build said" $?
has "ProductVersion: 15.5" && has "=== GPU: failed, status 3"; ok "the system, and a tool that failed" $?
! has "=== doctor" && has "=== LLVM: Homebrew has none"; ok "and nothing that needs a build" $?

tool "$work/bin/make" <<<"mkdir -p build; cp '$work/program' build/mettle; echo made"
report QUICK=1; has "=== build without LLVM: ok"; ok "a build" $?
has "deps, LLVM=none"; ok "without LLVM" $?
has "=== a kernel that never ends is left: did not end in 2 s"; ok "what hangs is left" $?
has "=== a first kernel: failed, status 139"; ok "a crash is told" $?
has "=== every twelfth kernel with known answers: ok" && has "12: 900 of 901 right"; ok "and what comes after it is tried" $?
[ ! -e "$work/report.txt.kernels" ]; ok "its file is part of the report" $?
has "^libs of build/mettle" && has "minos 13.0" && has "sdk 26.1"; ok "what it links, for which system and of which SDK" $?
last=$(grep '^=== ' "$work/report.txt" | tail -n 2 | head -n 1)
[[ $last == "=== a kernel that never ends"* ]]; ok "the endless kernel is the last" $?
has "^--- mettle-new.ips" && ! has "mettle-old.ips"; ok "crash reports, the new ones" $?
has '"signal":"SIGABRT"' && has "abort() called" && has "thread  com.Metal.CompletionQueueDispatch" &&
  has "0  libsystem_kernel.dylib + 37768  __pthread_kill + 8" && has "1  MetalTools + 412  -.MTLDebugCommandBuffer commit. + 1276" &&
  has "2  mettle + 524957$" && ! has not_this_one && ! has mach_msg; ok "with the frames of the thread that failed" $?
! grep -qE 'C28F189C|com.apple.Terminal|secret|"userID"|A72B' "$work/report.txt"; ok "and nothing else of them" $?
! grep -q "Doe" "$work/report.txt"; ok "no name of who has the Mac" $?
has "mettle: …/x.lua:12: no"; ok "nor a folder in a path that Lua has cut" $?
LC_ALL=C grep -q "$(printf 'cut \342\202, …')" "$work/report.txt"; ok "what is no UTF-8 does not end it" $?
has "=== live examples: ok" && for f in "$here"/demos/live/*.metal; do has "\"$(basename "$f" .metal)\"," || break; done; ok "every live example" $?
has "… 500 lines left out …" && has "line 899" && [ "$(grep -c '^line ' "$work/report.txt")" = 400 ]; ok "of too much the first and the last lines" $?
! grep -q "jane" "$work/report.txt"; ok "no name of a person, a computer or a home folder" $?
! has "=== the library"; ok "QUICK leaves the suites out" $?
gzip -dc "$work/report.txt.gz" | cmp -s - "$work/report.txt"; ok "the packed one is the same" $?
for _ in $(seq 600); do
  pgrep -f "^sleep 600[.]0$$\$" >/dev/null || break; sleep 0.1
done
! pgrep -f "^sleep 600[.]0$$\$" >/dev/null; ok "nothing goes on" $?

# Ctrl-C, which goes to all of the terminal's processes, while the endless
# kernel runs
rm -f "$work/report.txt" "$work/report.txt.gz"
env QUICK=1 METTLE_DEVICE=host PATH="$work/bin:$PATH" HOME="$work/jane" \
  USER=jane TMPDIR="$work" \
  perl -e '$SIG{INT} = "DEFAULT"; setpgrp(0, 0); exec @ARGV' \
  bash "$work/jane/tree/scripts/mac-report" "$work/report.txt" >"$work/said" 2>&1 </dev/null & pid=$!
for _ in $(seq 600); do
  ! pgrep -f "^sleep 600[.]0$$\$" >/dev/null || break; sleep 0.1
done
kill -INT -- "-$pid"; wait "$pid"
has "=== a kernel that never ends is left: stopped by Ctrl-C" && [ -s "$work/report.txt.gz" ] && ! has "=== crash reports"; ok "Ctrl-C writes what there is so far" $?
has "ran: device ''"; ok "the GPU is tried, whatever METTLE_DEVICE says" $?

# until WORD is the last step of the report
until_step() {
  for _ in $(seq 600); do
    tail -n 1 "$work/report.txt" 2>/dev/null | grep -q "$1" && break
    sleep 0.1
  done
}
# In the middle: kill, which goes to one process, then kill -9.
start() {
  rm -f "$work"/report.txt*
  env STAYS=1 PATH="$work/bin:$PATH" HOME="$work/jane" USER=jane \
    TMPDIR="$work" CRASH_WAIT=0 bash "$work/jane/tree/scripts/mac-report" \
    "$work/report.txt" >"$work/said" 2>&1 </dev/null & pid=$!
  until_step "=== all kernels with known answers: under way"
  for _ in $(seq 600); do [ ! -s "$work/report.txt.kernels" ] || break; sleep 0.1; done
}
start; kill "$pid"; wait "$pid"
has "=== all kernels with known answers: stopped" && has "900 of 901 right" && [ -s "$work/report.txt.gz" ]; ok "kill writes what there is so far" $?
! pgrep -f "^sleep 600[.]0$$\$" >/dev/null; ok "and nothing goes on" $?
start
child_of() { ps -A -o ppid= -o pid= | awk -v of="$1" '$1 == of { print $2 }'; }
limiter=$(child_of "$pid"); child=$(child_of "$limiter")
kill -KILL "$pid" "$limiter"; kill -KILL -- "-$child"; wait "$pid" 2>/dev/null
has "=== doctor: ok" && has "=== a first kernel: failed, status 139" && has "=== live examples: ok" && [ "$(tail -n 1 "$work/report.txt")" = "=== all kernels with known answers: under way when this was written" ]; ok "kill -9 leaves what there was, and what was under way" $?
grep -q "900 of 901 right" "$work/report.txt.kernels"; ok "and its lines beside it" $?
! grep -q jane "$work/report.txt"; ok "without names" $?

mkdir -p "$work/brew/opt/llvm@21/bin"
tool "$work/brew/opt/llvm@21/bin/llvm-config" <<<'echo 21'
report QUICK=1; ! has "with LLVM"; ok "QUICK builds once" $?
report QUICK=; has "=== build with LLVM: ok" && has "=== doctor, with the host device: ok"; ok "with LLVM where one of Homebrew's is there" $?
has "=== the lessons: failed" && has "=== textures: ok" && has "=== make test: ok"; ok "the suites, each for itself" $?
has "=== a picture: ok" && has "=== a notebook's kernel: ok"; ok "pictures and notebooks" $?

# make test looks for new files of the tree while the report grows in it
for name in txt txt.gz txt.kernels txt.new; do
  git -C "$here" check-ignore -q "mettle-mac-report.$name"
  case $? in 0 | 128) ;; *) echo "git sees mettle-mac-report.$name" ;; esac
done >"$work/said" 2>&1
! grep "git sees" "$work/said"; ok "the report is no stray file of the tree" $?

rm "$work/bin/brew"
if [ -e /opt/homebrew/bin/brew ] || command -v brew >/dev/null; then
  number=$((number + 1)); echo "ok $number - without Homebrew # SKIP it is here"
else
  report QUICK=; has "=== pictures, windows, notebooks: without Homebrew" && ! has "=== a picture" && has "=== a first kernel"
  ok "without Homebrew: what needs it is not tried" $?
fi
echo "1..$number"
