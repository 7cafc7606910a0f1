// Deletes what a run made, whatever became of it, and tells what is left and what the site keeps in its trash.

/** @typedef {import("./walk.js").Ledger} Ledger */
/** @typedef {import("./walk.js").ResourceName} ResourceName */
/** @typedef {{ resource: ResourceName, id: string, why: string }} Left */

/** Events first: what they are linked to goes after them. */
const order = /** @type {const} */ (["events", "venues", "organizers", "tags", "categories"]);

/** How records of ours are found that nobody told the ids of; private ones are shown to some only where they are asked for. */
const searches = {
  events: [["--all-dates"], ["--all-dates", "--status", "private"]],
  venues: [[], ["--status", "private"]],
  organizers: [[], ["--status", "private"]],
  tags: [["--include-empty"]],
  categories: [["--include-empty"]],
};

/**
 * Deletes the records of the book, and where that may be incomplete those that carry the mark; resolves with what could not be deleted.
 * @param {import("./program.js").Cal} cal
 * @param {Ledger} ledger
 */
export async function cleanUp(cal, ledger) {
  /** @type {Left[]} */
  const left = [];
  for (const resource of order) {
    const known = [...ledger.made.values()].filter((made) => made.resource === resource);
    const found = ledger.unsure ? await marked(cal, resource, ledger.mark) : [];
    if (found === undefined) left.push({ resource, id: "of unknown id", why: `the list can't be read; look for ${ledger.mark}` });
    const gone = new Set(known.flatMap(({ id, deleted }) => (deleted ? [id] : [])));
    const ids = [...new Set([...known.map(({ id }) => id), ...(found ?? [])])].filter((id) => !gone.has(id));
    if (ids.length > 0) left.push(...(await deleteAll(cal, ledger, resource, ids)));
  }
  return left;
}

/**
 * The ids of the records that carry the mark; undefined where no list can be read.
 * @param {import("./program.js").Cal} cal
 * @param {ResourceName} resource
 * @param {string} mark
 * @returns {Promise<string[] | undefined>}
 */
async function marked(cal, resource, mark) {
  const lists = [];
  for (const args of searches[resource]) lists.push((await cal([resource, "list", "--all", `--search=${mark}`, ...args])).value);
  const read = lists.filter((list) => Array.isArray(list));
  const ours = read.flat().filter((record) => JSON.stringify(record).includes(mark));
  return read.length === 0 ? undefined : ours.map(({ id }) => String(id));
}

/**
 * @param {import("./program.js").Cal} cal
 * @param {Ledger} ledger
 * @param {ResourceName} resource
 * @param {readonly string[]} ids
 * @returns {Promise<Left[]>}
 */
async function deleteAll(cal, ledger, resource, ids) {
  const { value, problem } = await cal([resource, "delete", "-", "--yes", "--ignore-missing"], ids.join("\n"));
  if (!Array.isArray(value)) return ids.map((id) => ({ resource, id, why: problem }));
  return value.flatMap(({ ref, ok, record, error }) => {
    if (ok && record?.status === "trash") ledger.trashed.push({ resource, id: ref });
    return ok ? [] : [{ resource, id: ref, why: String(error?.message) }];
  });
}

/**
 * The lines about what is still on the site.
 * @param {readonly Left[]} left
 * @param {Ledger} ledger
 */
export function remains(left, { mark, trashed }) {
  const trash = order.flatMap((resource) => {
    const ids = trashed.filter((one) => one.resource === resource).map(({ id }) => id);
    return ids.length === 0 ? [] : [`  ${resource} ${ids.join(" ")}`];
  });
  return [
    ...(left.length === 0 ? [] : ["could not be deleted:", ...left.map(({ resource, id, why }) => `  ${resource} ${id}: ${why}`)]),
    ...(trash.length === 0 ? [] : [`in the site's trash, where a search for ${mark} finds them:`, ...trash]),
    ...(left.length + trash.length === 0 ? ["nothing of it is left on the site"] : []),
  ];
}
