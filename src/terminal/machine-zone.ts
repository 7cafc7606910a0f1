// The time zone of this machine.

/** What tells it. */
export interface SystemZoneSources {
  /** The variable TZ. */
  readonly variable: string | undefined;
  /** Where the link /etc/localtime leads; throws where it is none. */
  readonly readLocaltimeLink: () => string;
  /** Node's own answer, for which it loads its tables of zones and languages: that takes 5 ms and more. */
  readonly getIntlZone: () => string;
}

/** The IANA name: as the system's link spells it, else what Node makes of variable and files. */
export function findSystemZone({ variable, readLocaltimeLink, getIntlZone }: SystemZoneSources): string {
  if (variable !== undefined) return getIntlZone();
  try {
    const [, name] =
      /\/zoneinfo\/((?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc)\/.+)$/.exec(readLocaltimeLink()) ?? [];
    return name === undefined ? getIntlZone() : name.replace(/^Etc\/(?:UTC|UCT|Universal|Zulu)$/, "UTC");
  } catch {
    return getIntlZone();
  }
}
