import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { errorCatalogue, type CatalogueEntry } from '@agonhq/engine/errors';
import { renderSettings } from './render-settings.ts';

/* The parts of the docs that are made from the code, each between <!-- generated: NAME --> and <!-- end -->. */

interface GeneratedPart {
  file: string;
  name: string;
  render(): string;
}

const parts: readonly GeneratedPart[] = [
  { file: 'server.md', name: 'error codes', render: renderErrorCodes },
  ...Object.entries({
    seats: ['seats'],
    limits: ['defaults', 'budget', 'cache', 'telemetry'],
    moderation: ['moderation'],
    evaluation: ['evaluation'],
    documents: ['documents'],
    general: [
      'policy',
      'sensitivity',
      'firstPass',
      'calibration',
      'ledger',
      'checkpoints',
      'statements',
      'knownImages',
      'knownImageDistance',
      'embedding',
      'learn',
      'jobs',
    ],
    server: ['server', 'teams'],
    local: ['local'],
  }).map(([name, groups]) => ({
    file: name === 'local' ? 'local-models.md' : 'configuration.md',
    name: `settings: ${name}`,
    render: () => renderSettings(...groups),
  })),
];

/** Each file that holds generated parts: its path, its text, and what the text has to be. */
export function generateDocs(): { file: string; text: string; expected: string }[] {
  return [...new Set(parts.map(({ file }) => file))].map((name) => {
    const file = path.join(import.meta.dirname, name);
    const text = readFileSync(file, 'utf8');
    const expected = parts.filter((part) => part.file === name).reduce(replacePart, text);
    return { file, text, expected };
  });
}

function replacePart(text: string, { file, name, render }: GeneratedPart): string {
  const [begin, end] = [`<!-- generated: ${name} -->\n`, '\n<!-- end -->'];
  const from = text.indexOf(begin);
  const to = text.indexOf(end, from);
  if (from === -1 || to === -1) throw new Error(`docs/${file} has no place for "${name}".`);
  return `${text.slice(0, from)}${begin}\n${render()}\n${text.slice(to)}`;
}

function renderErrorCodes(): string {
  const rows = Object.entries<CatalogueEntry>(errorCatalogue).flatMap(([code, { status, meaning }]) =>
    status === undefined ? [] : [{ code, status, meaning }],
  );
  return [
    '| status | code | meaning |',
    '|---|---|---|',
    ...rows
      .toSorted((one, other) => one.status - other.status)
      .map(({ status, code, meaning }) => `| ${status} | \`${code}\` | ${meaning} |`),
  ].join('\n');
}

if (import.meta.main)
  for (const { file, text, expected } of generateDocs()) if (text !== expected) writeFileSync(file, expected);
