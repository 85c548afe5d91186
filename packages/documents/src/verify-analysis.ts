import { z } from 'zod';
import {
  checkThat,
  checkQuotes,
  checkSeal,
  rereadTurns,
  listDegradations,
  findTurns,
  type Answer,
  type Check,
  type RoleReader,
  type Transcript,
  type Turn,
} from '@agonhq/engine/debate';
import { isEvidenceFaithful, type Source } from '@agonhq/engine/evidence';
import { isSameJson } from '@agonhq/engine/hash';
import { searchAbsences } from './grounding/search-absences.ts';
import { adjudicateClaim, adjudicateZeroShot } from './verdicts/adjudicate-claim.ts';
import { adjudicateVotes } from './verdicts/adjudicate-votes.ts';
import {
  correctionsStep,
  documentsEdition,
  selectionStep,
  type Analysis,
  type ClaimAnswer,
  type Outlook,
} from './analysis.ts';
import { hashClaim } from './judge-claim.ts';
import { speakers, type OutlookAnswer, type ZeroShot } from './answers.ts';
import { findHeardTurn } from './grounding/list-attacks.ts';
import { describeMatter, recallCorrections, weighCorrections } from './corrections/index.ts';
import { verifyFiles, replaceDocuments } from './verify-files.ts';
import { type Dossier, listBlocks, readBlockText } from './document.ts';
import { openFactorCases } from './claims/chunk-dossier.ts';
import { buildFindingSources, buildWholeSources } from './claims/open-claim.ts';
import { selectClaims } from './claims/select-claims.ts';
import { decideOutlook } from './verdicts/decide-outlook.ts';
import { writePlainBrief } from './verdicts/write-brief.ts';
import { readClaimNumbers, verifyNumbers } from './verify-numbers.ts';
import { parseSourceName } from './grounding/source-name.ts';

/**
 * Rechecks a debate trace by code alone: its seal, every quotation, every number finding, every search for what is
 * missing, and the rules that decided. With its files, read again, all of it is held against what they say, block by
 * block and cell by cell, and not against what the trace says of them.
 *
 * @example verifyAnalysis(readAnalysis(json, 'trace.json'), await readDossier(['report.pdf', 'figures.xlsx']))
 */
export function verifyAnalysis(analysis: Analysis, files?: Dossier): Check[] {
  const sealed = checkAnalysisSeal(analysis);
  if (!files) return [sealed, ...checkAgainst(analysis)];
  return [sealed, verifyFiles(analysis, files.documents), ...checkAgainst(replaceDocuments(analysis, files.documents))];
}

function checkAgainst(analysis: Analysis): Check[] {
  const read = [checkSources(analysis), checkAllQuotes(analysis)];
  const { edition } = analysis.provenance;
  if (edition !== documentsEdition)
    return [...read, checkThat('rules', false, `edition ${edition} is of another version of Agon`)];
  const checks = [...read, checkAllNumbers(analysis)];
  const unreadable = [analysis, ...analysis.claims]
    .map(({ transcript }) => rereadTurns(transcript, [], readers))
    .find((reread) => 'problem' in reread);
  if (unreadable) return [...checks, checkThat('rules', false, unreadable.problem)];
  return [
    ...checks,
    checkSelection(analysis),
    checkAbsences(analysis),
    ...checkCorrections(analysis),
    checkRules(analysis),
    checkOutlook(analysis),
  ];
}

const readers: readonly RoleReader[] = Object.values(speakers);

/** With every quote looked for anew: what was struck is not for a trace to say. Its answers are readable. */
function reread(transcript: Transcript, sources: readonly Source[]): Transcript {
  const turns = rereadTurns(transcript, sources, readers);
  return 'problem' in turns ? [] : turns.transcript;
}

function checkAnalysisSeal(analysis: Analysis): Check {
  const broken = analysis.claims.find((claim) => checkSeal(claim).outcome === 'wrong');
  if (broken) return checkThat('seal', false, `the answer of ${broken.subject.id} was changed after it was given`);
  const check = checkSeal(analysis);
  return check.outcome === 'ok' ? check : { ...check, detail: 'the analysis was changed after it was given' };
}

/** A claim's answer keeps all that the engine's own checks read. */
function asAnswer(claim: ClaimAnswer): Answer {
  return claim;
}

/** Whether what the debaters were shown is what the documents in the trace say. */
function checkSources(analysis: Analysis): Check {
  const misread = [...listBlocks(analysis).values()].find(({ document, block }) =>
    block.table?.cells.some(({ start, end, text }) => document.text.slice(start, end) !== text),
  );
  if (misread) return checkThat('sources', false, `a cell of ${misread.id} is not what the document says`);
  const invented = analysis.observations.find(
    ({ of, text }) => !listBlocks(analysis).has(of) || !readBlockText(listBlocks(analysis).get(of)!).includes(text),
  );
  if (invented) return checkThat('sources', false, `${invented.id} is not what the document says`);
  const wrong = analysis.claims.find(
    (claim) =>
      claim.subject.hash !== hashClaim(claim.subject, analysis) ||
      claim.sources.some((source) => !isSourceInDossier(source, analysis, claim)),
  );
  return checkThat(
    'sources',
    !wrong,
    wrong
      ? `what ${wrong.subject.id} was judged by is not what the documents say`
      : 'all that was shown to the debaters is in the documents',
  );
}

