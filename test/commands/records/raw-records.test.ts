// Sites that run The Events Calendar: what a write keeps through WordPress's own interface, what it can't keep, and what it says before.

import { afterAll, describe, expect, test } from "vitest";
import { expectExitCode, fixedNow, type Session } from "../../helpers/session.ts";
import { type FixtureOptions, startFixtureSandbox } from "../../sandbox/fixtures.ts";
import { createServerSession } from "./server.ts";

type Json = Readonly<Record<string, unknown>>;

interface Site {
  readonly cal: Session;
  /** A session of another user; "" is a visitor. */
  as(username: string): Session;
  /** The JSON of an answer, as the administrator: below the calendar's namespace, or from the root with a leading slash. */
  ask(path: string, method?: string, body?: Json): Promise<Json>;
  /** What was sent since the last call, without the address. */
  takeRequests(): readonly string[];
}

async function openSite(options: Partial<FixtureOptions> = {}): Promise<Site> {
  const sandbox = await startFixtureSandbox({
    file: ":memory:",
    day: fixedNow.slice(0, 10),
    now: () => Date.parse(fixedNow),
    serverProfile: "the-events-calendar",
    ...options,
  });
  afterAll(() => sandbox.close());
  const as = (username: string) => {
    const password = sandbox.users.find((user) => user.username === username)?.applicationPassword ?? "";
    return createServerSession(sandbox.baseUrl, "tec", { env: { CAL_USERNAME: username, CAL_PASSWORD: password } });
  };
  let taken = 0;
  return {
    as,
    cal: as("admin"),
    ask: async (path, method = "GET", body) => {
      const url = path.startsWith("/") ? `${sandbox.baseUrl}${path}` : `${sandbox.baseUrl}/${sandbox.namespace}/${path}`;
      const headers = { authorization: `Bearer ${sandbox.token}`, "content-type": "application/json" };
      const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
      const answer = (await response.json()) as Json;
      if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
      taken = sandbox.requests().length;
      return answer;
    },
    takeRequests: () => {
      const all = sandbox.requests().map(({ method, path }) => `${method} ${path.replace("/wp-json", "").replace("/tribe/events/v1", "")}`);
      const fresh = all.slice(taken);
      taken = all.length;
      return fresh;
    },
  };
}

const times = { start_date: "2027-05-10 20:00:00", end_date: "2027-05-10 23:00:00" };

const createTimes = ["--start-date", "2027-05-10T20:00", "--duration", "1h"];

interface StoredPrice {
  readonly cost: string;
  readonly symbol?: string;
  readonly position?: string;
}

/** An event whose price is stored like this. */
async function createPriced({ ask }: Site, { cost, symbol = "", position = "" }: StoredPrice, more: Json = {}): Promise<string> {
  const { id } = await ask("events", "POST", { title: "Priced", ...times, ...more });
  const meta = { _EventCost: cost, _EventCurrencySymbol: symbol, _EventCurrencyPosition: position };
  await ask(`/wp/v2/tribe_events/${id}`, "POST", { meta });
  return String(id);
}

async function readPrice({ ask }: Site, id: string): Promise<StoredPrice> {
  const { meta } = await ask(`/wp/v2/tribe_events/${id}?context=edit`);
  const rows = meta as Readonly<Record<string, string>>;
  const { _EventCost: cost = "", _EventCurrencySymbol: symbol = "", _EventCurrencyPosition: position = "" } = rows;
  return { cost, symbol, position };
}

/** Recorded prices that a write through the calendar interface changes, and those that it keeps. */
const prices: readonly Required<StoredPrice>[] = [
  { cost: "10", symbol: "", position: "" },
  { cost: "Donation", symbol: "", position: "" },
  { cost: "", symbol: "", position: "" },
  { cost: "10", symbol: "$", position: "prefix" },
  { cost: "10 - 20", symbol: "€", position: "prefix" },
  { cost: "10 - 20", symbol: "kr", position: "suffix" },
  { cost: "12.50", symbol: "€", position: "suffix" },
  { cost: "5,50", symbol: "€", position: "suffix" },
  { cost: "1,234.56", symbol: "", position: "" },
  { cost: "10+", symbol: "", position: "" },
  { cost: "Free / $10", symbol: "", position: "" },
  { cost: "€ 8", symbol: "", position: "" },
  { cost: "1.234,56 €", symbol: "", position: "" },
];

