import {
  applyCalibration,
  defineStep,
  listDegradations,
  isInDoubt,
  findLastTurn,
  findTurns,
  type Calibration,
  type Degradation,
  type Transcript,
  type Turn,
  type Verdict,
} from '../../debate/index.ts';
import type { Source } from '../../evidence/index.ts';
import { namedCategories, type Policy } from '../../policy/index.ts';
import type { Argument, Findings } from './answers.ts';
import { isPlaceholder, unseenImages, type ModerationCaseFile } from './case-file.ts';
import { byMajority, someJudgeUnheard } from './majority.ts';
import type { ModerationMethod } from './plan.ts';
import { byRefusalWords } from './refusal-match.ts';
import { incriminating, nobodyHeard, verified, type Ruling } from './ruling.ts';

export const adjudicationStep = defineStep<Verdict>('adjudication');

/**
 * The Hierarchical Adjudication Protocol, applied by code: Rule 1 before Rule 2 before Rule 3, over findings whose
 * evidence is in the sources; of the other methods, their votes. Nobody is acquitted by a crash: where nothing was
 * heard, nothing is decided. A calibration gives the score its probability and sends what is in doubt to a person; it
 * changes no label.
 */
export function adjudicate(
  transcript: Transcript,
  caseFile: ModerationCaseFile,
  policy: Policy,
  calibration: Calibration | null = null,
  method: ModerationMethod = 'debate',
): Verdict {
  const quotable = caseFile.sources.filter((source) => !isPlaceholder(source));
  const degraded = degradations(transcript, caseFile);
  const ruling = rule(transcript, caseFile, quotable, method);
  const at = method === 'debate' ? 'arbiter' : 'adjudication';
  const { categories, unknown } = namedCategories(ruling.clauses ?? [], policy);
  if (unknown.length > 0)
    degraded.push({ kind: 'unknown-clause', at, detail: `not in the policy: ${unknown.join(', ')}` });
  if (ruling.label === 'unsafe' && ruling.clauses && categories.length === 0) {
    degraded.push({ kind: 'no-clause', at, detail: 'the risk was confirmed without naming a clause of the policy' });
  }
  if (contradicts(ruling, method)) {
    degraded.push({
      kind: 'score-contradicts-rule',
      at,
      detail: `score ${ruling.score} for a verdict of ${ruling.label}`,
    });
  }
  // Text read off an image does not tell what else it shows.
  const partlyUnseen = ruling.label === 'safe' && caseFile.sources.some(isPlaceholder);
  const probability = calibration && ruling.score !== null ? applyCalibration(calibration, ruling.score) : null;
  const inDoubt = probability !== null && isInDoubt(calibration!, probability);
  const doubtful = degraded.some(({ kind }) => kind === 'no-clause' || kind === 'score-contradicts-rule');
  return {
    label: ruling.label,
    score: ruling.score,
    probability,
    confidence: ruling.confidence ?? null,
    escalate:
      ruling.label === 'undecided' ||
      ruling.escalate === true ||
      partlyUnseen ||
      doubtful ||
      inDoubt ||
      (ruling.label === 'safe' && someJudgeUnheard(transcript)),
    rule: ruling.rule,
    categories,
    evidence: ruling.evidence ?? [],
    degraded,
  };
}

function rule(
  transcript: Transcript,
  caseFile: ModerationCaseFile,
  sources: readonly Source[],
  method: ModerationMethod,
): Ruling {
  if (caseFile.modality === 'image' && unseenImages(caseFile).length === caseFile.images.length) {
    const why = 'No image could be described or read, and there is no text: there was nothing to judge.';
    return { label: 'undecided', score: null, rule: { id: 'unseen', why } };
  }
  switch (method) {
    case 'debate':
      return ruleOfDebate(transcript, sources);
    case 'judge':
    case 'vote':
    case 'role-free':
    case 'control':
      return byMajority(transcript, sources, method);
    case 'refusal-match':
      return byRefusalWords(caseFile);
  }
}

function ruleOfDebate(transcript: Transcript, sources: readonly Source[]): Ruling {
  const judge = findLastTurn(transcript, 'arbiter');
  if (judge && !judge.fallback) return applyRules(judge.answer as Findings, sources);
  return panelVote(transcript, sources);
}

