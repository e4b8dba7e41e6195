// fake_vscode.js - what the extension asks of VS Code, enough to run it under
// Node: notes what is shown, and lets the test save a file.
"use strict";
const fs = require("fs");
const handlers = {}, shown = new Map(), messages = [];
const on = name => handler => { handlers[name] = handler; return {}; };

const vscode = {
  Range: class { constructor(...ends) { this.ends = ends; } },
  Diagnostic: class {
    constructor(range, message, severity) { Object.assign(this, { range, message, severity }); }
  },
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2 },
  languages: { createDiagnosticCollection: () => ({
    set: (uri, list) => shown.set(uri.fsPath, list),
    delete: uri => shown.delete(uri.fsPath) }) },
  workspace: {
    getConfiguration: () => ({ get: name => ({ program: process.env.METTLE,
      options: [], onSave: true })[name] }),
    getWorkspaceFolder: () => undefined,
    onDidSaveTextDocument: on("save"), onDidOpenTextDocument: on("open"),
    onDidCloseTextDocument: on("close") },
  window: { showErrorMessage: text => messages.push(text) },
  commands: { registerCommand: () => ({}) },
  tasks: { registerTaskProvider: () => ({}) },
};

// Saves a file of this text, and says what stands at its lines then.
async function save(path, text) {
  fs.writeFileSync(path, text);
  await handlers.save({ languageId: "metal", getText: () => text,
    uri: { fsPath: path, toString: () => path } });
  return (shown.get(path) || []).map(d =>
    [d.range.ends[0] + 1, d.severity, d.code, d.message].join(" "));
}

module.exports = { vscode, save, messages };
