// The comparison for many writes: for each id on stdin the read and the write of an update or a delete, several at once.
// `node bare-writes.js <url of the list> <update | delete> <connections>`
import process from "node:process";
import { Agent, request } from "undici";

const [url = "", verb = "delete", connections = "4"] = process.argv.slice(2);
const dispatcher = new Agent({ connections: Number(connections) });
const headers = { authorization: "Bearer t", "content-type": "application/json" };

/**
 * @param {"GET" | "PATCH" | "DELETE"} method
 * @param {string} id
 * @param {string} [body]
 */
async function send(method, id, body) {
  const answer = await request(`${url}/${id}`, { method, dispatcher, headers, ...(body === undefined ? {} : { body }) });
  return answer.body.json();
}

let input = "";
for await (const chunk of process.stdin) input += chunk;
const ids = input.split("\n").filter((line) => line !== "");
/** @type {unknown[]} */
const answers = [];
let next = 0;
const worker = async () => {
  for (let index = next++; index < ids.length; index = next++) {
    const id = ids[index] ?? "";
    await send("GET", id);
    answers[index] = verb === "update" ? await send("PATCH", id, '{"cost":"20"}') : await send("DELETE", id);
  }
};
await Promise.all(Array.from({ length: Number(connections) }, worker));
process.stdout.write(`${JSON.stringify(answers)}\n`);
await dispatcher.destroy();
