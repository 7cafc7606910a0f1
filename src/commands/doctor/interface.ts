// Check: the namespace is there, in the version that this program speaks, on the kind of server that the settings say.

import { isRecord } from "../../api/record.ts";
import { formatCalCommand } from "../../config/profiles.ts";
import { namespaces } from "../../spec/index.ts";
import type { Check } from "./finding.ts";

/** The version of the interface (section 9). */
const supportedVersion = 1;

/** A namespace that is not there is told by the client's own error, with those that are. */
export const interfaceCheck: Check = {
  name: "interface",
  run: async ({ client, settings }) => {
    const calendar = await client();
    const known = await settings();
    const { namespace, server } = known;
    const { value } = await calendar.send({ method: "GET", path: `/${namespace.value}`, query: [] });
    const routes = isRecord(value) && isRecord(value["routes"]) ? `, ${Object.keys(value["routes"]).length} routes` : "";
    const version = /(?:^|\/)v(\d+)$/.exec(namespace.value)?.[1];
    const found = `${namespace.value}${version === undefined ? "" : `, version ${version}`}${routes}; server ${server.value} (${server.origin})`;
    if (version !== undefined && Number(version) !== supportedVersion) {
      return {
        state: "warning",
        found: `${found}; this program speaks version ${supportedVersion}`,
        advice: `cal root --json shows the routes; ${formatCalCommand(known)} config set namespace <namespace>`,
      };
    }
    if (namespace.value === namespaces.theEventsCalendar && server.value !== "the-events-calendar") {
      const advice = `${formatCalCommand(known)} config set server the-events-calendar`;
      return { state: "failure", found: `${found}; on this kind of site updates would lose fields`, advice };
    }
    return { state: "ok", found };
  },
};
