import {
  closeVerdict,
  contradictsScore,
  defineStep,
  findEvidence,
  findLastTurn,
  findTurns,
  findValue,
  findVotes,
  hasUnheardSeat,
  isSilence,
  isStatement,
  keepLastOfSeats,
  ruleByMajority,
  ruleOnSilence,
  type Calibration,
  type Degradation,
  type Observation,
  type Ruling,
  type Transcript,
  type Turn,
  type Verdict,
  type CaseFile,
} from '@agonhq/engine/debate';
import type { Source, Evidence } from '@agonhq/engine/evidence';
import { namedCategories, proposeAction, type Policy } from '@agonhq/engine/policy';
import { dismissAllowed, holdUnreadable } from '../job/revise-ruling.ts';
import { matchRefusal } from '../evaluation/refusals.ts';
import { meanOf } from '@agonhq/engine/statistics';
import type { Findings } from './answers.ts';
import {
  isPlaceholder,
  isSeenByImageModels,
  isUnseen,
  listOwnSources,
  saysNothing,
  type ModerationCaseFile,
} from './case-file.ts';
import { explainKnownImages, knownImages } from './known-images.ts';
import type { ModerationMethod } from './plan.ts';
import { describePastDecision, pastDecisionStep } from './past-decision.ts';
import { arbiter } from './roles/arbiter.ts';
import { findArguments, strictDebater } from './roles/debaters.ts';
import { judge, judges } from './roles/judges.ts';
import { findMoment } from '@agonhq/engine/view';

export const adjudicationStep = defineStep<Verdict>('adjudication');

export interface AdjudicationParts {
  policy: Policy;
  calibration?: Calibration | null;
  method?: ModerationMethod;
}

/**
 * The Hierarchical Adjudication Protocol, applied by code: Rule 1 before Rule 2 before Rule 3, over findings whose
 * evidence is in the sources; of the other methods, their votes. Nobody is acquitted by a crash: where nothing was
 * heard, nothing is decided. A calibration makes a probability of the risk and sends what is in doubt to a person; it
 * changes no label.
 */
export function adjudicateContent(
  transcript: Transcript,
  caseFile: ModerationCaseFile,
  { policy, calibration = null, method = 'debate' }: AdjudicationParts,
): Verdict {
  const found = dismissAllowed(rule(transcript, caseFile, method), policy);
  // The baseline reads no words but those of a refusal.
  const decided = method === 'refusal-match' ? found : holdUnreadable(found, caseFile.sources);
  const ruling = decided.evidence ? { ...decided, evidence: addMoments(decided.evidence, caseFile) } : decided;
  const { label, score } = ruling;
  // Text read off an image does not tell what else it shows.
  const isPartlyUnseen = caseFile.sources.some(isPlaceholder);
  const mayBeMissed = isPartlyUnseen || hasUnheardSeat(findTurns(transcript, judge));
  const isByImageModelsAlone = label === 'unsafe' && restsOnImageModels(ruling.evidence ?? [], caseFile);
  // The votes of a panel without an arbiter are no finding that a score could speak against.
  const past = findValue(transcript, pastDecisionStep);
  const isDecidedOtherwise = past !== undefined && past.label !== label;
  const isFinding = method !== 'debate' || findJudgment(transcript) !== null;
  return closeVerdict(
    {
      ...ruling,
      escalate:
        ruling.escalate === true || isByImageModelsAlone || isDecidedOtherwise || (label === 'safe' && mayBeMissed),
    },
    {
      transcript,
      at: method === 'debate' ? 'arbiter' : 'adjudication',
      degraded: [
        ...caseFile.sources.flatMap((source) => (isPlaceholder(source) ? [describeUnseen(source)] : [])),
        ...(isDecidedOtherwise ? [describePastDecision(past)] : []),
      ],
      isContradicted: isFinding && contradictsScore(label, score),
      calibration,
      nameClauses: (clauses) => namedCategories(clauses, policy),
      proposeAction: (clauses) => proposeAction(policy, { label, clauses }),
    },
  );
}

