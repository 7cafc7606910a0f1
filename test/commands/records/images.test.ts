// Pictures that are files of this machine: uploaded once, before the write that needs them, and deleted again where it fails.

import { mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectExitCode } from "../../helpers/session.ts";
import { type JsonRecord, openSandboxSession, type SandboxSession } from "./sandbox.ts";
import { createServerSession } from "./server.ts";

/** The smallest pictures of each type, made with a graphics program and encoded in base64. */
const pictures = {
  gif: "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7",
  png: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  webp: "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA",
  jpg: "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=",
} as const;

const put = (folder: string, name: string, picture: keyof typeof pictures): string => {
  const path = join(folder, name);
  writeFileSync(path, Buffer.from(pictures[picture], "base64"));
  return path;
};

const open = async (): Promise<SandboxSession & { readonly media: () => Promise<readonly JsonRecord[]> }> => {
  const session = await openSandboxSession("the-events-calendar");
  const media = async () => {
    const answer = await fetch(`${session.sandbox.baseUrl}/wp/v2/media`);
    const rows = (await answer.json()) as readonly JsonRecord[];
    return rows.filter(({ id }) => Number(id) > 100);
  };
  return { ...session, media };
};

const dates = "--start-date '2031-03-04 19:00' --duration 2h";

describe("on a site that runs The Events Calendar", () => {
  test("a create uploads the file with its alternative text, and the event has the picture; undo takes both back", async () => {
    const { cal, media, fetchJson } = await open();
    const file = put(cal.folder, "Été 2031.PNG.jpg", "png");
    const { stdout, stderr } = await expectExitCode(
      cal(`events create --title A ${dates} --image '@${file}' --image-alt 'A stage at night' --json`),
      0,
    );
    const event = JSON.parse(stdout) as JsonRecord;
    const [picture] = await media();
    expect(picture).toMatchObject({
      alt_text: "A stage at night",
      mime_type: "image/png",
      title: { rendered: "Été 2031.PNG" },
      media_details: { file: "Ete-2031-PNG.png" },
    });
    expect(event["image"]).toMatchObject({ id: picture?.["id"] });
    expect(stderr).toContain(`Uploaded Été 2031.PNG.jpg as picture ${picture?.["id"]}`);
    const journal = readdirSync(join(cal.folder, "state", "journal")).map((name) =>
      readFileSync(join(cal.folder, "state", "journal", name), "utf8"),
    );
    expect(journal.join()).toContain('"sha256"');
    expect(journal.join()).not.toContain("PNG\\r");
    expect(JSON.parse((await cal("log --json")).stdout)).toMatchObject([{ changes: "2 created", undo: "yes" }]);
    await expectExitCode(cal("undo --dry-run --json"), 0);
    const operation = JSON.parse((await cal("log --json")).stdout)[0].operation as string;
    await expectExitCode(cal(`undo ${operation} --yes --quiet`), 0);
    expect(await media()).toEqual([]);
    expect((await fetchJson(`events/${event["id"]}`))["status"]).toBe("trash");
  });

  test("the same file is uploaded once; undo of the first operation leaves what another one uses", async () => {
    const { cal, media, fetchJson } = await open();
    const [a, b] = [put(cal.folder, "a.gif", "gif"), put(cal.folder, "b.gif", "gif")];
    const line = (title: string, file: string) => `events create --title ${title} ${dates} --image @${file} --quiet --field id`;
    await expectExitCode(cal(line("A", a)), 0);
    const second = (await expectExitCode(cal(line("B", b)), 0)).stdout.trim();
    await expectExitCode(cal(`venues update 23 --image @${b} --quiet`), 0);
    const uploaded = await media();
    expect(uploaded).toHaveLength(1);
    expect((await fetchJson(`events/${second}`))["image"]).toMatchObject({ id: uploaded[0]?.["id"] });
    const operations = JSON.parse((await cal("log --json")).stdout) as readonly JsonRecord[];
    const { stderr } = await expectExitCode(cal(`undo ${operations.at(-1)?.["operation"]} --yes`), 8);
    expect(stderr).toContain("another operation uses the picture too");
    expect(await media()).toHaveLength(1);
    // One that was deleted on the site meanwhile is uploaded again.
    await expectExitCode(cal(`api DELETE '/wp/v2/media/${uploaded[0]?.["id"]}?force=true' --yes`), 0);
    await expectExitCode(cal(line("C", a)), 0);
    expect(await media()).toHaveLength(1);
    expect((await media())[0]?.["id"]).not.toBe(uploaded[0]?.["id"]);
  });

  test("where the write of the record fails, the upload is deleted again", async () => {
    const { cal, media } = await open();
    const file = put(cal.folder, "a.webp", "webp");
    for (const line of [
      `events update 999 --image @${file}`,
      `events update 998 999 --image @${file}`,
      `events create --title A ${dates} --image @${file} --set website=nonsense`,
    ]) {
      const { stderr, code } = await cal(line);
      expect(code, stderr).not.toBe(0);
      expect(stderr).toContain("and deleted again, because nothing uses it");
      expect(await media()).toEqual([]);
    }
    await expectExitCode(cal(`events update 101 999 --image @${file}`), 8);
    expect(await media()).toHaveLength(1);
  });

  test("a user without the right to upload is told so, and the event is not written", async () => {
    const { cal, sandbox, media } = await open();
    const { applicationPassword = "" } = sandbox.users.find(({ username }) => username === "contributor") ?? {};
    const contributor = createServerSession(sandbox.baseUrl, "tec", {
      env: { CAL_USERNAME: "contributor", CAL_PASSWORD: applicationPassword },
    });
    const { stderr } = await expectExitCode(contributor(`events create --title A ${dates} --image @${put(cal.folder, "a.jpg", "jpg")}`), 5);
    expect(stderr).toContain("this user may not upload files to the site (upload_files)");
    expect(await media()).toEqual([]);
    expect((await cal("events list --month 2031-03 --format count")).stdout.trim()).toBe("0");
  });

  test("--dry-run shows the upload, and sends nothing; a saved plan is carried out with a folder", async () => {
    const { cal, media } = await open();
    const folder = join(cal.folder, "posters");
    mkdirSync(folder);
    const file = put(folder, "a.png", "png");
    const planned = JSON.parse((await expectExitCode(cal(`events create --title A ${dates} --image @${file} --dry-run --json`), 0)).stdout);
    expect(planned).toMatchObject([
      { method: "POST", url: expect.stringContaining("/wp/v2/media?title=a"), body: { file: "a.png", type: "image/png", bytes: 70 } },
      { body: { title: "A", image: '(id of the new picture "a.png")' } },
    ]);
    const plan = join(cal.folder, "plan.json");
    await expectExitCode(cal(`events create --title A ${dates} --image @${file} --image-alt Stage --plan-out ${plan} --quiet`), 0);
    expect(await media()).toEqual([]);
    expect((await expectExitCode(cal(`apply ${plan} --yes`), 2)).stderr).toContain("--images <folder> names it");
    put(folder, "a.png", "gif");
    expect((await expectExitCode(cal(`apply ${plan} --images ${folder} --yes`), 2)).stderr).toContain("is not the file that was planned");
    put(folder, "a.png", "png");
    await expectExitCode(cal(`apply ${plan} --images ${folder} --yes`), 0);
    const [picture] = await media();
    expect(picture).toMatchObject({ alt_text: "Stage" });
    const [event] = JSON.parse((await cal("events list --month 2031-03 --json")).stdout) as readonly JsonRecord[];
    expect(event?.["image"]).toMatchObject({ id: picture?.["id"] });
    // Run again it finds both.
    const again = JSON.parse(
      (await expectExitCode(cal(`apply ${plan} --images ${folder} --yes --json`), 0)).stdout,
    ) as readonly JsonRecord[];
    expect(again.map(({ status }) => status)).toEqual(["unchanged", "unchanged"]);
  });

  test("a plan does not upload the picture of an event that --no-overlap skips", async () => {
    const { cal, media } = await open();
    const folder = join(cal.folder, "images");
    mkdirSync(folder);
    put(folder, "a.png", "png");
    const plan = join(cal.folder, "plan.json");
    const event = `events create ${dates} --venue 23`;
    await expectExitCode(cal(`${event} --title A --image @${join(folder, "a.png")} --plan-out ${plan} --quiet`), 0);
    await expectExitCode(cal(`${event} --title B --quiet`), 0);
    const { stderr } = await expectExitCode(cal(`apply ${plan} --images ${folder} --no-overlap --yes`), 8);
    expect(stderr).toContain("skipped: ");
    expect(await media()).toEqual([]);
  });

  test("an import takes files below --images only, uploads each once, and knows them the second time", async () => {
    const { cal, media } = await open();
    const folder = join(cal.folder, "posters");
    mkdirSync(join(folder, "jazz"), { recursive: true });
    put(folder, "jazz/a.png", "png");
    put(cal.folder, "secret.png", "png");
    symlinkSync(join(cal.folder, "secret.png"), join(folder, "link.png"));
    symlinkSync(cal.folder, join(folder, "up"));
    writeFileSync(join(folder, "notes.png"), "no picture");
    const row = (title: string, image: string) => `${title},2031-03-04 19:00,2031-03-04 20:00,${image}`;
    const write = (...rows: readonly string[]) => {
      const csv = join(cal.folder, "events.csv");
      writeFileSync(csv, `${["title,start_date,end_date,image", ...rows].join("\n")}\n`);
      return csv;
    };
    const bad = ["@../secret.png", `@${cal.folder}/secret.png`, "@link.png", "@up/secret.png", "@notes.png", "@none.png", "@."];
    const csv = write(...bad.map((image, at) => row(`Bad ${at}`, image)));
    const { stderr } = await expectExitCode(cal(`events import ${csv} --images ${folder} --yes`), 2);
    for (const line of [2, 3]) expect(stderr).toMatch(new RegExp(`events.csv:${line}: image: .* is not below the folder of --images`));
    for (const line of [4, 5]) expect(stderr).toMatch(new RegExp(`events.csv:${line}: image: .* symbolic link, which is not followed`));
    expect(stderr).toMatch(/events.csv:6: image: .*is no picture/);
    expect(stderr).toMatch(/events.csv:7: image: there is no file none.png/);
    expect(await media()).toEqual([]);

    write(row("A", "@jazz/a.png"), row("B", "@jazz/a.png"));
    expect((await expectExitCode(cal(`events import ${csv} --yes`), 2)).stderr).toContain("--images <folder> names it");
    expect((await expectExitCode(cal(`events import ${csv} --images ${folder} --dry-run --json`), 0)).stdout).toContain('"media"');
    expect(await media()).toEqual([]);
    await expectExitCode(cal(`events import ${csv} --images ${folder} --yes --quiet`), 0);
    expect(await media()).toHaveLength(1);
    const events = JSON.parse((await cal("events list --month 2031-03 --json")).stdout) as readonly JsonRecord[];
    for (const { image } of events) expect(image).toMatchObject({ id: (await media())[0]?.["id"] });
    expect((await expectExitCode(cal(`events import ${csv} --images ${folder} --yes`), 0)).stderr).toContain("0 written, 2 unchanged");

    const failing = join(cal.folder, "failing.csv");
    put(folder, "b.png", "webp");
    const header = "title,start_date,end_date,image,website";
    writeFileSync(failing, `${header}\n${row("C", "@b.png")},nonsense\n${row("D", "@b.png")},nonsense\n`);
    const failed = await expectExitCode(cal(`events import ${failing} --images ${folder} --yes`), 8);
    expect(failed.stderr).toContain("and deleted again, because nothing uses it");
    expect(await media()).toHaveLength(1);

    put(folder, "jazz/a.png", "gif");
    await expectExitCode(cal(`events import ${csv} --images ${folder} --yes --quiet`), 0);
    expect(await media()).toHaveLength(2);
  });
});