function isSourceInDossier(source: Source, dossier: Analysis, claim: ClaimAnswer): boolean {
  const name = parseSourceName(source.id);
  const standing = name && listBlocks(dossier).get(name.block);
  if (!standing) return false;
  if (name.finding !== undefined)
    return buildFindingSources(claim.numbers).some(({ id, text }) => id === source.id && text === source.text);
  if (name.row !== undefined)
    return standing.block.sentences.some(({ row, narrative }) => row === name.row && narrative === source.text);
  if (name.injection !== undefined)
    return dossier.observations.some(({ id, text }) => id === source.id && text === source.text);
  return (
    (name.extract ? standing.document.text.slice(name.extract.start, name.extract.end) : readBlockText(standing)) ===
    source.text
  );
}

/** Claims quote what they were shown; the factor agent and the zero-shot judge what they read of the dossier. */
function checkAllQuotes(analysis: Analysis): Check {
  const wrong = analysis.claims.find((claim) => checkQuotes(asAnswer(claim)).outcome === 'wrong');
  if (wrong) return checkThat('quotations', false, `${wrong.subject.id}: ${checkQuotes(asAnswer(wrong)).detail}`);
  const parts = openFactorCases(analysis, analysis.provenance.plan.chunkCharacters);
  const whole = buildWholeSources(analysis);
  const factorTurns: readonly Turn[] = findTurns(analysis.transcript, speakers.factorAgent);
  const misquoting = findTurns(analysis.transcript).find((turn) => {
    const sources = factorTurns.includes(turn) ? (parts[factorTurns.indexOf(turn)]?.sources ?? []) : whole;
    return turn.evidence.some((piece) => !isEvidenceFaithful(piece, sources));
  });
  if (misquoting) return checkThat('quotations', false, `${misquoting.key} quotes what its source does not say`);
  const evidence = [
    ...findTurns(analysis.transcript),
    ...analysis.claims.flatMap(({ transcript }) => findTurns(transcript)),
    ...analysis.claims.map(({ verdict }) => verdict),
  ].flatMap((spoken) => spoken.evidence);
  const struck = evidence.filter(({ verified }) => !verified).length;
  return checkThat(
    'quotations',
    true,
    `${evidence.length - struck} quotations stand in their sources` +
      (struck > 0 ? `, ${struck} were rightly struck` : ''),
  );
}

function checkAllNumbers(analysis: Analysis): Check {
  if (analysis.provenance.plan.method === 'zero-shot')
    return checkThat('numbers', analysis.numbers.length === 0, 'this method has no number tools');
  return verifyNumbers(analysis);
}

/** As far as it is trusted: how many claims were over the number asked for. */
const cutSelection = z.looseObject({ dropped: z.looseObject({ overMax: z.number() }) });

/** Whether the claims are those that the factor agent's answers yield; the user's own have no agent. */
function checkSelection(analysis: Analysis): Check {
  const step = analysis.transcript.find(selectionStep.hasEntry);
  const claims = analysis.claims.map(({ subject: { id, text, kind, domain, importance, origin } }) => ({
    id,
    text,
    kind,
    domain,
    importance,
    origin,
  }));
  if (!step) {
    const right = claims.every(({ origin }) => origin === null);
    return checkThat(
      'claims',
      right,
      right ? `${claims.length} claim(s) of the user's own` : 'a claim has no factor agent that found it',
    );
  }
  const turns = findTurns(analysis.transcript, speakers.factorAgent);
  const isCut = (cutSelection.safeParse(step.value).data?.dropped.overMax ?? 0) > 0;
  const isZeroShot = analysis.provenance.plan.method === 'zero-shot';
  const argued = analysis.claims.filter(({ transcript }) => findTurns(transcript).length > 0).length;
  const most = isZeroShot ? analysis.claims.length : argued;
  const again = selectClaims(turns, analysis, isCut ? most : Number.POSITIVE_INFINITY, isZeroShot);
  const parts = openFactorCases(analysis, analysis.provenance.plan.chunkCharacters).length;
  const right =
    turns.length === parts &&
    isSameJson(again, step.value) &&
    isSameJson(again.claims, claims) &&
    isSameJson(again.coverage, analysis.coverage);
  return checkThat(
    'claims',
    right,
    right
      ? `${claims.length} claim(s) follow from what the factor agent found`
      : 'the claims do not follow from what the factor agent found',
  );
}

