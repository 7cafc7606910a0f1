// Who may log in to a fresh sandbox. The values are public on purpose: the docs name them.
import { hashSecret } from "../auth/secrets.ts";
import type { StoreWriter } from "../store/memory.ts";
import type { Role } from "../store/tables.ts";

/** A person that the documentation names. */
export interface DemoUser {
  readonly username: string;
  readonly password: string;
  readonly role: Role;
  /** For sites that take application passwords (habits `the-events-calendar`). */
  readonly applicationPassword: string;
}

/** The people of a fresh sandbox, in the order of their ids from 1. */
export const demoUsers: readonly [DemoUser, ...DemoUser[]] = [
  { username: "admin", password: "admin-demo", role: "administrator", applicationPassword: "admi ndem oadm inde moad mind" },
  { username: "editor", password: "editor-demo", role: "editor", applicationPassword: "edit orde moed itor demo edit" },
  { username: "author", password: "author-demo", role: "author", applicationPassword: "auth orde moau thor demo auth" },
  { username: "contributor", password: "contributor-demo", role: "contributor", applicationPassword: "cont ribu torD emoc ontr ibut" },
  { username: "reader", password: "reader-demo", role: "subscriber", applicationPassword: "read erde more ader demo read" },
];

/** The application key of a fresh sandbox. */
export const demoApplication = { clientId: "cal-demo", clientSecret: "cal-demo-secret" } as const;

/** The redirect URL that a fresh sandbox has registered for the application. */
export const demoRedirectUrl = "http://127.0.0.1:18250/callback";

/** Puts the people and the application in. */
export function seedAccounts(draft: StoreWriter): void {
  demoUsers.forEach(({ username, password, role, applicationPassword }, index) => {
    const id = index + 1;
    draft.put("users", { id, username, email: `${username}@example.org`, role, password: hashSecret(username, password) });
    draft.put("passwords", { id: hashSecret("application password", applicationPassword.replaceAll(" ", "")), user: id, name: "demo" });
  });
  draft.put("applications", {
    id: demoApplication.clientId,
    secret: hashSecret(demoApplication.clientId, demoApplication.clientSecret),
    redirectUrls: [demoRedirectUrl],
    revoked: false,
  });
}
