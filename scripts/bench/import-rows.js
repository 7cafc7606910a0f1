// The rows that are imported, as CSV and as the bodies of creates, and a new sandbox for each import.
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

/** @param {number} index */
function createEvent(index) {
  const day = new Date(Date.UTC(2027, 0, 1 + (index % 365))).toISOString().slice(0, 10);
  return {
    title: `Evening concert ${index}`,
    description: `<p>${"Chamber music by candlelight, with an introduction before the doors open. ".repeat(3)}</p>`,
    start_date: `${day} 19:00:00`,
    end_date: `${day} 21:30:00`,
    timezone: "Europe/Paris",
    cost: String(index % 50),
    website: `http://concerts.test/${index}`,
  };
}

/** @param {number} count */
export function createCsv(count) {
  const events = Array.from({ length: count }, (_none, index) => createEvent(index));
  const toLine = (/** @type {readonly string[]} */ cells) => `${cells.map((cell) => `"${cell}"`).join(",")}\n`;
  return [Object.keys(createEvent(0)), ...events.map((event) => Object.values(event))].map(toLine).join("");
}

/**
 * What is sent for these rows, a body a line.
 * @param {number} count
 */
export function createBodies(count) {
  return Array.from({ length: count }, (_none, index) => `${JSON.stringify(createEvent(index))}\n`).join("");
}

/** A new folder for the ledger and the journal of one import. */
export async function createStateFolder() {
  const folder = await mkdtemp(join(tmpdir(), "cal-bench-"));
  return { env: { CAL_STATE_DIR: folder }, end: () => rm(folder, { recursive: true, force: true }) };
}

/**
 * Starts a sandbox with data of its own; resolves with the environment of its admin.
 * @param {string} program
 */
export async function startSandbox(program) {
  const folder = await mkdtemp(join(tmpdir(), "cal-bench-"));
  const folders = { CAL_CONFIG_DIR: folder, CAL_STATE_DIR: folder, CAL_CACHE_DIR: folder };
  const child = spawn(process.execPath, [program, "sandbox", "serve", "--port", "0", "--data-file", join(folder, "data")], {
    env: { ...process.env, ...folders },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const url = await new Promise((resolve) => {
    let text = "";
    child.stderr.on("data", (chunk) => {
      text += chunk;
      const found = /^base_url +(\S+)$/m.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  const answer = await fetch(`${new URL(url).origin}/api/auth/6/token`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from("cal-demo:cal-demo-secret").toString("base64")}` },
    body: new URLSearchParams({ grant_type: "password", username: "admin", password: "admin-demo" }),
  });
  /** @type {any} */
  const { access_token: token } = await answer.json();
  return {
    env: { ...folders, CAL_BASE_URL: String(url), CAL_TOKEN: String(token) },
    end: async () => {
      const ended = new Promise((resolve) => child.on("exit", resolve));
      child.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
