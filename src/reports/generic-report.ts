import { findTurns, type Answer, type Turn } from '../debate/index.ts';
import { nameSeat, formatPercent, formatPlural, formatScore, formatSeconds } from '../view/index.ts';
import { anchorTurn, collectCitations, type Citations, type Quotation } from './citations.ts';
import { block, html, inline, type Markup } from './escape.ts';
import { codeCell, codeSpan } from './markdown-escape.ts';
import {
  cost,
  degradationBlocks,
  joinBlocks,
  markdownProvenance,
  markdownTable,
  quotes,
  sourceBlocks,
  statement,
} from './markdown-parts.ts';
import { page } from './page.ts';
import { code, section } from './parts.ts';
import { quoteList } from './quotes.ts';
import { provenance, recordTable, usageTable } from './small-print.ts';
import { sourceCard } from './sources.ts';
import { turnCard } from './turn-card.ts';

/** The report of any answer as one self-contained page: what was decided, why, on what, who said what, the record. */
export function renderGenericHtml(answer: Answer, title: string): string {
  const { verdict, usage } = answer;
  const citations = citeEverybody(answer);
  return page(
    `${verdict.label}: ${title} report ${answer.id}`,
    html`<header class="masthead">
        <p><b>Agon</b> ${inline(title)} report</p>
        <p class="small">${code(answer.id)}</p>
      </header>
      <main>
        <section class="verdict undecided" id="verdict">
          <p class="kicker">Verdict</p>
          <h1>${inline(verdict.label)}</h1>
          <dl class="facts">
            ${factsOf(answer).map(
              ([name, value]) =>
                html`<div>
                  <dt>${name}</dt>
                  <dd>${value}</dd>
                </div>`,
            )}
          </dl>
          <div class="grounds">
            <p class="kicker">Decided by ${inline(verdict.rule.id)}</p>
            ${block(verdict.rule.why)} ${quoteList(verdict.evidence, citations)}
          </div>
        </section>
        ${section('What was judged', 'Marked passages are quoted.', sourcesView(answer, citations))}
        ${section('The debate', null, debateView(answer, citations))}
        ${section('Cost', html`${formatPlural(usage.calls, 'call')} in ${formatSeconds(usage.latencyMs)}.`, usageTable(usage))}
        ${section('Provenance', null, html`${provenance(answer)}${recordTable(answer)}`)}
      </main>`,
  );
}

/** The same as Markdown. */
export function renderGenericMarkdown(answer: Answer): string {
  const { verdict } = answer;
  const citations = citeEverybody(answer);
  return joinBlocks([
    `# Verdict: ${codeSpan(verdict.label)}`,
    markdownTable(
      factsOf(answer).map(([name]) => name),
      [factsOf(answer).map(([, value]) => value)],
    ),
    statement(verdict.rule.why),
    quotes(verdict.evidence),
    ...degradationBlocks(verdict.degraded),
    '## What was judged',
    ...answer.sources.flatMap((source) => sourceBlocks(source, citations)),
    '## The debate',
    ...findTurns(answer.transcript).flatMap((turn) => [
      `### ${codeSpan(speakerOf(turn))}${turn.score === null ? '' : `, score ${formatScore(turn.score)}`}`,
      statement(turn.statement),
      quotes(turn.evidence),
    ]),
    ...cost(answer),
    ...markdownProvenance(answer),
  ]);
}

/** The verdict and its reason in a few lines, for those whom it concerns. */
export function renderGenericNotice({ id, verdict }: Answer): string {
  const quoted = verdict.evidence.flatMap((piece) => (piece.verified ? [`- “${piece.quote}”`] : []));
  return [
    `Verdict: ${verdict.label}`,
    verdict.rule.why,
    ...(quoted.length > 0 ? [['It stands on these passages:', ...quoted].join('\n')] : []),
    ...(verdict.escalate ? ['A person must look at it.'] : []),
    `Reference: ${id}`,
  ].join('\n\n');
}

function factsOf({ verdict }: Answer): [string, string][] {
  return [
    ['Score', formatScore(verdict.score)],
    ['Confidence', verdict.confidence === null ? 'not stated' : formatPercent(verdict.confidence)],
    ['A person must look', verdict.escalate ? 'yes' : 'no'],
    ['Rule', codeCell(verdict.rule.id)],
  ];
}

function sourcesView({ sources }: Answer, citations: Citations): Markup {
  return html`${sources.map((source) => sourceCard(source, citations))}`;
}

function debateView(answer: Answer, citations: Citations): Markup {
  return html`${findTurns(answer.transcript).map((turn) =>
    turnCard({ turn, citations, anchor: anchorTurn(answer, turn), name: speakerOf(turn) }),
  )}`;
}

function speakerOf({ seat, round }: Turn): string {
  return `${nameSeat(seat)}${round === null ? '' : `, round ${round}`}`;
}

function citeEverybody(answer: Answer): Citations {
  const turns = findTurns(answer.transcript).flatMap((turn) =>
    turn.evidence.map((evidence): Quotation => ({
      evidence,
      quoter: { anchor: anchorTurn(answer, turn), speaker: speakerOf(turn), side: 'neutral' },
    })),
  );
  const decisive = answer.verdict.evidence.map((evidence): Quotation => ({
    evidence,
    quoter: { anchor: 'verdict', speaker: 'Verdict', side: 'neutral' },
  }));
  return collectCitations(answer.sources, [...turns, ...decisive]);
}
