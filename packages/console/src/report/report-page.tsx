import { createHash } from 'node:crypto';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { showControls } from '@agonhq/engine/view';
import type { DrawReport, JobAnswer } from '@agonhq/judges/job';
import type { SentAnswer } from '../api/client.ts';
import { findReportView } from './report-views.ts';

interface DrawnPage {
  title: string;
  /** What kind of page it is. */
  name: string;
  /** What stands beside the name. */
  about: ReactNode;
  /** All between head and foot. */
  children: ReactNode;
  foot: ReactNode;
  styles: string;
  /** What only this page runs: none of it may be of others. */
  script?: string;
  width?: string;
}

/**
 * A whole page in one file: it asks nothing of the network, runs nothing but its script, and its own policy forbids
 * anything else. The policy comes first, where the server looks for it.
 */
export function drawPage({
  title,
  name,
  about,
  children,
  foot,
  styles,
  script,
  width = 'max-w-6xl',
}: DrawnPage): string {
  const allowed = script ? ` script-src 'sha256-${createHash('sha256').update(script).digest('base64')}';` : '';
  const policy = `default-src 'none';${allowed} style-src 'unsafe-inline'; img-src data:`;
  const body = renderToStaticMarkup(
    <div className={`mx-auto grid gap-8 px-4 py-8 sm:px-6 ${width}`}>
      <header className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-b pb-3">
        <p className="font-serif text-lg">
          <b>Agon</b> {name}
        </p>
        <p className="text-sm text-quiet">{about}</p>
      </header>
      <main className="grid gap-8">{children}</main>
      <footer className="border-t pt-4 text-sm text-quiet">{foot}</footer>
    </div>,
  );
  const head = [
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="referrer" content="no-referrer">',
    '<meta name="robots" content="noindex">',
    renderToStaticMarkup(<title>{title}</title>),
  ].join('\n');
  // Names, ids and attributes are not looked at one by one.
  const shown = (markup: string) => showControls(markup, (control) => `[${control}]`);
  return (
    `<!doctype html>\n<html lang="en">\n<head>\n${shown(head)}\n<style>${styles}</style>\n</head>\n` +
    `<body>\n${shown(body)}${script ? `<script>${script}</script>` : ''}\n</body>\n</html>\n`
  );
}

/** Draws an answer as a page with these styles. */
export function drawReportPage({ job, answer, extras }: Parameters<DrawReport>[0], styles: string): string {
  const { name, describe, Body } = findReportView(job);
  return drawPage({
    title: `${describe(answer as SentAnswer)}: ${name} ${answer.id}`,
    name,
    about: <ReportedAnswer answer={answer} />,
    children: <Body answer={answer as SentAnswer} extras={extras} title={job.title} />,
    foot: (
      <>
        This page runs no script and loads nothing. Texts are shown as given; invisible characters are shown by name, as
        in <span className="rounded border border-quiet px-1 font-mono text-xs">U+202E</span>.
      </>
    ),
    styles,
    width: 'max-w-5xl',
  });
}

function ReportedAnswer({ answer }: { answer: JobAnswer }) {
  const { id: item = null, modality } =
    (answer as { subject?: { id?: string | null; modality?: string } }).subject ?? {};
  return (
    <>
      <code className="font-mono">{answer.id}</code>
      {item !== null && ` · item ${item}`}
      {modality !== undefined && ` · ${modality}`}
    </>
  );
}
