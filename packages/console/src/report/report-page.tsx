import { renderToStaticMarkup } from 'react-dom/server';
import { showControls } from '@agonhq/engine/view';
import type { DrawReport, JobAnswer } from '@agonhq/judges/job';
import type { SentAnswer } from '../api/client.ts';
import { findReportView } from './report-views.ts';

/*
 * A whole page in one file: it asks nothing of the network and runs nothing, and its own policy forbids anything else.
 * The policy comes first, where the server looks for it.
 */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";
const head = [
  '<meta charset="utf-8">',
  `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
  '<meta name="viewport" content="width=device-width, initial-scale=1">',
  '<meta name="color-scheme" content="light dark">',
  '<meta name="referrer" content="no-referrer">',
  '<meta name="robots" content="noindex">',
].join('\n');

/** Draws an answer as a page with these styles. */
export function drawReportPage({ job, answer, extras }: Parameters<DrawReport>[0], styles: string): string {
  const { name, describe, Body } = findReportView(job);
  const title = renderToStaticMarkup(<title>{`${describe(answer as SentAnswer)}: ${name} ${answer.id}`}</title>);
  const body = renderToStaticMarkup(
    <div className="mx-auto grid max-w-5xl gap-8 px-4 py-8 sm:px-6">
      <Masthead name={name} answer={answer} />
      <main className="grid gap-8">
        <Body answer={answer as SentAnswer} extras={extras} title={job.title} />
      </main>
      <footer className="border-t pt-4 text-sm text-quiet">
        This page runs no script and loads nothing. Texts are shown as given; invisible characters are shown by name, as
        in <span className="rounded border border-quiet px-1 font-mono text-xs">U+202E</span>.
      </footer>
    </div>,
  );
  // Names, ids and attributes are not looked at one by one.
  const shown = (markup: string) => showControls(markup, (control) => `[${control}]`);
  return (
    `<!doctype html>\n<html lang="en">\n<head>\n${head}\n${shown(title)}\n<style>${styles}</style>\n</head>\n` +
    `<body>\n${shown(body)}\n</body>\n</html>\n`
  );
}

function Masthead({ name, answer }: { name: string; answer: JobAnswer }) {
  const { id: item = null, modality } =
    (answer as { subject?: { id?: string | null; modality?: string } }).subject ?? {};
  return (
    <header className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-b pb-3">
      <p className="font-serif text-lg">
        <b>Agon</b> {name}
      </p>
      <p className="text-sm text-quiet">
        <code className="font-mono">{answer.id}</code>
        {item !== null && ` · item ${item}`}
        {modality !== undefined && ` · ${modality}`}
      </p>
    </header>
  );
}
