// What keeps the data file from being read or written is the user's to mend: kind `local`, with the file's name and a way out.
import { CalError, codeOf, messageOf } from "../../errors.ts";

/** The way out where the file itself is fine. */
const dataFileHint = "look at the rights of its folder, or choose another one with CAL_STATE_DIR";

/** The error for what the system, or SQLite, says of a data file; its code tells a full disk apart. */
export function createStoreError(file: string, cause: unknown, hint = dataFileHint): CalError {
  if (!["ENOSPC", "EDQUOT"].includes(codeOf(cause) ?? ""))
    return new CalError("local", `the sandbox's data file ${file} can't be used: ${messageOf(cause)}`, { cause, hint });
  return new CalError("local", `the sandbox's data file ${file} can't be written: the disk is full`, {
    cause,
    code: "disk-full",
    hint: "make room on that disk, or choose a folder on another one with CAL_STATE_DIR",
  });
}
