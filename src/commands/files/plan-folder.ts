// The files of a folder against the site: each resource as an import, with links between the files.
import type { RecordSource } from "../../api/refs.ts";
import { toExactId } from "../../api/update.ts";
import { type Change, sortChanges } from "../../changes/change.ts";
import type { ConflictRule } from "../../changes/compare.ts";
import { filePrefix, type ImageFile } from "../../changes/image-file.ts";
import type { Keep } from "../../changes/value-store.ts";
import { type DataRecord, getText, isRecord } from "../../data-record.ts";
import type { ResourceName } from "../../model/resource.ts";
import { createLinkResolver, type LinkResolver, type ResolvedLink } from "../import/links.ts";
import type { SiteRecords } from "../import/matching.ts";
import { type ComparedRow, type missingRules, type PlannedImport, planImport } from "../import/plan-import.ts";
import { type FileRow, locate } from "./rows.ts";
import { type FolderState, fileResources, isIdLink } from "./state.ts";

export interface PlanFolderOptions {
  readonly site: RecordSource;
  readonly onConflict: ConflictRule;
  readonly missing: (typeof missingRules)[number];
  /** Keeps what is large of each change. Absent: in memory. */
  readonly keep?: Keep;
  /** The zone of events without one. */
  readonly zone: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Only these; absent is all. */
  readonly resources?: ReadonlySet<ResourceName>;
  /** The records of a resource, where all of them were read. */
  readonly records?: ReadonlyMap<ResourceName, SiteRecords>;
  /** Files that are left out, such as events outside a range. */
  readonly isIncluded?: (row: FileRow) => boolean;
}

/** The plan of files, and each of them beside its record. */
export interface PlannedFiles extends PlannedImport {
  readonly compared: readonly ComparedRow[];
}

/** What each file changes. Problems that only the site shows are added to the rows. */
export async function planFolder(state: FolderState, options: PlanFolderOptions): Promise<ReadonlyMap<ResourceName, PlannedFiles>> {
  const { site, onConflict, missing, zone, now } = options;
  const planned = new Map<ResourceName, PlannedFiles>();
  const links = createFolderLinks(state, createLinkResolver(site, false));
  for (const resource of fileResources) {
    if (options.resources?.has(resource.name) === false) continue;
    const rows = (state.rows.get(resource.name) ?? []).filter((row) => options.isIncluded?.(row) !== false);
    for (const row of rows)
      if (row.picture !== undefined && site.serverProfile.mediaPath === undefined)
        row.problems.push({
          message: `${locate(row, "image")}: this server takes no files: image is the id of a picture that it has, or the address of one`,
        });
    const compared: ComparedRow[] = [];
    const files = await planImport(rows, {
      site,
      resource,
      label: state.folder.path,
      links,
      entries: new Map([...state.entries].filter(([key]) => key.startsWith(`${resource.name}/`))),
      onConflict,
      zone,
      now,
      missing,
      includesPast: true,
      cancelled: "skip",
      findsBySlug: true,
      getManagedIds: () => new Set(),
      records: options.records?.get(resource.name),
      ...(options.keep && { keep: options.keep }),
      onCompared: (one) => void compared.push(one),
      isSamePicture: (value, record) => hasName(record, state.images?.find(value.slice(filePrefix.length))),
    });
    const own = { ...files, compared };
    planned.set(resource.name, own);
    links.add(own);
  }
  return planned;
}

/** Whether the picture of a record has the name that the site gives to the upload of a file. */
function hasName({ image }: DataRecord, file: ImageFile | undefined): boolean {
  const stem = (name: string) => name.replace(/^.*\//, "").replace(/\.[^.]*$/, "");
  const [own, its] = [stem(file?.name ?? ""), stem(isRecord(image) ? getText(image, "url") : "")];
  return own !== "" && its.startsWith(own) && /^(?:-\d+)?(?:-scaled)?$/.test(its.slice(own.length));
}

/** The plans of all resources as one, in the order in which it is carried out. */
export function mergePlanned(planned: ReadonlyMap<ResourceName, PlannedFiles>): PlannedFiles {
  const all = [...planned.values()];
  // A new record that others link to is in the plan of each resource that needs it.
  const changes = [...planned].flatMap(([resource, own]) => own.changes.filter((change) => change.resource === resource));
  return {
    changes: sortChanges(changes),
    rowChanges: new Map(all.flatMap(({ rowChanges }) => [...rowChanges])),
    unchanged: all.reduce((sum, { unchanged }) => sum + unchanged, 0),
    conflicts: all.flatMap(({ conflicts }) => conflicts),
    compared: all.flatMap(({ compared }) => compared),
    gone: all.flatMap(({ gone }) => gone),
    notices: all.flatMap(({ notices }) => notices),
    entries: all.flatMap(({ entries }) => entries),
    obsolete: new Map(all.flatMap(({ obsolete }) => [...obsolete])),
  };
}

interface FolderLinks extends LinkResolver {
  /** Takes in what was found out about the files of one resource. */
  add(planned: PlannedFiles): void;
}

/** Finds linked records by their files, else on the site. */
function createFolderLinks({ entries, links, folder }: FolderState, site: LinkResolver): FolderLinks {
  const ids = new Map([...entries].flatMap(([key, entry]) => ("id" in entry ? [[key, entry.id] as const] : [])));
  const created = new Map<string, Change>();
  return {
    created,
    warnings: [],
    add: ({ changes, compared }) => {
      for (const change of changes) if (change.op === "create") created.set(change.key, change);
      for (const { row, match } of compared) ids.set(row.key, String(match.record["id"]));
    },
    resolve: async (row, field, items) => {
      const { refersTo } = field;
      if (refersTo === undefined) return [];
      const found: ResolvedLink[] = [];
      for (const item of items) {
        const text = String(item);
        const [key = `${refersTo}/${text}`] = links.find(refersTo, text);
        const id = isIdLink(text) ? text.slice(3) : ids.get(key);
        if (id !== undefined) found.push(toExactId(id));
        else if (folder.has(refersTo) && links.find(refersTo, text).length > 0) found.push({ key });
        else found.push(...(await resolveOnSite(site, row, field, text)));
      }
      return found.filter((link, at) => found.findIndex((other) => JSON.stringify(other) === JSON.stringify(link)) === at);
    },
  };
}

/** A link to a record without a file. */
async function resolveOnSite(
  site: LinkResolver,
  row: Parameters<LinkResolver["resolve"]>[0],
  field: Parameters<LinkResolver["resolve"]>[1],
  text: string,
): Promise<readonly ResolvedLink[]> {
  const before = row.problems.length;
  const found = await site.resolve(row, field, [text], {});
  const place = "file" in row ? locate(row as FileRow, field.name) : row.place;
  const added = row.problems.splice(before).map((problem) => ({ ...problem, message: `${place}: ${field.name}: ${problem.message}` }));
  row.problems.push(...added);
  return found;
}
