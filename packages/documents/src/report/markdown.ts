import {
  formatCount,
  describeFailure,
  formatPercent,
  formatPlural,
  formatScore,
  shortenQuote,
} from '@agonhq/engine/view';
import type { GivenEdit } from '@agonhq/judges/job/findings';
import type { ReportExtras } from '@agonhq/judges/job/job-report';
import type { AbsenceSearch, Analysis, ClaimAnswer, NumberPlace, ReportDocument } from '../index.ts';
import type { Evidence } from '@agonhq/engine/evidence';
import { codeSpan, fence, cost, joinBlocks, markdownList, markdownProvenance, statement } from '@agonhq/engine/reports';
import type { PeoplesWords } from '../findings/list-findings.ts';
import { documentCitations, type DocumentCitations } from './document-citations.ts';
import { editBlocks, findEdit } from './edit-words.ts';
import { exchangeOf, type ExchangeAttack, type ClaimExchange, type ExchangeStep } from './exchange.ts';
import { findingsOf, type NumberedFinding } from './finding-list.ts';
import {
  nameAttack,
  nameCheck,
  describeClaimLabel,
  nameMethod,
  describePersonVerdict,
  describeRule,
  findPersonVerdict,
  listAlike,
  nameStep,
  nameStrength,
  type GivenCorrection,
} from '../view.ts';
import { isLongDocument } from './shown-blocks.ts';
import { listBriefBlocks, careBlocks, known } from './summary.ts';

const mostHolding = 200;

/** The debate trace as Markdown: the same substance as the page. Everything untrusted is code. */
export function writeAnalysisMarkdown(analysis: Analysis, { corrections = [], edits = [] }: ReportExtras = {}): string {
  const exchanges = analysis.claims.map(exchangeOf);
  const findings = findingsOf(analysis);
  const citations = documentCitations(analysis, exchanges, findings);
  return joinBlocks([
    ...listBriefBlocks(analysis, findings, { corrections, edits }),
    '## Claims and verdicts',
    `By ${nameMethod(analysis.provenance.plan.method, codeSpan)}.`,
    ...exchanges.flatMap((exchange, index) => claimBlocks(exchange, index + 1, citations, { corrections, edits })),
    '## Numbers',
    ...numberBlocks(findings, citations, edits),
    '## Not debated',
    analysis.coverage.length === 0 ? 'Every block that asserts much yielded a claim.' : '',
    markdownList(
      analysis.coverage.map(
        ({ block, quote, why }) => `${codeSpan(shortenQuote(quote))} in ${codeSpan(block)}: ${codeSpan(why)}`,
      ),
    ),
    '## The documents',
    ...documentBlocks(analysis, citations),
    ...cost(analysis),
    ...markdownProvenance(analysis).map((block) => block.replaceAll('answer.json', 'trace.json')),
  ]);
}

function correctionBlocks(answer: ClaimAnswer, corrections: readonly GivenCorrection[]): string[] {
  const person = findPersonVerdict(answer, corrections);
  return [
    person ? `**Corrected by a person.** ${codeSpan(describePersonVerdict(person))}` : '',
    markdownList(listAlike(answer).map((said) => `Corrected alike: ${codeSpan(said)}`)),
  ];
}

function claimBlocks(
  { answer, steps, strays }: ClaimExchange,
  number: number,
  citations: DocumentCitations,
  { corrections = [], edits = [] }: PeoplesWords,
): string[] {
  const { subject, verdict } = answer;
  const cite = (evidence: readonly Evidence[]) => citationList(evidence, citations, answer);
  return [
    `### Claim ${number}: ${known(describeClaimLabel(verdict.label).title, verdict.label)}`,
    fence(subject.text),
    `${codeSpan(subject.kind)}, ${codeSpan(subject.domain)}, importance ` +
      formatPercent(Math.min(Math.max(subject.importance, 0), 1)) +
      (verdict.confidence === null ? '' : `, confidence ${formatPercent(verdict.confidence)}`) +
      '.',
    subject.origin ? `From ${placeWords(subject.origin, citations)}.` : 'The user’s own claim.',
    `**Decided by ${describeRule(verdict.rule.id, codeSpan)}.** ${describeClaimLabel(verdict.label).meaning}`.trim(),
    statement(verdict.rule.why),
    cite(verdict.evidence),
    ...correctionBlocks(answer, corrections),
    ...editBlocks(findEdit(edits, subject.id)),
    verdict.escalate ? '**Needs human review.**' : '',
    answer.roleCollapse
      ? '**Role collapse.** The dissenting seat attacked nothing, so this claim was not really tested.'
      : '',
    markdownList(
      answer.numbers.map(
        (finding) =>
          `Number check (${finding.outcome === 'conflict' ? '**conflict**' : 'holds'}): ` +
          `${codeSpan(finding.statement)} ${codeSpan(finding.arithmetic)}`,
      ),
    ),
    ...careBlocks(verdict.degraded),
    ...steps.flatMap((step) => stepBlocks(step, cite, citations)),
    markdownList(strays.map((search) => searchWords(search, citations))),
  ];
}

