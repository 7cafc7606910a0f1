// The table of faults, whole: run by faults.test.ts, and printed as docs/faults.md.

import { machine, sandbox } from "../local-faults/rows.ts";
import { bad, redirects, safety, streams } from "./answer-rows.ts";
import { certificates, connection, proxies } from "./connection-rows.ts";
import { busy, lost } from "./exchange-rows.ts";
import type { Group } from "./row.ts";

/** All groups, in the order of the documentation. */
export const groups: readonly Group[] = [connection, certificates, proxies, lost, busy, redirects, bad, safety, streams, machine, sandbox];
