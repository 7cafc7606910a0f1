// The first thing that is seen of a site: what its REST root answers, to nobody in particular.
import { urlFor } from "../../api/address.ts";
import type { Settings } from "../../config/settings.ts";
import type { Context } from "../../context.ts";
import { parseJson } from "../../http/json.ts";
import { Unready } from "./unready.ts";

/** An answer of the REST root, of any status. Times are of our own clock, in milliseconds since 1970. */
export interface Front {
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Its JSON; undefined where it is none. */
  readonly json: unknown;
  readonly asked: number;
  readonly answered: number;
}

/** Asks for {base_url}/ without any login. Rejects with Unready where no site is chosen, else as the transport does. */
export async function readFront(context: Context, { base_url }: Settings): Promise<Front> {
  if (base_url === undefined) throw new Unready("no site is chosen");
  const send = await context.transport();
  const url = urlFor(base_url.value, "/", []);
  const asked = context.clock.now();
  const { status, headers, body } = await send({ method: "GET", url, headers: { accept: "application/json" } });
  const answered = context.clock.now();
  return { url, status, headers, json: await parseJson(body).catch(() => undefined), asked, answered };
}
