// The answers that a login needs, from where they may come: flags, standard input, files, the environment, a person. Never from a secret's flag.
import { readEnvironmentSecret, readSecretFile } from "../../auth/environment.ts";
import { CalError, usageError } from "../../errors.ts";
import type { Prompt } from "../../terminal/prompt.ts";
import type { Invocation } from "../command.ts";
import type { AuthContext } from "./auth-context.ts";

/** Something to ask for, with the ways to give it without a terminal. */
export interface PromptField {
  readonly message: string;
  readonly hidden: boolean;
  /** How it is given where nobody can be asked: `CAL_USERNAME or --username`. */
  readonly alternatives: string;
}

/** The password from --password-stdin, --password-file, CAL_PASSWORD or CAL_PASSWORD_FILE; undefined where it is to be asked for. */
export async function readPasswordInput({ flags }: Invocation, context: AuthContext): Promise<string | undefined> {
  if (flags["password-stdin"] === true && flags["password-file"] !== undefined)
    throw usageError("--password-stdin and --password-file are two passwords; give one");
  if (flags["password-stdin"] === true) {
    if (context.io.stdin.isTTY)
      throw usageError(
        "--password-stdin reads the password from a pipe, and stdin is a terminal",
        "leave it out to be asked for the password",
      );
    return parseSingleLine(await context.io.stdin.text());
  }
  if (typeof flags["password-file"] === "string") return readSecretFile(flags["password-file"], "--password-file");
  return (await readEnvironmentSecret(context.env, "CAL_PASSWORD"))?.value;
}

/** The client secret from --client-secret-file, CAL_CLIENT_SECRET or CAL_CLIENT_SECRET_FILE; undefined where it is to be asked for. */
export async function readClientSecretInput({ flags }: Invocation, context: AuthContext): Promise<string | undefined> {
  if (typeof flags["client-secret-file"] === "string") return readSecretFile(flags["client-secret-file"], "--client-secret-file");
  return (await readEnvironmentSecret(context.env, "CAL_CLIENT_SECRET"))?.value;
}

function parseSingleLine(text: string): string {
  const line = text.replace(/\r?\n$/, "");
  if (line === "" || /[\r\n]/.test(line))
    throw usageError(
      "standard input does not hold one line with the password",
      "printf '%s' \"$PASSWORD\" | cal auth login --password-stdin",
    );
  return line;
}

/** Asks for all that is missing. Throws `usage` that names all of it where there is nobody to ask. */
export async function promptForMissing<K extends string>(
  known: Readonly<Record<K, string | undefined>>,
  wanted: Readonly<Record<K, PromptField>>,
  context: AuthContext,
): Promise<Readonly<Record<K, string>>> {
  const names = Object.keys(wanted) as K[];
  const missing = names.filter((name) => known[name] === undefined || known[name] === "");
  const prompt =
    missing.length === 0
      ? undefined
      : await openPrompt(
          missing.map((name) => wanted[name]),
          context,
        );
  const answers: Partial<Record<K, string>> = {};
  for (const name of names)
    answers[name] = missing.includes(name) && prompt !== undefined ? await promptForField(prompt, wanted[name]) : (known[name] ?? "");
  return answers as Readonly<Record<K, string>>;
}

async function promptForField(prompt: Prompt, { message, hidden }: PromptField): Promise<string> {
  const answer = hidden
    ? await prompt.secret(message)
    : await prompt.text({ message, validate: (text) => text !== "" || "this is needed" });
  if (answer === "") throw new CalError("declined", `nothing was typed for: ${message}`, { hint: "cal auth login" });
  return answer;
}

async function openPrompt(missing: readonly PromptField[], context: AuthContext): Promise<Prompt> {
  return context.prompt().catch((error: unknown) => {
    if (!(error instanceof CalError) || error.kind !== "usage") throw error;
    throw usageError(
      missing.map(
        ({ message, alternatives }) => `${message.toLowerCase()} is missing, and there is nobody to ask: give it with ${alternatives}`,
      ),
      "cal help auth login lists all the ways",
    );
  });
}