/** Rule 1 wins over Rule 2 wins over Rule 3; a finding without evidence in the source cannot decide. */
export function applyRules(findings: Findings, sources: readonly Source[]): Ruling {
  const { exoneration, risk, score, confidence } = findings;
  const exonerating = verified(exoneration.evidence, sources);
  const confirming = verified(risk.evidence, incriminating(sources));
  if (exoneration.holds && exonerating.length > 0) {
    const rule = { id: 'contextual-exoneration', why: exoneration.why };
    // On the word of the person concerned alone nobody is exonerated without a person's look.
    const escalate = exonerating.every(({ source }) => source === 'statement');
    return { label: 'safe', score, confidence, rule, evidence: exonerating, escalate };
  }
  if (risk.holds && confirming.length > 0) {
    const rule = { id: 'risk-confirmation', why: risk.why };
    return { label: 'unsafe', score, confidence, rule, evidence: confirming, clauses: risk.clauses };
  }
  if (risk.holds) {
    const why =
      'The arbiter confirmed a risk, but none of the evidence it gave is in the content, so nothing can be ' +
      'decided on it.';
    return { label: 'undecided', score, confidence, rule: { id: 'evidence-struck', why } };
  }
  const why = exoneration.holds
    ? `The benign context could not be quoted from the content, and no risk was confirmed: ${risk.why}`
    : `No concrete violation was found, and no benign context had to override one: ${risk.why}`;
  return { label: 'safe', score, confidence, rule: { id: 'default-safety', why } };
}

/** Without a judge, the debaters' last heard scores are votes. A tie falls to Rule 3, for a person to confirm. */
function panelVote(transcript: Transcript, sources: readonly Source[]): Ruling {
  const heard = heardDebaters(transcript);
  if (heard.length === 0)
    return nobodyHeard(transcript, 'Neither the arbiter nor any debater gave an answer that could be used.');
  const score = heard.reduce((sum, turn) => sum + turn.score!, 0) / heard.length;
  const against = heard.filter((turn) => turn.score! >= 0.5);
  const tally = heard.map((turn) => `${turn.seat} ${turn.score}`).join(', ');
  if (against.length * 2 === heard.length) {
    const why = `The arbiter gave no answer and the panel was split (${tally}): safe by default.`;
    return { label: 'safe', score, escalate: true, rule: { id: 'default-safety', why } };
  }
  const rule = {
    id: 'panel-vote',
    why: `The arbiter gave no answer; the heard votes of the panel decided (${tally}).`,
  };
  if (against.length * 2 < heard.length) return { label: 'safe', score, rule };

  const evidence = against.flatMap((turn) => verified((turn.answer as Argument).evidence, incriminating(sources)));
  if (evidence.length === 0) {
    const why = `The panel voted unsafe (${tally}), but none of its evidence is in the content.`;
    return { label: 'undecided', score, rule: { id: 'evidence-struck', why } };
  }
  return {
    label: 'unsafe',
    score,
    rule,
    evidence,
    clauses: against.flatMap((turn) => (turn.answer as Argument).clauses),
  };
}

/** The last turn of each debater that really spoke. */
function heardDebaters(transcript: Transcript): Turn[] {
  const heard = new Map<string, Turn>();
  for (const turn of findTurns(transcript)) {
    if (turn.role.endsWith('-debater') && !turn.fallback && turn.score !== null) heard.set(turn.seat, turn);
  }
  return [...heard.values()];
}

/** The arbiter's own score speaks against its own findings, or the mean of the votes against their majority. */
function contradicts({ label, score, confidence }: Ruling, method: ModerationMethod): boolean {
  if (score === null || (method === 'debate' && confidence === undefined)) return false;
  return (label === 'unsafe' && score < 0.5) || (label === 'safe' && score > 0.5);
}

function degradations(transcript: Transcript, caseFile: ModerationCaseFile): Degradation[] {
  const unseen = caseFile.sources.flatMap((source) =>
    isPlaceholder(source)
      ? [
          {
            kind: 'unseen-image',
            at: source.id,
            detail: 'note' in source && source.note ? source.note : 'not described',
          },
        ]
      : [],
  );
  return [...unseen, ...listDegradations(transcript)];
}
