import {
  formatCount,
  describeDegradation,
  groupDegradations,
  formatDollars,
  formatPlural,
  formatSeconds,
  type Ladder,
  type LadderStep,
} from '../view/index.ts';
import { isObservation, type Answer, type Degradation, type Observation, type Usage } from '../debate/index.ts';
import type { Evidence, Source } from '../evidence/index.ts';
import { findPassages, formatSpan, shortenQuote, type Citations } from '../view/index.ts';
import type { NamedClause } from '../view/name-clauses.ts';
import { codeCell, codeSpan, fence, wrapped } from './markdown-escape.ts';
import type { PassageWords } from '../view/index.ts';
import { findWindows } from '../view/find-windows.ts';

/** Blocks as one document. Empty blocks are left out. */
export function joinBlocks(blocks: readonly string[]): string {
  return `${blocks.filter((part) => part !== '').join('\n\n')}\n`;
}

/** A text as it was judged, under a heading of its own or that of an observation. */
export function sourceBlocks(source: Source | Observation, citations: Citations, title = '**Content**'): string[] {
  return [
    isObservation(source)
      ? `**Observation** ${codeSpan(source.id)}, extracted from ${codeSpan(source.of)} by ${codeSpan(source.tool)}` +
        (source.note === undefined ? '' : `: ${codeSpan(source.note)}`)
      : `${title} ${codeSpan(source.id)}`,
    fence(windowed(source.text, findPassages(citations, source))),
  ];
}

export function passageBlocks(citations: Citations, { names }: PassageWords): string[] {
  return [
    citations.passages.length > 0 ? '**Quoted passages**' : '',
    markdownList(
      citations.passages.map(
        (passage) =>
          `[${passage.number}] ${codeSpan(shortenQuote(passage.quote))} in ${codeSpan(passage.source)}, ` +
          `${formatCount(passage.start)} to ${formatCount(passage.end)}: ` +
          passage.quoters
            .map(({ speaker, side }) => `${codeSpan(speaker)}${names[side] === undefined ? '' : ` (${names[side]})`}`)
            .join(', '),
      ),
    ),
  ];
}

const states: Record<LadderStep['state'], string> = {
  decided: '**decided**',
  passed: 'checked',
  'not-reached': 'not reached',
  'not-checked': 'not applied',
};

/** Which rules were checked, why they did or did not apply, and which decided. */
export function ladderBlocks({ steps, outcome }: Ladder): string[] {
  return [
    ...steps.flatMap((step) => [
      `${step.number}. **${step.title}** (${states[step.state]}). ${step.explanation}`,
      step.why === null ? '' : statement(step.why),
      quotes(step.evidence),
    ]),
    outcome ?? '',
  ];
}

export function clauseList(clauses: readonly NamedClause[]): string {
  return markdownList(
    clauses.map(({ id, title, text }) => {
      const name = title === id ? codeSpan(id) : `${codeSpan(title)} ${codeSpan(id)}`;
      return `Clause ${name}${text === null ? '' : `: ${codeSpan(text)}`}`;
    }),
  );
}

export function degradationBlocks(degraded: readonly Degradation[]): string[] {
  return [
    degraded.length > 0 ? '**Read with care**' : '',
    markdownList(
      groupDegradations(degraded).map(
        ({ kind, places, detail }) =>
          `${describeDegradation(kind, codeSpan)} (${codeSpan(places.join(', '))}): ${codeSpan(detail)}`,
      ),
    ),
  ];
}

function windowed(text: string, passages: ReturnType<typeof findPassages>): string {
  const windows = findWindows(text, passages);
  const gap = (start: number, end: number) =>
    start < end
      ? `[… ${formatPlural(end - start, 'character')} not shown, ${formatCount(start)} to ${formatCount(end)} …]\n`
      : '';
  const shown = windows.map(
    ({ start, end }, index) => `${gap(windows[index - 1]?.end ?? 0, start)}${text.slice(start, end)}\n`,
  );
  return `${shown.join('')}${gap(windows.at(-1)!.end, text.length)}`.replace(/\n$/, '');
}

export function cost({ usage }: Pick<Answer, 'usage'>): string[] {
  const row = (name: string, part: Usage) => [
    name,
    formatCount(part.calls),
    formatCount(part.inputTokens),
    formatCount(part.cachedTokens),
    formatCount(part.outputTokens),
    formatDollars(part.costUsd),
  ];
  const rows = (by: Record<string, Usage>) => Object.entries(by).map(([name, part]) => row(codeCell(name), part));
  const head = ['Calls', 'Tokens in', 'Cached', 'Tokens out', 'Cost'];
  return [
    '## Cost',
    `${formatPlural(usage.calls, 'call')} in ${formatSeconds(usage.latencyMs)}.`,
    markdownTable(['Model', ...head], [...rows(usage.byModel), row('Total', usage)]),
    markdownTable(['Seat', ...head], rows(usage.bySeat)),
  ];
}

export function markdownProvenance(
  { id, seal, provenance: made }: Pick<Answer, 'id' | 'seal' | 'provenance'>,
  more: readonly [string, string][] = [],
): string[] {
  const facts: [string, string][] = [
    ['Answer', codeSpan(id)],
    ['Agon', codeSpan(made.agon)],
    ['Protocol', codeSpan(made.protocol)],
    ['Policy', `${codeSpan(`${made.policy.name} ${made.policy.version}`)} ${codeSpan(made.policy.hash)}`],
    [
      'Models',
      Object.entries(made.models)
        .map(([seat, model]) => codeSpan(`${seat}: ${model}`))
        .join(', '),
    ],
    ['Precedent library', made.precedents === null ? 'none' : codeSpan(made.precedents)],
    ['Prompts', codeSpan(made.prompts)],
    ['Configuration', codeSpan(made.configuration)],
    ...more,
    ['Seal', codeSpan(seal)],
  ];
  return [
    '## Provenance',
    markdownList(facts.map(([name, value]) => `${name}: ${value}`)),
    'Check it offline: save it as JSON (`--report answer.json`), then `agon verify answer.json`',
  ];
}

export function statement(text: string): string {
  return text === '' ? '' : fence(wrapped(text));
}

export function quotes(evidence: readonly Evidence[]): string {
  return markdownList(
    evidence.map((quoted) =>
      quoted.verified
        ? `Quotes ${codeSpan(shortenQuote(quoted.quote))} in ${codeSpan(quoted.source)}` +
          (quoted.moment ? `, at ${formatSpan(quoted.moment)}` : '')
        : `~~Quotes~~ ${codeSpan(shortenQuote(quoted.quote))}: struck: it is in no source and decides nothing`,
    ),
  );
}

export function markdownList(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
