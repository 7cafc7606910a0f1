// Fetches what an address answers while a site is looked for, following redirects by hand.
import { CalError } from "../../errors.ts";
import { NotJson, parseJson } from "../../http/json.ts";
import type { HttpResponse, Transport } from "../../http/transport.ts";

/** An answer of any status, behind its redirects. */
export interface Page {
  /** Where it came from in the end. */
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Its JSON; undefined where it is none. */
  readonly json: unknown;
  readonly text: string;
  /** Changes of host on the way, in words. */
  readonly moves: readonly string[];
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const most = 5;

/** Reads an address with GET. Rejects with kind `local` for redirects that are not followed, else as the transport does. */
export async function readPage(send: Transport, url: string): Promise<Page> {
  const moves: string[] = [];
  let at = url;
  for (let count = 0; count <= most; count++) {
    const response = await send({ method: "GET", url: at, headers: { accept: "application/json, text/html;q=0.9, */*;q=0.8" } });
    const { location } = response.headers;
    if (!redirects.has(response.status) || location === undefined) return { ...(await page(at, response)), moves };
    const next = target(at, location);
    if (new URL(next).host !== new URL(at).host) moves.push(`${new URL(at).origin} redirects to ${new URL(next).origin}`);
    at = next;
  }
  throw new CalError("local", `${place(url)} redirects more than ${most} times`, { hint: "give the address that a browser ends at" });
}

function target(from: string, location: string): string {
  const next = URL.canParse(location, from) ? new URL(location, from) : undefined;
  const secure = new URL(from).protocol === "https:";
  if (next === undefined || !(next.protocol === "https:" || (next.protocol === "http:" && !secure))) {
    const to = next === undefined ? "no address" : `${next.protocol}//${next.host}`;
    throw new CalError("local", `${place(from)} redirects to ${to}, which is not followed`, {
      hint: next?.protocol === "http:" ? `if that is right: cal init ${next.origin}` : "give the address that a browser ends at",
    });
  }
  next.hash = "";
  return next.href;
}

async function page(url: string, { status, headers, body }: HttpResponse): Promise<Omit<Page, "moves">> {
  return { url, status, headers, json: await jsonOf(body), text: new TextDecoder().decode(body) };
}

async function jsonOf(body: Uint8Array): Promise<unknown> {
  try {
    return await parseJson(body);
  } catch (error) {
    if (error instanceof NotJson) return undefined;
    throw error;
  }
}

function place(url: string): string {
  return `${new URL(url).origin}${new URL(url).pathname}`;
}