function stepBlocks(
  step: ExchangeStep,
  cite: (evidence: readonly Evidence[]) => string,
  citations: DocumentCitations,
): string[] {
  const { turn, parts } = step;
  return [
    `#### ${nameStep(turn.key, codeSpan)}`,
    `${codeSpan(turn.role)}, ${codeSpan(turn.reasoner)}` +
      (turn.score === null || turn.fallback ? '' : `, ${formatScore(turn.score)} for the claim`),
    turn.fallback
      ? `**Fallback.** This seat gave no usable answer: ${describeFailure(turn.fallback.reason, codeSpan)}. ` +
        codeSpan(turn.fallback.detail)
      : '',
    statement(turn.statement),
    ...step.premises.flatMap(({ number, premise, evidence }) => [
      `**Premise ${number}.**`,
      statement(premise),
      cite(evidence) || 'Nothing is cited for it.',
    ]),
    ...step.attacks.flatMap((attack) => [
      `**Attack ${attack.number}** on ${targetWords(attack)}: ` +
        nameAttack(attack.kind, codeSpan) +
        (attack.stands === null ? '' : attack.stands ? ', **still stands**' : ', answered') +
        '.',
      statement(attack.point),
      cite(attack.evidence),
      markdownList(attack.searches.map((search) => searchWords(search, citations))),
      attack.missing.length > 0 && attack.searches.length === 0
        ? `Claims that something is missing (${attack.missing.map(codeSpan).join(', ')}), but no search for it is ` +
          'on record: it is not accepted.'
        : '',
    ]),
    ...step.replies.flatMap(({ attack, concedes, point, evidence, target }) => [
      `**${concedes ? 'Concedes' : 'Rebuts'}** attack ${attack}${target ? '' : ', which is not there'}.`,
      statement(point),
      cite(evidence),
    ]),
    ...step.rulings.flatMap(({ name, finding, evidence }) => [
      `**${name === 'support' ? 'Does the dossier say so?' : 'Does a passage say otherwise?'}** ` +
        (finding.holds ? 'Yes' : 'No') +
        (name === 'support' && finding.strength !== '' ? `, ${nameStrength(finding.strength, codeSpan)}` : '') +
        '.',
      statement(finding.why),
      cite(evidence),
    ]),
    parts.support
      ? parts.standing.length === 0
        ? 'No attack still stands.'
        : `Attacks that still stand: ${parts.standing.join(', ')}.`
      : '',
    cite(step.evidence),
    markdownList((turn.notes ?? []).map(codeSpan)),
  ];
}

function targetWords({ premise, target }: ExchangeAttack): string {
  if (premise === 0) return 'the claim itself';
  return target ? `premise ${premise}` : `premise ${premise}, which is not there`;
}

function searchWords({ terms, found, blocksRead, accepted }: AbsenceSearch, citations: DocumentCitations): string {
  const hits = found.map(
    ({ term, place, quote, near }) =>
      `${citations.citedBy(place) ? placeWords(place, citations) : codeSpan(quote)} ` +
      `(${near ? 'near match of' : 'matches'} ` +
      `${codeSpan(term)})`,
  );
  return (
    `**Absence ${accepted ? 'accepted' : 'rejected'}.** Looked for ${terms.map(codeSpan).join(', ')} in ` +
    `${formatPlural(blocksRead, 'block')}: ${found.length === 0 ? 'not found.' : `found ${hits.join('; ')}.`}`
  );
}

