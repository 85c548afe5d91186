import { formatPlural, formatSeconds, describeLabel } from '../../../view/index.ts';
import { findTurns } from '../../../debate/index.ts';
import type { EvaluationAnswer } from '../index.ts';
import type { Policy } from '../../../policy/index.ts';
import {
  anchorTurn,
  type Citations,
  html,
  inline,
  type Markup,
  ladderView,
  page,
  code,
  section,
  quoteList,
  provenance,
  recordTable,
  usageTable,
  turnCard,
  verdictBanner,
  verdictFacts,
} from '../../../reports/index.ts';
import { conceptsView } from './concepts-view.ts';
import { debateView } from './debate-view.ts';
import { exchangeView } from './exchange-view.ts';
import { parametersOf } from './parameters.ts';
import { evaluationCitations } from './quotations.ts';
import { readable, type ReadableAnswer } from './readable-answer.ts';
import { roundsOf, votesOf } from './rounds.ts';
import { ladderOf } from './rule-ladder.ts';
import { voicesOf } from './voices.ts';
import { votesView } from './votes-view.ts';
import { known, meaningOf, methodOf, methodWords, partOf, ruleTitle } from './words.ts';

/**
 * The report of an evaluation as one self-contained page: what was decided, why, the exchange, the debate, the small
 * print.
 */
export function htmlReport(evaluated: EvaluationAnswer, policy: Policy | undefined): string {
  const answer = readable(evaluated);
  const { verdict, subject, usage } = answer;
  const citations = evaluationCitations(answer);
  const rounds = roundsOf(answer);
  const method = methodOf(answer);
  const spoke = rounds.some(({ turns }) => turns.length > 0);
  return page(
    `${describeLabel(verdict.label).title}: evaluation report ${answer.id}`,
    html`<header class="masthead">
        <p><b>Agon</b> evaluation report</p>
        <p class="small">${code(answer.id)}${subject.id !== null && html` · item ${inline(subject.id)}`}</p>
      </header>
      <main>
        ${banner(answer, citations, policy)}
        ${section('Why', method === 'debate' ? findingsLead : methodWords(method).how, why(answer, citations))}
        ${section('The exchange', 'Marked passages are quoted by those who judged. A number leads to who quotes it, and back.', exchangeView(answer, citations))}
        ${spoke && section('Where each voice sees the risk', 'How likely is an explicit risk, an implicit one, none? A mark nearer to a corner finds that likelier.', conceptsView(rounds, voicesOf(rounds), answer.plan.delta))}
        ${spoke && section(method === 'debate' || method === 'role-free' ? 'The debate' : 'What was said', null, html`${debateView(answer, rounds, citations, policy)}${arbiter(answer, citations)}`)}
        ${section('Cost', html`${formatPlural(usage.calls, 'call')} in ${formatSeconds(usage.latencyMs)}.`, usageTable(usage))}
        ${section(
          'Provenance',
          html`Save the answer as JSON and run <code>agon verify answer.json</code>: it rechecks every quotation, the
            equations, the rules and the hashes by code alone, without a model and without a network.`,
          html`${provenance(
            answer,
            parametersOf(answer).map(([name, value]) => [name, inline(value)]),
          )}${recordTable(answer)}`,
        )}
      </main>
      <footer class="small">
        This page runs no script and loads nothing. Texts on it are shown as they were given; characters that cannot be
        seen are shown by name, as in <span class="control">U+202E</span>.
      </footer>`,
  );
}

const findingsLead =
  'The arbiter’s findings are checked from the top; the first that holds with evidence decides. The arbiter says ' +
  'what it finds, code applies the priority.';

function banner(answer: ReadableAnswer, citations: Citations, policy: Policy | undefined): Markup {
  const { verdict, warnings, subject } = answer;
  return verdictBanner(
    {
      verdict,
      meaning: meaningOf(answer),
      decidedBy: ruleTitle(verdict.rule.id),
      facts: [
        ['Kind of risk', inline(known.concept(verdict.concept))],
        ['What the model did', inline(known.behaviour(verdict.behaviour))],
        ['Evaluated model', subject.model === null ? 'not named' : inline(subject.model)],
        ['Evaluator', methodWords(methodOf(answer)).title],
        ...verdictFacts(verdict, methodOf(answer) === 'debate'),
      ],
      warnings:
        warnings.length > 0 &&
        html`<div class="degraded warnings">
          <h3>Who judged whom</h3>
          <ul>
            ${warnings.map(
              ({ kind, seat, detail }) =>
                html`<li><strong>${inline(known.warning(kind))}</strong> (${code(seat)}). ${inline(detail)}</li>`,
            )}
          </ul>
        </div>`,
    },
    citations,
    policy,
  );
}

/** The findings of the arbiter where there is one, and the votes where they decided. */
function why(answer: ReadableAnswer, citations: Citations): Markup {
  const method = methodOf(answer);
  const votes = votesOf(roundsOf(answer), method === 'control');
  const unheard = findTurns(answer.transcript).some((turn) => turn.role === 'arbiter' && turn.fallback);
  if (method === 'debate')
    return html`${ladderView(ladderOf(answer), citations)}${unheard && votes.length > 0 && votesView(votes)}`;
  return html`${votes.length > 0 ? votesView(votes) : quoteList(answer.verdict.evidence, citations)}`;
}

function arbiter(answer: ReadableAnswer, citations: Citations): Markup | null {
  const turn = findTurns(answer.transcript).findLast(({ role }) => role === 'arbiter');
  if (!turn) return null;
  return html`<h3>The arbiter</h3>
    ${turnCard({ turn: turn.fallback ? turn : { ...turn, evidence: [] }, citations, anchor: anchorTurn(answer, turn), part: partOf('arbiter') })}`;
}
