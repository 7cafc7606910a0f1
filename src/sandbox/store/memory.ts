// All rows in memory, and the list of what a piece of work changed.
import type { TableName, Tables } from "./tables.ts";

/** Reading. */
export interface Data {
  all<T extends TableName>(table: T): readonly Tables[T][];
  find<T extends TableName>(table: T, id: string | number): Tables[T] | undefined;
}

/** Reading and writing; what is written is seen at once. */
export interface Draft extends Data {
  put<T extends TableName>(table: T, row: Tables[T]): void;
  remove(table: TableName, id: string | number): void;
  /** The next unused id. Ids are never given twice. */
  next(counter: "posts" | "terms"): number;
}

/** A row that was put (`json`) or removed (null). */
export interface Change {
  readonly table: TableName;
  readonly id: string;
  readonly json: string | null;
}

type Memory = { [T in TableName]: Map<string, Tables[T]> };

function blank(): Memory {
  return {
    events: new Map(),
    venues: new Map(),
    organizers: new Map(),
    categories: new Map(),
    tags: new Map(),
    users: new Map(),
    applications: new Map(),
    tokens: new Map(),
    passwords: new Map(),
    pictures: new Map(),
    counters: new Map(),
  };
}

/** Rows in memory that remember what was changed since they were last asked. */
export class Rows implements Draft {
  #memory = blank();
  #changes: Change[] = [];
  #undo: (() => void)[] = [];

  all<T extends TableName>(table: T): readonly Tables[T][] {
    return [...this.#memory[table].values()];
  }

  find<T extends TableName>(table: T, id: string | number): Tables[T] | undefined {
    return this.#memory[table].get(String(id));
  }

  put<T extends TableName>(table: T, row: Tables[T]): void {
    const rows = this.#memory[table];
    this.#remember(table, String(row.id));
    rows.set(String(row.id), row);
    this.#changes.push({ table, id: String(row.id), json: JSON.stringify(row) });
  }

  remove(table: TableName, id: string | number): void {
    this.#remember(table, String(id));
    this.#memory[table].delete(String(id));
    this.#changes.push({ table, id: String(id), json: null });
  }

  next(counter: "posts" | "terms"): number {
    const last = (this.find("counters", counter)?.last ?? 0) + 1;
    this.put("counters", { id: counter, last });
    return last;
  }

  /** Puts a row in its place without noting a change. */
  load(table: string, id: string, json: string): void {
    if (isTable(table)) this.#memory[table].set(id, JSON.parse(json));
  }

  clear(): void {
    this.#memory = blank();
    this.settle();
  }

  changes(): readonly Change[] {
    return this.#changes;
  }

  /** The changes are kept: forget that they could be taken back. */
  settle(): void {
    this.#changes = [];
    this.#undo = [];
  }

  /** The changes failed: take them back. */
  revert(): void {
    for (const undo of this.#undo.reverse()) undo();
    this.settle();
  }

  #remember<T extends TableName>(table: T, id: string): void {
    const rows = this.#memory[table];
    const held = rows.get(id);
    this.#undo.push(() => {
      if (held === undefined) rows.delete(id);
      else rows.set(id, held);
    });
  }
}

const tables = blank();

function isTable(name: string): name is TableName {
  return Object.hasOwn(tables, name);
}
