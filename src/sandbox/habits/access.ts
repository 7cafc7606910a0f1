// Who calls a WordPress site: application passwords over Basic. A bearer token means nothing to it, nor does a header it can't read.
import { parseBasicHeader } from "../auth/credentials.ts";
import { hashSecret } from "../auth/secrets.ts";
import { createApiError } from "../problems.ts";
import type { StoreReader } from "../store/memory.ts";
import type { Entry, Role, User } from "../store/tables.ts";

/** The user of an application password; undefined for anonymous calls. Recorded: a wrong one is 401 even where nobody need be logged in. */
export function authenticateByPassword(data: StoreReader, authorization: string | undefined): User | undefined {
  const sent = parseBasicHeader(authorization);
  if (sent === undefined || sent.name === "" || sent.password === "") return undefined;
  const name = sent.name.toLowerCase();
  const user = data.all("users").find((one) => one.username === name || one.email === name);
  if (user === undefined) {
    throw createApiError(401, "invalid_username", "<strong>Error:</strong> Unknown username. Check again or try your email address.");
  }
  const password = data.find("passwords", hashSecret("application password", sent.password.replaceAll(" ", "")));
  if (password?.user !== user.id)
    throw createApiError(401, "incorrect_password", "The provided password is an invalid application password.");
  return user;
}

/** The order of the roles; each may do what the ones before it may. */
const roleOrder: readonly Role[] = ["subscriber", "contributor", "author", "editor", "administrator"];

/** Whether a user has a role or a higher one. */
export function hasRole(user: User | undefined, role: Role): boolean {
  return user !== undefined && roleOrder.indexOf(user.role) >= roleOrder.indexOf(role);
}

/** 401 for anonymous calls, 403 for users who may not write. `own` is the record that is to be changed; once it is published it is no contributor's. */
export function requireWriteAccess(user: User | undefined, needed: Role, own?: Entry): User {
  if (user === undefined) throw createApiError(401, "rest_forbidden", "Sorry, you are not allowed to do that.");
  const isTheirs = own?.author === user.id && (hasRole(user, "author") || !["publish", "future"].includes(own.status));
  const mayTouch = own === undefined || isTheirs || hasRole(user, "editor");
  if (!hasRole(user, needed) || !mayTouch) throw createApiError(403, "rest_forbidden", "Sorry, you are not allowed to do that.");
  return user;
}
