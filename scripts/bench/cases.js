// What is measured, against what, and how much more it may take: on Node 20, and on Node 24.
import { fileURLToPath } from "node:url";

/**
 * @typedef {object} Case
 * @property {string} name
 * @property {string} against
 * @property {readonly [node20: number, node24: number]} atMost
 * @property {import("./measure.js").Run} ours
 * @property {import("./measure.js").Run} theirs
 * @property {number} pairs
 * @property {boolean} [peak] peak memory is compared, not time
 */

/**
 * @typedef {object} Sites
 * @property {string} few 50 events
 * @property {string} many 50,000 events
 * @property {string} slow 50,000 events, 20 ms away
 * @property {string} thousand 1,000 events
 */

/** @param {string} path */
const beside = (path) => fileURLToPath(new URL(path, import.meta.url));
const nothing = { args: ["-e", "0"] };
const connections = "8";
const ids = Array.from({ length: 5000 }, (_none, index) => `${index + 1}\n`).join("");

/**
 * All cases; the one of the keychain only where a login is in it.
 * @param {Sites} sites
 * @param {{ readonly program: string, readonly env: Readonly<Record<string, string>>, readonly pairs: number, readonly keychain: Readonly<Record<string, string>> | undefined }} options
 * @returns {readonly Case[]}
 */
export function casesOf(sites, { program, env, pairs, keychain }) {
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
  const get = { args: [beside("bare-get.js"), `${events(sites.few)}?per_page=50`] };
  /**
   * @param {string} site
   * @param {string} wide
   */
  const pages = (site, wide) => ({ args: [beside("bare-pages.js"), events(site), "1000", wide] });
  /** @param {string} verb */
  const writes = (verb) => ({ args: [beside("bare-writes.js"), events(sites.many), verb, connections], input: ids });
  const all = `events list --all --per-page 50 --concurrency ${connections} --format`;
  const script = "a bare script: node:http GET, JSON.parse, print";
  const loop = "a bare undici loop, as many connections";
  const few = Math.min(pairs, 15);
  return [
    { name: "`cal --version`", against: "`node -e 0`", atMost: [1.15, 1.2], ours: cal(sites.few, "--version"), theirs: nothing, pairs },
    {
      name: "`cal events list --help`",
      against: "`node -e 0`",
      atMost: [1.3, 1.4],
      ours: cal(sites.few, "events list --help"),
      theirs: nothing,
      pairs,
    },
    {
      name: "`cal events list --json`, 50 events",
      against: script,
      atMost: [1.35, 1.15],
      ours: cal(sites.few, "events list --json --per-page 50"),
      theirs: get,
      pairs,
    },
    {
      name: "the same as a table",
      against: script,
      atMost: [1.5, 1.35],
      ours: cal(sites.few, "events list --format table --per-page 50"),
      theirs: get,
      pairs,
    },
    ...(keychain === undefined
      ? []
      : [
          {
            name: "the same, the token in the keychain",
            against: script,
            atMost: /** @type {const} */ ([2.1, 1.9]),
            ours: {
              args: [program, "events", "list", "--json", "--per-page", "50"],
              env: { ...env, ...keychain, CAL_BASE_URL: sites.few },
            },
            theirs: get,
            pairs,
          },
        ]),
    {
      name: "completion of a live value from the cache",
      against: "`node -e 0`",
      atMost: [1.25, 1.3],
      ours: cal(sites.few, "__complete zsh events get e"),
      theirs: nothing,
      pairs,
    },
    {
      name: "50,000 events, `--all --format ndjson --concurrency 8`, 20 ms away",
      against: "one page after the other, kept alive",
      atMost: [0.2, 0.2],
      ours: cal(sites.slow, `${all} ndjson`),
      theirs: pages(sites.slow, "1"),
      pairs: 3,
    },
    {
      name: "the same, no latency",
      against: loop,
      atMost: [1.25, 1.25],
      ours: cal(sites.many, `${all} ndjson`),
      theirs: pages(sites.many, connections),
      pairs: few,
    },
    {
      name: "peak memory, 50,000 events as ndjson",
      against: "1,000 events",
      atMost: [1.25, 1.25],
      ours: cal(sites.many, `${all} ndjson`),
      theirs: cal(sites.thousand, `${all} ndjson`),
      pairs: few,
      peak: true,
    },
    {
      name: "peak memory, 50,000 events as csv",
      against: "1,000 events",
      atMost: [1.25, 1.25],
      ours: cal(sites.many, `${all} csv`),
      theirs: cal(sites.thousand, `${all} csv`),
      pairs: few,
      peak: true,
    },
    {
      name: "5,000 updates from stdin",
      against: loop,
      atMost: [1.3, 1.3],
      ours: cal(sites.many, `events update - --cost 20 --concurrency ${connections} --format ndjson --quiet`, ids),
      theirs: writes("update"),
      pairs: few,
    },
    {
      name: "5,000 deletes from stdin",
      against: loop,
      atMost: [1.3, 1.3],
      ours: cal(sites.many, `events delete - --yes --concurrency ${connections} --format ndjson --quiet`, ids),
      theirs: writes("delete"),
      pairs: few,
    },
  ];
}
