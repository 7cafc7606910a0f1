// Request parameters as servers of this kind read them: `a[]=1&a[]=2`, `a[0]=1`, `venue[city]=Rome`; of repeated names the last counts.

/** Parameters by name; values are texts, or what a JSON body held. */
export type Params = Readonly<Record<string, unknown>>;

type NestedParams = { [key: string]: string | NestedParams };

/** No prototype, so that `__proto__` is a name like any other. */
function createNestedParams(): NestedParams {
  return Object.create(null);
}

/** Reads a query or a form body. Bracketed names become arrays where all keys are numbers, else objects. */
export function parseParameters(text: string): Params {
  const root = createNestedParams();
  for (const [name, value] of new URLSearchParams(text)) {
    const keys = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name);
    const path = keys?.[1] === undefined ? [name] : [keys[1], ...(keys[2] ?? "").slice(1, -1).split("][")];
    if (path.length <= 4) setNestedValue(root, path, value);
  }
  return Object.fromEntries(Object.entries(root).map(([name, value]) => [name, toPlainValue(value)]));
}

function setNestedValue(into: NestedParams, path: readonly string[], value: string): void {
  const [first = "", ...rest] = path;
  const key = first === "" ? String(Object.keys(into).length) : first;
  if (rest.length === 0) {
    into[key] = value;
    return;
  }
  const held = into[key];
  const next = typeof held === "object" ? held : createNestedParams();
  into[key] = next;
  setNestedValue(next, rest, value);
}

function toPlainValue(value: string | NestedParams): unknown {
  if (typeof value === "string") return value;
  const keys = Object.keys(value);
  const values = Object.values(value).map(toPlainValue);
  if (keys.every((key) => /^\d+$/.test(key))) return values;
  return Object.fromEntries(keys.map((key, index) => [key, values[index]]));
}

/** The items of a value that may be an array, a comma-separated text or one thing. */
export function toList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === "string") return value.split(",").map((part) => part.trim());
  return [value];
}
