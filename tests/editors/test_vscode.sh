#!/bin/bash
# test_vscode.sh - the extension for VS Code, run by Node with what it asks of
# VS Code played, and the real program: errors and findings at their lines.
#
# Guards: the extension for VS Code under Node: errors, findings of launches in
# comments, what is said of mistakes
set -u
# shellcheck source=tests/needs.sh
. tests/needs.sh; needs_llvm "the extension for VS Code"
if ! command -v node >/dev/null 2>&1; then
  echo "ok 1 - the extension for VS Code # SKIP there is no Node"; echo "1..1"; exit
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
METTLE=${METTLE:-$PWD/build/mettle} node tests/editors/try_extension.js "$work"
