import stringWidth from 'string-width';
import type { RunProgress } from '../../runs/index.ts';
import { formatCount, formatCounts, formatDuration, formatInteger, formatMoney } from '../terminal/format.ts';
import { sanitize, style } from '../terminal/style.ts';

/** What the view says about a run beside its progress. */
export interface RunHeading {
  /** Its name, else its id. */
  title: string;
  job: string;
  budget: { usd?: number; tokens?: number };
}

/** A few rows that fit the width: what does not fit is left out from the right. `progress` is null before the start. */
export function renderRunProgress(
  { title, job, budget }: RunHeading,
  progress: RunProgress | null,
  width: number,
  stream: NodeJS.WriteStream = process.stderr,
): string[] {
  const dim = (text: string) => style('dim', text, stream);
  const heading = joinFitting(
    [style('bold', sanitize(title), stream), dim(job), dim('Ctrl-C stops it; resume later')],
    width,
  );
  if (!progress) return [heading, 'starting …'];
  const { failed, failuresByCode, byLabel, byGuard, running, waiting, rate, etaSeconds, same } = progress;
  const rows = [
    heading,
    renderBar(progress, width, stream),
    joinFitting(
      [
        `${rate.toFixed(1)}/s`,
        ...(etaSeconds === null ? [] : [`${formatDuration(etaSeconds)} left`]),
        `${formatInteger(running)} running`,
        `${formatInteger(waiting)} waiting`,
      ],
      width,
    ),
    joinFitting(
      [
        ...formatLabels(byLabel),
        ...(byGuard > 0 ? [`${formatInteger(byGuard)} by the guard`] : []),
        ...(same > 0 ? [formatCount(same, 'duplicate')] : []),
      ],
      width,
    ),
    ...(failed > 0
      ? [
          joinFitting(
            [style('yellow', `${formatInteger(failed)} failed: ${sanitize(formatCounts(failuresByCode))}`, stream)],
            width,
          ),
        ]
      : []),
    joinFitting(formatSpend(progress.usage, budget), width),
  ];
  return rows.filter((row) => row !== '');
}

function formatLabels(byLabel: Record<string, number>): string[] {
  return Object.entries(byLabel).map(([label, count]) => `${formatInteger(count)} ${sanitize(label)}`);
}

/** What was spent, of how much. */
export function formatSpend(
  { calls, inputTokens, outputTokens, costUsd }: RunProgress['usage'],
  { usd, tokens }: RunHeading['budget'] = {},
): string[] {
  const spent = inputTokens + outputTokens;
  return [
    `${costUsd === null ? 'price unknown' : formatMoney(costUsd)}${usd === undefined ? '' : ` of ${formatMoney(usd)}`}`,
    formatCount(calls, 'call'),
    ...(spent > 0 || tokens !== undefined
      ? [`${roundCount(spent)}${tokens === undefined ? '' : ` of ${roundCount(tokens)}`} tokens`]
      : []),
  ];
}

/** `950`, `12.3 k`, `4.56 M`. */
function roundCount(value: number): string {
  if (value < 10_000) return formatInteger(value);
  return value < 1_000_000 ? `${(value / 1000).toFixed(1)} k` : `${(value / 1_000_000).toFixed(2)} M`;
}

const widestBar = 40;
const narrowestBar = 8;

function renderBar(progress: RunProgress, width: number, stream: NodeJS.WriteStream): string {
  const { read, total } = progress;
  const ended = countEnded(progress);
  // No share while the total is unknown.
  if (total === null)
    return joinFitting([`${formatInteger(ended)} of ${formatInteger(read)} read so far`, 'still reading'], width);
  const share = total === 0 ? 1 : Math.min(1, ended / total);
  const words = `${Math.floor(share * 100)} %  ${formatInteger(ended)}/${formatInteger(total)}`;
  const room = Math.min(widestBar, width - words.length - 2);
  if (room < narrowestBar) return joinFitting([words], width);
  const eighths = Math.round(share * room * 8);
  const full = '█'.repeat(Math.floor(eighths / 8)) + (eighths % 8 === 0 ? '' : ' ▏▎▍▌▋▊▉'[eighths % 8]!);
  return `${style('green', full, stream)}${style('dim', '░'.repeat(room - full.length), stream)}  ${words}`;
}

/** Items that need nothing more: judged, failed, or duplicates. */
export function countEnded({ done, failed, same }: Pick<RunProgress, 'done' | 'failed' | 'same'>): number {
  return done + failed + same;
}

const between = ' · ';

/** As many parts as fit; the first is cut when not even it does. */
function joinFitting(parts: readonly string[], width: number): string {
  const [first = '', ...rest] = parts;
  if (stringWidth(first) > width) return cutText(first, width);
  return rest.reduce(
    (row, part) => (stringWidth(row) + between.length + stringWidth(part) > width ? row : `${row}${between}${part}`),
    first,
  );
}

/** Cut by visible columns: what is styled stays styled. */
function cutText(text: string, width: number): string {
  const parts = text.match(/\u001b\[[\d;]*m|./gsu) ?? [];
  let room = Math.max(1, width - 1);
  let marked = false;
  return parts
    .flatMap((part) => {
      if (part.startsWith('\u001b')) return [part];
      room -= stringWidth(part);
      if (room >= 0) return [part];
      if (marked) return [];
      marked = true;
      return ['…'];
    })
    .join('');
}
