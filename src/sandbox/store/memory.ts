// All rows in memory, and the list of what a piece of work changed.
import type { TableName, Tables } from "./tables.ts";

/** Reading. */
export interface StoreReader {
  all<T extends TableName>(table: T): readonly Tables[T][];
  find<T extends TableName>(table: T, id: string | number): Tables[T] | undefined;
}

/** Reading and writing; what is written is seen at once. */
export interface StoreWriter extends StoreReader {
  put<T extends TableName>(table: T, row: Tables[T]): void;
  remove(table: TableName, id: string | number): void;
  /** The next unused id. Ids are never given twice. */
  nextId(counter: "posts" | "terms"): number;
}

/** A row that was put (`json`) or removed (null). */
export interface Change {
  readonly table: TableName;
  readonly id: string;
  readonly json: string | null;
}

type TableMaps = { [T in TableName]: Map<string, Tables[T]> };

function createEmptyTables(): TableMaps {
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
export class MemoryTables implements StoreWriter {
  #memory = createEmptyTables();
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
    this.#recordUndo(table, String(row.id));
    rows.set(String(row.id), row);
    this.#changes.push({ table, id: String(row.id), json: JSON.stringify(row) });
  }

  remove(table: TableName, id: string | number): void {
    this.#recordUndo(table, String(id));
    this.#memory[table].delete(String(id));
    this.#changes.push({ table, id: String(id), json: null });
  }

  nextId(counter: "posts" | "terms"): number {
    const last = (this.find("counters", counter)?.last ?? 0) + 1;
    this.put("counters", { id: counter, last });
    return last;
  }

  /** Puts a row in its place without noting a change. */
  load(table: string, id: string, json: string): void {
    if (isTableName(table)) this.#memory[table].set(id, JSON.parse(json));
  }

  clear(): void {
    this.#memory = createEmptyTables();
    this.commit();
  }

  changes(): readonly Change[] {
    return this.#changes;
  }

  /** The changes are kept: forget that they could be taken back. */
  commit(): void {
    this.#changes = [];
    this.#undo = [];
  }

  /** The changes failed: take them back. */
  rollback(): void {
    for (const undo of this.#undo.reverse()) undo();
    this.commit();
  }

  #recordUndo<T extends TableName>(table: T, id: string): void {
    const rows = this.#memory[table];
    const held = rows.get(id);
    this.#undo.push(() => {
      if (held === undefined) rows.delete(id);
      else rows.set(id, held);
    });
  }
}

const emptyTables = createEmptyTables();

function isTableName(name: string): name is TableName {
  return Object.hasOwn(emptyTables, name);
}
