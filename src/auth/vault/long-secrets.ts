// Secrets longer than an entry may be: Windows has room for 2,560 bytes, so longer ones are kept in pieces.
import { randomBytes } from "node:crypto";
import { CalError } from "../../errors.ts";
import type { SecretStore } from "./secret-store.ts";

/** Bytes of an entry at most. */
export const maxEntryBytes = 2400;

const chunkHeaderPattern = /^cal-pieces:(\d{1,4}):([0-9a-f]{12})$/;

/** Wraps a store: a longer secret becomes a head that names its pieces. A new set of pieces has a new name, so no reader ever sees a mixture. */
export function withChunkedSecrets(inner: SecretStore): SecretStore {
  const piecesOf = async (accounts: readonly string[]): Promise<readonly string[]> => {
    const heads = await inner.read(accounts);
    return [...heads].flatMap(([account, value]) => formatChunkNames(account, value));
  };
  return {
    read: async (accounts) => {
      // Where another process replaces the pieces just now, the second look finds the new ones.
      return (
        (await readChunkedSecrets(inner, accounts)) ??
        (await readChunkedSecrets(inner, accounts)) ??
        Promise.reject(missingChunkError(accounts))
      );
    },
    write: async (entries) => {
      const old = await piecesOf(entries.map(([account]) => account));
      await inner.write(
        entries.flatMap(([account, secret]) => (needsChunks(secret) ? splitIntoChunks(account, secret) : [[account, secret] as const])),
      );
      if (old.length > 0) await inner.remove(old);
    },
    remove: async (accounts) => {
      const pieces = await piecesOf(accounts);
      await inner.remove([...accounts, ...pieces]);
    },
  };
}

function needsChunks(secret: string): boolean {
  return Buffer.byteLength(secret) > maxEntryBytes || chunkHeaderPattern.test(secret);
}

/** The pieces first, the head last: it is what makes them count. */
function splitIntoChunks(account: string, secret: string): readonly (readonly [string, string])[] {
  const text = Buffer.from(secret, "utf8").toString("base64");
  const count = Math.ceil(text.length / maxEntryBytes);
  const head = `cal-pieces:${count}:${randomBytes(6).toString("hex")}`;
  const pieces = formatChunkNames(account, head).map(
    (name, index) => [name, text.slice(index * maxEntryBytes, (index + 1) * maxEntryBytes)] as const,
  );
  return [...pieces, [account, head]];
}

function formatChunkNames(account: string, head: string): readonly string[] {
  const [, count, tag] = chunkHeaderPattern.exec(head) ?? [];
  return Array.from({ length: Number(count ?? 0) }, (_, index) => `${account}/${tag}/${index + 1}`);
}

/** Undefined where a piece is missing. */
async function readChunkedSecrets(inner: SecretStore, accounts: readonly string[]): Promise<ReadonlyMap<string, string> | undefined> {
  const heads = await inner.read(accounts);
  const names = [...heads].flatMap(([account, value]) => formatChunkNames(account, value));
  const pieces = names.length === 0 ? new Map<string, string>() : await inner.read(names);
  if (pieces.size < names.length) return undefined;
  return new Map([...heads].map(([account, value]) => [account, joinChunks(formatChunkNames(account, value), value, pieces)]));
}

function joinChunks(names: readonly string[], value: string, pieces: ReadonlyMap<string, string>): string {
  if (names.length === 0) return value;
  return Buffer.from(names.map((name) => pieces.get(name) ?? "").join(""), "base64").toString("utf8");
}

function missingChunkError(accounts: readonly string[]): CalError {
  return new CalError("unauthenticated", `a part of a stored secret is missing: ${accounts.join(", ")}`, { hint: "cal auth login" });
}
