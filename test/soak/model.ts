// What a soak does, as plain values: commands by the dice, the faults they meet, and what the calendar must hold afterwards.
import type { ResourceName } from "../../src/model/resource.ts";
import type { OrderedFault } from "../sandbox/fixtures.ts";

/** Numbers from 0 to 1, the same ones for the same seed. */
export function createRandom(seed: number): { roll(): number; pick<T>(items: readonly [T, ...T[]]): T; chance(part: number): boolean } {
  let state = seed;
  const roll = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return { roll, pick: (items) => items[Math.floor(roll() * items.length)] ?? items[0], chance: (part) => roll() < part };
}

/** The field that names a record of a resource, and one text beside it. */
export const resourceFields: Readonly<Record<ResourceName, { readonly title: string; readonly text: string }>> = {
  events: { title: "title", text: "website" },
  venues: { title: "venue", text: "city" },
  organizers: { title: "organizer", text: "phone" },
  categories: { title: "name", text: "description" },
  tags: { title: "name", text: "description" },
};

/** A record that the calendar must hold. */
export interface ExpectedRecord {
  readonly resource: ResourceName;
  readonly title: string;
  readonly text: string;
}

/** A fault, and whether the work is done although the client may not hear of it. */
export interface InjectedFault {
  readonly fault: OrderedFault;
  readonly isApplied: boolean;
}

const json = { "content-type": "application/json" };

/** What may go wrong with one request. */
export const injectedFaults: readonly [InjectedFault, ...InjectedFault[]] = [
  { fault: { response: { status: 503, headers: { ...json, "retry-after": "1" }, body: "{}" } }, isApplied: false },
  { fault: { response: { status: 429, headers: json, body: '{"code":"slow_down","message":"Slow down"}' } }, isApplied: false },
  { fault: { response: { status: 500, headers: { "content-type": "text/html" }, body: "<h1>down</h1>" } }, isApplied: false },
  { fault: { disconnect: "at-once" }, isApplied: false },
  { fault: { disconnect: "before-answer" }, isApplied: true },
  { fault: { disconnect: "mid-answer" }, isApplied: true },
  { fault: { bodyOverride: "<html>captive portal</html>" }, isApplied: true },
  { fault: { bodyOverride: '{"id":' }, isApplied: true },
  { fault: { delay: 3 }, isApplied: true },
];
