import stringWidth from 'string-width';
import type { RunProgress } from '@agonhq/core/runs';
import { printCount, formatCounts, printDuration, formatInteger, formatMoney } from '../terminal/format.ts';
import { drawLive } from '../terminal/live-view.ts';
import { printNote, sanitize, style } from '../terminal/style.ts';
import { fitLines } from '../terminal/table.ts';

/** Progress of a run on standard error: redrawn in a terminal, a line every few seconds elsewhere. */
export interface RunProgressView {
  show(progress: RunProgress): void;
  /** A line of its own, above what is redrawn. */
  note(text: string): void;
  /** Removes the view: what comes next takes its place. */
  end(): void;
}

export interface RunProgressOptions extends RunHeading {
  run: string;
  quiet: boolean;
  json: boolean;
  stream?: NodeJS.WriteStream;
}

const pauseMs = 5_000;

export function openRunProgress(options: RunProgressOptions): RunProgressView {
  const { quiet, json, stream = process.stderr } = options;
  const note = (text: string) => printNote(text, stream);
  if (quiet) return { show: () => undefined, note, end: () => undefined };
  if (json)
    return reportInLines(
      options,
      (progress) => JSON.stringify({ event: 'progress', run: options.run, ...progress }),
      (text) => void stream.write(`${JSON.stringify({ event: 'note', run: options.run, text })}\n`),
    );
  return stream.isTTY ? reportInTerminal(options) : reportInLines(options, formatProgress, note);
}

function reportInLines(
  { stream = process.stderr }: RunProgressOptions,
  words: (progress: RunProgress) => string,
  note: (text: string) => void,
): RunProgressView {
  let saidAt = performance.now();
  return {
    show(progress) {
      if (performance.now() - saidAt < pauseMs) return;
      saidAt = performance.now();
      stream.write(`${words(progress)}\n`);
    },
    note,
    end: () => undefined,
  };
}

/** `1,240/2,000 · 10.4/s · 1 min 13 s left · 16 running · 744 waiting · 3 failed · $0.1234 · 7,440 calls` */
function formatProgress(progress: RunProgress): string {
  const { total, read, rate, etaSeconds, running, waiting, failed } = progress;
  return [
    `${formatInteger(countEnded(progress))}/${total === null ? `${formatInteger(read)}+` : formatInteger(total)}`,
    `${rate.toFixed(1)}/s`,
    etaSeconds !== null && `${printDuration(etaSeconds)} left`,
    `${formatInteger(running)} running`,
    `${formatInteger(waiting)} waiting`,
    failed > 0 && `${formatInteger(failed)} failed`,
    ...formatSpend(progress.usage).slice(0, 2),
  ]
    .filter(Boolean)
    .join(' · ');
}

function reportInTerminal(options: RunProgressOptions): RunProgressView {
  const { stream = process.stderr } = options;
  let latest: RunProgress | null = null;
  let ended = false;
  let notes: string[] = [];
  const view = drawLive(stream, (columns) => {
    const said = notes.map((text) => ({ lines: [text], done: true }));
    return [...said, ...(ended ? [] : [{ lines: renderRunProgress(options, latest, columns, stream), done: false }])];
  });
  const redraw = () => view.changed();
  stream.on('resize', redraw);
  view.changed();
  return {
    show(progress) {
      latest = progress;
      view.changed();
    },
    note(text) {
      notes = [...notes, `${style('yellow', 'agon:', stream)} ${sanitize(text.replace(/(?<!\s)\s*\n\s*/g, ' '))}`];
      view.changed();
    },
    end() {
      ended = true;
      stream.off('resize', redraw);
      view.end();
    },
  };
}

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
        ...(etaSeconds === null ? [] : [`${printDuration(etaSeconds)} left`]),
        `${formatInteger(running)} running`,
        `${formatInteger(waiting)} waiting`,
      ],
      width,
    ),
    joinFitting(
      [
        ...formatLabels(byLabel),
        ...(byGuard > 0 ? [`${formatInteger(byGuard)} by the guard`] : []),
        ...(same > 0 ? [printCount(same, 'duplicate')] : []),
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
    printCount(calls, 'call'),
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
  if (stringWidth(first) > width) return fitLines([first], { isTTY: true, columns: width })[0]!;
  return rest.reduce(
    (row, part) => (stringWidth(row) + between.length + stringWidth(part) > width ? row : `${row}${between}${part}`),
    first,
  );
}
