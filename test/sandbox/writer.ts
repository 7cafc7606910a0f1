// A program for durability.test.ts, which bundles and starts it: writes events over HTTP and prints each answer.

import { argv, stdout } from "node:process";
import { startSandbox } from "../../src/sandbox/server.ts";

const [, , file = "", name = "", count = "0"] = argv;
const sandbox = await startSandbox({ file, day: "2027-03-10", now: () => Date.parse("2027-03-10T17:00:00Z") });
stdout.write("ready\n");
for (let number = 1; number <= Number(count); number += 1) {
  const title = `${name} ${number}`;
  const response = await fetch(`${sandbox.baseUrl}/${sandbox.namespace}/events`, {
    method: "POST",
    headers: { authorization: `Bearer ${sandbox.token}`, "content-type": "application/json" },
    body: JSON.stringify({ title, start_date: "2027-04-01 10:00:00", end_date: "2027-04-01 11:00:00" }),
  });
  stdout.write(`${response.status} ${title}\n`);
}
await sandbox.close();
