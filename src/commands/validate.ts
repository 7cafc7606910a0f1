// `cal validate DIR`: what is wrong with the files, without a site.
import { readLedgerAnySite } from "../changes/ledger.ts";
import { exitCodes } from "../errors.ts";
import { openRecordFolder } from "../files/folder.ts";
import type { Column } from "../model/resource.ts";
import type { Handler } from "./command.ts";
import { assertReadable, readFolderState } from "./files/state.ts";

const columns: readonly Column[] = [
  { header: "FILE", path: "file", kind: "name", priority: 1 },
  { header: "LINE", path: "line", kind: "count", priority: 1 },
  { header: "WARNING", path: "message", kind: "text", priority: 1 },
];

export const validate: Handler = async ({ args, flags }, context) => {
  const [path = "."] = args;
  const folder = openRecordFolder(path);
  const { tz } = await context.settings();
  const options = { zone: tz.value, now: context.clock.now() };
  const state = readFolderState(folder, readLedgerAnySite(folder.ledgerPath), options);
  const { warnings } = assertReadable(state, options);
  const files = [...state.rows.values()].reduce((sum, rows) => sum + rows.length, 0);
  await context.notice(`${files} files, no errors, ${warnings.length} ${warnings.length === 1 ? "warning" : "warnings"}`);
  return {
    kind: "list",
    columns,
    fieldNames: ["file", "line", "message"],
    records: warnings.map((warning) => ({ ...warning })),
    exitCode: () => (flags["strict"] === true && warnings.length > 0 ? exitCodes.findings : 0),
  };
};