function citationList(
  evidence: readonly Evidence[],
  citations: DocumentCitations,
  { numbers }: ClaimExchange['answer'],
): string {
  return markdownList(
    evidence.map((quoted) => {
      if (!quoted.verified)
        return (
          `~~Quotes~~ ${codeSpan(shortenQuote(quoted.quote))}: struck: it is not in the dossier and decides ` +
          'nothing'
        );
      const cited = citations.citedBy(quoted, numbers);
      const told = { row: ', a row written as a sentence,', numbers: ', a number check,', none: '' }[
        cited?.grounding.told ?? 'none'
      ];
      return (
        `Quotes ${cited?.number === undefined ? '' : `[${cited.number}] `}` +
        `${codeSpan(shortenQuote(quoted.quote))}${told} ` +
        `in ${codeSpan(cited?.where ?? quoted.source)}`
      );
    }),
  );
}

function placeWords(place: NumberPlace, citations: DocumentCitations): string {
  const cited = citations.citedBy(place);
  if (!cited) return 'a place that is not in the dossier';
  return (
    `${cited.number === undefined ? '' : `[${cited.number}] `}${codeSpan(shortenQuote(cited.grounding.quote))} ` +
    `in ${codeSpan(cited.where)}`
  );
}

function numberBlocks(
  findings: readonly NumberedFinding[],
  citations: DocumentCitations,
  edits: readonly GivenEdit[],
): string[] {
  const conflicts = findings.filter(({ finding }) => finding.outcome === 'conflict');
  const holding = findings.slice(conflicts.length);
  return [
    conflicts.length === 0 ? 'No conflict was found.' : '',
    ...conflicts.flatMap(({ number, finding, claims, anchor }) => [
      `**Check ${number}, ${nameCheck(finding.check, codeSpan)}: conflict.** ${codeSpan(finding.statement)}` +
        (claims.length > 0 ? ` Concerns claim ${claims.join(', ')}.` : ''),
      codeSpan(finding.arithmetic),
      markdownList(finding.places.map((place) => placeWords(place, citations))),
      ...editBlocks(findEdit(edits, anchor)),
    ]),
    markdownList(
      holding
        .slice(0, mostHolding)
        .map(
          ({ number, finding }) =>
            `Check ${number}, ${nameCheck(finding.check, codeSpan)}: holds. ${codeSpan(finding.statement)} ` +
            codeSpan(finding.arithmetic),
        ),
    ),
    holding.length > mostHolding
      ? `${formatPlural(holding.length - mostHolding, 'more check')} that hold are in the JSON trace.`
      : '',
  ];
}

/** Short dossiers as they were read; of long ones, what is cited. */
function documentBlocks({ documents }: Analysis, citations: DocumentCitations): string[] {
  const long = isLongDocument(documents);
  return documents.flatMap((document) => [
    `### ${codeSpan(document.name)}`,
    `${document.kind.toUpperCase()}${document.pages ? `, ${formatPlural(document.pages.length, 'page')}` : ''}, ` +
      `${formatPlural(document.blocks.length, 'block')}, ${formatPlural(document.text.length, 'character')}, ` +
      `${codeSpan(document.hash)}.`,
    markdownList(document.notes.map(codeSpan)),
    ocrWords(document),
    ...(long ? [] : [fence(document.text)]),
    markdownList(
      citations
        .passagesIn(document)
        .map(
          ({ number, quote, start, end, quoters }) =>
            `[${number}] ${codeSpan(shortenQuote(quote))}, characters ${formatCount(start)} to ${formatCount(end)}: ` +
            [...new Set(quoters.map(({ speaker }) => speaker))].map(codeSpan).join(', '),
        ),
    ),
  ]);
}

function ocrWords({ blocks, pages = [] }: ReportDocument): string {
  const read = pages.filter(({ ocr }) => ocr).map(({ number }) => number);
  if (read.length > 0) return `Read by OCR, letters may be wrong: page ${read.join(', ')}.`;
  const some = blocks.filter(({ ocr }) => ocr).length;
  return some > 0 ? `${formatPlural(some, 'block')} read by OCR: letters may be wrong.` : '';
}
