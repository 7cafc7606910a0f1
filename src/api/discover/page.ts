// Fetches what an address answers while a site is looked for, following redirects by hand.
import { CalError } from "../../errors.ts";
import { InvalidJsonError, parseJson } from "../../http/json.ts";
import type { HttpResponse, Transport } from "../../http/transport.ts";

/** An answer of any status, behind its redirects. */
export interface FetchedPage {
  /** Where it came from in the end. */
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Its JSON; undefined where it is none. */
  readonly json: unknown;
  readonly text: string;
  /** Changes of host on the way, in words. */
  readonly hostChanges: readonly string[];
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const maxRedirects = 5;

/** Reads an address with GET. Rejects with kind `local` for redirects that are not followed, else as the transport does. */
export async function fetchPage(send: Transport, url: string): Promise<FetchedPage> {
  const hostChanges: string[] = [];
  let at = url;
  for (let count = 0; count <= maxRedirects; count++) {
    const response = await send({ method: "GET", url: at, headers: { accept: "application/json, text/html;q=0.9, */*;q=0.8" } });
    const { location } = response.headers;
    if (!redirectStatuses.has(response.status) || location === undefined) return { ...(await toFetchedPage(at, response)), hostChanges };
    const next = resolveRedirect(at, location);
    if (new URL(next).host !== new URL(at).host) hostChanges.push(`${new URL(at).origin} redirects to ${new URL(next).origin}`);
    at = next;
  }
  throw new CalError("local", `${formatOriginAndPath(url)} redirects more than ${maxRedirects} times`, {
    hint: "give the address that a browser ends at",
  });
}

function resolveRedirect(from: string, location: string): string {
  const next = URL.canParse(location, from) ? new URL(location, from) : undefined;
  const secure = new URL(from).protocol === "https:";
  if (next === undefined || !(next.protocol === "https:" || (next.protocol === "http:" && !secure))) {
    const to = next === undefined ? "no address" : `${next.protocol}//${next.host}`;
    throw new CalError("local", `${formatOriginAndPath(from)} redirects to ${to}, which is not followed`, {
      hint: next?.protocol === "http:" ? `if that is right: cal init ${next.origin}` : "give the address that a browser ends at",
    });
  }
  next.hash = "";
  return next.href;
}

async function toFetchedPage(url: string, { status, headers, body }: HttpResponse): Promise<Omit<FetchedPage, "hostChanges">> {
  return { url, status, headers, json: await parseJsonOrUndefined(body), text: new TextDecoder().decode(body) };
}

async function parseJsonOrUndefined(body: Uint8Array): Promise<unknown> {
  try {
    return await parseJson(body);
  } catch (error) {
    if (error instanceof InvalidJsonError) return undefined;
    throw error;
  }
}

function formatOriginAndPath(url: string): string {
  return `${new URL(url).origin}${new URL(url).pathname}`;
}
