// `rest_no_route`: the site is there, and either has not this namespace, or nothing at this path in it. Says which namespaces the site has.
import { CalError, messageOf } from "../../errors.ts";
import { parseJson } from "../../http/json.ts";
import type { HttpResponse } from "../../http/transport.ts";
import { isRecord } from "../record.ts";

/** The same error, with the site's namespaces where it was `rest_no_route` and the site's index (`{base_url}/`) tells them. `path` is what was asked for. */
export async function addNamespaces(error: unknown, path: string, read: (path: string) => Promise<HttpResponse>): Promise<unknown> {
  if (!(error instanceof CalError) || error.details.code !== "rest_no_route") return error;
  const names = await fetchNamespaces(read).catch(() => []);
  const calendars = names.filter((name) => name.endsWith("/events/v1"));
  const known = names.length === 0 ? "" : `; the site has: ${names.join(", ")}`;
  return new CalError("local", `${messageOf(error).replace(/\.$/, "")}${known}`, {
    ...error.details,
    cause: error,
    hint: names.some((name) => path.startsWith(`/${name}/`))
      ? "the namespace is right, but this path or method is not in it: cal doc lists those that are"
      : `${namespaceHint(names, calendars)}: --namespace ${calendars[0] ?? "<name>"}, or: cal config set namespace ${calendars[0] ?? "<name>"}`,
  });
}

function namespaceHint(names: readonly string[], calendars: readonly string[]): string {
  return calendars.length === 0 && names.includes("wp/v2")
    ? "is The Events Calendar installed and active on this site? Another calendar's namespace"
    : "choose the calendar's namespace";
}

async function fetchNamespaces(read: (path: string) => Promise<HttpResponse>): Promise<readonly string[]> {
  const response = await read("/");
  const index = await parseJson(response.body);
  const names = isRecord(index) ? index["namespaces"] : undefined;
  return Array.isArray(names) ? names.filter(isNamespace) : [];
}

/** What can be a namespace; anything else is not repeated in a command that may be pasted. */
function isNamespace(name: unknown): name is string {
  return typeof name === "string" && /^\w[\w.-]*(?:\/\w[\w.-]*)*$/.test(name);
}
