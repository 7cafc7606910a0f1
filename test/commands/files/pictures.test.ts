// Pictures that files name by a path below the folder.
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectExitCode } from "../../helpers/session.ts";
import { type FolderSession, pullSandbox } from "./folder-session.ts";

const jazz = "events/2027-01-16-jazz-night-4.yaml";
const meeting = "events/2027-01-17-town-meeting-3.yaml";
const hall = "venues/town-hall.yaml";

const days = "--from 2027-01-16 --until 2027-01-31";

/** The smallest GIF, and another one. */
const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
const otherGif = Buffer.concat([gif, Buffer.from([0])]);
const theirGif = Buffer.concat([gif, Buffer.from([1])]);

async function pullWithPictures(
  server: string,
): Promise<FolderSession & { readonly setImage: (path: string, value: string) => void; readonly theirs: string }> {
  const session = await pullSandbox(server, { line: days });
  mkdirSync(join(session.folder, "posters"));
  writeFileSync(join(session.folder, "posters/jazz.gif"), gif);
  const theirs = join(session.cal.folder, "theirs.gif");
  writeFileSync(theirs, theirGif);
  const { read, write } = session;
  const setImage = (path: string, value: string) => write(path, `${read(path).replace(/^image: .*\n/m, "")}image: "${value}"\n`);
  return { ...session, setImage, theirs };
}

const imageOf = async ({ cal, idOf }: FolderSession, path: string) => {
  const { stdout } = await expectExitCode(cal(`${path.split("/")[0]} get ${idOf(path)} --json`), 0);
  return (JSON.parse(stdout) as { image: { id: string; url: string } }).image;
};

const countUploads = async ({ cal }: FolderSession) =>
  (JSON.parse((await cal("api GET /wp/v2/media --json")).stdout) as readonly { source_url: string }[]).filter(({ source_url }) =>
    source_url.includes("/jazz"),
  ).length;

test("a picture is uploaded once for all files that name it, and a second apply is empty", async () => {
  const session = await pullWithPictures("the-events-calendar");
  const { cal, folder, rows, read, idOf, setImage, theirs } = session;
  writeFileSync(join(folder, "posters/same.gif"), gif);
  setImage(jazz, "@posters/jazz.gif");
  setImage(meeting, "@posters/same.gif");
  setImage(hall, "@posters/jazz.gif");
  session.write("events/new.yaml", 'title: New\nstart_date: 2027-07-03 14:00\nimage: "@posters/jazz.gif"\n');
  expect(await rows(`validate ${folder}`)).toEqual([]);
  expect((await rows(`diff ${folder}`, 9)).filter(({ file }) => file === jazz)).toMatchObject([
    { changed: "here", field: "image", here: "@posters/jazz.gif" },
  ]);
  const plan = JSON.parse((await expectExitCode(cal(`apply ${folder} --dry-run --json`), 0)).stdout) as {
    changes: readonly { op: string; resource: string }[];
  };
  expect(plan.changes.map(({ op, resource }) => `${op} ${resource}`)).toEqual([
    "create media",
    "update venues",
    "update events",
    "update events",
    "create events",
  ]);
  const { stderr } = await expectExitCode(cal(`apply ${folder} --yes`), 0);
  expect(stderr).not.toContain("another value");
  expect(await rows(`apply ${folder} --yes`)).toEqual([]);
  expect(await rows(`diff ${folder}`)).toEqual([]);
  expect(await countUploads(session)).toBe(1);
  const { id } = await imageOf(session, jazz);
  for (const path of [meeting, hall, "events/new.yaml"]) expect(await imageOf(session, path)).toMatchObject({ id });

  // A pull keeps the line while the site has the picture, also where it writes the file.
  await expectExitCode(cal(`events update ${idOf(jazz)} --title "Jazz Matinee"`), 0);
  expect(await rows(`pull ${folder} ${days}`)).toMatchObject([{ status: "updated", file: jazz }]);
  expect(read(jazz)).toContain("title: Jazz Matinee\n");
  expect(read(jazz)).toContain('image: "@posters/jazz.gif"\n');
  expect(await rows(`apply ${folder} --yes`)).toEqual([]);
  await expectExitCode(cal(`events update ${idOf(jazz)} --image @${theirs}`), 0);
  expect(await rows(`pull ${folder} ${days}`)).toMatchObject([{ status: "updated", file: jazz }]);
  expect(read(jazz)).not.toContain("@posters");
  expect(await rows(`diff ${folder}`)).toEqual([]);

  // Another content is another picture.
  writeFileSync(join(folder, "posters/same.gif"), otherGif);
  expect(await rows(`pull ${folder} ${days}`)).toMatchObject([
    { status: "edited", file: meeting, fields: [{ file: "@posters/same.gif" }] },
  ]);
  await rows(`apply ${folder} --yes`);
  expect((await imageOf(session, meeting)).id).not.toBe(id);
  expect(await rows(`apply ${folder} --yes`)).toEqual([]);
});

