// The first thing that is seen of a site: what its REST root answers, to nobody in particular.
import { buildUrl } from "../../api/address.ts";
import type { Settings } from "../../config/settings.ts";
import type { Context } from "../../context.ts";
import { parseJson } from "../../http/json.ts";
import { CheckSkippedError } from "./unready.ts";

/** An answer of the REST root, of any status. Times are of our own clock, in milliseconds since 1970. */
export interface RestRootResponse {
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Its JSON; undefined where it is none. */
  readonly json: unknown;
  readonly requestedAt: number;
  readonly respondedAt: number;
}

/** Asks for {base_url}/ without any login. Rejects with Unready where no site is chosen, else as the transport does. */
export async function fetchRestRoot(context: Context, { base_url }: Settings): Promise<RestRootResponse> {
  if (base_url === undefined) throw new CheckSkippedError("no site is chosen");
  const send = await context.transport();
  const url = buildUrl(base_url.value, "/", []);
  const requestedAt = context.clock.now();
  const { status, headers, body } = await send({ method: "GET", url, headers: { accept: "application/json" } });
  const respondedAt = context.clock.now();
  return { url, status, headers, json: await parseJson(body).catch(() => undefined), requestedAt, respondedAt };
}
