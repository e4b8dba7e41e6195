#!/bin/bash
# visits.sh - read by suites of pages that a browser shows: all visits in one
# start of it, which takes longer than the visits do.
#
#   . tests/needs.sh; needs_browser WHAT; . tests/visits.sh
#   visit WHAT FILE#HASH PATTERN...   a result to come: once its scripts have
#                                     run the page has each of these fixed
#                                     strings, or of these extended regular
#                                     expressions: ~PATTERN
#   visits FOLDER                     starts the browser, says the results, and
#                                     one more: it complained of no page. FOLDER
#                                     is for what it needs; $n counts results,
#                                     $failed is 1 if any is not right
# shellcheck disable=SC2034,SC2154  # n, failed and browser are the suite's
visit_names=() visit_pages=() visit_patterns=()
visit() {
  visit_names+=("$1") visit_pages+=("$2")
  shift 2
  visit_patterns+=("$(printf '%s\n' "$@")")
}

# A page that shows the others, one after the other, in a frame, and keeps what
# becomes of them. Its clock is virtual: it waits for what loads, and skips the
# rest.
visits_page() {
  printf '<!DOCTYPE html><meta charset="utf-8"><script>const pages = [\n'
  printf '"%s",\n' "${visit_pages[@]}"
  cat <<'HTML'
];
let next = 0;
function show() {
  if (next == pages.length) return;
  console.log("visit " + next);
  const frame = document.createElement("iframe");
  frame.width = 1200; frame.height = 900;
  frame.onload = () => setTimeout(() => {
    const text = frame.contentDocument.documentElement.outerHTML, kept = document.createElement("p");
    kept.id = "visit" + next++;
    kept.textContent = btoa(unescape(encodeURIComponent(text)));
    document.body.append(kept, "\n");
    frame.remove();
    show();
  }, 1500);
  frame.src = pages[next];
  document.body.append(frame);
}
</script><body onload="show()">
HTML
}

visits() { # folder
  local k pattern dom=$1/dom bad
  visits_page >"$1/visits.html"
  "$browser" --headless --no-sandbox --disable-gpu --enable-logging=stderr \
    --allow-file-access-from-files \
    --disable-background-networking --user-data-dir="$1/profile" \
    --virtual-time-budget=$((2000 * (${#visit_pages[@]} + 5))) \
    --dump-dom "file://$1/visits.html" >"$1/visited" 2>"$1/visits.err"
  for k in "${!visit_pages[@]}"; do
    sed -n "s|.*<p id=\"visit$k\">\([^<]*\)</p>.*|\1|p" "$1/visited" | base64 -d >"$dom" 2>/dev/null
    bad=()
    while IFS= read -r pattern; do
      case $pattern in
        "~"*) grep -qE -- "${pattern#"~"}" "$dom" || bad+=("$pattern") ;;
        *) grep -qF -- "$pattern" "$dom" || bad+=("$pattern") ;;
      esac
    done <<<"${visit_patterns[k]}"
    n=$((n + 1))
    if [ ${#bad[@]} = 0 ]; then echo "ok $n - ${visit_names[k]}"; continue; fi
    echo "not ok $n - ${visit_names[k]}"; failed=1
    printf '# not there: %s\n' "${bad[@]}"
    grep -aoE '<html[^>]*>|<canvas[^>]*data-name[^>]*>|<div id="(does|said|now)".*' "$dom" | cut -c 1-500 | sed 's/^/# /'
  done
  n=$((n + 1))
  # (the browser has things to say of its own pages, too)
  grep -a CONSOLE "$1/visits.err" | grep "source: file:" >"$1/said"
  if [ "$(wc -l <"$1/said")" -eq ${#visit_pages[@]} ] &&
    ! grep -qv '"visit [0-9]*"' "$1/said"; then
    echo "ok $n - the browser complains of no page"
  else
    echo "not ok $n - the browser complains of no page"; failed=1
    sed 's/^/# /' "$1/said"
  fi
}
