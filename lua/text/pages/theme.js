// Dark or light: what the address asks for (#theme=dark), else what the page
// stands in, a notebook or the system, also when that changes; the button has
// the last word. 'changed' draws again what style sheets do not reach.
function followTheme(changed) {
  const root = document.documentElement;
  const around = matchMedia("(prefers-color-scheme: dark)");
  let own = new URLSearchParams(location.hash.slice(1)).get("theme");
  const apply = () => { root.dataset.theme = own || (around.matches ? "dark" : "light"); };
  around.addEventListener("change", () => { apply(); changed(); });
  document.getElementById("theme").onclick = () => {
    own = root.dataset.theme === "dark" ? "light" : "dark";
    apply();
    changed();
  };
  apply();
}