describe.each(["6.10", "6.17.2"] as const)("version %s", async (tecVersion) => {
  const site = await openSite({ tecVersion });
  const { cal, ask, takeRequests } = site;

  test.each(prices)("an update and a copy keep the price $cost $symbol $position", async (price) => {
    const id = await createPriced(site, price);
    const { cost } = await ask(`events/${id}`);
    const { stdout, stderr } = await expectExitCode(cal(`events update ${id} --title Renamed --json`), 0);
    const requests = takeRequests();
    expect([...requests.slice(0, 2)].sort()).toEqual([`GET /events/${id}`, `GET /wp/v2/tribe_events/${id}`]);
    expect(requests[2]).toBe(`PATCH /events/${id}`);
    const isKept = price.symbol === "" && ["10", "Donation", ""].includes(price.cost);
    expect(requests.slice(3)).toEqual(isKept ? [] : [`POST /wp/v2/tribe_events/${id}`]);
    expect(stderr).not.toContain("warning");
    expect(JSON.parse(stdout)).toMatchObject({ title: "Renamed", cost });
    expect(await readPrice(site, id)).toEqual(price);

    const copy = await expectExitCode(cal(`events clone ${id} --title Copy --field id`), 0);
    expect(copy.stderr).not.toContain("warning");
    expect(await readPrice(site, copy.stdout.trim())).toEqual(price);
  });

  test("a price in several rows is kept, with its currency", async () => {
    for (const cost of [
      ["10kr", "20kr"],
      ["10", "20"],
    ]) {
      const { id } = await ask("events", "POST", { title: "Rows", ...times, cost });
      await ask(`/wp/v2/tribe_events/${id}`, "POST", { meta: { _EventCurrencySymbol: "kr", _EventCurrencyPosition: "suffix" } });
      const before = await ask(`events/${id}`);
      await expectExitCode(cal(`events update ${id} --title Renamed`), 0);
      const after = await ask(`events/${id}`);
      const values = (record: typeof before) => (record["cost_details"] as { values: unknown }).values;
      expect([after["cost"], values(after)]).toEqual([before["cost"], values(before)]);
      // Measured: a site stores each part with its currency, and calls the position `postfix`.
      expect(await readPrice(site, String(id))).toEqual({ cost: "10kr", symbol: "kr", position: "postfix" });
    }
  });

  test("--dry-run shows both requests", async () => {
    const id = await createPriced(site, { cost: "5,50", symbol: "€", position: "suffix" });
    const { stdout } = await expectExitCode(cal(`events update ${id} --title Renamed --dry-run --json`), 0);
    expect(JSON.parse(stdout)).toMatchObject([
      { method: "PATCH", body: { title: "Renamed" } },
      { method: "POST", body: { meta: { _EventCost: "5,50", _EventCurrencySymbol: "€", _EventCurrencyPosition: "suffix" } } },
    ]);
  });

  test("the date of a draft stays, however often it is updated", async () => {
    const { id } = await ask("events", "POST", { title: "Draft", ...times, status: "draft", date: "2025-01-14 00:13:13" });
    const { date } = await ask(`events/${id}`);
    for (const title of ["One", "Two", "Three"]) {
      await expectExitCode(cal(`events update ${id} --title ${title}`), 0);
      expect(await ask(`events/${id}`)).toMatchObject({ title, date, status: "draft" });
    }
  });

  const source = '<!-- wp:paragraph -->\n<p>It\'s "curly" -- [gallery ids="1"]</p>\n<!-- /wp:paragraph -->';

  test("a copy has the source of the texts", async () => {
    const { id } = await ask("events", "POST", { title: "A &amp; B", ...times, description: source, excerpt: 'Short "one"' });
    const { stdout, stderr } = await expectExitCode(cal(`events clone ${id} --shift +1w --field id`), 0);
    expect(stderr).not.toContain("not copied");
    const rawOf = async (one: unknown) => {
      const { title, content, excerpt } = await ask(`/wp/v2/tribe_events/${one}?context=edit`);
      return [title, content, excerpt].map((text) => (text as Json)["raw"]);
    };
    expect(await rawOf(id)).toEqual(["A &amp; B", source, 'Short "one"']);
    expect(await rawOf(stdout.trim())).toEqual(["A &amp; B", source, 'Short "one"']);
  });

  test("the same text as is stored is no change", async () => {
    const { id } = await ask("events", "POST", { title: "Same", ...times, description: source });
    await ask(`events/${id}`);
    const { stderr } = await expectExitCode(cal(`events update ${id} --data -`, JSON.stringify({ description: source })), 0);
    expect(stderr).toContain("nothing to change");
    expect(takeRequests().filter((line) => !line.startsWith("GET"))).toEqual([]);
  });

  test("a website that the site refuses is named, and the way out works", async () => {
    const { id } = await ask("events", "POST", { title: "Site", ...times });
    await ask(`/wp/v2/tribe_events/${id}`, "POST", { meta: { _EventURL: "www.example.org" } });
    const refused = await expectExitCode(cal(`events update ${id} --title Renamed`), 6);
    expect(refused.stderr).toContain('the server refuses what the event has stored: website "www.example.org"');
    expect(refused.stderr).toContain("--clear website");
    await expectExitCode(cal(`events update ${id} --title Renamed --clear website`), 0);
    expect(await ask(`events/${id}`)).toMatchObject({ title: "Renamed" });
    await ask(`/wp/v2/tribe_events/${id}`, "POST", { meta: { _EventURL: "www.example.org" } });
    const clone = await expectExitCode(cal(`events clone ${id}`), 6);
    expect(clone.stderr).toContain("--clear website");
  });

  test("an image that the site refuses is named, and the way out works", async () => {
    const { id } = await ask("events", "POST", { title: "Programme", ...times });
    await ask(`/wp/v2/tribe_events/${id}`, "POST", { featured_media: 42 });
    const refused = await expectExitCode(cal(`events update ${id} --title Renamed`), 6);
    expect(refused.stderr).toContain('the server refuses what the event has stored: image "42"');
    await expectExitCode(cal(`events update ${id} --title Renamed --clear image`), 0);
  });

  test("%XX in a website is warned of before the write, also with --quiet", async () => {
    const address = "https://x.example/a%20b/caf%C3%A9";
    const create = await expectExitCode(
      cal(`events create --title Escapes --start-date '2027-05-10 20:00' --duration 1h --website ${address} --dry-run --quiet`),
      0,
    );
    const message = `removes each "%XX" of a web address: website "${address}" becomes "https://x.example/ab/caf"`;
    expect(create.stderr).toContain(message);
    const { id } = await ask("events", "POST", { title: "Escapes", ...times });
    const update = await expectExitCode(cal(`events update ${id} --website https://x.example/café --dry-run --quiet`), 0);
    expect(update.stderr).toContain('"https://x.example/caf%C3%A9" becomes "https://x.example/caf"');
  });

  test("what an update does to other records is said before, with their names", async () => {
    const { id: venue } = await ask("venues", "POST", { venue: `Back room ${tecVersion}`, status: "draft" });
    const { id: organizer } = await ask("organizers", "POST", { organizer: `Left us ${tecVersion}`, status: "publish" });
    const { id } = await ask("events", "POST", { title: "Linked", ...times, status: "draft", venue, organizer: [organizer] });
    await ask(`organizers/${organizer}`, "DELETE");
    const silent = await expectExitCode(cal(`events update ${id} --title Renamed --quiet`), 0);
    expect(silent.stderr).toBe("");
    const { stderr } = await expectExitCode(cal(`events update ${id} --status publish --quiet --dry-run`), 0);
    expect(stderr).toContain(`event ${id} "Renamed": this also publishes the venue ${venue} "Back room ${tecVersion}" (draft)`);
    expect(stderr).toContain(`this also takes out of the trash and publishes the organizer ${organizer} "Left us ${tecVersion}"`);
  });

  test("an event with a password is read by who may edit it", async () => {
    const { id } = await ask("events", "POST", { title: "Secret", ...times, description: "Behind the door" });
    await ask(`/wp/v2/tribe_events/${id}`, "POST", { password: "sesame" });
    const { stdout } = await expectExitCode(cal(`events get ${id} --json`), 0);
    expect(JSON.parse(stdout)).toMatchObject({ title: expect.stringContaining("Secret"), description: expect.stringContaining("Behind") });
    await expectExitCode(cal(`events update ${id} --excerpt Short`), 0);
    await expectExitCode(cal("events get secret --field id"), 0);
    const visitor = await site.as("")(`events get ${id}`);
    expect(visitor.code).toBe(4);
    expect(visitor.stderr).toContain("the event has a password: not logged in");
    expect(visitor.stderr).toContain("cal auth login");
  });

  describe("restore", () => {
    const fieldsOf = (record: Json) => {
      const { modified: _, modified_utc: __, status: ___, url: ____, json_ld: _____, date_utc: ______, ...others } = record;
      return others;
    };

    test("an event comes back with all that it had", async () => {
      const id = await createPriced(
        site,
        { cost: "10 - 20", symbol: "€", position: "prefix" },
        {
          featured: true,
          website: "https://x.example/",
          all_day: true,
          timezone: "Asia/Tokyo",
          image: "41",
          organizer: [31, 33],
          venue: 21,
        },
      );
      const before = await ask(`events/${id}`);
      const deleted = await expectExitCode(cal(`events delete ${id} --yes`), 0);
      expect(deleted.stderr).toContain(`cal events restore ${id}`);
      const gone = await cal(`events delete ${id} --yes`);
      expect(gone.stderr).toContain(`cal events restore ${id}`);
      const { stderr } = await expectExitCode(cal(`events restore ${id} --status publish`), 0);
      expect(stderr).toContain(`Restored event ${id}`);
      expect(await ask(`events/${id}`)).toMatchObject({ ...fieldsOf(before), status: "publish" });
      expect(await readPrice(site, id)).toEqual({ cost: "10 - 20", symbol: "€", position: "prefix" });
      const again = await expectExitCode(cal(`events restore ${id}`), 0);
      expect(again.stderr).toContain("is not in the trash");
    });

    test("by the slug that it had, or by its name; a draft by default", async () => {
      for (const ref of ["slug:old-mill-feast", "name:'Old Mill Feast'"]) {
        const { id } = await ask("events", "POST", { title: "Old Mill Feast", slug: "old-mill-feast", ...times });
        await expectExitCode(cal(`events delete ${id} --yes`), 0);
        const { stdout } = await expectExitCode(cal(`events restore ${ref} --json`), 0);
        expect(JSON.parse(stdout)).toMatchObject({ id, status: "draft" });
        await ask(`events/${id}`, "PATCH", { title: "Other", slug: `other-${id}` });
      }
      const { stderr } = await expectExitCode(cal("events restore slug:nothing-here"), 3);
      expect(stderr).toContain("there is no event slug:nothing-here in the trash");
    });

    test("an event with a password is not emptied", async () => {
      const { id } = await ask("events", "POST", { title: "Secret feast", ...times, featured: true });
      await ask(`/wp/v2/tribe_events/${id}`, "POST", { password: "sesame" });
      await expectExitCode(cal(`events delete ${id} --yes`), 0);
      const { code, stderr } = await cal(`events restore ${id} --status publish`);
      // The newer version shows it in the list of the trash only.
      expect(code, stderr).toBe(tecVersion === "6.10" ? 0 : 6);
      if (code === 0) expect(await ask(`events/${id}?context=edit`)).toMatchObject({ featured: true, status: "publish" });
      else expect(stderr).toContain("has a password");
    });

    test.each([
      ["venues", "venue", { address: "1 Mill St", city: "York", stateprovince: "NY", website: "https://v.example/" }],
      ["organizers", "organizer", { phone: "123", email: "a@x.example" }],
    ] as const)("%s", async (resource, title, fields) => {
      const { id } = await ask(resource, "POST", { [title]: `Gone ${tecVersion}`, ...fields });
      const before = await ask(`${resource}/${id}`);
      await expectExitCode(cal(`${resource} delete ${id} --yes`), 0);
      await expectExitCode(cal(`${resource} restore ${id} --status publish`), 0);
      expect(await ask(`${resource}/${id}`)).toMatchObject({ ...fieldsOf(before), status: "publish" });
    });
  });
});

