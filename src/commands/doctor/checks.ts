// Every check of `cal doctor`, in the order in which they are told: from the machine to the site.
import { access } from "./access.ts";
import { clock } from "./clock.ts";
import { configuration } from "./configuration.ts";
import { connection } from "./connection.ts";
import { documentation } from "./documentation.ts";
import type { Check } from "./finding.ts";
import { theInterface } from "./interface.ts";
import { keychain } from "./keychain.ts";
import { node } from "./node.ts";
import { pageSize } from "./page-size.ts";
import { programName } from "./program-name.ts";
import { timeZone } from "./time-zone.ts";

/** The checks. All of them only read. */
export const checks: readonly Check[] = [
  node,
  programName,
  configuration,
  keychain,
  connection,
  clock,
  theInterface,
  documentation,
  pageSize,
  timeZone,
  access,
];
