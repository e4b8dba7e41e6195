#!/bin/bash
# test_site.sh - the site (site/make.lua): every link leads somewhere, no page
# asks another machine for anything, none is wider than a telephone, and the
# search finds things. In a browser without a window.
#
# Guards: `make site`: every link and place, nothing asked of another machine,
# no page wider than a telephone (all pages in one frame of Chromium), the
# search
set -u
# shellcheck source=tests/needs.sh
. tests/needs.sh; needs_llvm "the site"
needs_browser "the site"
# shellcheck source=tests/visits.sh
. tests/visits.sh
number=0
ok() { # what status
  number=$((number + 1))
  if [ "$2" = 0 ]; then echo "ok $number - $1"; else
    echo "not ok $number - $1"; tail -n 20 "$work/out" | cut -c 1-300 |
      sed 's/^/# /'; fi
}
if ! command -v cmark-gfm >/dev/null 2>&1; then
  echo "ok 1 - the site # SKIP there is no cmark-gfm"; echo "1..1"; exit
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mettle=${METTLE:-build/mettle}
site=$work/site

"$mettle" site/make.lua "$site" --still >"$work/out" 2>&1
ok "the site is made" $?
[ -s "$site/index.html" ] && [ -s "$site/pictures/add.svg" ]; ok "with pages and pictures" $?
"$mettle" tests/site/links.lua "$site" >"$work/out" 2>&1; ok "every link leads somewhere; nothing is asked of others" $?
[ "$(sed -n 's/ links,.*//p' "$work/out")" -gt 1000 ]; ok "and there are many" $?
for name in lessons/*-*/; do
  name=$(basename "$name"); [ -s "$site/course/$name.html" ] || echo "$name"
done >"$work/out"
[ ! -s "$work/out" ]; ok "each lesson has a page" $?

mkdir "$work/bad"
cp "$site"/*.html "$site"/*.css "$work/bad"
# shellcheck disable=SC2016  # HTML
echo '<a href="nowhere.html">x</a><img src="https://example.org/x.png"><a href="#no-such">y</a><a href="lesson:grid">z</a>' >"$work/bad/one.html"
! "$mettle" tests/site/links.lua "$work/bad" >"$work/out" 2>&1 && grep -q "nowhere.html is not there" "$work/out" &&
  grep -q "asks for https" "$work/out" && grep -q "no place #no-such" "$work/out" && grep -q "lesson:grid leads nowhere" "$work/out"
ok "those that do not are seen" $?

"$mettle" tests/site/widths.lua "$site" >"$work/widths.html"
visit "no page is wider than a telephone or a desk" widths.html \
  '~data-pages="1*[0-9][0-9]"' '<pre id="wide"></pre>'
visit "the search finds a word" "site/docs/glossary.html#?barrier" \
  '~data-found="[1-9]' 'href="../docs/glossary.html#barrier'
visit "or says that there is none" "site/index.html#?barrier%20zebra" \
  'data-found="0"' "Nothing has all these words"
n=$number
visits "$work"
number=$n

# Enter leaves the page, which a frame would not keep.
{ cat "$site/index.html"; cat <<'HTML'
<script>
addEventListener("load", () => {
  const input = document.querySelector("input[type=search]");
  input.value = "barrier";
  input.dispatchEvent(new Event("input"));
  input.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", bubbles: true}));
});
</script>
HTML
} >"$site/enter.html"
"$browser" --headless --no-sandbox --disable-gpu \
  --disable-background-networking --user-data-dir="$work/user" \
  --virtual-time-budget=20000 --dump-dom "file://$site/enter.html" \
  2>"$work/err" >"$work/out"
grep -q '<h3 id="barrier"' "$work/out"; ok "Enter goes to the first" $?
echo "1..$number"
