// What a series of events is, of which the programme of a fresh sandbox is made.

/** A series; every distance of `days` makes an event of it. */
export interface Series {
  readonly title: string;
  readonly days: readonly number[];
  /** Wall-clock start; absent for events that last all day. */
  readonly at?: string;
  /** Minutes; or, of events that last all day, whole days. */
  readonly lasts: number;
  readonly zone?: string;
  readonly venue?: string;
  readonly organizers?: readonly string[];
  readonly categories?: readonly string[];
  readonly tags?: readonly string[];
  readonly cost?: string;
  readonly website?: string;
  readonly excerpt?: string;
  readonly text: string;
  readonly status?: string;
  readonly picture?: true;
  readonly flags?: readonly ("featured" | "sticky" | "hide_from_listings" | "show_map" | "show_map_link")[];
}
