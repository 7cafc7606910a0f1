// What a command may use, as types: cheap values at once, dear parts on demand. src/wiring makes it.
import type { Client } from "./api/request.ts";
import type { CredentialStore } from "./auth/credential-store.ts";
import type { AuthHeaderProvider } from "./auth/credentials.ts";
import type { ConfigFile } from "./config/config-file.ts";
import type { Folders } from "./config/folders.ts";
import type { Settings } from "./config/settings.ts";
import type { Transport } from "./http/transport.ts";
import type { Sandbox, SandboxOptions } from "./sandbox/server.ts";
import type { Io } from "./terminal/io.ts";
import type { Progress } from "./terminal/progress.ts";
import type { Prompt } from "./terminal/prompt.ts";
import type { Style } from "./terminal/style.ts";

/** The environment variables, read once. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Time, as everything but main.ts sees it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after so many milliseconds; rejects where the signal comes first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The machine that the program runs on. */
interface Machine {
  readonly home: string;
  /** As Node names it: `linux`, `darwin`, `win32`. */
  readonly platform: string;
  /** The system's time zone, by IANA name. */
  readonly zone: string;
  readonly pid: number;
  /** The version of Node, without a letter before it. */
  readonly nodeVersion: string;
  /** The file that was started, as it was called. */
  readonly program: string;
  /** Questions on the terminal, in the style of stderr; asked only where there is one. */
  prompt(style: Style): Prompt;
  /** Opens an address in the person's browser; false where none could be started. */
  openBrowser(url: string): Promise<boolean>;
  /** Opens a file in an editor, named as a command line, that has the terminal until it ends; resolves with its exit code. */
  edit(editor: string, file: string): Promise<number>;
  /** Path of the built program that speaks to the keychain. */
  readonly keychainProgram: string;
  /** Calls again and again after so many milliseconds, until the function that it returns is called; keeps no process alive. */
  startInterval(ms: number, tick: () => void): () => void;
  /** Has something done when a signal ends the process. */
  atSignal(act: () => void): void;
  /** Resolves when the user wants a command that runs on (`cal sandbox serve`) to end. */
  waitForStop(): Promise<void>;
}

/** The machine and its edges as main.ts hands them in; tests hand in their own. */
export interface System {
  readonly io: Io;
  readonly env: Env;
  readonly clock: Clock;
  readonly machine: Machine;
}

/** What a flag can hold; a list where it may be repeated. */
export type FlagValue = string | number | boolean | readonly string[];

/** Flags by name without dashes (`start-date`); what was not typed is absent. */
export type Flags = Readonly<Record<string, FlagValue>>;

/** What a handler is given. */
export interface Context extends System {
  /** The global flags that were typed. */
  readonly globals: Flags;
  readonly folders: Folders;
  /** Told what takes long; shown on a terminal only. */
  readonly progress: Progress;
  /** Says something the user asked for beside the data, on stderr, always. */
  say(text: string): Promise<void>;
  /** Says something the user should know, on stderr; silent under --quiet, which does not ask for a text that has yet to be made. */
  notice(text: string | (() => string)): Promise<void>;
  /** Says what may be wrong, on stderr, always. */
  warn(text: string): Promise<void>;
  settings(): Promise<Settings>;
  configFile(): Promise<ConfigFile>;
  /** A person at the terminal; rejects with kind `usage` where there is none or --no-input forbids it. */
  prompt(): Promise<Prompt>;
  /** The bare wire: for the authentication service and for finding a site. Carries no token. */
  transport(): Promise<Transport>;
  /** The stored logins of all profiles. */
  credentialStore(): Promise<CredentialStore>;
  /** Deletes what is kept in secret for a profile; false where there was nothing. */
  deleteSecrets(profile: string): Promise<boolean>;
  openBrowser(url: string): Promise<boolean>;
  tokens(): Promise<AuthHeaderProvider>;
  /** The calendar interface, with access, retries and the guard. */
  client(): Promise<Client>;
  /** Starts the embedded calendar; it ends with the command. */
  startSandbox(options: Partial<SandboxOptions>): Promise<Sandbox>;
  /** Throws the embedded calendar's data away and seeds it anew. */
  resetSandbox(file: string): Promise<void>;
  /** Where the embedded calendar keeps its data unless told. */
  readonly sandboxFile: string;
}

/** A context and how to end it. */
export interface OpenContext extends Context {
  /** Whether something that was said could not be written. */
  stderrFailed(): boolean;
  close(): Promise<void>;
}