test("what is wrong with a file is told before anything is sent", async () => {
  const { cal, sandbox } = await open();
  const large = put(cal.folder, "large.png", "png");
  truncateSync(large, 20_000_001);
  writeFileSync(join(cal.folder, "page.jpg"), "<html>");
  const sent = sandbox.requests().length;
  for (const [file, message] of [
    ["none.png", "there is no file"],
    ["page.jpg", "its content is not JPEG, PNG, GIF, WebP or AVIF"],
    ["large.png", "a picture may have 20 MB"],
    [".", "is no file"],
  ] as const) {
    const { stderr } = await expectExitCode(cal(`events create --image @${join(cal.folder, file)}`), 2);
    expect(stderr).toContain(message);
    expect(stderr).toContain("--title is required");
  }
  expect((await expectExitCode(cal(`events create --title A ${dates} --image 41 --image-alt x`), 2)).stderr).toContain("--image @<file>");
  expect((await expectExitCode(cal(`events create --title A ${dates} --data '{"image":"@a.png"}'`), 2)).stderr).toContain(
    "only --image takes",
  );
  expect(sandbox.requests().length).toBe(sent);
});

test("commands that upload nothing refuse a file", async () => {
  const { cal } = await open();
  const file = put(cal.folder, "a.png", "png");
  await expectExitCode(cal("series adopt 103 104 --series jazz --quiet"), 0);
  for (const line of [`events repeat 103 --every week --count 2 --image @${file}`, `series update jazz --image @${file} --yes`])
    expect((await expectExitCode(cal(line), 2)).stderr).toContain("uploads no file");
});

test("a generic server takes an id or an address only", async () => {
  const { cal } = await openSandboxSession("generic");
  const file = put(cal.folder, "a.png", "png");
  const { stderr } = await expectExitCode(cal(`events create --title A ${dates} --image @${file}`), 2);
  expect(stderr).toContain("this server takes no files: --image takes the id of a picture that it has, or the address of one");
  const csv = join(cal.folder, "events.csv");
  writeFileSync(csv, "title,start_date,end_date,image\nA,2031-03-04 19:00,2031-03-04 20:00,@a.png\n");
  expect((await expectExitCode(cal(`events import ${csv} --images ${cal.folder} --yes`), 2)).stderr).toContain(
    "this server takes no files",
  );
});
