// --create-missing beside other jobs: what is created between the look-up and the create is used, not refused.
import { expect, test } from "vitest";
import { at, type Said, serving } from "./server.ts";

const exists: Said = {
  status: 400,
  body: { code: "term_exists", message: "A term with the name provided already exists in this taxonomy.", data: { status: 400 } },
};

/** An event is updated with a tag that is refused; afterwards the list of tags is this. */
async function updated(afterwards: readonly { readonly id: number; readonly name: string }[]) {
  let refused = false;
  const server = await serving(({ method, path }) => {
    const isTag = path.endsWith("/tags");
    if (isTag && method === "POST") {
      refused = true;
      return exists;
    }
    if (isTag) return { body: refused ? afterwards : [] };
    return { body: { id: 7, title: "A", tags: method === "GET" ? [] : [{ id: 9, name: "Jazz" }] } };
  });
  const { stdout, stderr, code } = await at(server.url)("events update 7 --tag jazz --create-missing --field id");
  return { stdout, stderr, code, written: server.seen.filter((request) => /^P\w+ \S+\/events\/7/.test(request)) };
}

test("a tag that another job has just created is linked", async () => {
  expect(await updated([{ id: 9, name: "Jazz" }])).toMatchObject({
    stdout: "7\n",
    code: 0,
    written: [expect.stringContaining('"tags":[9]')],
  });
});

test("a tag that is refused and not there is told as it was refused", async () => {
  const { code, stderr, written } = await updated([]);
  expect({ code, written }).toEqual({ code: 6, written: [] });
  expect(stderr).toContain("A term with the name provided already exists");
});
