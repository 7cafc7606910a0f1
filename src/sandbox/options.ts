// What a sandbox is started with, and what it is when it runs.
import type { CalError } from "../errors.ts";
import type { FaultInjector, InjectedFault } from "./faults.ts";
import type { DemoUser } from "./seed/accounts.ts";
import type { ServerProfileName, TecVersion } from "./site/site.ts";

/** The port that the records of the embedded calendar name in their addresses. */
export const defaultSandboxPort = 8123;

/** How to start a sandbox. It listens on 127.0.0.1 only. */
export interface SandboxOptions {
  /** The data file; it is made and seeded where there is none. `:memory:` keeps nothing. */
  readonly file: string;
  /** The day of the seed, `YYYY-MM-DD`; a data file that exists keeps its own. */
  readonly day: string;
  /** The clock: milliseconds since 1970. */
  readonly now: () => number;
  /** 0, or absent, is any free one. */
  readonly port?: number;
  /** The origin that the site takes for its own in what it answers, as behind a proxy; where it listens unless told. */
  readonly origin?: string;
  readonly serverProfile?: ServerProfileName;
  /** The version of The Events Calendar whose habits are had; `6.10` unless told. */
  readonly tecVersion?: TecVersion;
  /** Absent is `calendar/events/v1`, and with habits `tribe/events/v1`. */
  readonly namespace?: string;
  readonly permalinks?: "pretty" | "plain";
  /** Seconds; 3600 unless told. */
  readonly tokenLifetime?: number;
  /** Whether a refresh token can be used once only; true unless told. */
  readonly rotateRefreshTokens?: boolean;
  /** Redirect URLs to be registered beside the demo application's own. */
  readonly redirectUrls?: readonly string[];
  /** Whether every http address of this machine is a registered redirect URL. */
  readonly anyLoopbackRedirect?: boolean;
  /** Whether application passwords may be sent to http addresses. */
  readonly localEnvironment?: boolean;
  readonly faults?: readonly InjectedFault[];
  /** Is given a line for each request: method, path without query, status. */
  readonly log?: (line: string) => void;
  /** Is told what this machine refuses (a full disk, a lock that is not given back) before the client gets it as an answer. */
  readonly onStoreError?: (trouble: CalError) => void;
}

/** A request that was answered, or cut; never with a secret in it. */
export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  /** Without its question mark. */
  readonly query: string;
  /** `basic`, `bearer` or another word; "" where there was no Authorization header. */
  readonly scheme: string;
  readonly contentType: string;
  /** "" on the paths of the authentication interface and of logins. */
  readonly body: string;
  /** Of the answer; 0 where the connection was cut. */
  readonly status: number;
}

/** A running sandbox. */
export interface Sandbox {
  readonly port: number;
  /** {base_url} of the calendar interface. */
  readonly baseUrl: string;
  /** {auth_url} of the authentication interface. */
  readonly authUrl: string;
  /** The front page of the site. */
  readonly siteUrl: string;
  readonly namespace: string;
  readonly serverProfile: ServerProfileName;
  /** The zone of the site, by IANA name. */
  readonly zone: string;
  /** An access token of the user `admin` that lasts as long as this sandbox runs, and is known to no other. */
  readonly token: string;
  readonly application: { readonly clientId: string; readonly clientSecret: string };
  /** Who may log in; the first is the administrator. */
  readonly users: readonly [DemoUser, ...DemoUser[]];
  readonly faults: FaultInjector;
  /** The last 1000 requests, oldest first. */
  requests(): readonly LoggedRequest[];
  /** Stops listening and cuts what is open; resolves when the port is free. */
  close(): Promise<void>;
}
