// extension.js - what Mettle says of a Metal file, at its lines.
//
// Whenever one is saved, `mettle compile --sarif` says what the compiler does.
// If that is well, each comment line
//
//   // mettle check --grid 1000 --arg a=float[1000] --arg n=1000
//
// of the file is a launch: `mettle check --sarif` runs it and says what no right
// kernel does. Nothing but the program itself is needed.
"use strict";
const vscode = require("vscode");
const { execFile } = require("child_process");

const LAUNCH = /^\s*\/\/+\s*mettle check\s+(\S.*)$/gm;
const LIMIT_MS = 130000; // check itself gives up after 120 s

// The words of a command line: quotes keep blanks together.
function words(line) {
  const found = line.match(/"[^"]*"|'[^']*'|\S+/g) || [];
  return found.map(word => word.replace(/^(["'])(.*)\1$/, "$2"));
}

function launches(text) {
  return [...text.matchAll(LAUNCH)].map(match => words(match[1]));
}

const severities = { error: "Error", warning: "Warning", note: "Information" };

// A result of SARIF as a diagnostic; lines and columns count from 1 there.
function diagnostic(result) {
  const place = result.locations && result.locations[0] &&
    result.locations[0].physicalLocation;
  const region = (place && place.region) || { startLine: 1 };
  const line = Math.max(region.startLine - 1, 0);
  const column = Math.max((region.startColumn || 1) - 1, 0);
  const end = region.endColumn ? region.endColumn - 1 : Number.MAX_SAFE_INTEGER;
  const d = new vscode.Diagnostic(
    new vscode.Range(line, column, (region.endLine || line + 1) - 1, end),
    result.message.text,
    vscode.DiagnosticSeverity[severities[result.level] || "Warning"]);
  d.source = "mettle";
  d.code = result.ruleId;
  return d;
}

function diagnostics(sarif) {
  return sarif.runs.flatMap(run => run.results || []).map(diagnostic);
}

// What the program says as SARIF; its exit status only repeats it.
function run(program, args, folder) {
  return new Promise((resolve, reject) => {
    execFile(program, args, { cwd: folder, timeout: LIMIT_MS,
      maxBuffer: 1 << 26 }, (error, out, complaint) => {
      try {
        resolve(diagnostics(JSON.parse(out)));
      } catch (_) {
        reject(new Error(error && error.code === "ENOENT"
          ? `there is no program ${program}: set mettle.program to where it is`
          : (complaint || String(error)).trim()));
      }
    });
  });
}

async function all(document) {
  const settings = vscode.workspace.getConfiguration("mettle");
  const program = settings.get("program"), options = settings.get("options");
  const folder = vscode.workspace.getWorkspaceFolder(document.uri);
  const where = folder && folder.uri.fsPath, file = document.uri.fsPath;
  const found = await run(program, ["compile", "--sarif", ...options, file], where);
  const severe = vscode.DiagnosticSeverity.Error;
  if (found.some(d => d.severity === severe)) return found;
  for (const launch of launches(document.getText()))
    found.push(...await run(program,
      ["check", file, "--sarif", ...options, ...launch], where));
  return found;
}

function activate(context) {
  const shown = vscode.languages.createDiagnosticCollection("mettle");
  const newest = new Map(); // of a file: the run that counts
  let complained = "";

  async function look(document) {
    if (document.languageId !== "metal") return;
    const key = document.uri.toString(), turn = (newest.get(key) || 0) + 1;
    newest.set(key, turn);
    try {
      const found = await all(document);
      if (newest.get(key) === turn) shown.set(document.uri, found);
      complained = "";
    } catch (error) {
      if (error.message !== complained)
        vscode.window.showErrorMessage("Mettle: " + error.message);
      complained = error.message; // once, not at each save
    }
  }

  const on_save = document => {
    if (vscode.workspace.getConfiguration("mettle").get("onSave"))
      return look(document);
  };
  context.subscriptions.push(shown,
    vscode.workspace.onDidSaveTextDocument(on_save),
    vscode.workspace.onDidOpenTextDocument(on_save),
    vscode.workspace.onDidCloseTextDocument(d => shown.delete(d.uri)),
    vscode.commands.registerCommand("mettle.check", () =>
      vscode.window.activeTextEditor &&
      look(vscode.window.activeTextEditor.document)),
    vscode.tasks.registerTaskProvider("mettle", {
      provideTasks: () => [],
      resolveTask: task => new vscode.Task(task.definition,
        vscode.TaskScope.Workspace, "compile", "mettle",
        new vscode.ProcessExecution(
          vscode.workspace.getConfiguration("mettle").get("program"),
          ["compile", task.definition.file]), "$mettle"),
    }));
}

module.exports = { activate, launches };
