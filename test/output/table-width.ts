// cli-table3 requires a string-width of its own, which measures Thai, Hindi and some emoji by older rules. The bundle gives it the width
// function of this program, and leaves out its log of shortened cells (scripts/build/patches.js). Tests that are not bundled do the same here.

import { createRequire, Module } from "node:module";
import { measureWidth } from "../../src/output/width.ts";

const { resolve, cache } = createRequire(createRequire(import.meta.url).resolve("cli-table3"));
const path = resolve("string-width");
cache[path] = Object.assign(new Module(path), { exports: measureWidth, loaded: true });

const utils = createRequire(import.meta.url)("cli-table3/src/utils.js") as { truncate: (text: string) => string };
utils.truncate = (text) => text;
