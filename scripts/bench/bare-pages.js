// The comparison for a long list: every page, one record a line, in order. `node bare-pages.js <url of the list> <pages> <connections>`.
// With one connection node:http requests page after page; with more, undici requests as many pages at once.
import { get, Agent as HttpAgent } from "node:http";
import process from "node:process";

const [url = "", pages = "1", connections = "1"] = process.argv.slice(2);
const agent = new HttpAgent({ keepAlive: true, maxSockets: 1 });

/**
 * @param {string} address
 * @returns {Promise<string>}
 */
function read(address) {
  return new Promise((resolve, reject) => {
    get(address, { agent, headers: { authorization: "Bearer t" } }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk) => (text += chunk));
      response.on("end", () => resolve(text));
    }).on("error", reject);
  });
}

/** @param {string} text */
async function print(text) {
  const lines = JSON.parse(text).events.map((/** @type {unknown} */ event) => `${JSON.stringify(event)}\n`);
  if (!process.stdout.write(lines.join(""))) await new Promise((resolve) => process.stdout.once("drain", () => resolve(undefined)));
}

/** @param {number} number */
const pageUrl = (number) => `${url}?page=${number}&per_page=50`;

async function readInOrder() {
  for (let page = 1; page <= Number(pages); page++) await print(await read(pageUrl(page)));
  agent.destroy();
}

async function readConcurrently() {
  const { Agent, request } = await import("undici");
  const dispatcher = new Agent({ connections: Number(connections) });
  /** @type {Promise<string>[]} */
  const running = [];
  let next = 1;
  const start = () => {
    if (next <= Number(pages))
      running.push(request(pageUrl(next++), { dispatcher, headers: { authorization: "Bearer t" } }).then(({ body }) => body.text()));
  };
  for (let index = 0; index < Number(connections); index++) start();
  for (let one = running.shift(); one !== undefined; one = running.shift()) {
    await print(await one.finally(start));
  }
  await dispatcher.destroy();
}

await (Number(connections) === 1 ? readInOrder() : readConcurrently());
