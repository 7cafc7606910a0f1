// The time zone of this machine.

/** What tells it. */
export interface ZoneSources {
  /** The variable TZ. */
  readonly variable: string | undefined;
  /** Where the link /etc/localtime leads; throws where it is none. */
  readonly link: () => string;
  /** Node's own answer, for which it loads its tables of zones and languages: that takes 5 ms and more. */
  readonly asked: () => string;
}

/** The IANA name: as the system's link spells it, else what Node makes of variable and files. */
export function machineZone({ variable, link, asked }: ZoneSources): string {
  if (variable !== undefined) return asked();
  try {
    const [, name] =
      /\/zoneinfo\/((?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc)\/.+)$/.exec(link()) ?? [];
    return name === undefined ? asked() : name.replace(/^Etc\/(?:UTC|UCT|Universal|Zulu)$/, "UTC");
  } catch {
    return asked();
  }
}
