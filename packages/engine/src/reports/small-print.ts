import { formatCount, formatDollars, describeFailure, formatPlural, formatSeconds } from '../view/index.ts';
import type { Answer, AnswerUsage, Entry, Usage } from '../debate/index.ts';
import { html, inline, type Markup, type HtmlPart } from './escape.ts';
import { code, section, table } from './parts.ts';

const numbers = new Set([1, 2, 3, 4, 5]);

/** What an answer cost, by model and by seat. */
export function costSection(usage: AnswerUsage): Markup {
  const row = (name: HtmlPart, { calls, inputTokens, outputTokens, cachedTokens, costUsd }: Usage): HtmlPart[] => [
    name,
    formatCount(calls),
    formatCount(inputTokens),
    formatCount(cachedTokens),
    formatCount(outputTokens),
    formatDollars(costUsd),
  ];
  const rows = (by: Record<string, Usage>) => Object.entries(by).map(([name, part]) => row(code(name), part));
  const head = (first: string) => [first, 'Calls', 'Tokens in', 'Cached', 'Tokens out', 'Cost'];
  return section(
    'Cost',
    html`${formatPlural(usage.calls, 'call')} in ${formatSeconds(usage.latencyMs)}.`,
    html`${table('Usage by model', head('Model'), [...rows(usage.byModel), row('Total', usage)], numbers)}
    ${table('Usage by seat', head('Seat'), rows(usage.bySeat), numbers)}`,
  );
}

/** Every entry of the record, in order. */
export function recordTable(answer: Pick<Answer, 'transcript'>): Markup {
  return table('The record, entry by entry', ['Entry', 'By', 'Time', 'Note'], answer.transcript.map(entryRow));
}

function entryRow(entry: Entry): HtmlPart[] {
  switch (entry.kind) {
    case 'turn':
      return [
        code(entry.key),
        code(entry.reasoner),
        formatSeconds(entry.latencyMs),
        entry.fallback ? `fallback: ${describeFailure(entry.fallback.reason)}` : '',
      ];
    case 'computed':
      return [code(entry.key), 'code', '', html`computed: ${inline(entry.name)}`];
    case 'stop':
      return [code(entry.key), 'code', '', html`rounds ended: ${inline(entry.reason)}`];
    default:
      return [code((entry as Entry).key), '', '', ''];
  }
}

/** What made the answer, and how anybody can check it. */
export function provenance(
  answer: Pick<Answer, 'id' | 'seal' | 'provenance'>,
  more: readonly [string, HtmlPart][] = [],
): Markup {
  const { provenance: made } = answer;
  const facts: [string, HtmlPart][] = [
    ['Answer', code(answer.id)],
    ['Agon', code(made.agon)],
    ['Protocol', inline(made.protocol)],
    ['Policy', html`${inline(made.policy.name)} ${inline(made.policy.version)} ${code(made.policy.hash)}`],
    [
      'Models',
      Object.entries(made.models).map(
        ([seat, model], index) => html`${index > 0 && html`<br />`}${inline(seat)}: ${code(model)}`,
      ),
    ],
    ['Precedent library', made.precedents === null ? 'none' : code(made.precedents)],
    ['Prompts', code(made.prompts)],
    ['Configuration', code(made.configuration)],
    ...more,
    ['Seal', code(answer.seal)],
  ];
  return html`<dl class="provenance">
    ${facts.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}
