// What a command may use, as types. Values that cost time are functions. create-context.ts creates it.
import type { Client } from "./api/request.ts";
import type { CredentialStore } from "./auth/credential-store.ts";
import type { AuthHeaderProvider } from "./auth/credentials.ts";
import type { Journal } from "./changes/journal.ts";
import type { Keep } from "./changes/value-store.ts";
import type { ConfigFile } from "./config/config-file.ts";
import type { Folders } from "./config/folders.ts";
import type { Settings, SettingTypes } from "./config/settings.ts";
import type { Transport } from "./http/transport.ts";
import type { Sandbox, SandboxOptions } from "./sandbox/server.ts";
import type { Io, Output } from "./terminal/io.ts";
import type { PagerProcess } from "./terminal/pager.ts";
import type { Progress } from "./terminal/progress.ts";
import type { Prompt } from "./terminal/prompt.ts";
import type { Style } from "./terminal/style.ts";

/** The environment variables, read once. */
export type Env = Readonly<Record<string, string | undefined>>;

/** The clock. Only main.ts reads the real one. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds. Rejects if the signal comes first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** How a program ended that was started for one input. `killed`: the signal ended it. */
export type ProgramEnd = { readonly kind: "exit"; readonly code: number } | { readonly kind: "killed" };

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
  /** The path of the started file, as the user typed it. */
  readonly program: string;
  /** Prompts on the terminal, in the style of stderr. */
  prompt(style: Style): Prompt;
  /** Opens an address in the user's browser; false if no browser could be started. */
  openBrowser(url: string): Promise<boolean>;
  /** Opens a file in an editor, given as a command line; resolves with its exit code. */
  edit(editor: string, file: string): Promise<number>;
  /** Starts a pager, given as a command line. */
  openPager(command: string): Promise<PagerProcess>;
  /** Path of the built program that uses the keychain. */
  readonly keychainProgram: string;
  /** Starts a program without a shell and without arguments, with the text on its stdin; resolves with how it ended. */
  runProgram(program: string, input: string, signal: AbortSignal): Promise<ProgramEnd>;
  /** Returns the function that ends the interval. Keeps no process alive. */
  startInterval(ms: number, tick: () => void): () => void;
  /** Adds a function that runs when a signal ends the process. */
  atSignal(act: () => void): void;
  /** Resolves when the user ends a command that runs until then (`cal sandbox serve`). */
  waitForStop(): Promise<void>;
  /** Leaves SIGINT and SIGTERM to the function instead of ending the process, until the returned function is called. */
  onSignal(act: (kind: "interrupted" | "terminated") => void): () => void;
}

/** Everything outside the program. main.ts passes the real one, tests their own. */
export interface System {
  readonly io: Io;
  readonly env: Env;
  readonly clock: Clock;
  readonly machine: Machine;
}

/** The value of a flag; a list if the flag can be repeated. */
export type FlagValue = string | number | boolean | readonly string[];

/** Flags by name without dashes (`start-date`). Flags that were not typed are absent. */
export type Flags = Readonly<Record<string, FlagValue>>;

/** How a command was called. */
export interface CommandLine {
  /** The arguments after the program's name. */
  readonly argv: readonly string[];
  readonly globals: Flags;
  /** The flags of the command, of which some are settings too. */
  readonly flags: Flags;
  /** The command's own defaults of settings. */
  readonly defaults?: Partial<SettingTypes> | undefined;
}

/** What a command handler gets. */
export interface Context extends System {
  /** The global flags that were typed; with `--plan-out` also `--dry-run`. */
  readonly globals: Flags;
  readonly folders: Folders;
  /** Shown on a terminal only. */
  readonly progress: Progress;
  /** Prints on stderr, always. */
  say(text: string): Promise<void>;
  /** Prints on stderr, but not with --quiet, which does not call the function. */
  notice(text: string | (() => string)): Promise<void>;
  /** Prints a warning on stderr, always. */
  warn(text: string): Promise<void>;
  settings(): Promise<Settings>;
  configFile(): Promise<ConfigFile>;
  /** Rejects with kind `usage` without a terminal or with --no-input. */
  prompt(): Promise<Prompt>;
  /** Sends requests without a login: for the authentication service and for finding a site. */
  transport(): Promise<Transport>;
  /** The stored logins of all profiles. */
  credentialStore(): Promise<CredentialStore>;
  /** Deletes the stored secrets of a profile; false if there were none. */
  deleteSecrets(profile: string): Promise<boolean>;
  openBrowser(url: string): Promise<boolean>;
  tokens(): Promise<AuthHeaderProvider>;
  /** The calendar interface, with login, retries and the guard. */
  client(): Promise<Client>;
  /** The journal of this command; `undoes` is the operation that it takes back. Nothing is written with --dry-run or CAL_JOURNAL=0. */
  journal(undoes?: string): Promise<Journal>;
  /** Keeps values until the command ends, in a file where they are many. */
  openStore(): Promise<Keep>;
  /** The same for the site of another profile: its settings, its own login, its journal. */
  openOtherSite(profile: string): Promise<Context>;
  /** Starts a sandbox, which ends with the command. */
  startSandbox(options: Partial<SandboxOptions>): Promise<Sandbox>;
  /** Deletes the data of a sandbox and fills it again. */
  resetSandbox(file: string): Promise<void>;
  /** The default data file of the sandbox. */
  readonly sandboxFile: string;
  /**
   * The context of another command that runs within this one, on the same site with the same login and connections. Its streams, settings,
   * messages and journal are its own. It must be closed.
   */
  openCommand(line: CommandLine, system: System, settings: Settings): OpenContext;
}

export interface OpenContext extends Context {
  /** Writes data to stdout; on a terminal through the pager where it is longer than the screen. Messages come after it then. */
  page(write: (stdout: Output) => Promise<void>): Promise<void>;
  /** Whether a message could not be written. */
  stderrFailed(): boolean;
  close(): Promise<void>;
}
