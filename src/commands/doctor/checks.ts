// Every check of `cal doctor`, in the order in which they are told: from the machine to the site.
import { accessCheck } from "./access.ts";
import { clockCheck } from "./clock.ts";
import { configurationCheck } from "./configuration.ts";
import { connectionCheck } from "./connection.ts";
import { documentationCheck } from "./documentation.ts";
import type { Check } from "./finding.ts";
import { interfaceCheck } from "./interface.ts";
import { keychainCheck } from "./keychain.ts";
import { nodeCheck } from "./node.ts";
import { pageSizeCheck } from "./page-size.ts";
import { programNameCheck } from "./program-name.ts";
import { timeZoneCheck } from "./time-zone.ts";

/** The checks. All of them only read. */
export const checks: readonly Check[] = [
  nodeCheck,
  programNameCheck,
  configurationCheck,
  keychainCheck,
  connectionCheck,
  clockCheck,
  interfaceCheck,
  documentationCheck,
  pageSizeCheck,
  timeZoneCheck,
  accessCheck,
];
