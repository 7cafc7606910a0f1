// `cal <resource> copy` between both kinds of server: what is written the first time, and what the second time.
import { describe, expect, test } from "vitest";
import type { ServerProfileName } from "../../../src/model/server-profiles.ts";
import { expectExitCode } from "../../helpers/session.ts";
import { openTwoSites } from "./two-sites.ts";

const kinds: readonly ServerProfileName[] = ["generic", "the-events-calendar"];
const directions = kinds.flatMap((from) => kinds.map((to) => [from, to] as const));

describe.each(directions)("%s to %s", (from, to) => {
  test("everything, then nothing, then what has changed", async () => {
    const sites = await openTwoSites(from, to);
    const first = await sites.copy("events copy --all-dates --all");
    console.log(first.stderr, first.fates);
    const second = await sites.copy("events copy --all-dates --all");
    console.log(second.stderr, second.stdout);
    expect(second.fates).toEqual([]);
  });
});
