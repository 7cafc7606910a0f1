// The table of faults, whole: run by faults.test.ts, and printed as docs/faults.md.
import { machineFaults, sandboxFaults } from "../local-faults/rows.ts";
import { invalidResponseFaults, notSentFaults, redirectFaults, signalAndStreamFaults, sourceFaults } from "./answer-rows.ts";
import { certificateFaults, connectionFaults, proxyFaults } from "./connection-rows.ts";
import { lostResponseFaults, serverErrorFaults } from "./exchange-rows.ts";
import type { FaultGroup } from "./row.ts";

/** All groups, in the order of the documentation. */
export const faultGroups: readonly FaultGroup[] = [
  connectionFaults,
  certificateFaults,
  proxyFaults,
  lostResponseFaults,
  serverErrorFaults,
  redirectFaults,
  invalidResponseFaults,
  notSentFaults,
  sourceFaults,
  signalAndStreamFaults,
  machineFaults,
  sandboxFaults,
];
