#!/bin/bash
# The Python package over libmettle: tests/python/suite.py in the tree and, with
# METTLE_TESTS=all, installed by pip from the tree into a folder of its own.
#
# Guards: python/mettle on NumPy's arrays (tests/python/suite.py): in place,
# views, mistakes, reports, Ctrl-C, threads, forks; with METTLE_TESTS=all as pip
# installs it (python/mettle_build.py). Skipped without NumPy
set -u
cd "$(dirname "$0")/../.." || exit 1
build=${build:-build}
# shellcheck source=tests/needs.sh
. tests/needs.sh; needs_llvm "the Python package"
skip() { echo "ok 1 - the Python package # SKIP $1"; echo "1..1"; exit 0; }
case $build in *tsan) skip "the thread sanitizer wants all of Python, too" ;; esac
suffix=so
if [ "$(uname -s)" = Darwin ]; then # its cases are the host device's
  suffix=dylib
  export METTLE_DEVICE=host
fi
for python in python3 /usr/bin/python3 none; do
  "$python" -c 'import numpy' 2>/dev/null && break
done
[ "$python" != none ] || skip "there is no Python with NumPy"
unset METTLE_DATA # it finds its own
export PYTHONDONTWRITEBYTECODE=1

if [ "${METTLE_TESTS:-}" = all ]; then
  work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
  "$python" -m pip install --quiet --no-deps --no-index --target \
    "$work/site" . >"$work/said" 2>&1 || {
    echo "not ok 1 - pip install ."; sed 's/^/# /' "$work/said"; echo "1..1"; exit 1; }
  cp tests/python/suite.py "$work/" # not beside the tree's package
  export METTLE_CASES=$PWD/tests/bindings/cases.txt
  (cd "$work" && PYTHONPATH=$work/site "$python" suite.py)
  exit
fi
export PYTHONPATH=$PWD/python METTLE_LIBRARY=$PWD/$build/libmettle.$suffix
[ "$build" != build ] || exec "$python" tests/python/suite.py

# The sanitizers come before Python, which keeps much to its end; what it starts
# has limits that are too small for them.
LD_PRELOAD=$(${CC:-cc} -print-file-name=libasan.so)
LD_PRELOAD=$LD_PRELOAD:$(${CC:-cc} -print-file-name=libubsan.so)
export ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 LD_PRELOAD
exec "$python" -c 'import os, runpy
os.environ["SANITIZERS"] = os.environ.pop("LD_PRELOAD")
runpy.run_path("tests/python/suite.py", run_name="__main__")'
