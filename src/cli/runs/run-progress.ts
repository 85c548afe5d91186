import type { RunProgress } from '../../runs/index.ts';
import { drawLive } from '../terminal/live-view.ts';
import { formatDuration, formatInteger } from '../terminal/format.ts';
import { countEnded, renderRunProgress, formatSpend, type RunHeading } from './run-view.ts';
import { sanitize, style } from '../terminal/style.ts';

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
  const note = (text: string) =>
    void stream.write(`${style('yellow', 'agon:', stream)} ${sanitize(text.replace(/\s*\n\s*/g, ' '))}\n`);
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
    etaSeconds !== null && `${formatDuration(etaSeconds)} left`,
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
      notes = [...notes, `${style('yellow', 'agon:', stream)} ${sanitize(text.replace(/\s*\n\s*/g, ' '))}`];
      view.changed();
    },
    end() {
      ended = true;
      stream.off('resize', redraw);
      view.end();
    },
  };
}
