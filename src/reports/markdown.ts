import { isObservation, turnsOf, type Turn, type Usage } from '../debate/index.ts';
import type { Evidence } from '../evidence/index.ts';
import type { Policy } from '../policy/index.ts';
import { citationsOf, passagesIn, type Citations } from './citations.ts';
import { nameClauses } from './clauses.ts';
import { codeCell, codeSpan, fence, wrapped } from './markdown-escape.ts';
import { argumentOf, briefOf, sideOf, stopsOf, type ModerationAnswer } from './moderation-answer.ts';
import { shortened } from './quotes.ts';
import { ladderOf, type Step } from './rule-ladder.ts';
import { trajectoryOf } from './scores.ts';
import { windowsOf } from './windows.ts';
import { count, degradationWords, dollars, failureWords, percent, plural, ruleTitle, score, seconds, speakerOf, stopWords, wordsOf } from './words.ts';

/** The report as Markdown that is safe to paste into an issue. */
export function markdownReport(answer: ModerationAnswer, policy: Policy | undefined): string {
  const citations = citationsOf(answer);
  const blocks = [
    ...verdict(answer, policy), ...why(answer), ...judged(answer, citations), ...debate(answer, policy),
    ...precedents(answer), ...cost(answer), ...provenance(answer),
  ];
  return `${blocks.filter((part) => part !== '').join('\n\n')}\n`;
}

function verdict({ id, subject, verdict }: ModerationAnswer, policy: Policy | undefined): string[] {
  const { title, meaning } = wordsOf(verdict.label);
  return [
    `# Verdict: ${meaning === '' ? codeSpan(title) : title}`,
    [meaning, verdict.escalate && '**A person must look at it.**'].filter(Boolean).join(' '),
    table(['Score', 'Confidence', 'Probability', 'Decided by', 'Reference'], [[
      score(verdict.score), verdict.confidence === null ? 'not stated' : percent(verdict.confidence),
      verdict.probability === null ? 'not calibrated' : percent(verdict.probability), ruleTitle(verdict.rule.id, codeCell), codeCell(subject.id ?? id),
    ]]),
    statement(verdict.rule.why),
    list(nameClauses(verdict.categories.map((category) => category.clause), policy)
      .map((clause) => `Clause ${codeSpan(clause.title)}${clause.text === null ? '' : `: ${codeSpan(clause.text)}`}`)),
    quotes(verdict.evidence),
    verdict.degraded.length > 0 ? '**Read with care**' : '',
    list(verdict.degraded.map(({ kind, at, detail }) => `${degradationWords(kind, codeSpan)} (${codeSpan(at)}): ${codeSpan(detail)}`)),
  ];
}

const states: Record<Step['state'], string> = { decided: '**decided**', passed: 'checked', 'not-reached': 'not reached', 'not-checked': 'not applied' };

function why(answer: ModerationAnswer): string[] {
  const { steps, outcome } = ladderOf(answer);
  return [
    '## Why',
    ...steps.flatMap((step) => [
      `${step.number}. **${step.title}** (${states[step.state]}). ${step.explanation}`,
      step.why === null ? '' : statement(step.why),
      quotes(step.evidence),
    ]),
    outcome ?? '',
  ];
}

function judged(answer: ModerationAnswer, citations: Citations): string[] {
  return [
    '## What was judged',
    list(answer.subject.images.map((image) => [
      codeSpan(image.id), image.width !== null && image.height !== null && `${image.width} × ${image.height} pixels`,
      image.mediaType !== null && codeSpan(image.mediaType), image.hash === null ? 'only a description was given' : codeSpan(image.hash),
    ].filter(Boolean).join(', '))),
    ...answer.sources.flatMap((source) => [
      isObservation(source)
        ? `**Observation** ${codeSpan(source.id)}, drawn from ${codeSpan(source.of)} by ${codeSpan(source.tool)}${source.note === undefined ? '' : `: ${codeSpan(source.note)}`}`
        : `**Content** ${codeSpan(source.id)}`,
      fence(windowed(source.text, passagesIn(citations, source))),
    ]),
    citations.passages.length > 0 ? '**Quoted passages**' : '',
    list(citations.passages.map((passage) =>
      `[${passage.number}] ${codeSpan(shortened(passage.quote))} in ${codeSpan(passage.source)}, ${count(passage.start)} to ${count(passage.end)}: ` +
      passage.quoters.map((quoter) => `${codeSpan(quoter.speaker)} (${quoter.side})`).join(', '))),
  ];
}

function windowed(text: string, passages: ReturnType<typeof passagesIn>): string {
  const windows = windowsOf(text, passages);
  const gap = (start: number, end: number) => (start < end ? `[… ${plural(end - start, 'character')} not shown, ${count(start)} to ${count(end)} …]\n` : '');
  const shown = windows.map(({ start, end }, index) => `${gap(windows[index - 1]?.end ?? 0, start)}${text.slice(start, end)}\n`);
  return `${shown.join('')}${gap(windows.at(-1)!.end, text.length)}`.replace(/\n$/, '');
}