function checkAbsences(analysis: Analysis): Check {
  const searches = analysis.claims.reduce((sum, { absences }) => sum + absences.length, 0);
  const wrong = analysis.claims.find(({ transcript, absences }) => {
    const step = transcript.find((entry) => entry.kind === 'computed' && entry.name === 'absences');
    const again = step ? searchAbsences(transcript.slice(0, transcript.indexOf(step)), analysis) : [];
    return !isSameJson(again, absences) || (step?.kind === 'computed' && !isSameJson(again, step.value));
  });
  return checkThat(
    'absences',
    !wrong,
    wrong
      ? `a search of ${wrong.subject.id} comes out otherwise`
      : `${searches} search(es) for what is missing come out the same`,
  );
}

/** Whether what people corrected was brought where it belongs. That they did so, only the ledger can tell. */
function checkCorrections(analysis: Analysis): Check[] {
  const recalled = analysis.claims.reduce((sum, { corrections = [] }) => sum + corrections.length, 0);
  const wrong = analysis.claims.find((claim) => {
    const step = claim.transcript.find(correctionsStep.hasEntry);
    return (
      !isSameJson(recallAgain(claim, analysis), claim.corrections ?? []) ||
      !isSameJson(step?.value ?? [], claim.corrections ?? [])
    );
  });
  if (wrong) return [checkThat('corrections', false, `a correction is not as alike to ${wrong.subject.id} as it says`)];
  return recalled === 0 ? [] : [checkThat('corrections', true, `${recalled} correction(s) are as alike as they say`)];
}

function recallAgain({ subject, sources, numbers, corrections = [] }: ClaimAnswer, analysis: Analysis) {
  if (corrections.length === 0) return [];
  const matter = describeMatter(subject, { dossier: analysis, sources, numbers, all: analysis.numbers });
  return recallCorrections(subject, matter, corrections);
}

function checkRules(analysis: Analysis): Check {
  const wrong = analysis.claims.find(
    (claim, index) =>
      !isSameJson(adjudicateAgain(claim, index, analysis), claim.verdict) ||
      claim.roleCollapse !== hasRoleCollapse(claim.transcript),
  );
  return checkThat(
    'rules',
    !wrong,
    wrong
      ? `applied anew, ${wrong.subject.id} is ` + adjudicateAgain(wrong, analysis.claims.indexOf(wrong), analysis).label
      : `the rules decide ${analysis.claims.length} claim(s) the same`,
  );
}

function adjudicateAgain(claim: ClaimAnswer, index: number, analysis: Analysis) {
  const { method } = analysis.provenance.plan;
  if (method === 'zero-shot') {
    const whole = buildWholeSources(analysis);
    return adjudicateZeroShot(reread(findTurns(analysis.transcript, speakers.zeroShot), whole), index, whole);
  }
  const { subject, sources, transcript } = claim;
  const { own, cover, findings } = readClaimNumbers(claim, analysis);
  const caseFile = { claim: subject, dossier: analysis, numbers: findings, sources };
  // From what was said, and from searches that are made again: what a trace says of them is checked by itself.
  const said = transcript.flatMap((entry): Transcript => {
    if (entry.kind !== 'computed') return [entry];
    return entry.name === 'absences' ? [{ ...entry, value: searchAbsences(transcript, analysis) }] : [];
  });
  const adjudicate = method === 'vote' || method === 'control' ? adjudicateVotes : adjudicateClaim;
  const verdict = adjudicate(reread(said, sources), { caseFile, own, cover });
  return weighCorrections(verdict, recallAgain(claim, analysis));
}

function hasRoleCollapse(transcript: Transcript): boolean {
  const dissent = findHeardTurn(transcript, speakers.dissenting);
  return dissent !== null && dissent.answer.attacks.length === 0;
}

function checkOutlook(analysis: Analysis): Check {
  const {
    claims,
    numbers,
    outlook: { label, rule, ...words },
  } = analysis;
  const again = decideOutlook(claims, numbers);
  if (again.label !== label || !isSameJson(again.rule, rule))
    return checkThat('outlook', false, `applied anew, ${again.rule.id} decides: ${again.label}`);
  const right =
    isSameJson(words, readOutlook(analysis)) && isSameJson(analysis.degraded, listDegradations(analysis.transcript));
  return checkThat(
    'outlook',
    right,
    right ? `${rule.id} decides: ${label}` : 'the brief is not the one that was written',
  );
}

/** What the seat that wrote the brief said; what stands there when nobody was asked. */
function readOutlook({ transcript, claims, numbers, degraded }: Analysis): Omit<Outlook, 'label' | 'rule'> {
  const [written] = findTurns<OutlookAnswer | ZeroShot>(transcript, speakers.outlook, speakers.zeroShot);
  if (!written) return { brief: writePlainBrief(claims, numbers, degraded), risks: [], questions: [] };
  const { risks, questions, ...answer } = written.answer;
  return { brief: 'brief' in answer ? answer.brief : answer.statement, risks, questions };
}
