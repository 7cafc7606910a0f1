// The comparison for many writes, several at once: for each id on stdin the read and the write of an update or a delete, for each body on stdin
// a create. `node bare-writes.js <update | delete | create> <connections>`; the site and the token are in the variables of cal.
import process from "node:process";
import { Agent, request } from "undici";

const [verb = "delete", connections = "4"] = process.argv.slice(2);
const { CAL_BASE_URL: site, CAL_TOKEN: token } = process.env;
const dispatcher = new Agent({ connections: Number(connections) });
const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };

/**
 * @param {"GET" | "POST" | "PATCH" | "DELETE"} method
 * @param {string} id
 * @param {string} [body]
 */
async function send(method, id, body) {
  const url = `${site}/calendar/events/v1/events${id === "" ? "" : `/${id}`}`;
  const answer = await request(url, { method, dispatcher, headers, ...(body === undefined ? {} : { body }) });
  if (answer.statusCode > 299) throw new Error(`${method} ${url}: ${answer.statusCode} ${await answer.body.text()}`);
  return answer.body.json();
}

/** @param {string} line */
async function write(line) {
  if (verb === "create") return send("POST", "", line);
  await send("GET", line);
  return verb === "update" ? send("PATCH", line, '{"cost":"20"}') : send("DELETE", line);
}

let input = "";
for await (const chunk of process.stdin) input += chunk;
const lines = input.split("\n").filter((line) => line !== "");
/** @type {unknown[]} */
const answers = [];
let next = 0;
const worker = async () => {
  for (let index = next++; index < lines.length; index = next++) answers[index] = await write(lines[index] ?? "");
};
await Promise.all(Array.from({ length: Number(connections) }, worker));
process.stdout.write(`${JSON.stringify(answers)}\n`);
await dispatcher.destroy();
