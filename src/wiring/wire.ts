// The wire of a command, put together: connections, debug, encryption, retries, and the line that says what is waited for.
import { addressSource } from "../config/address-source.ts";
import type { Settings } from "../config/settings.ts";
import type { Clock, Env } from "../context.ts";
import { CalError, messageOf } from "../errors.ts";
import type { Transport } from "../http/transport.ts";
import type { HttpConnectionOptions } from "../http/undici.ts";
import type { Progress } from "../terminal/progress.ts";

/** What the wire is made of. */
export interface TransportParts {
  readonly settings: Settings;
  readonly env: Env;
  readonly clock: Clock;
  readonly progress: Progress;
  readonly say: (text: string) => Promise<void>;
  readonly notice: (text: string) => Promise<void>;
  readonly warn: (text: string) => Promise<void>;
  /** Looks at every exchange. */
  readonly withStoreErrors: (send: Transport) => Transport;
  /** Is given what closes the connections. */
  readonly closeCallbacks: (() => Promise<void>)[];
}

/** The bare transport of a command: no access, no guard. */
export async function openTransport(parts: TransportParts): Promise<Transport> {
  const { settings, env, clock, progress, say, notice, warn, withStoreErrors, closeCallbacks } = parts;
  const [{ createHttpConnection }, { limitConcurrency }, { withRetries }, { requireHttps }] = await Promise.all([
    import("../http/undici.ts"),
    import("../http/pace.ts"),
    import("../http/retries.ts"),
    import("../http/plain-http.ts"),
  ]);
  const wire = createHttpConnection(await createHttpConnectionOptions(settings, env));
  // A page that was read ahead and is not wanted in the end may wait for its repetition: the program would end so much later.
  const over = new AbortController();
  closeCallbacks.push(wire.close, async () => over.abort());
  const { concurrency, retries, debug, allow_http, insecure } = settings;
  if (insecure.value) await warn(`any certificate is accepted (${insecure.origin}): what is sent and answered is not safe`);
  const send = debug.value ? (await import("../http/trace.ts")).logRequests(wire.send, clock, say) : wire.send;
  const repeating = withRetries(limitConcurrency(requireHttps(withStoreErrors(send), allow_http.value), concurrency.value), {
    retries: retries.value,
    sleep: (ms) => clock.sleep(ms, over.signal),
    now: clock.now,
    random: Math.random,
    notice,
  });
  return (request) =>
    progress.trackWork(
      () => `waiting for ${new URL(request.url).host}`,
      () => repeating(request),
    );
}

async function createHttpConnectionOptions(settings: Settings, env: Env): Promise<HttpConnectionOptions> {
  const proxies = {
    http: env["HTTP_PROXY"] ?? env["http_proxy"],
    https: env["HTTPS_PROXY"] ?? env["https_proxy"],
    no: env["NO_PROXY"] ?? env["no_proxy"],
  };
  const ca = settings.ca_file === undefined ? undefined : await readCertificates(settings.ca_file.value, env["NODE_EXTRA_CA_CERTS"]);
  return {
    timeout: settings.timeout.value,
    connections: settings.concurrency.value,
    insecure: settings.insecure.value,
    addressSource: (url) => addressSource(url, settings),
    ...(ca === undefined ? {} : { ca }),
    proxies: Object.fromEntries(Object.entries(proxies).filter(([, value]) => value !== undefined && value !== "")),
  };
}

/** What Node trusts by itself, with the file's authorities beside it. */
async function readCertificates(path: string, extra: string | undefined): Promise<readonly string[]> {
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
