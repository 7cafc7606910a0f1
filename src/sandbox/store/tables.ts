// What the sandbox keeps: rows by table, each with an `id`.
import type { ResourceName } from "../../spec/field.ts";

/** A value of a record. */
export type FieldValue = string | number | boolean | readonly number[];

/** A record of any of the five resources, as it was written: nothing rendered, nothing nested. Times are UTC texts. */
export interface Entry {
  readonly id: number;
  /** In its canonical form (slug.ts). */
  readonly slug: string;
  /** Terms are always `publish`. */
  readonly status: string;
  /** The id of a user. */
  readonly author: number;
  readonly date_utc: string;
  readonly modified_utc: string;
  /** The fields of the resource's spec that are not above, and what is known beyond them. */
  readonly fields: Readonly<Record<string, FieldValue>>;
}

/** What a user may do: everything, write, write drafts, or read what is published. */
export type Role = "administrator" | "editor" | "author" | "contributor" | "subscriber";

/** A person who may log in. */
export interface User {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly role: Role;
  /** Hash of the password. */
  readonly password: string;
}

/** An application key (auth.md, section 2). `id` is the client_id. */
export interface Application {
  readonly id: string;
  /** Hash of the client_secret. */
  readonly secret: string;
  readonly redirectUrls: readonly string[];
  readonly revoked: boolean;
}

/** A token that was issued; `id` is its hash. */
export interface Token {
  readonly id: string;
  readonly kind: "access" | "refresh";
  readonly application: string;
  readonly user: number;
  /** Milliseconds since 1970. */
  readonly expires: number;
  /** Tokens of one login, and of its refreshes, share a family. */
  readonly family: string;
}

/** An application password of a WordPress site; `id` is its hash. */
export interface ApplicationPassword {
  readonly id: string;
  readonly user: number;
  readonly name: string;
}

/** A picture in the media library of a WordPress site. */
export interface MediaImage {
  readonly id: number;
  readonly name: string;
  readonly width: number;
  readonly height: number;
}

/** The last number that was given to a new post or term. */
export interface Counter {
  readonly id: "posts" | "terms";
  readonly last: number;
}

/** Every table and the type of its rows. */
export type Tables = Record<ResourceName, Entry> & {
  users: User;
  applications: Application;
  tokens: Token;
  passwords: ApplicationPassword;
  pictures: MediaImage;
  counters: Counter;
};

/** The name of a table. */
export type TableName = keyof Tables;
