// search.js - the search of the site. It works from a folder on disk: the index
// is a script (index.js: sections, each [page, place, title, text]) and nothing
// is fetched. "#?words" after an address searches for them at once.
"use strict";
(function () {
  const input = document.querySelector("input[type=search]");
  const list = document.getElementById("found");
  if (!input || !list) return;
  const root = document.documentElement.dataset.root;
  const escaped = s => s.replace(/[&<>"]/g, c => "&#" + c.charCodeAt(0) + ";");

  // How well a section answers: every word must be in it; titles count most,
  // whole words more than parts of one.
  function score(section, words) {
    const title = section[2].toLowerCase(), text = section[3].toLowerCase();
    let sum = 0;
    for (const word of words) {
      const at = text.indexOf(word), inTitle = title.indexOf(word);
      if (at < 0 && inTitle < 0) return 0;
      if (inTitle >= 0) sum += title === word ? 60 : inTitle === 0 ? 30 : 20;
      if (at >= 0) sum += 1 + Math.min(text.split(word).length - 1, 8);
    }
    return sum;
  }

  function excerpt(section, words) {
    const text = section[3];
    const at = Math.max(text.toLowerCase().indexOf(words[0]), 0);
    const from = Math.max(at - 40, 0);
    let part = escaped((from ? "…" : "") + text.slice(from, from + 140) + "…");
    for (const word of words) {
      const pattern = word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      part = part.replace(new RegExp(escaped(pattern), "gi"), "<mark>$&</mark>");
    }
    return part;
  }

  function search() {
    const words = input.value.toLowerCase().split(/\s+/).filter(w => w.length > 0);
    const found = words.length === 0 ? [] : window.siteIndex
      .map(section => [score(section, words), section])
      .filter(pair => pair[0] > 0)
      .sort((a, b) => b[0] - a[0])
      .slice(0, 20);
    list.innerHTML = found.map(([, s]) =>
      `<li><a href="${root}${s[0]}${s[1] ? "#" + s[1] : ""}">${escaped(s[2])}</a>` +
      `<small>${excerpt(s, words)}</small></li>`).join("");
    if (words.length > 0 && found.length === 0)
      list.innerHTML = "<li>Nothing has all these words.</li>";
    document.documentElement.dataset.found = String(found.length);
  }

  // On a telephone the text comes first.
  if (matchMedia("(max-width: 50rem)").matches)
    document.querySelector(".menu").open = false;
  input.addEventListener("input", search);
  document.addEventListener("keydown", event => {
    if (event.key === "/" && document.activeElement !== input) {
      event.preventDefault();
      input.focus();
    } else if (event.key === "Enter" && event.target === input) {
      const first = list.querySelector("a");
      if (first) location.href = first.href;
    } else if (event.key === "Escape" && document.activeElement === input) {
      input.value = "";
      search();
      input.blur();
    }
  });
  const asked = decodeURIComponent(location.hash).match(/^#\?(.*)/);
  if (asked) { input.value = asked[1]; search(); }
})();
