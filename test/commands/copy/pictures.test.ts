// The pictures of copied records: read from the source alone and without a login, uploaded once, and listed as losses where that can't be done.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { once } from "../../../src/once.ts";
import type { SandboxResponse } from "../../../src/sandbox/http.ts";
import { expectExitCode } from "../../helpers/session.ts";
import type { JsonRecord } from "../records/sandbox.ts";
import { openTwoSites, type TwoSites } from "./two-sites.ts";

const tec = "the-events-calendar";
const stage = "/wp-content/uploads/stage.jpg";

/** The pictures that were uploaded to the target; the seed has its own below 100. */
async function getUploads({ target }: TwoSites): Promise<readonly JsonRecord[]> {
  const rows = (await (await fetch(`${target.baseUrl}/wp/v2/media`)).json()) as readonly JsonRecord[];
  return rows.filter(({ id }) => Number(id) > 100);
}

const getReads = ({ source }: TwoSites) => source.requests().filter(({ path }) => path.startsWith("/wp-content/"));

const readBytes = async (address: unknown) => Buffer.from(await (await fetch(String(address))).arrayBuffer());

/** All files below a folder, as one text. */
function readAll(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
  return files
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, "latin1"))
    .join("\n");
}

describe("between sites that run The Events Calendar", () => {
  test("a picture is uploaded once for all records that have it; a second copy reads and sends nothing; a new one replaces it", async () => {
    const sites = await openTwoSites(tec, tec);
    await expectExitCode(sites.cal("venues update 21 --image 41 --quiet"), 0);
    const first = await sites.copy("events copy 103");
    expect(first.fates.filter((fate) => fate.includes("media"))).toEqual(["create media done"]);
    expect(first.stderr).not.toContain("image");
    const [picture, ...others] = await getUploads(sites);
    expect(others).toEqual([]);
    expect(picture).toMatchObject({ mime_type: "image/jpeg", title: { rendered: "stage" }, media_details: { file: "stage-1.jpg" } });
    expect(await readBytes(picture?.["source_url"])).toEqual(await readBytes(`${sites.source.siteUrl}${stage}`));
    const readImage = async (line: string) => (await sites.read(sites.live, line)).map(({ image }) => (image as JsonRecord)["id"]);
    expect(await readImage("events list --all-dates")).toEqual([picture?.["id"]]);
    expect(await readImage("venues list")).toEqual([picture?.["id"]]);
    // Nothing of a login went along, and no bytes are kept.
    expect(getReads(sites).every(({ scheme }) => scheme === "")).toBe(true);
    const kept = readAll(join(sites.cal.folder, "state"));
    expect(kept).toContain("sha256");
    expect(kept).not.toContain("JFIF");

    const [reads, sent] = [getReads(sites).length, sites.target.requests().length];
    expect((await sites.copy("events copy 103")).fates).toEqual([]);
    expect(getReads(sites).length).toBe(reads);
    const methods = sites.target.requests().slice(sent);
    expect(methods.every(({ method }) => method === "GET")).toBe(true);

    // Another record with the same picture.
    const clone = (await expectExitCode(sites.cal("events clone 103 --shift +1d --field id --quiet"), 0)).stdout.trim();
    expect((await sites.copy(`events copy ${clone}`)).fates.toSorted()).toEqual(["create events done", "create media unchanged"]);
    const gif = join(sites.cal.folder, "new.gif");
    writeFileSync(gif, Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64"));
    await expectExitCode(sites.cal(`events update ${clone} --image @${gif} --quiet`), 0);
    expect((await sites.copy(`events copy ${clone}`)).fates.toSorted()).toEqual(["create media done", "update events done"]);
    expect((await getUploads(sites)).map(({ mime_type }) => mime_type).sort()).toEqual(["image/gif", "image/jpeg"]);

    const [last] = await sites.read(sites.live, "-p live log");
    await expectExitCode(sites.live(`-p live undo ${String(last?.["operation"])} --yes --quiet`), 0);
    expect(await getUploads(sites)).toEqual([picture]);
  });

  test("--dry-run shows the upload and sends nothing; a saved plan leaves pictures out, and the next copy adds them", async () => {
    const sites = await openTwoSites(tec, tec);
    const dry = JSON.parse((await expectExitCode(sites.cal("events copy 103 --to live --dry-run --json"), 0)).stdout) as JsonRecord;
    const [media] = dry["changes"] as readonly JsonRecord[];
    expect(media).toMatchObject({ op: "create", resource: "media", title: "wp-content/uploads/stage.jpg" });
    const plan = join(sites.cal.folder, "plan.json");
    const { stderr } = await expectExitCode(sites.cal(`events copy 103 --to live --plan-out ${plan}`), 0);
    expect(stderr).toContain(
      'not copied: image: a saved plan has no pictures: a copy without --plan-out uploads them: event 103 "Jazz Night"',
    );
    await expectExitCode(sites.live(`apply ${plan} --yes --quiet`), 0);
    expect(await getUploads(sites)).toEqual([]);
    expect((await sites.copy("events copy 103")).fates.toSorted()).toEqual(["create media done", "update events done"]);
    // The target has it now.
    await expectExitCode(sites.cal("events update 103 --title 'Jazz Day' --quiet"), 0);
    expect((await expectExitCode(sites.cal(`events copy 103 --to live --plan-out ${plan}`), 0)).stderr).toBe("1 to update, 5 unchanged\n");
  });
});

test("a generic source tells the address of a picture, or only its id", async () => {
  const sites = await openTwoSites("generic", tec);
  const only = await expectExitCode(sites.cal("events copy 103 --to live --dry-run"), 0);
  expect(only.stderr).toContain("image: its address is not known: event 103");
  await expectExitCode(sites.cal(`events update 103 --image ${sites.source.siteUrl}${stage} --quiet`), 0);
  expect((await sites.copy("events copy 103")).fates).toContain("create media done");
  expect((await sites.copy("events copy 103")).fates).toEqual([]);
});

describe("a picture that can't be read is a loss", () => {
  const page = (status: number, body: string, headers: SandboxResponse["headers"] = {}): SandboxResponse => ({ status, headers, body });
  const trick: { answer?: () => SandboxResponse } = {};
  /** Nothing is written to the target, so the tests share the sites. */
  const shared = once(() =>
    openTwoSites("generic", tec, true, {
      intercept: async (request, own) => (request.path === stage && trick.answer !== undefined ? trick.answer() : own(request)),
    }),
  );

  async function preview(getAddress: (own: string, other: string) => string) {
    const sites = await shared();
    const { source, target } = sites;
    await expectExitCode(sites.cal(`events update 103 --image ${getAddress(source.siteUrl, target.siteUrl)} --quiet`), 0);
    const reads = getReads(sites).length;
    const { stderr, stdout } = await expectExitCode(sites.cal("events copy 103 --to live --dry-run --json"), 0);
    expect(target.requests().filter(({ path }) => path === stage)).toEqual([]);
    expect(stdout).not.toContain('"media"');
    expect(stdout).not.toContain("stage.jpg");
    return { stdout, stderr, reads: getReads(sites).slice(reads) };
  }

  test.each([
    ["another type", () => page(200, "<html>", { "content-type": "image/png" }), "it is no picture that a site takes"],
    ["too large", () => page(200, `GIF89a${" ".repeat(20_000_000)}`), "it has more than 20 MB"],
    ["gone", () => page(404, ""), "answered 404"],
    ["a login", () => page(401, "", { "www-authenticate": "Basic" }), "answered 401"],
    ["a redirect to another origin", (other: string) => page(302, "", { location: `${other}${stage}` }), "is another site than"],
    ["a circle", () => page(302, "", { location: stage }), "redirects more than 5 times"],
  ] as const)("%s", async (_name, answer, message) => {
    const { target } = await shared();
    trick.answer = () => answer(target.siteUrl);
    const { stderr, reads } = await preview((own) => `${own}${stage}`);
    expect(stderr).toMatch(/not copied: image: wp-content\/uploads\/stage\.jpg: .*: event 103 "Jazz Night"/);
    expect(stderr).toContain(message);
    expect(reads.length).toBeGreaterThan(0);
    expect(reads.every(({ scheme }) => scheme === "")).toBe(true);
  });

  test.each([
    ["another site", (_: string, other: string) => `${other}${stage}`, "is another site than"],
    ["a login in the address", (own: string) => `${own.replace("//", "//admin:s3cret@")}${stage}`, "none is sent"],
    ["a file", () => "file:///etc/passwd", "an address of the form file: is not read"],
  ] as const)("%s", async (_name, getAddress, message) => {
    const { stderr, stdout, reads } = await preview(getAddress);
    expect(stderr).toContain(message);
    expect(stderr + stdout).not.toContain("s3cret");
    expect(reads).toEqual([]);
  });

  test("its record is copied without it", async () => {
    trick.answer = () => page(404, "");
    const sites = await shared();
    await expectExitCode(sites.cal(`events update 103 --image ${sites.source.siteUrl}${stage} --quiet`), 0);
    const { fates, stderr } = await sites.copy("events copy 103");
    expect(stderr).toContain("not copied: image: wp-content/uploads/stage.jpg");
    expect(fates).toContain("create events done");
    expect(await getUploads(sites)).toEqual([]);
  });

  test("one that was copied before stays at the target", async () => {
    const state = { isGone: false };
    const sites = await openTwoSites("generic", tec, true, {
      intercept: async (request, own) => (state.isGone && request.path.startsWith("/wp-content/") ? page(404, "") : own(request)),
    });
    await expectExitCode(sites.cal(`events update 103 --image ${sites.source.siteUrl}${stage} --quiet`), 0);
    await sites.copy("events copy 103");
    state.isGone = true;
    await expectExitCode(sites.cal(`events update 103 --image ${sites.source.siteUrl}/wp-content/other.jpg --title New --quiet`), 0);
    const { stderr, fates } = await sites.copy("events copy 103");
    expect(fates).toEqual(["update events done"]);
    expect(stderr).toContain("not copied: image: wp-content/other.jpg");
    const [event] = await sites.read(sites.live, "events list --all-dates");
    expect(event).toMatchObject({ title: "New", image: { id: (await getUploads(sites))[0]?.["id"] } });
  });
});

test("a picture that changes between the plan and the upload is not uploaded, and its record is not written", async () => {
  let count = 0;
  const sites = await openTwoSites(tec, tec, true, {
    intercept: async (request, own) => {
      if (request.path === stage) count += 1;
      return request.path === stage && count > 1 ? { status: 200, headers: {}, body: "GIF89a" } : own(request);
    },
  });
  const { stderr, fates } = await sites.copy("events copy 103", 8);
  expect(stderr + JSON.stringify(fates)).toContain("failed");
  expect(fates).not.toContain("create events done");
  expect(await getUploads(sites)).toEqual([]);
});
