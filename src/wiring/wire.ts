// The wire of a command, put together: connections, debug, encryption, retries, and the line that says what is waited for.
import { whence } from "../config/address-source.ts";
import type { Settings } from "../config/settings.ts";
import type { Clock, Env } from "../context.ts";
import { CalError, messageOf } from "../errors.ts";
import type { Transport } from "../http/transport.ts";
import type { WireOptions } from "../http/undici.ts";
import type { Progress } from "../terminal/progress.ts";

/** What the wire is made of. */
export interface WireParts {
  readonly settings: Settings;
  readonly env: Env;
  readonly clock: Clock;
  readonly progress: Progress;
  readonly say: (text: string) => Promise<void>;
  readonly notice: (text: string) => Promise<void>;
  readonly warn: (text: string) => Promise<void>;
  /** Looks at every exchange. */
  readonly watched: (send: Transport) => Transport;
  /** Is given what closes the connections. */
  readonly closing: (() => Promise<void>)[];
}

/** The bare transport of a command: no access, no guard. */
export async function openTransport(parts: WireParts): Promise<Transport> {
  const { settings, env, clock, progress, say, notice, warn, watched, closing } = parts;
  const [{ createWire }, { paced }, { withRetries }, { encrypted }] = await Promise.all([
    import("../http/undici.ts"),
    import("../http/pace.ts"),
    import("../http/retries.ts"),
    import("../http/plain-http.ts"),
  ]);
  const wire = createWire(await wireOptions(settings, env));
  // A page that was read ahead and is not wanted in the end may wait for its repetition: the program would end so much later.
  const over = new AbortController();
  closing.push(wire.close, async () => over.abort());
  const { concurrency, retries, debug, allow_http, insecure } = settings;
  if (insecure.value) await warn(`any certificate is accepted (${insecure.origin}): what is sent and answered is not safe`);
  const send = debug.value ? (await import("../http/trace.ts")).traced(wire.send, clock, say) : wire.send;
  const repeating = withRetries(paced(encrypted(watched(send), allow_http.value), concurrency.value), {
    retries: retries.value,
    sleep: (ms) => clock.sleep(ms, over.signal),
    now: clock.now,
    random: Math.random,
    notice,
  });
  return (request) =>
    progress.during(
      () => `waiting for ${new URL(request.url).host}`,
      () => repeating(request),
    );
}

async function wireOptions(settings: Settings, env: Env): Promise<WireOptions> {
  const proxies = {
    http: env["HTTP_PROXY"] ?? env["http_proxy"],
    https: env["HTTPS_PROXY"] ?? env["https_proxy"],
    no: env["NO_PROXY"] ?? env["no_proxy"],
  };
  const ca = settings.ca_file === undefined ? undefined : await certificates(settings.ca_file.value, env["NODE_EXTRA_CA_CERTS"]);
  return {
    timeout: settings.timeout.value,
    connections: settings.concurrency.value,
    insecure: settings.insecure.value,
    whence: (url) => whence(url, settings),
    ...(ca === undefined ? {} : { ca }),
    proxies: Object.fromEntries(Object.entries(proxies).filter(([, value]) => value !== undefined && value !== "")),
  };
}

/** What Node trusts by itself, with the file's authorities beside it. */
async function certificates(path: string, extra: string | undefined): Promise<readonly string[]> {
  const [{ readFile }, { rootCertificates }] = await Promise.all([import("node:fs/promises"), import("node:tls")]);
  try {
    const files = extra === undefined || extra === "" ? [path] : [path, extra];
    return [...rootCertificates, ...(await Promise.all(files.map((file) => readFile(file, "utf8"))))];
  } catch (error) {
    throw new CalError("local", `the certificates of --ca-file can't be read: ${messageOf(error)}`, {
      code: "unreadable-file",
      hint: "--ca-file takes a file with certificates as PEM",
    });
  }
}
