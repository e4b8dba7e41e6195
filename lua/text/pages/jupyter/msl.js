// msl.js - JupyterLab colours %%msl cells of Mettle's notebooks as C++.
//
// JupyterLab gives all cells of a notebook the language of its kernel, Lua. This
// is an extension as its loader takes one (a container with init and get), written
// by hand: no packages, nothing to build. A cell whose first line is %%msl, or the
// task of a lesson, has the editor's C++, which knows MSL's words but for its
// attributes and address spaces.
"use strict";
(() => {
  let shared; // JupyterLab's own modules, by name and version

  async function moduleOf(name) {
    const versions = shared[name] || {};
    for (const version of Object.keys(versions)) return (await versions[version].get())();
    throw new Error(`mettle-msl: JupyterLab has no ${name}`);
  }

  const isMsl = text => /^%%(msl|task)\b/.test(text);

  // The cell's language by its first line; the kernel's own otherwise.
  function colour(cell, own) {
    if (cell.model.type !== "code") return;
    const wanted = isMsl(cell.model.sharedModel.getSource()) ? "text/x-c++src" : own;
    if (wanted && cell.model.mimeType !== wanted) cell.model.mimeType = wanted;
  }

  function watch(panel) {
    const known = new WeakSet();
    const ofMettle = () => /^mettle/.test(panel.sessionContext.session?.kernel?.name
      || panel.content.model?.getMetadata("kernelspec")?.name || "");
    const all = () => {
      if (!ofMettle()) return;
      for (const cell of panel.content.widgets) {
        colour(cell, panel.content.codeMimetype);
        if (known.has(cell.model)) continue;
        known.add(cell.model); // JupyterLab sets all of them when the kernel answers
        cell.model.mimeTypeChanged.connect(() => colour(cell, panel.content.codeMimetype));
        cell.model.contentChanged.connect(() => ofMettle() && colour(cell, panel.content.codeMimetype));
      }
    };
    panel.content.modelContentChanged.connect(all);
    panel.sessionContext.kernelChanged.connect(all);
    panel.sessionContext.statusChanged.connect(all);
    for (const ready of [panel.context.ready, panel.sessionContext.ready, panel.revealed]) ready.then(all);
  }

  async function plugin() {
    const { INotebookTracker } = await moduleOf("@jupyterlab/notebook");
    return { id: "mettle-msl:plugin", autoStart: true, requires: [INotebookTracker],
      activate: (app, tracker) => {
        tracker.forEach(watch);
        tracker.widgetAdded.connect((_, panel) => watch(panel));
      } };
  }

  window._JUPYTERLAB = window._JUPYTERLAB || {};
  window._JUPYTERLAB["mettle-msl"] = {
    init: scope => { shared = scope; },
    get: async name => {
      if (name !== "./extension") throw new Error(`mettle-msl has no ${name}`);
      const one = await plugin();
      return () => ({ __esModule: true, default: one });
    },
  };
})();
