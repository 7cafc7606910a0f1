#!/usr/bin/env node
// Starts the built program, or says so plainly where Node is too old for it. Keeps to syntax that old versions can read.
"use strict";
const needed = [20, 18, 1];
const running = process.versions.node.split(".").map(Number);
const first = needed.findIndex((part, index) => running[index] !== part);

if (first !== -1 && running[first] < needed[first]) {
  console.error(`cal: needs Node ${needed.join(".")} or newer; this is Node ${process.versions.node}`);
  process.exitCode = 2;
} else if (process.argv.length === 3 && /^(--version|-V)$/.test(process.argv[2])) {
  // Scripts ask this of every program that they find, so nothing is loaded for it.
  tell(require("../package.json").version);
} else {
  require("../dist/main.js");
}

/** Writes a line without the stream, which takes Node 2 ms to open; but the stream knows what to do where nobody reads, or the pipe is full. */
function tell(line) {
  try {
    require("node:fs").writeSync(1, `${line}\n`);
  } catch (_error) {
    console.log(line);
  }
}
