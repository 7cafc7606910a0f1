// The comparison for a single list: one GET, parsed and printed, with Node alone. `node bare-get.js <url>`
import { get } from "node:http";
import process from "node:process";

get(process.argv[2] ?? "", { headers: { authorization: "Bearer t", accept: "application/json" } }, (response) => {
  /** @type {Buffer[]} */
  const chunks = [];
  response.on("data", (chunk) => chunks.push(chunk));
  response.on("end", () => {
    const { events } = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    process.stdout.write(`${JSON.stringify(events)}\n`);
  });
});