test("a user who may not store any HTML is told what a save removes, before it", async () => {
  const site = await openSite();
  const author = site.as("author");
  const { stdout } = await expectExitCode(author("events create --title Mine --start-date '2027-05-10 20:00' --duration 1h --field id"), 0);
  const id = stdout.trim();
  const video = '<p>Watch</p><iframe src="https://v.example/1"></iframe>';
  await site.ask(`/wp/v2/tribe_events/${id}`, "POST", { content: video });
  const message = "the site removes <iframe> from its description: this user may not store such HTML";
  const update = await expectExitCode(author(`events update ${id} --title Renamed --quiet --dry-run`), 0);
  expect(update.stderr).toContain(`event ${id} "Mine": ${message}`);
  const clone = await expectExitCode(author(`events clone ${id} --quiet --dry-run`), 0);
  expect(clone.stderr).toContain(message);
  const create = "events create --title Other --start-date '2027-05-10 20:00' --duration 1h --quiet --dry-run --data -";
  expect((await expectExitCode(author(create, JSON.stringify({ description: video })), 0)).stderr).toContain(message);
  for (const line of [`events update ${id} --title Renamed --quiet --dry-run`, `events clone ${id} --quiet --dry-run`])
    expect((await expectExitCode(site.cal(line), 0)).stderr).toBe("");
  expect((await expectExitCode(site.cal(create, JSON.stringify({ description: video })), 0)).stderr).toBe("");
});

