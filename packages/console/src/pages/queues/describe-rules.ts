import type { SentReviewQueue } from '../../api/client.ts';

type Rules = SentReviewQueue['rules'];

const joinWithOr = (words: readonly string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

/** What a queue takes, in words: one line for each rule. */
export function describeRules({ job, clauses, severities, risk, languages, channels, runs, sample }: Rules): string[] {
  return [
    sample === undefined ? null : `Quality sample: ${showShare(sample)} of what the machine decided alone`,
    job && `Job ${job}`,
    clauses && `Clause ${joinWithOr(clauses)}`,
    severities && `Severity ${joinWithOr(severities)}`,
    risk && `Risk ${risk.from.toFixed(2)} to ${risk.to.toFixed(2)}`,
    languages && `Language ${joinWithOr(languages)}`,
    channels && `Channel ${joinWithOr(channels)}`,
    runs && `Run ${joinWithOr(runs)}`,
  ].filter((line) => line !== null && line !== undefined);
}

export function showShare(share: number): string {
  return `${Number((share * 100).toFixed(2))} %`;
}

/** `2 hours`, `3 days`, `45 minutes`. */
export function describeMinutes(minutes: number): string {
  const [size, unit] = minutes % 1440 === 0 ? [1440, 'day'] : minutes % 60 === 0 ? [60, 'hour'] : [1, 'minute'];
  return `${minutes / size} ${unit}${minutes === size ? '' : 's'}`;
}

/** What somebody typed, parted by commas or lines; undefined for nothing. */
export function splitList(typed: string): string[] | undefined {
  const words = [...new Set(typed.split(/[,\n]/).map((word) => word.trim()))].filter(Boolean);
  return words.length === 0 ? undefined : words;
}
