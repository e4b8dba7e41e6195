#!/bin/bash
# test_mac_report.sh - scripts/mac-report writes its file whatever happens: a
# build that fails, a program that hangs, crashes or says too much. The Mac is
# played: its tools, make and the program are small scripts.
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
cp "$here/scripts/mac-report" "$work/jane/tree/scripts/"
mkdir -p "$work/jane/tree/demos"; cp -R "$here/demos/live" "$work/jane/tree/demos/"
tool() { { echo "#!/bin/sh"; cat; } >"$1"; chmod +x "$1"; }
tool "$work/bin/sw_vers" <<<'echo "ProductVersion: 15.5"'
tool "$work/bin/system_profiler" <<<'exit 3'
tool "$work/bin/brew" <<<"[ \"\$1\" != --prefix ] || echo $work/brew"
tool "$work/bin/hostname" <<<'echo janes-mac'
tool "$work/jane/tree/scripts/deps" <<<'echo "deps, LLVM=${LLVM:-any}"'
# the program: the doctor says too much, the endless kernel hangs, the first one
# crashes
tool "$work/program" <<S
ends=600.0$$
S
cat >>"$work/program" <<'S'
case "$*" in
  "doctor --report "*) echo "900 of 901 right" >"$3" ;;
  doctor) i=0; while [ $i -lt 900 ]; do echo "line $i of jane at $HOME on janes-mac"; i=$((i + 1)); done ;;
  *spin*) sleep "$ends" ;;
  *random*) kill -SEGV $$ ;;
  *play*) echo "$*" ;;
  *devices*) echo "ran: device '${METTLE_DEVICE:-}'" ;;
  *) echo "ran: $1" ;;
esac
S
# report NAME=VALUE…: what is said goes to $work/said, the file is
# $work/report.txt
report() {
  rm -f "$work/report.txt" "$work/report.txt.gz"
  env "$@" PATH="$work/bin:$PATH" HOME="$work/jane" USER=jane STEP_LIMIT=3 \
    TMPDIR="$work" \
    bash "$work/jane/tree/scripts/mac-report" "$work/report.txt" >"$work/said" 2>&1 </dev/null
}
has() { grep -q -- "$1" "$work/report.txt"; }

tool "$work/bin/make" <<<'echo "clang: error: no such file"; exit 2'
report QUICK=1; [ -s "$work/report.txt" ] && [ -s "$work/report.txt.gz" ]; ok "a file, plain and packed, though nothing builds" $?
has "=== build without LLVM: failed, status 2" && has "clang: error: no such file"; ok "with what the build said" $?
has "ProductVersion: 15.5" && has "=== GPU: failed, status 3"; ok "the system, and a tool that failed" $?
! has "=== doctor" && has "=== LLVM: Homebrew has none"; ok "and nothing that needs a build" $?

tool "$work/bin/make" <<<"mkdir -p build; cp '$work/program' build/mettle; echo made"
report QUICK=1; has "=== build without LLVM: ok"; ok "a build" $?
has "deps, LLVM=none"; ok "without LLVM" $?
has "=== a kernel that never ends is left: did not end in 3 s"; ok "what hangs is left" $?
has "=== a first kernel: failed, status 139"; ok "a crash is told" $?
has "=== all kernels with known answers: ok" && has "900 of 901 right"; ok "and what comes after it is tried" $?
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
has "=== a kernel that never ends is left: stopped by Ctrl-C" && [ -s "$work/report.txt.gz" ] && ! has "=== all kernels"; ok "Ctrl-C writes what there is so far" $?
has "ran: device ''"; ok "the GPU is tried, whatever METTLE_DEVICE says" $?

tool "$work/brew/opt/llvm/bin/llvm-config" <<<'echo 22'
report QUICK=1; has "=== build with LLVM: ok" && has "=== doctor, with the host device: ok"; ok "with LLVM where Homebrew's is there" $?
report QUICK=; has "=== the lessons: failed" && has "=== textures: ok" && has "=== make test: ok"; ok "the suites, each for itself" $?
echo "1..$number"