describe("a price that is typed", async () => {
  const site = await openSite();
  const create = (cost: string) =>
    expectExitCode(
      site.cal.runArgs(["events", "create", "--title", `At ${cost}`, ...createTimes, "--cost", cost, "--quiet", "--field", "cost"]),
      0,
    );

  test.each([
    ["€10 – €20", "€10 – €20"],
    ["€10-20", "€10 – €20"],
    ["10 - 20 €", "10€ – 20€"],
    ["10 kr – 20 kr", "10kr – 20kr"],
    ["£5 - £9.50", "£5 – £9.50"],
    ["10 – 20", "$10 – $20"],
    ["€ 10", "€10"],
    ["Free – €10", "Free – €10"],
    ["Donation", "Donation"],
  ])("%s is shown as %s", async (cost, shown) => {
    expect(await create(cost)).toMatchObject({ stdout: `${shown}\n`, stderr: "" });
    const { id } = await site.ask("events", "POST", { title: "Priced", ...times });
    const updated = await site.cal.runArgs(["events", "update", String(id), "--cost", cost, "--quiet", "--field", "cost"]);
    expect(updated).toMatchObject({ stdout: `${shown}\n`, stderr: "" });
  });

  // Recorded: every write through wp/v2 joins the rows of a price, and an update with the parts keeps them.
  test("a range of prices is kept by the update itself", async () => {
    const { id } = await site.ask("events", "POST", { title: "Range", ...times, cost: ["€10", "€20"] });
    const { stderr } = await expectExitCode(site.cal(`events update ${id} --title Renamed --quiet`), 0);
    expect({ stderr, writes: site.takeRequests().filter((line) => !line.startsWith("GET ")) }).toEqual({
      stderr: "",
      writes: [`PATCH /events/${id}`],
    });
    expect(await site.ask(`events/${id}`)).toMatchObject({ cost: "€10 – €20" });
  });

  test.each(["€10, €20", "€10 – $20", "1.234,56 €", "5,50 €"])("%s, which is shown as another price, is a warning before", async (cost) => {
    const { id } = await site.ask("events", "POST", { title: "Priced", ...times });
    for (const command of [`events update ${id}`, `events create --title Other ${createTimes.join(" ")}`]) {
      const { stderr } = await expectExitCode(site.cal(`${command} --cost '${cost}' --quiet --dry-run`), 0);
      expect(stderr).toContain(`the site will show another price than ${JSON.stringify(cost)}`);
    }
  });
});