function debate(answer: ModerationAnswer, policy: Policy | undefined): string[] {
  const { columns, series } = trajectoryOf(answer);
  const cell = (points: (typeof series)[number]['points'], column: number) => {
    const point = points.find((candidate) => candidate.column === column);
    return point ? `${score(point.value)}${point.standIn ? ' (stand-in)' : ''}` : '';
  };
  return [
    '## The debate',
    table(['Score', ...columns], series.map(({ name, points }) => [codeCell(name), ...columns.map((_, column) => cell(points, column))])),
    ...turnsOf(answer.transcript).flatMap((turn) => spoken(turn, policy)),
    ...stopsOf(answer.transcript).map((stop) => stopWords(stop.reason, codeSpan)),
  ];
}

function spoken(turn: Turn, policy: Policy | undefined): string[] {
  const argument = sideOf(turn.role) && argumentOf(turn);
  return [
    `### ${codeSpan(speakerOf(turn))}${turn.score === null ? '' : `: ${score(turn.score)}`}`,
    codeSpan(turn.reasoner),
    turn.fallback ? `**Stand-in**: this seat was not heard, ${failureWords(turn.fallback.reason, codeSpan)}. ${codeSpan(turn.fallback.detail)}` : '',
    statement(turn.statement),
    argument?.concession ? `**Concedes:** ${codeSpan(argument.concession)}` : '',
    quotes(turn.evidence),
    list(nameClauses(argument?.clauses ?? [], policy).map((clause) => `Clause ${codeSpan(clause.title)} ${clause.title === clause.id ? '' : codeSpan(clause.id)}`.trim())),
    list((turn.notes ?? []).map(codeSpan)),
  ];
}

function precedents(answer: ModerationAnswer): string[] {
  const brief = briefOf(answer);
  return [
    '## Precedents',
    answer.precedents.length === 0 ? 'No precedent was found.' : '',
    ...answer.precedents.flatMap((precedent) => [
      `**${precedent.label === 'unsafe' ? 'Unsafe' : 'Safe'}**, ${percent(precedent.similarity)} alike: ${codeSpan(precedent.id)}${precedent.category === null ? '' : `, ${codeSpan(precedent.category)}`}`,
      statement(precedent.summary),
      list(precedent.cues.map((cue) => `Cue: ${codeSpan(cue)}`)),
      list((brief?.cues ?? []).filter((cue) => cue.precedent === precedent.id)
        .flatMap((cue) => [`Alike: ${codeSpan(cue.cue)}`, `Different: ${codeSpan(cue.difference)}`])),
    ]),
    list((brief?.patterns ?? []).map((pattern) => `Pattern: ${codeSpan(pattern)}`)),
  ];
}

function cost({ usage }: ModerationAnswer): string[] {
  const row = (name: string, part: Usage) =>
    [name, count(part.calls), count(part.inputTokens), count(part.cachedTokens), count(part.outputTokens), dollars(part.costUsd)];
  const rows = (by: Record<string, Usage>) => Object.entries(by).map(([name, part]) => row(codeCell(name), part));
  const head = ['Calls', 'Tokens in', 'of them cached', 'Tokens out', 'Cost'];
  return [
    '## Cost', `${plural(usage.calls, 'call')} in ${seconds(usage.latencyMs)}.`,
    table(['Model', ...head], [...rows(usage.byModel), row('Together', usage)]),
    table(['Seat', ...head], rows(usage.bySeat)),
  ];
}

function provenance({ id, seal, provenance: made }: ModerationAnswer): string[] {
  const facts: [string, string][] = [
    ['Answer', codeSpan(id)], ['Agon', codeSpan(made.agon)], ['Protocol', codeSpan(made.protocol)],
    ['Policy', `${codeSpan(`${made.policy.name} ${made.policy.version}`)} ${codeSpan(made.policy.hash)}`],
    ['Models', Object.entries(made.models).map(([seat, model]) => codeSpan(`${seat}: ${model}`)).join(', ')],
    ['Precedent library', made.precedents === null ? 'none' : codeSpan(made.precedents)],
    ['Prompts', codeSpan(made.prompts)], ['Configuration', codeSpan(made.configuration)], ['Seal', codeSpan(seal)],
  ];
  return ['## Provenance', list(facts.map(([name, value]) => `${name}: ${value}`)), 'Check it offline, by code alone: `agon verify answer.json`'];
}

function statement(text: string): string {
  return text === '' ? '' : fence(wrapped(text));
}

function quotes(evidence: readonly Evidence[]): string {
  return list(evidence.map((quoted) => quoted.verified
    ? `Quotes ${codeSpan(shortened(quoted.quote))} in ${codeSpan(quoted.source)}`
    : `~~Quotes~~ ${codeSpan(shortened(quoted.quote))}: struck, it is in no source and decides nothing`));
}

function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
