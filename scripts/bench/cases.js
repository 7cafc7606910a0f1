// What is measured, against what, and the ratio that is accepted on Node 20 and on Node 24.
import { fileURLToPath } from "node:url";
import { createBodies, createCsv, createStateFolder, startSandbox } from "./import-rows.js";

/**
 * @typedef {object} Case
 * @property {string} name
 * @property {string} against
 * @property {readonly [node20: number, node24: number]} atMost
 * @property {import("./measure.js").Run} ours
 * @property {import("./measure.js").Run} theirs
 * @property {number} pairs
 * @property {boolean} [peak] compares peak memory, not time
 */

/**
 * @typedef {object} Sites
 * @property {string} none no events
 * @property {string} few 50 events
 * @property {string} thousand 1,000 events
 * @property {string} many 50,000 events
 * @property {string} slow 50,000 events, 20 ms away
 */

/** @param {string} name */
const script = (name) => fileURLToPath(new URL(name, import.meta.url));
const bareNode = { against: "`node -e 0`", theirs: { args: ["-e", "0"] } };
const connections = "8";
const ids = Array.from({ length: 5000 }, (_none, index) => `${index + 1}\n`).join("");

/**
 * The case of the keychain needs the environment of a login that is stored there.
 * @param {Sites} sites
 * @param {{ readonly program: string, readonly env: Readonly<Record<string, string>>, readonly pairs: number, readonly keychain: Readonly<Record<string, string>> | undefined }} options
 * @returns {readonly Case[]}
 */
export function createCases({ none, few, thousand, many, slow }, { program, env, pairs, keychain }) {
  /**
   * @param {string} site
   * @param {string} line
   * @param {string} [input]
   */
  const cal = (site, line, input) => ({
    args: [program, ...line.split(" ")],
    env: { ...env, CAL_TOKEN: "t", CAL_BASE_URL: site, COLUMNS: "120" },
    ...(input === undefined ? {} : { input }),
  });
  /** @param {string} site */
  const events = (site) => `${site}/calendar/events/v1/events`;
  const bareGet = {
    against: "a bare script: node:http GET, JSON.parse, print",
    theirs: { args: [script("bare-get.js"), `${events(few)}?per_page=50`] },
  };
  /** @param {string} verb */
  const bareWrites = (verb) => ({
    against: "a bare undici loop, as many connections",
    theirs: { args: [script("bare-writes.js"), verb, connections], env: { CAL_BASE_URL: many, CAL_TOKEN: "t" }, input: ids },
  });
  const prepare = () => startSandbox(program);
  const all = `events list --all --per-page 50 --concurrency ${connections} --format`;
  const write = `--concurrency ${connections} --format ndjson --quiet`;
  /** @param {number} count */
  const importRows = (count) => ({
    ...cal(none, `events import - --source rows --yes ${write}`, createCsv(count)),
    prepare: createStateFolder,
  });
  /** @type {readonly (Omit<Case, "pairs"> & { readonly pairs?: number })[]} */
  const starts = [
    { name: "`cal --version`", atMost: [2.2, 1.75], ours: cal(few, "--version"), ...bareNode },
    { name: "`cal events list --help`", atMost: [1.6, 1.5], ours: cal(few, "events list --help"), ...bareNode },
    { name: "`cal events list --json`, 50 events", atMost: [2.4, 1.2], ours: cal(few, "events list --json --per-page 50"), ...bareGet },
    { name: "the same as a table", atMost: [2.6, 1.45], ours: cal(few, "events list --format table --per-page 50"), ...bareGet },
    { name: "completion of a live value from the cache", atMost: [2.1, 1.75], ours: cal(few, "__complete zsh events get e"), ...bareNode },
  ];
  const hello = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } },
  };
  const firstReply = /** @type {const} */ ({ input: `${JSON.stringify(hello)}\n`, replies: true });
  const assistants = {
    name: "`cal mcp`, the first reply",
    against: "bare Node and the library",
    atMost: /** @type {const} */ ([2, 2]),
    ours: { ...cal(few, "mcp"), ...firstReply },
    theirs: { args: [script("bare-mcp.js")], ...firstReply },
  };
  /** @type {readonly (Omit<Case, "pairs"> & { readonly pairs?: number })[]} */
  const long = [
    {
      name: "50,000 events, `--all --format ndjson --concurrency 8`, 20 ms away",
      against: "one page after the other, kept alive",
      atMost: [0.2, 0.2],
      ours: cal(slow, `${all} ndjson`),
      theirs: { args: [script("bare-pages.js"), events(slow), "1000", "1"] },
      pairs: 3,
    },
    {
      name: "the same, no latency",
      against: "a bare undici loop, as many connections",
      atMost: [1.25, 1.25],
      ours: cal(many, `${all} ndjson`),
      theirs: { args: [script("bare-pages.js"), events(many), "1000", connections] },
    },
    ...["ndjson", "csv"].map((format) => ({
      name: `peak memory, 50,000 events as ${format}`,
      against: "1,000 events",
      atMost: /** @type {const} */ ([1.6, 1.6]),
      ours: cal(many, `${all} ${format}`),
      theirs: cal(thousand, `${all} ${format}`),
      peak: true,
    })),
    {
      name: "peak memory, an import of 20,000 new rows",
      against: "1,000 rows",
      atMost: [1.6, 1.6],
      ours: importRows(20_000),
      theirs: importRows(1000),
      peak: true,
      pairs: 3,
    },
    {
      name: "5,000 updates from stdin",
      atMost: [1.6, 1.4],
      ours: cal(many, `events update - --cost 20 ${write}`, ids),
      ...bareWrites("update"),
    },
    {
      name: "5,000 deletes from stdin",
      atMost: [1.6, 1.4],
      ours: cal(many, `events delete - --yes ${write}`, ids),
      ...bareWrites("delete"),
    },
    {
      name: "import of 2,000 rows of CSV into the sandbox",
      against: "a bare undici loop with the same creates",
      atMost: /** @type {const} */ ([1.5, 1.5]),
      ours: { ...cal("", `events import - --source rows --tz Europe/Paris --yes ${write}`, createCsv(2000)), prepare },
      theirs: { args: [script("bare-writes.js"), "create", connections], input: createBodies(2000), prepare },
      pairs: 5,
    },
  ];
  return [
    ...starts,
    assistants,
    ...(keychain === undefined
      ? []
      : [
          {
            name: "the same list, the token in the keychain",
            atMost: /** @type {const} */ ([3.6, 2]),
            ours: { args: [program, "events", "list", "--json", "--per-page", "50"], env: { ...env, ...keychain, CAL_BASE_URL: few } },
            ...bareGet,
          },
        ]),
    ...long.map((one) => ({ pairs: Math.min(pairs, 15), ...one })),
  ].map((one) => ({ pairs, ...one }));
}