describe.each([401, 403, 404] as const)("a site that answers %i on wp/v2", async (wpV2Status) => {
  const { cal, ask, takeRequests } = await openSite({ wpV2Status });
  const create = async (cost: unknown) => String((await ask("events", "POST", { title: "Priced", ...times, cost }))["id"]);

  test("many updates work, and the interface is asked for once, not for each record", async () => {
    const ids = [await create("10"), await create("20"), await create("30")];
    await ask(`events/${ids[0]}`);
    const { stderr } = await expectExitCode(cal(`events update ${ids.join(" ")} --excerpt Short --concurrency 1 --quiet`), 0);
    expect(stderr).toBe("");
    expect(takeRequests().filter((line) => line.includes("/wp/v2/") || line === "GET /")).toHaveLength(1);
  });

  test("what can't be copied is said, once for all copies", async () => {
    const { stderr } = await expectExitCode(cal("events clone 103 --shift +1w --times 3"), 0);
    expect(stderr.match(/not copied: description/g)).toHaveLength(1);
  });

  test.each([["$10"], ["12.50€"], [["€10", "€20"]], [["10kr", "20kr"]], ["Donation"], ["0"]])(
    "a price %j stays as visitors see it",
    async (cost) => {
      const id = await create(cost);
      const before = await ask(`events/${id}`);
      const { stderr } = await expectExitCode(cal(`events update ${id} --title Renamed --quiet`), 0);
      expect(stderr).toBe("");
      const after = await ask(`events/${id}`);
      expect([after["cost"], after["cost_details"]].map((value) => JSON.stringify(value).replace(/[^\d.]/g, ""))).toEqual(
        [before["cost"], before["cost_details"]].map((value) => JSON.stringify(value).replace(/[^\d.]/g, "")),
      );
      expect(after["cost"]).toBe(before["cost"]);
    },
  );

  test.each([["1,234.56"], ["1.234,56 €"], ["5,50€"]])("a price %j that can't be kept is a warning before the update", async (cost) => {
    const id = await create(cost);
    const { cost: shown } = await ask(`events/${id}`);
    const { stderr } = await expectExitCode(cal(`events update ${id} --title Renamed --quiet --dry-run`), 0);
    expect(stderr).toContain(`event ${id} "Priced": the site will store its price ${JSON.stringify(shown)} in another form`);
    const given = await expectExitCode(cal(`events update ${id} --cost 12 --quiet --dry-run`), 0);
    expect(given.stderr).toBe("");
  });
});

test.each(["America/New_York", "Asia/Tokyo"])("a new date of a draft is stored, with the zone %s of the user", async (zone) => {
  const site = await openSite();
  const { id } = await site.ask("events", "POST", { title: "Draft", ...times, status: "draft" });
  await expectExitCode(site.cal(`events update ${id} --date '2026-12-24 10:00' --tz ${zone}`), 0);
  const { date } = await site.ask(`events/${id}`);
  expect(date).toBe("2026-12-24 10:00:00");
  await expectExitCode(site.cal(`events update ${id} --title Later`), 0);
  expect(await site.ask(`events/${id}`)).toMatchObject({ date });
});
