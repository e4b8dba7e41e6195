// try_extension.js - the extension for VS Code against the real program:
//   node tests/editors/try_extension.js FOLDER      speaks TAP
"use strict";
const Module = require("module");
const path = require("path");
const fake = require("./fake_vscode.js");
const load = Module._load;
Module._load = (name, ...rest) => name === "vscode" ? fake.vscode : load(name, ...rest);
const extension = require("../../editors/vscode/extension.js");
const folder = process.argv[2];

let number = 0;
function ok(what, is, ...more) {
  console.log(`${is ? "ok" : "not ok"} ${++number} - ${what}`);
  if (!is) console.log("# " + JSON.stringify(more));
}
const kernel = (body, before = "") => `${before}kernel void twice(device float *a,
                  uint i [[thread_position_in_grid]]) {
  ${body}
}
`;
const launch = "// mettle check --grid 100 --arg 'a=float[90]'\n";

(async () => {
  extension.activate({ subscriptions: [] });
  const file = path.join(folder, "with blank.metal");
  let said = await fake.save(file, kernel("a[i] *= two;"));
  ok("an error stands at its line", said.length === 1 && /^3 0 .*undeclared identifier 'two'/.test(said[0]), said);
  said = await fake.save(file, kernel("a[i] *= 2;"));
  ok("and goes when it is fixed", said.length === 0, said);
  said = await fake.save(file, kernel("a[i] *= 2;", launch));
  ok("a launch in a comment is checked", said.length > 0 && said.every(s => /^4 .*out-of-bounds/.test(s)), said);
  said = await fake.save(file, kernel("if (i < 90) a[i] *= 2;", launch));
  ok("a right kernel gets no word", said.length === 0, said);
  ok("there was no complaint", fake.messages.length === 0, fake.messages);
  said = await fake.save(file, kernel("a[i] *= 2;", "// mettle check --grid none\n"));
  ok("words that check does not know are told", fake.messages.length === 1, fake.messages);
  process.env.METTLE = path.join(folder, "no-such-program");
  await fake.save(file, kernel("a[i] *= 2;"));
  await fake.save(file, kernel("a[i] *= 2;"));
  ok("a missing program is told, once", fake.messages.length === 2 && /set mettle.program/.test(fake.messages[1]), fake.messages);
  ok("quotes keep blanks together", JSON.stringify(extension.launches("// mettle check --arg 'a b' c")) === '[["--arg","a b","c"]]');
  console.log(`1..${number}`);
})();
