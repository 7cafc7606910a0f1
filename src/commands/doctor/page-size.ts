// Check: how many records the server gives in one page at most.

import type { Client } from "../../api/client.ts";
import { readPage } from "../../api/reply.ts";
import { listRequest } from "../../api/request.ts";
import { calOf } from "../../config/profiles.ts";
import type { Settings } from "../../config/settings.ts";
import { CalError } from "../../errors.ts";
import { resources } from "../../spec/index.ts";
import { serverKinds } from "../../spec/server-kinds.ts";
import type { Check, Finding } from "./finding.ts";

/** Asked for in this order until one is not refused. */
const sizes = [100, 50, 10] as const;

/** Lists events of any date, to have many. */
export const pageSize: Check = {
  name: "page-size",
  run: async ({ client, settings }) => {
    const [calendar, known] = [await client(), await settings()];
    for (const size of sizes) {
      const finding = await tried(calendar, known, size);
      if (finding !== undefined) return finding;
    }
    return {
      state: "warning",
      found: `pages of ${sizes.join(", ")} records are all refused`,
      advice: "cal api GET events --query per_page=1",
    };
  },
};

/** Undefined where the server refuses pages of this size. */
async function tried(calendar: Client, settings: Settings, size: number): Promise<Finding | undefined> {
  const filters = { ...serverKinds[settings.server.value].unhide.events, per_page: size };
  try {
    const { records, total } = readPage(
      resources.events,
      await calendar.send(listRequest(settings.namespace.value, resources.events, filters)),
    );
    if (records.length >= size)
      return judged(settings, size, size === sizes[0] ? `${size} or more` : `${size}; more are refused`, size !== sizes[0]);
    if (total !== undefined && total > records.length) return judged(settings, records.length, `${records.length}; more are cut off`, true);
    return { state: "ok", found: `not known: all ${records.length} events fit in one page of ${size}` };
  } catch (error) {
    if (error instanceof CalError && error.kind === "rejected") return undefined;
    throw error;
  }
}

function judged(settings: Settings, most: number, found: string, certain: boolean): Finding {
  const { per_page } = settings;
  if (!certain || per_page === undefined || per_page.value <= most) return { state: "ok", found };
  return {
    state: "warning",
    found: `${found}; per_page is ${per_page.value} (${per_page.origin})`,
    advice: `${calOf(settings)} config set per_page ${most}`,
  };
}
