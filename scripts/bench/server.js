// The calendar server of the benchmark. `node server.js <events> <latency in ms>` prints its address and ends when its stdin is closed.
// Pages are built before the first request. Updates and deletes are answered with the record; so are creates, which are not kept.
import { createServer } from "node:http";
import process from "node:process";

const [count, latency] = process.argv.slice(2).map(Number);
if (count === undefined || latency === undefined) throw new Error("usage: server.js <events> <latency in ms>");

/** @param {number} id */
function createEvent(id) {
  const day = new Date(Date.UTC(2027, 0, 1 + (id % 365))).toISOString().slice(0, 10);
  return {
    id,
    title: `Evening concert ${id}`,
    slug: `evening-concert-${id}`,
    description: `<p>${"Chamber music by candlelight, with an introduction before the doors open. ".repeat(8)}</p>`,
    excerpt: "",
    status: "publish",
    url: `http://calendar.test/event/evening-concert-${id}`,
    start_date: `${day} 20:00:00`,
    end_date: `${day} 22:30:00`,
    timezone: "Europe/Paris",
    all_day: false,
    featured: id % 10 === 0,
    cost: "12",
    website: "http://concerts.test",
    venue: { id: 7, venue: "Town Hall", slug: "town-hall", address: "1 Market Square", city: "Springfield", country: "France" },
    organizer: [{ id: 3, organizer: "Music Society", slug: "music-society", email: "office@concerts.test" }],
    categories: [{ id: 2, name: "Music", slug: "music" }],
    tags: [],
  };
}

const texts = Array.from({ length: count }, (_none, index) => JSON.stringify(createEvent(index + 1)));
/** @type {Map<string, Buffer>} */
const pages = new Map();

/**
 * @param {number} page
 * @param {number} size
 */
function getPage(page, size) {
  const key = `${page} ${size}`;
  const cached = pages.get(key);
  if (cached !== undefined) return cached;
  const items = texts.slice((page - 1) * size, page * size);
  const body = Buffer.from(`{"events":[${items.join(",")}],"total":${count},"total_pages":${Math.ceil(texts.length / size)}}`);
  pages.set(key, body);
  return body;
}

for (let page = 1; page <= Math.ceil(texts.length / 50); page++) getPage(page, 50);

let created = count;

/** @param {string} body */
function create(body) {
  created += 1;
  return JSON.stringify({ ...createEvent(created), ...JSON.parse(body) });
}

const server = createServer((request, response) => {
  const url = new URL(request.url ?? "/", "http://calendar.test");
  const id = /\/events\/(\d+)$/.exec(url.pathname)?.[1];
  const body =
    id === undefined
      ? getPage(Number(url.searchParams.get("page") ?? 1), Number(url.searchParams.get("per_page") ?? 10))
      : Buffer.from(texts[Number(id) - 1] ?? "{}");
  let requestBody = "";
  request.on("data", (chunk) => (requestBody += chunk));
  request.on("end", () => {
    const isCreate = request.method === "POST" && url.pathname.endsWith("/events");
    const login = '{"access_token":"t","token_type":"Bearer","expires_in":86400}';
    const posted = request.method === "POST" ? Buffer.from(isCreate ? create(requestBody) : login) : undefined;
    const answer =
      posted ??
      (id !== undefined && requestBody !== ""
        ? Buffer.from(JSON.stringify({ ...JSON.parse(body.toString()), ...JSON.parse(requestBody) }))
        : body);
    const reply = () =>
      void response.writeHead(isCreate ? 201 : 200, { "content-type": "application/json", "content-length": answer.length }).end(answer);
    if (latency > 0) setTimeout(reply, latency);
    else reply();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/wp-json\n`);
});
process.stdin.resume().on("end", () => process.exit());