test("a lost ledger uploads nothing again, and a picture that both sides have changed is a conflict", async () => {
  const session = await pullWithPictures("the-events-calendar");
  const { cal, folder, rows, idOf, setImage, theirs } = session;
  setImage(jazz, "@posters/jazz.gif");
  await rows(`apply ${folder} --yes`);
  rmSync(join(folder, ".calendar"), { recursive: true });
  await rows(`apply ${folder} --yes`);
  expect(await rows(`apply ${folder} --yes`)).toEqual([]);
  expect(await countUploads(session)).toBe(1);
  await expectExitCode(cal(`events update ${idOf(jazz)} --image @${theirs}`), 0);
  writeFileSync(join(folder, "posters/jazz.gif"), otherGif);
  expect(await rows(`diff ${folder}`, 9)).toMatchObject([{ changed: "both", field: "image", here: "@posters/jazz.gif" }]);
  await expectExitCode(cal(`apply ${folder} --yes`), 8);
  expect((await imageOf(session, jazz)).url).toContain("theirs");
  rmSync(join(folder, ".calendar"), { recursive: true });
  await expectExitCode(cal(`apply ${folder} --yes`), 8);
  await rows(`apply ${folder} --yes --on-conflict source`);
  expect((await imageOf(session, jazz)).url).toContain("jazz");
  expect(await rows(`apply ${folder} --yes`)).toEqual([]);
});

test("a saved plan uploads the pictures of a folder", async () => {
  const session = await pullWithPictures("the-events-calendar");
  const { cal, folder, rows, setImage } = session;
  setImage(jazz, "@posters/jazz.gif");
  const plan = join(cal.folder, "plan.json");
  await expectExitCode(cal(`apply ${folder} --plan-out ${plan}`), 0);
  expect(readFileSync(plan, "utf8")).toContain('"posters/jazz.gif"');
  expect((await expectExitCode(cal(`apply ${plan} --yes`), 2)).stderr).toContain("--images <folder> names it");
  await expectExitCode(cal(`apply ${plan} --images ${folder} --yes`), 0);
  expect((await imageOf(session, jazz)).url).toContain("jazz");
  await rows(`pull ${folder} ${days}`);
  expect(await rows(`apply ${folder} --yes`)).toEqual([]);
  expect(await countUploads(session)).toBe(1);
});

test("what can't be uploaded is named with its file and line, and nothing is sent", async () => {
  const session = await pullWithPictures("the-events-calendar");
  const { cal, folder, setImage, read } = session;
  writeFileSync(join(cal.folder, "outside.gif"), gif);
  writeFileSync(join(folder, "posters/notes.gif"), "no picture");
  symlinkSync(join(cal.folder, "outside.gif"), join(folder, "posters/link.gif"));
  symlinkSync(cal.folder, join(folder, "up"));
  for (const [image, message] of [
    ["@../outside.gif", '"../outside.gif" is not below the folder'],
    [`@${cal.folder}/outside.gif`, "is not below the folder"],
    ["@posters/link.gif", "symbolic link, which is not followed"],
    ["@up/outside.gif", "symbolic link, which is not followed"],
    ["@posters/none.gif", "there is no file posters/none.gif in the folder"],
    ["@posters/notes.gif", "its content is not JPEG"],
    ["@posters", "is no file"],
    ["@", "is not below the folder"],
  ] as const) {
    setImage(jazz, image);
    const line = read(jazz).trimEnd().split("\n").length;
    for (const command of image === "@" ? ["validate", "diff", "apply --yes"] : ["validate"]) {
      const { stderr } = await expectExitCode(cal(`${command} ${folder}`), 2);
      expect(stderr).toContain(`${jazz}:${line}: image can't be read: `);
      expect(stderr).toContain(message);
    }
  }
  expect(await countUploads(session)).toBe(0);
});

test("a server that takes no files says so", async () => {
  const { cal, folder, setImage, rows } = await pullWithPictures("generic");
  setImage(jazz, "@posters/jazz.gif");
  await rows(`validate ${folder}`);
  for (const command of ["diff", "apply --yes"]) {
    const { stderr } = await expectExitCode(cal(`${command} ${folder}`), 2);
    expect(stderr).toMatch(/jazz-night-4\.yaml:\d+: this server takes no files: image is the id of a picture/);
  }
  expect(await rows(`pull ${folder} ${days}`, 8)).toMatchObject([{ status: "refused", file: jazz }]);
});
