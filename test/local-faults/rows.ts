// The rows of docs/faults.md on this machine's own faults and on the embedded calendar, each shown by a test of its own.
import type { FaultGroup } from "../faults/row.ts";

const rights = "test/local-faults/rights.test.ts";
const disk = "test/local-faults/full-disk.test.ts";
const clock = "test/local-faults/clock.test.ts";
const lock = "test/lock/processes.test.ts";
const config = "test/config/config-file.test.ts";
const durability = "test/sandbox/durability.test.ts";

/** What goes wrong on the machine that the program runs on; nothing stored is lost in any of them. */
export const machineFaults: FaultGroup = {
  title: "This machine",
  rows: [],
  separateTests: [
    { fault: "a config file that is broken", outcome: "10, left as it is", test: config, searchText: "is named, and kept as it is" },
    { fault: "a config file of a newer version", outcome: "10, left as it is", test: config, searchText: "of a newer version is stored" },
    {
      fault: "a config file, a list of logins or a file with secrets that others can write",
      outcome: "10, left as it is",
      test: rights,
      searchText: "a file of this user that others can write",
    },
    { fault: "the same of another user", outcome: "10, for root too", test: rights, searchText: "is refused for root too" },
    { fault: "a config file that can't be read", outcome: "10", test: rights, searchText: "that can't be read stops what needs it" },
    {
      fault: "a config folder that can't be written",
      outcome: "10 for a change, 0 to read",
      test: rights,
      searchText: "can't be written stays as it is",
    },
    {
      fault: "50 processes that write the config file at once",
      outcome: "0, all is kept",
      test: "test/config/processes.test.ts",
      searchText: "keep 50 of 50",
    },
    { fault: "a home that does not exist", outcome: "0, it is made", test: rights, searchText: "is made where that can be done" },
    {
      fault: "a home that can't be made",
      outcome: "0 to read, 10 to write",
      test: rights,
      searchText: "an empty one to read and exit 10 to write",
    },
    { fault: "a state folder of another user", outcome: "10", test: rights, searchText: "of another user" },
    { fault: "a state folder that became read-only", outcome: "10", test: rights, searchText: "that became read-only" },
    { fault: "a cache folder that can't be written", outcome: "0", test: rights, searchText: "is no obstacle" },
    { fault: "a full disk under the config file", outcome: "10, the old settings stay", test: disk, searchText: "the old settings stay" },
    { fault: "a full disk under secrets in a file", outcome: "10, the old ones stay", test: disk, searchText: "the old ones stay" },
    { fault: "a lock that a killed process left", outcome: "0, at once", test: lock, searchText: "gives way at once, and not before" },
    {
      fault: "a lock whose owner runs, or is stopped, and does not give it back",
      outcome: "10, the process and the lock are named",
      test: lock,
      searchText: "a stopped process keeps its lock",
    },
    { fault: "50 processes that want one lock", outcome: "0, one after the other", test: lock, searchText: "count to 50" },
    {
      fault: "a wrong bit in each file of compiled code that Node keeps",
      outcome: "0, Node compiles again",
      test: "test/dist/compile-cache.test.ts",
      searchText: "one wrong bit",
    },
    { fault: "a full disk under the cache", outcome: "0, no incomplete file is left", test: disk, searchText: "the cache: no message" },
    {
      fault: "a temporary file of secrets or of the cache that a killed process left",
      outcome: "0, the next write removes it",
      test: "test/faults/drafts.test.ts",
      searchText: "goes with the next write",
    },
    {
      fault: "a clock that jumps while a lock is waited for",
      outcome: "0, the lock stays with its holder",
      test: clock,
      searchText: "leaves it to its running holder",
    },
    { fault: "a clock that is years off between two commands", outcome: "0", test: clock, searchText: "a journey through the years" },
    { fault: "any command line", outcome: "never 1", test: "test/fuzz/argv.test.ts", searchText: "any command line ends in a known way" },
    {
      fault: "any answer of a server",
      outcome: "never 1",
      test: "test/fuzz/answers.test.ts",
      searchText: "any answer ends in a known way",
    },
    { fault: "any config file", outcome: "never 1", test: "test/fuzz/values.test.ts", searchText: "under any config file" },
    {
      fault: "thousands of commands in one process, every third one under a fault",
      outcome: "0 or 7, as the calendar's state says",
      test: "test/soak/soak.test.ts",
      searchText: "nothing is written twice",
    },
  ],
};

/** What the embedded calendar survives. */
export const sandboxFaults: FaultGroup = {
  title: "The embedded calendar as a server",
  rows: [],
  separateTests: [
    {
      fault: "requests in every broken form",
      outcome: "an answer below 500, or none",
      test: "test/fuzz/sockets.test.ts",
      searchText: "requests in every broken form",
    },
    {
      fault: "JSON of every shape on every route",
      outcome: "an answer below 500",
      test: "test/fuzz/sockets.test.ts",
      searchText: "JSON of every shape",
    },
    {
      fault: "a body without an end",
      outcome: "the connection is cut after 32 MB",
      test: "test/sandbox/robustness.test.ts",
      searchText: "reading a body without an end stops",
    },
    {
      fault: "1,000 requests of 1 MB",
      outcome: "it remembers as many as 16 MB hold",
      test: "test/sandbox/robustness.test.ts",
      searchText: "of large requests as many are remembered as 16 MB hold",
    },
    {
      fault: "a web page that reads it under a host name of its own (DNS rebinding)",
      outcome: "421",
      test: "test/sandbox/robustness.test.ts",
      searchText: "the host %s is answered with %i",
    },
    {
      fault: "a megabyte of text that keeps patterns busy",
      outcome: "an answer in seconds",
      test: "test/sandbox/hostile-patterns.test.ts",
      searchText: "for a megabyte of %s",
    },
    {
      fault: "work that fails in its middle",
      outcome: "nothing of it is kept",
      test: "test/sandbox/store.test.ts",
      searchText: "work that fails in its middle",
    },
    {
      fault: "50 clients at once",
      outcome: "every write is there",
      test: "test/sandbox/robustness.test.ts",
      searchText: "50 clients at once",
    },
    {
      fault: "kill -9 in the middle of writes",
      outcome: "no answered write is lost",
      test: durability,
      searchText: "no answered write is lost",
    },
    { fault: "20 processes at its data file", outcome: "every write is there", test: durability, searchText: "20 processes at once" },
    { fault: "a full disk under its data file", outcome: "10, what was written stays", test: disk, searchText: "what was written stays" },
    {
      fault: "a disk that fills while its data file is written",
      outcome: "10, all or nothing",
      test: disk,
      searchText: "a disk that fills",
    },
    { fault: "a full disk under `cal sandbox serve`", outcome: "507 with the reason", test: disk, searchText: "says why with 507" },
  ],
};
