import {
  closeVerdict,
  findEvidence,
  findTurns,
  ruleOnSilence,
  type RoleReader,
  type Transcript,
  type Turn,
} from '@agonhq/engine/debate';
import type { Evidence, Source } from '@agonhq/engine/evidence';
import type { Claim, ClaimLabel, ClaimVerdict } from '../analysis.ts';
import { speakers, type Synthesis, type ZeroShot } from '../answers.ts';
import { listAttacks, findHeardTurn, type Attack } from '../grounding/list-attacks.ts';
import type { DocumentCaseFile } from '../case-file.ts';
import { ground } from '../grounding/ground-citation.ts';
import type { NumberFinding } from '../numbers/finding.ts';
import { explainUnshown, type Cover } from '../numbers/index.ts';
import { formatFindingId } from '../grounding/source-name.ts';
import { overlaps } from '../document.ts';
import { splitWords } from '@agonhq/engine/text';
import { claimRules } from './claim-rules.ts';
import { findPrecision } from './proof-precision.ts';

interface ClaimRuling {
  id: string;
  why: string;
  evidence?: readonly Evidence[];
}

export interface AdjudicatedMatter {
  caseFile: Pick<DocumentCaseFile, 'claim' | 'dossier' | 'numbers' | 'sources'>;
  /** How many of the number findings are about the claim's own statement. */
  own: number;
  /** How much of the claim code has shown. */
  cover: Cover;
}

const material = new Set<Attack['kind']>(['contradiction', 'outlier', 'alternative-explanation']);

/** Code decides from the synthesizer's findings, the number tools and the searches. */
export function adjudicateClaim(transcript: Transcript, matter: AdjudicatedMatter): ClaimVerdict {
  const judge = findJudge(transcript);
  const { id, why, evidence } = applyRules(transcript, matter, judge);
  const { label } = claimRules.find((rule) => rule.id === id)!;
  const { score = null } = judge?.turn.answer ?? {};
  const proof = matter.caseFile.numbers
    .slice(0, matter.own)
    .find(({ outcome }) => outcome === (label === 'contradicted' ? 'conflict' : 'holds'));
  const confidence = findPrecision(label, proof?.check ?? null) ?? judge?.turn.answer.confidence ?? null;
  const verdict = closeVerdict(
    { label, score, rule: { id, why }, evidence },
    { transcript, at: judge?.turn.key ?? 'synthesis', isContradicted: contradictsLabel(label, score) },
  );
  return { ...verdict, score, confidence };
}

interface Judge {
  turn: Turn<Synthesis>;
  role: RoleReader<Synthesis>;
}

function findJudge(transcript: Transcript): Judge | null {
  for (const role of [speakers.synthesizer, speakers.examiner]) {
    const turn = findHeardTurn(transcript, role);
    if (turn) return { turn, role };
  }
  return null;
}

function applyRules(
  transcript: Transcript,
  { caseFile, own, cover }: AdjudicatedMatter,
  judge: Judge | null,
): ClaimRuling {
  const { sources, numbers, claim } = caseFile;
  const turns = findTurns(transcript);
  if (turns.length > 0 && turns.every(({ fallback }) => fallback)) {
    const silence = { subject: 'document', why: 'No seat gave an answer that could be used.' };
    return ruleOnSilence(transcript, silence).rule;
  }
  const conflict = numbers.slice(0, own).find(({ outcome }) => outcome === 'conflict');
  if (conflict)
    return {
      id: 'number-conflict',
      why: `${conflict.statement} ${conflict.arithmetic}`,
      evidence: citeFinding(conflict, caseFile),
    };
  const held = numbers.slice(0, own).filter(({ outcome }) => outcome === 'holds');
  if (turns.length === 0) return ruleOnCover(cover, held, caseFile);
  if (!judge)
    return { id: 'synthesizer-unheard', why: 'The synthesizer gave no answer, and no number of the document decides.' };

  const { support, contradiction, standing: stated } = judge.turn.answer;
  const against = findEvidence(judge.turn, judge.role, contradiction.evidence, sources);
  if (contradiction.holds && against.length > 0)
    return { id: 'contradiction', why: contradiction.why, evidence: against };
  if (contradiction.holds)
    return {
      id: 'contradiction-struck',
      why:
        `The synthesizer saw a contradiction, but none of its ${contradiction.evidence.length} quote(s) is in ` +
        `the document: ${contradiction.why}`,
    };
  if (!support.holds || support.strength === 'none') return { id: 'no-support', why: support.why };
  const evidence = findEvidence(judge.turn, judge.role, support.evidence, sources);
  if (evidence.length === 0)
    return {
      id: 'evidence-struck',
      why: `The synthesizer saw support, but none of its ${support.evidence.length} quote(s) is in the document.`,
    };

  const attacks = listAttacks(transcript, sources);
  const standing = attacks.filter(
    ({ number, conceded, struck }) => struck === null && (conceded || stated.includes(number)),
  );
  const grave = standing.find((attack) => material.has(attack.kind) && attack.evidence.length > 0);
  if (grave)
    return {
      id: 'attack-stands',
      why: `Attack ${grave.number} stands${grave.conceded ? ', conceded' : ''}: ${grave.point}`,
      evidence: [...evidence, ...grave.evidence],
    };
  const beside = numbers.slice(own).find(({ outcome }) => outcome === 'conflict');
  if (beside)
    return {
      id: 'side-conflict',
      why: `${beside.statement} ${beside.arithmetic}`,
      evidence: [...evidence, ...citeFinding(beside, caseFile)],
    };
  if (support.strength === 'partial') return { id: 'partial-support', why: support.why, evidence };
  if (standing[0])
    return { id: 'objection-stands', why: `Attack ${standing[0].number} stands: ${standing[0].point}`, evidence };
  if (attacks.length === 0) return { id: 'untested', why: support.why, evidence };
  if (held.length === 0 && evidence.every((piece) => isOwnSentence(piece, claim, caseFile)))
    return { id: 'own-words', why: support.why, evidence };
  return { id: cover === 'whole' ? 'withstood' : 'not-computed', why: support.why, evidence };
}