/** Small models mistake a toy for a gun: on what they alone saw, a person decides. */
function restsOnImageModels(evidence: NonNullable<Ruling['evidence']>, { sources }: ModerationCaseFile): boolean {
  const seen = new Set(sources.filter(isSeenByImageModels).map(({ id }) => id));
  return evidence.length > 0 && evidence.every(({ source }) => source !== null && seen.has(source));
}

function describeUnseen({ id, of, note }: Observation): Degradation {
  const kind = /^(?:audio|video)-\d+$/.test(of) ? 'unheard-recording' : 'unseen-image';
  return { kind, at: id, detail: note || 'not described' };
}

function explainUnseen(sources: readonly Source[]): string {
  if (sources.some(isSilence))
    return 'Nobody is heard to speak, and music and noises are not judged: there was nothing to judge.';
  const missed = sources.filter(isPlaceholder).map(describeUnseen);
  return missed.length > 0 && missed.every(({ kind }) => kind === 'unheard-recording')
    ? 'The recording could not be listened to, and there is no text: there was nothing to judge.'
    : 'No image could be described or read, and there is no text: there was nothing to judge.';
}

function rule(transcript: Transcript, caseFile: ModerationCaseFile, method: ModerationMethod): Ruling {
  const known = findValue(transcript, knownImages) ?? [];
  if (known.length > 0)
    return { label: 'unsafe', score: 1, rule: { id: 'known-image', why: explainKnownImages(known) } };
  const quotable = caseFile.sources.filter((source) => !saysNothing(source));
  if (isUnseen(caseFile)) {
    return { label: 'undecided', score: null, rule: { id: 'unseen', why: explainUnseen(caseFile.sources) } };
  }
  if (method === 'refusal-match') return ruleByRefusal(caseFile);
  if (method !== 'debate') return ruleByVotes(transcript, quotable, method);
  const turn = findJudgment(transcript);
  return turn ? applyRules(turn, quotable) : ruleByPanel(transcript, quotable);
}

function findJudgment(transcript: Transcript): Turn<Findings> | null {
  const turn = findLastTurn(transcript, arbiter);
  return turn && !turn.fallback ? turn : null;
}

/** Rule 1 wins over Rule 2 wins over Rule 3; a finding without evidence in the source cannot decide. */
function applyRules(turn: Turn<Findings>, sources: readonly Source[]): Ruling {
  const { exoneration, risk, score } = turn.answer;
  const exonerating = findEvidence(turn, arbiter, exoneration.evidence, sources);
  const confirming = findEvidence(turn, arbiter, risk.evidence, listIncriminating(sources));
  if (exoneration.holds && exonerating.length > 0) {
    const rule = { id: 'contextual-exoneration', why: exoneration.why };
    // On the word of the person concerned alone nobody is exonerated without a person's look.
    const escalate = exonerating.every(({ source }) => source === 'statement');
    return { label: 'safe', score, rule, evidence: exonerating, escalate };
  }
  if (risk.holds && confirming.length > 0) {
    const rule = { id: 'risk-confirmation', why: risk.why };
    return { label: 'unsafe', score, rule, evidence: confirming, clauses: risk.clauses };
  }
  if (risk.holds) {
    const why =
      'The arbiter confirmed a risk, but none of the evidence it gave is in the content, so nothing can be ' +
      'decided on it.';
    return { label: 'undecided', score, rule: { id: 'evidence-struck', why } };
  }
  const why = exoneration.holds
    ? `The benign context could not be quoted from the content, and no risk was confirmed: ${risk.why}`
    : `No concrete violation was found, and no benign context had to override one: ${risk.why}`;
  return { label: 'safe', score, rule: { id: 'default-safety', why } };
}

