#!/bin/bash
# test_sass.sh - k:asm() on the cuda device ends with the GPU's own
# instructions, where a disassembler is found, and says what is missing where
# none is. On the stand-in for NVIDIA's driver, with a stand-in for nvdisasm.
#
# Guards: devices/cuda/sass.c: the GPU's own instructions after the PTX, where a
# disassembler is found
METTLE_CUDA_DRIVER=$(dirname "$METTLE")/tests/cuda/libcuda.so.1
if [ ! -f "$METTLE_CUDA_DRIVER" ] ||
  [ ! -f "$(dirname "$METTLE")/host.so" ]; then
  echo "ok 1 - SASS # SKIP no stand-in for NVIDIA's driver, or no LLVM"
  echo "1..1"
  exit 0
fi
export METTLE_CUDA_DRIVER METTLE_DEVICE=cuda
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/tmp"
cat >"$work/asm.lua" <<'END'
local k = gpu.kernel "kernel void one(device float *x [[buffer(0)]]) { x[0] = 1; }"
print(k:asm())
END
number=0
# says WORDS TITLE: the listing has the PTX and these words
says() {
  number=$((number + 1))
  if TMPDIR=$work/tmp CUDA_HOME=$work/none "$METTLE" "$work/asm.lua" \
    >"$work/out" 2>&1 &&
    grep -q '^\.version' "$work/out" && grep -q "registers of a thread" "$work/out" && grep -qF -- "$1" "$work/out" &&
    [ -z "$(ls "$work/tmp")" ]; then
    echo "ok $number - $2"
  else
    echo "not ok $number - $2"
    tail -5 "$work/out" | sed 's/^/# /'
  fi
}
if [ ! -x /usr/local/cuda/bin/nvdisasm ] &&
  ! command -v nvdisasm >/dev/null; then
  says "nvdisasm of NVIDIA's CUDA toolkit is not on the PATH" "without a disassembler: PTX alone, and what is missing"
fi
cat >"$work/bin/nvdisasm" <<'END'
#!/bin/sh
[ "$1" = -c ] && head -c 4 "$2" | grep -q ELF || exit 1
grep -q mettle_kernel "$2" && echo "        /*0000*/   MOV R1, c[0x0][0x28] ;"
END
chmod +x "$work/bin/nvdisasm"
PATH=$work/bin:$PATH
says "/*0000*/   MOV R1, c[0x0][0x28] ;" "with one: its instructions after the PTX"
printf '#!/bin/sh\necho "cannot read it" >&2\nexit 3\n' >"$work/bin/nvdisasm"
says "// no SASS: $work/bin/nvdisasm ended with status 3: cannot read it" "one that fails: PTX, and why"
echo "1..$number"
