import {
  formatCount,
  describeFailure,
  formatPercent,
  formatPlural,
  formatScore,
  shortenQuote,
  type CitedPassage,
} from '@agonhq/engine/view';
import type { GivenEdit } from '@agonhq/judges/job/findings';
import type { ReportExtras } from '@agonhq/judges/job/job-report';
import type { Analysis, ClaimAnswer, ReportDocument } from '../index.ts';
import { codeSpan, fence, cost, joinBlocks, markdownList, markdownProvenance, statement } from '@agonhq/engine/reports';
import type { PeoplesWords } from '../findings/list-findings.ts';
import { editBlocks, findEdit } from './edit-words.ts';
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
import {
  citeChecks,
  isLongDocument,
  markPlace,
  numberFindings,
  numberPassages,
  traceClaim,
  type Citation,
  type ClaimTrace,
  type CitedCheck,
  type NumberedFinding,
  type TracedAttack,
  type TracedSearch,
  type TracedStep,
} from '../trace/index.ts';
import { listBriefBlocks, careBlocks, known } from './summary.ts';

const mostHolding = 200;

/** The debate trace as Markdown: the same substance as the page. Everything untrusted is code. */
export function writeAnalysisMarkdown(analysis: Analysis, { corrections = [], edits = [] }: ReportExtras = {}): string {
  const traces = analysis.claims.map((_, index) => traceClaim(analysis, index));
  const findings = numberFindings(analysis);
  const { passages, numberOf } = numberPassages(analysis, traces, findings);
  const tag: Tag = ({ grounding }) => {
    const number = grounding ? numberOf(markPlace(grounding)) : undefined;
    return number === undefined ? '' : `[${number}] `;
  };
  return joinBlocks([
    ...listBriefBlocks(analysis, findings, { corrections, edits }),
    '## Claims and verdicts',
    `By ${nameMethod(analysis.provenance.plan.method, codeSpan)}.`,
    ...traces.flatMap((trace) => claimBlocks(trace, tag, { corrections, edits })),
    '## Numbers',
    ...numberBlocks(citeChecks(analysis, findings).checks, tag, edits),
    '## Not debated',
    analysis.coverage.length === 0 ? 'Every block that asserts much yielded a claim.' : '',
    markdownList(
      analysis.coverage.map(
        ({ block, quote, why }) => `${codeSpan(shortenQuote(quote))} in ${codeSpan(block)}: ${codeSpan(why)}`,
      ),
    ),
    '## The documents',
    ...documentBlocks(analysis, passages),
    ...cost(analysis),
    ...markdownProvenance(analysis).map((block) => block.replaceAll('answer.json', 'trace.json')),
  ]);
}

/** The number of what is cited, in front of it. */
type Tag = (citation: Citation) => string;

function correctionBlocks(answer: ClaimAnswer, corrections: readonly GivenCorrection[]): string[] {
  const person = findPersonVerdict(answer, corrections);
  return [
    person ? `**Corrected by a person.** ${codeSpan(describePersonVerdict(person))}` : '',
    markdownList(listAlike(answer).map((said) => `Corrected alike: ${codeSpan(said)}`)),
  ];
}

function claimBlocks(
  { number, answer, origin, verdict: cited, steps, strays }: ClaimTrace,
  tag: Tag,
  { corrections = [], edits = [] }: PeoplesWords,
): string[] {
  const { subject, verdict } = answer;
  return [
    `### Claim ${number}: ${known(describeClaimLabel(verdict.label).title, verdict.label)}`,
    fence(subject.text),
    `${codeSpan(subject.kind)}, ${codeSpan(subject.domain)}, importance ` +
      formatPercent(Math.min(Math.max(subject.importance, 0), 1)) +
      (verdict.confidence === null ? '' : `, confidence ${formatPercent(verdict.confidence)}`) +
      '.',
    origin ? `From ${placeWords(origin, tag)}.` : 'The user’s own claim.',
    `**Decided by ${describeRule(verdict.rule.id, codeSpan)}.** ${describeClaimLabel(verdict.label).meaning}`.trim(),
    statement(verdict.rule.why),
    citationList(cited, tag),
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
    ...steps.flatMap((step) => stepBlocks(step, tag)),
    markdownList(strays.map((search) => searchWords(search, tag))),
  ];
}

