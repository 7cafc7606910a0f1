// What a line of progress says: a spinner while one thing is awaited, a bar with count, rate and time left for many.

/** How far something is. Times are milliseconds since 1970. */
export interface ProgressState {
  readonly label: string;
  readonly startedAt: number;
  /** What is done of many; 0 is not begun, or not counted. */
  readonly count: number;
  readonly total: number | undefined;
}

const spinnerFrames = ["|", "/", "-", "\\"] as const;
const barWidth = 20;

/** The line, in less columns than the terminal has, so that it never wraps. `tick` turns the spinner. */
export function formatProgress(standing: ProgressState, now: number, tick: number, columns: number): string {
  const seconds = Math.max(0, now - standing.startedAt) / 1000;
  const spinner = spinnerFrames[tick % spinnerFrames.length] ?? "";
  const text =
    standing.count === 0 ? `${spinner} ${standing.label}, ${Math.floor(seconds)} s` : `${spinner} ${formatProgressBar(standing, seconds)}`;
  return text.slice(0, Math.max(0, columns - 1));
}

function formatProgressBar({ label, count, total }: ProgressState, seconds: number): string {
  const rate = count / Math.max(seconds, 0.001);
  const speed = `${rate < 10 ? rate.toFixed(1) : Math.round(rate)}/s`;
  if (total === undefined || total < count) return `${label} ${count}, ${speed}`;
  const filled = Math.round((count / total) * barWidth);
  const bar = `[${"#".repeat(filled)}${".".repeat(barWidth - filled)}]`;
  return `${label} ${bar} ${count} of ${total}, ${speed}, ${formatRemainingTime((total - count) / rate)} left`;
}

function formatRemainingTime(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 100 ? `${whole} s` : `${Math.ceil(whole / 60)} min`;
}
