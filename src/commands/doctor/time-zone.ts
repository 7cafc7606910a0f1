// Check: the site's time zone, and the one in which dates are read and shown.
import { parseSiteIndex } from "../../api/discover/site-index.ts";
import { formatCalCommand } from "../../config/profiles.ts";
import type { Check } from "./finding.ts";
import { CheckSkippedError } from "./unready.ts";

/** The site tells its zone in the index of its REST root ("not shown" in the interface). */
export const timeZoneCheck: Check = {
  name: "time-zone",
  run: async ({ requireRestRoot, settings }) => {
    const { json } = await requireRestRoot();
    const known = await settings();
    const { tz, site_tz, sandbox } = known;
    const zone = parseSiteIndex(json)?.site_tz;
    // It becomes part of a command to be pasted, so that it must be nothing else than a zone.
    if (zone === undefined || !/^[\w+:/-]+$/.test(zone))
      throw new CheckSkippedError(`the site does not tell its zone; dates are read in ${tz.value} (${tz.origin})`);
    const advice = `${formatCalCommand(known)} config set site_tz ${zone}`;
    const found = `the site is in ${zone}; dates are read and shown in ${tz.value} (${tz.origin})`;
    if (site_tz !== undefined && !isSameZone(site_tz.value, zone)) {
      return {
        state: "warning",
        found: `${found}; the profile takes the site to be in ${site_tz.value}`,
        advice,
      };
    }
    // A zone that was chosen, and the embedded calendar's, are as they were meant to be.
    if (tz.origin !== "system" || sandbox.value || isSameZone(tz.value, zone)) return { state: "ok", found };
    return { state: "warning", found, advice };
  },
};

function isSameZone(one: string, other: string): boolean {
  return canonicalizeZone(one) === canonicalizeZone(other);
}

/** Zones have old and new names. */
function canonicalizeZone(zone: string): string {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return zone;
  }
}
