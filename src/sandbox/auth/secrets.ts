// Secrets are kept as hashes only: a data file that is read by others gives none away.
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** The hash under which a secret is kept. What it is for goes in too, so that equal secrets have different hashes. */
export function hashSecret(purpose: string, secret: string): string {
  return createHash("sha256").update(`${purpose}\0${secret}`).digest("hex");
}

/** Whether the secret is the one that was hashed. */
export function verifySecret(purpose: string, secret: string, hashed: string): boolean {
  return timingSafeEqual(Buffer.from(hashSecret(purpose, secret), "hex"), Buffer.from(hashed, "hex"));
}

/** A new token: 256 random bits. */
export function createToken(): string {
  return randomBytes(32).toString("base64url");
}

/** A new application password: 24 letters and digits, shown in groups of four. */
export function createApplicationPassword(): string {
  const alphabet = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789ABCDEFGHJKLMNPQR";
  const letters = [...randomBytes(24)].map((byte) => alphabet[byte % alphabet.length] ?? "a").join("");
  return letters.match(/.{4}/g)?.join(" ") ?? letters;
}
