// What a series of events is, of which the programme of a fresh sandbox is made.

/** A series; every distance of `days` makes an event of it. */
export interface Series {
  readonly title: string;
  readonly dayOffsets: readonly number[];
  /** Wall-clock start; absent for events that last all day. */
  readonly startTime?: string;
  /** Minutes; or, of events that last all day, whole days. */
  readonly duration: number;
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
  readonly hasImage?: true;
  readonly flags?: readonly ("featured" | "sticky" | "hide_from_listings" | "show_map" | "show_map_link")[];
}
