// Request parameters as servers of this kind read them: `a[]=1&a[]=2`, `a[0]=1`, `venue[city]=Rome`; of repeated names the last counts.

/** Parameters by name; values are texts, or what a JSON body held. */
export type Params = Readonly<Record<string, unknown>>;

type Nested = { [key: string]: string | Nested };

/** No prototype, so that `__proto__` is a name like any other. */
function empty(): Nested {
  return Object.create(null);
}

/** Reads a query or a form body. Bracketed names become arrays where all keys are numbers, else objects. */
export function parameters(text: string): Params {
  const root = empty();
  for (const [name, value] of new URLSearchParams(text)) {
    const keys = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name);
    const path = keys?.[1] === undefined ? [name] : [keys[1], ...(keys[2] ?? "").slice(1, -1).split("][")];
    if (path.length <= 4) place(root, path, value);
  }
  return Object.fromEntries(Object.entries(root).map(([name, value]) => [name, settled(value)]));
}

function place(into: Nested, path: readonly string[], value: string): void {
  const [first = "", ...rest] = path;
  const key = first === "" ? String(Object.keys(into).length) : first;
  if (rest.length === 0) {
    into[key] = value;
    return;
  }
  const held = into[key];
  const next = typeof held === "object" ? held : empty();
  into[key] = next;
  place(next, rest, value);
}

function settled(value: string | Nested): unknown {
  if (typeof value === "string") return value;
  const keys = Object.keys(value);
  const values = Object.values(value).map(settled);
  if (keys.every((key) => /^\d+$/.test(key))) return values;
  return Object.fromEntries(keys.map((key, index) => [key, values[index]]));
}

/** The items of a value that may be an array, a comma-separated text or one thing. */
export function items(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === "string") return value.split(",").map((part) => part.trim());
  return [value];
}