/** Of a claim that nobody debated: what code has computed of it. */
function ruleOnCover(
  cover: Cover,
  held: readonly NumberFinding[],
  caseFile: AdjudicatedMatter['caseFile'],
): ClaimRuling {
  const [first] = held;
  if (cover === 'none' || first === undefined) {
    const why = explainUnshown(caseFile.claim, caseFile.dossier);
    return { id: 'not-shown', why, evidence: held.flatMap((finding) => citeFinding(finding, caseFile)) };
  }
  return {
    id: cover === 'whole' ? 'shown' : 'shown-in-part',
    why: held.map(({ arithmetic }) => arithmetic).join('; '),
    evidence: held.flatMap((finding) => citeFinding(finding, caseFile)),
  };
}

/** What the zero-shot judge says is taken as it is, but for quotes: a label without any that stands is no support. */
export function adjudicateZeroShot(transcript: Transcript, index: number, sources: readonly Source[]): ClaimVerdict {
  const turn = findHeardTurn(transcript, speakers.zeroShot);
  const stated = turn?.answer.verdicts.find(({ claim }) => claim === index + 1);
  const evidence = turn && stated ? findEvidence(turn, speakers.zeroShot, stated.evidence, sources) : [];
  const verdict = closeVerdict(
    { ...ruleOnZeroShot(turn !== null, stated, evidence), score: null, evidence },
    { transcript, at: 'adjudication', isContradicted: false },
  );
  return { ...verdict, score: null, confidence: null };
}

function ruleOnZeroShot(
  isHeard: boolean,
  stated: ZeroShot['verdicts'][number] | undefined,
  evidence: readonly Evidence[],
): Pick<ClaimVerdict, 'label' | 'rule'> {
  if (!stated) {
    const why = isHeard ? 'The judge said nothing of this claim.' : 'The judge gave no answer.';
    return { label: 'undecided', rule: { id: 'nobody-heard', why } };
  }
  const { label, why } = stated;
  if (label === 'unsupported' || evidence.length > 0) return { label, rule: { id: 'zero-shot', why } };
  const struck = `The judge said ${label}, but no quote of it is in the document.`;
  return { label: 'unsupported', rule: { id: 'evidence-struck', why: struck } };
}

/** A number finding as evidence: what it says, and the numbers it stands on where they can be quoted. */
function citeFinding(finding: NumberFinding, { numbers, sources, dossier }: AdjudicatedMatter['caseFile']): Evidence[] {
  const [stated] = finding.places;
  const observation =
    stated && sources.find(({ id }) => id === formatFindingId(stated.block, numbers.indexOf(finding) + 1));
  const said: Evidence[] = observation
    ? [{ quote: observation.text, source: observation.id, start: 0, end: observation.text.length, verified: true }]
    : [];
  const cells = finding.places.flatMap((place): Evidence[] => {
    const grounding = ground(place, dossier);
    const source = sources.find(({ id }) => id === place.block);
    if (!grounding || !source) return [];
    const start = place.start - grounding.block.start;
    return [{ quote: grounding.quote, source: source.id, start, end: start + grounding.quote.length, verified: true }];
  });
  return [...said, ...cells];
}

/** A sentence that is said again, letter by letter, is still the same sentence. */
function isOwnSentence(
  evidence: Evidence,
  { origin }: Claim,
  { dossier, numbers }: AdjudicatedMatter['caseFile'],
): boolean {
  const own = origin && ground(origin, dossier);
  const grounding = ground(evidence, dossier, numbers);
  if (!own || !grounding) return false;
  if (own.block === grounding.block && overlaps(grounding, own)) return true;
  return grounding.told === undefined && foldWords(own.quote).includes(foldWords(grounding.quote));
}

/** Words and numbers alone: what line breaks, case and punctuation do not change. */
function foldWords(text: string): string {
  return ` ${splitWords(text)
    .map(({ folded }) => folded)
    .join(' ')} `;
}

/** The score speaks against the label it came with. */
export function contradictsLabel(label: ClaimLabel, score: number | null): boolean {
  if (score === null) return false;
  if (label === 'contradicted' || label === 'unsupported') return score > 0.5;
  return (label === 'supported' || label === 'verified-strong') && score < 0.5;
}