function stepBlocks({ turn, standing, ...step }: TracedStep, tag: Tag): string[] {
  return [
    `#### ${nameStep(turn.key, codeSpan)}`,
    `${codeSpan(turn.role)}, ${codeSpan(turn.reasoner)}` +
      (turn.score === null || turn.fallback ? '' : `, ${formatScore(turn.score)} for the claim`),
    turn.fallback
      ? `**Fallback.** This seat gave no usable answer: ${describeFailure(turn.fallback.reason, codeSpan)}. ` +
        codeSpan(turn.fallback.detail)
      : '',
    statement(turn.statement),
    ...step.premises.flatMap(({ number, premise, citations }) => [
      `**Premise ${number}.**`,
      statement(premise),
      citationList(citations, tag) || 'Nothing is cited for it.',
    ]),
    ...step.attacks.flatMap((attack) => [
      `**Attack ${attack.number}** on ${targetWords(attack)}: ` +
        nameAttack(attack.kind, codeSpan) +
        (attack.stands === null ? '' : attack.stands ? ', **still stands**' : ', answered') +
        '.',
      statement(attack.point),
      citationList(attack.citations, tag),
      markdownList(attack.searches.map((search) => searchWords(search, tag))),
      attack.missing.length > 0 && attack.searches.length === 0
        ? `Claims that something is missing (${attack.missing.map(codeSpan).join(', ')}), but no search for it is ` +
          'on record: it is not accepted.'
        : '',
    ]),
    ...step.replies.flatMap(({ attack, concedes, point, citations, target }) => [
      `**${concedes ? 'Concedes' : 'Rebuts'}** attack ${attack}${target ? '' : ', which is not there'}.`,
      statement(point),
      citationList(citations, tag),
    ]),
    ...step.findings.flatMap(({ name, holds, strength, why, citations }) => [
      `**${name === 'support' ? 'Does the dossier say so?' : 'Does a passage say otherwise?'}** ` +
        (holds ? 'Yes' : 'No') +
        (name === 'support' && strength !== '' ? `, ${nameStrength(strength, codeSpan)}` : '') +
        '.',
      statement(why),
      citationList(citations, tag),
    ]),
    standing
      ? standing.length === 0
        ? 'No attack still stands.'
        : `Attacks that still stand: ${standing.join(', ')}.`
      : '',
    citationList(step.citations, tag),
    markdownList((turn.notes ?? []).map(codeSpan)),
  ];
}

function targetWords({ premise, target }: TracedAttack): string {
  if (premise === 0) return 'the claim itself';
  return target ? `premise ${premise}` : `premise ${premise}, which is not there`;
}

function searchWords({ terms, found, blocksRead, accepted }: TracedSearch, tag: Tag): string {
  const hits = found.map(
    ({ term, near, citation }) =>
      `${citation.grounding ? placeWords(citation, tag) : codeSpan(citation.quote)} ` +
      `(${near ? 'near match of' : 'matches'} ${codeSpan(term)})`,
  );
  return (
    `**Absence ${accepted ? 'accepted' : 'rejected'}.** Looked for ${terms.map(codeSpan).join(', ')} in ` +
    `${formatPlural(blocksRead, 'block')}: ${found.length === 0 ? 'not found.' : `found ${hits.join('; ')}.`}`
  );
}

const told = { row: ', a row written as a sentence,', numbers: ', a number check,' };

function citationList(citations: readonly Citation[], tag: Tag): string {
  return markdownList(
    citations.map((citation) => {
      const quote = codeSpan(shortenQuote(citation.quote));
      if (citation.struck) return `~~Quotes~~ ${quote}: struck: it is not in the dossier and decides nothing`;
      const how = citation.grounding?.told;
      return `Quotes ${tag(citation)}${quote}${how ? told[how] : ''} in ${codeSpan(citation.where)}`;
    }),
  );
}

function placeWords(citation: Citation, tag: Tag): string {
  if (!citation.grounding) return 'a place that is not in the dossier';
  return `${tag(citation)}${codeSpan(shortenQuote(citation.quote))} in ${codeSpan(citation.where)}`;
}

function numberBlocks(
  checks: readonly (NumberedFinding & { check: CitedCheck })[],
  tag: Tag,
  edits: readonly GivenEdit[],
): string[] {
  const conflicts = checks.filter(({ finding }) => finding.outcome === 'conflict');
  const holding = checks.slice(conflicts.length);
  return [
    conflicts.length === 0 ? 'No conflict was found.' : '',
    ...conflicts.flatMap(({ number, finding, claims, anchor, check }) => [
      `**Check ${number}, ${nameCheck(finding.check, codeSpan)}: conflict.** ${codeSpan(finding.statement)}` +
        (claims.length > 0 ? ` Concerns claim ${claims.join(', ')}.` : ''),
      codeSpan(finding.arithmetic),
      markdownList(check.citations.map((citation) => placeWords(citation, tag))),
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
function documentBlocks({ documents }: Analysis, passages: readonly CitedPassage[]): string[] {
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
      passages
        .filter(({ source }) => source === document.name)
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
