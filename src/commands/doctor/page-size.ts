// Check: how many records the server gives in one page at most.

import type { Client } from "../../api/client.ts";
import { parsePage } from "../../api/reply.ts";
import { buildListRequest } from "../../api/request.ts";
import { formatCalCommand } from "../../config/profiles.ts";
import type { Settings } from "../../config/settings.ts";
import { CalError } from "../../errors.ts";
import { resources } from "../../spec/index.ts";
import { serverProfiles } from "../../spec/server-kinds.ts";
import type { Check, Finding } from "./finding.ts";

/** Asked for in this order until one is not refused. */
const pageSizes = [100, 50, 10] as const;

/** Lists events of any date, to have many. */
export const pageSizeCheck: Check = {
  name: "page-size",
  run: async ({ client, settings }) => {
    const [calendar, known] = [await client(), await settings()];
    for (const size of pageSizes) {
      const finding = await tryPageSize(calendar, known, size);
      if (finding !== undefined) return finding;
    }
    return {
      state: "warning",
      found: `pages of ${pageSizes.join(", ")} records are all refused`,
      advice: "cal api GET events --query per_page=1",
    };
  },
};

/** Undefined where the server refuses pages of this size. */
async function tryPageSize(calendar: Client, settings: Settings, size: number): Promise<Finding | undefined> {
  const filters = { ...serverProfiles[settings.server.value].unfilteredParameters.events, per_page: size };
  try {
    const { records, total } = parsePage(
      resources.events,
      await calendar.send(buildListRequest(settings.namespace.value, resources.events, filters)),
    );
    if (records.length >= size)
      return evaluatePageSize(
        settings,
        size,
        size === pageSizes[0] ? `${size} or more` : `${size}; more are refused`,
        size !== pageSizes[0],
      );
    if (total !== undefined && total > records.length)
      return evaluatePageSize(settings, records.length, `${records.length}; more are cut off`, true);
    return { state: "ok", found: `not known: all ${records.length} events fit in one page of ${size}` };
  } catch (error) {
    if (error instanceof CalError && error.kind === "rejected") return undefined;
    throw error;
  }
}

function evaluatePageSize(settings: Settings, most: number, found: string, certain: boolean): Finding {
  const { per_page } = settings;
  if (!certain || per_page === undefined || per_page.value <= most) return { state: "ok", found };
  return {
    state: "warning",
    found: `${found}; per_page is ${per_page.value} (${per_page.origin})`,
    advice: `${formatCalCommand(settings)} config set per_page ${most}`,
  };
}
