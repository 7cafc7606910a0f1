// Checking who calls: users, applications, and the two forms of the Authorization header.
import type { StoreReader } from "../store/memory.ts";
import type { Application, User } from "../store/tables.ts";
import { verifySecret } from "./secrets.ts";

/** The user of a name and password, or undefined. */
export function authenticateUser(data: StoreReader, username: string, password: string): User | undefined {
  const user = data.all("users").find((one) => one.username === username);
  return user !== undefined && verifySecret(user.username, password, user.password) ? user : undefined;
}

/** The application of a key, or undefined; a revoked one is none. */
export function authenticateClient(data: StoreReader, clientId: string, clientSecret: string): Application | undefined {
  const application = data.find("applications", clientId);
  return application !== undefined && !application.revoked && verifySecret(clientId, clientSecret, application.secret)
    ? application
    : undefined;
}

/** Name and password of a Basic header; undefined where there is none or it can't be read. */
export function parseBasicHeader(header: string | undefined): { readonly name: string; readonly password: string } | undefined {
  const encoded = /^basic +([a-z0-9+/=_-]+) *$/i.exec(header ?? "")?.[1];
  const text = encoded === undefined ? "" : Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 0 ? undefined : { name: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** The token of a Bearer header, or undefined. */
export function parseBearerHeader(header: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(header ?? "")?.[1];
}