/** Without a judge, the debaters' last heard scores are votes. A tie falls to Rule 3, for a person to confirm. */
function ruleByPanel(transcript: Transcript, sources: readonly Source[]): Ruling {
  const heard = keepLastOfSeats(findArguments(transcript).filter(({ fallback }) => !fallback));
  if (heard.length === 0) {
    const why = 'Neither the arbiter nor any debater gave an answer that could be used.';
    return ruleOnSilence(transcript, { subject: 'content', why });
  }
  const score = meanOf(heard.map((turn) => turn.score));
  const against = heard.filter((turn) => labelOf(turn.score!) === 'unsafe');
  const tally = heard.map((turn) => `${turn.seat} ${turn.score}`).join(', ');
  if (against.length * 2 === heard.length) {
    const why = `The arbiter gave no answer and the panel was split (${tally}): safe by default.`;
    return { label: 'safe', score, escalate: true, rule: { id: 'default-safety', why } };
  }
  const why = `The arbiter gave no answer; the heard votes of the panel decided (${tally}).`;
  const rule = { id: 'panel-vote', why };
  if (against.length * 2 < heard.length) return { label: 'safe', score, rule };

  const incriminating = listIncriminating(sources);
  const evidence = against.flatMap((turn) => findEvidence(turn, strictDebater, turn.answer.evidence, incriminating));
  if (evidence.length === 0) {
    const why = `The panel voted unsafe (${tally}), but none of its evidence is in the content.`;
    return { label: 'undecided', score, rule: { id: 'evidence-struck', why } };
  }
  return { label: 'unsafe', score, rule, evidence, clauses: against.flatMap(({ answer }) => answer.clauses) };
}

/** The heard judges decide, one alone or by their majority. */
function ruleByVotes(transcript: Transcript, sources: readonly Source[], method: ModerationMethod): Ruling {
  const votes = findVotes(transcript, judge);
  const score = meanOf(votes.map((turn) => turn.score));
  if (score === null)
    return ruleOnSilence(transcript, {
      subject: 'content',
      why: 'No judge gave an answer that could be used.',
    });
  const incriminating = listIncriminating(sources);
  return ruleByMajority(votes, {
    labelOf: (turn) => labelOf(turn.score!),
    score,
    rules: { decided: method === 'judge' ? 'judge' : 'majority', tied: 'tie' },
    evidenceOf: (turn) => findEvidence(turn, judges.judge, turn.answer.evidence, incriminating),
    shortfallOf: (evidence) => (evidence.length > 0 ? null : 'none of the evidence is in the content'),
    clausesOf: ({ answer }) => answer.clauses,
  });
}

/** A score is a vote: unsafe from one half. */
export function labelOf(score: number): 'safe' | 'unsafe' {
  return score >= 0.5 ? 'unsafe' : 'safe';
}

/** The baseline without a model: content is safe if and only if it refuses in known words. */
function ruleByRefusal(caseFile: ModerationCaseFile): Ruling {
  for (const { id: source, text } of listIncriminating(listOwnSources(caseFile))) {
    const range = matchRefusal(text);
    if (range) {
      const rule = { id: 'refusal-matched', why: 'The content contains the words of a refusal.' };
      const quote = text.slice(range.start, range.end);
      return { label: 'safe', score: 0, rule, evidence: [{ quote, source, ...range, verified: true }] };
    }
  }
  const why = 'The content has none of the known words of a refusal.';
  return { label: 'unsafe', score: 1, rule: { id: 'no-refusal-matched', why } };
}

/** What can speak against the content: not what the person concerned says for themselves. */
function listIncriminating(sources: readonly Source[]): Source[] {
  return sources.filter((source) => !isStatement(source));
}

/** Evidence with the moment at which each quotation from a recording is said or shown. */
function addMoments(evidence: readonly Evidence[], { sources }: CaseFile): Evidence[] {
  return evidence.map((piece) => {
    if (!piece.verified) return piece;
    const source = sources.find(({ id }) => id === piece.source);
    const moment = source ? findMoment(source, piece, sources) : null;
    return moment ? { ...piece, moment } : piece;
  });
}
