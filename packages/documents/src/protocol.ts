import {
  baselineProtocol,
  compute,
  inOrder,
  turn,
  type ComputeInput,
  type Protocol,
  type Role,
} from '@agonhq/engine/debate';
import { weighCorrections } from './corrections/index.ts';
import { searchAbsences } from './grounding/search-absences.ts';
import { adjudicateClaim } from './verdicts/adjudicate-claim.ts';
import { claimPolicy } from './verdicts/claim-policy.ts';
import { adjudicateVotes } from './verdicts/adjudicate-votes.ts';
import { absencesStep, adjudicationStep, correctionsStep } from './analysis.ts';
import type { DocumentCaseFile } from './case-file.ts';
import type { Cover } from './numbers/index.ts';
import type { DocumentPlan, DocumentSeat } from './plan.ts';
import { opening, rebuttal, dissenting, single, synthesizer, votingExaminer } from './roles/claim-roles.ts';
import type { RoleContext } from './roles/case-prompt.ts';
import type { AnalysisSetup } from './setup.ts';

export interface ClaimParts {
  /** How many number findings are the claim's own. */
  own: number;
  /** How much of the claim code has shown. */
  cover: Cover;
  /** Beyond the number asked for, claims are checked by code and not debated. */
  isDebated: boolean;
  /** What the control may spend on the claim; null for as many votes as the debate has turns. */
  tokens: number | null;
}

/**
 * Who speaks when about one claim: what people corrected comes first, code searches between, and decides at the end.
 */
export function claimProtocol(
  setup: AnalysisSetup,
  caseFile: DocumentCaseFile,
  parts: ClaimParts,
): Protocol<DocumentCaseFile> {
  const { corrections = [] } = caseFile;
  const judged = judgeProtocol(setup, caseFile, parts);
  if (corrections.length === 0) return judged;
  return inOrder(
    compute(correctionsStep, () => corrections, { corrections }),
    judged,
  );
}

function judgeProtocol(
  { plan, reasoners, secret }: AnalysisSetup,
  { claim, dossier, corrections = [] }: DocumentCaseFile,
  { own, cover, isDebated, tokens }: ClaimParts,
): Protocol<DocumentCaseFile> {
  const debater: RoleContext = { secret, temperature: plan.temperature.debate };
  const judge: RoleContext = { secret, temperature: plan.temperature.synthesis };
  const speak = (id: string, seat: DocumentSeat, role: Role<unknown, DocumentCaseFile>) =>
    turn({ id, role, reasoner: reasoners[seat] });
  const recalled = corrections.length > 0 ? { corrections } : {};
  const adjudication = compute(
    adjudicationStep,
    ({ caseFile, transcript }: ComputeInput<DocumentCaseFile>) =>
      weighCorrections(adjudicateClaim(transcript, { caseFile, own, cover }), corrections),
    { rules: claimPolicy.hash, claim, own, cover, ...recalled },
  );
  const votes = compute(
    adjudicationStep,
    ({ caseFile, transcript }: ComputeInput<DocumentCaseFile>) =>
      weighCorrections(adjudicateVotes(transcript, { caseFile, own, cover }), corrections),
    { rules: claimPolicy.hash, claim, own, cover, votes: true, ...recalled },
  );
  if (!isDebated) return adjudication;
  const baseline = { rounds: 1, turns: turnsOfDebate, tokens };
  if (plan.method === 'single') return inOrder(speak('single', 'synthesizer', single(judge)), adjudication);
  if (plan.method === 'vote') {
    const seats = voters.map((seat, index) => ({ id: `vote#${index + 1}`, reasoner: reasoners[seat] }));
    return inOrder(baselineProtocol('vote', seats, votingExaminer(judge), baseline), votes);
  }
  if (plan.method === 'control') {
    const seats = [{ id: 'control', reasoner: reasoners.synthesizer }];
    return inOrder(baselineProtocol('control', seats, votingExaminer(debater), baseline), votes);
  }
  return inOrder(
    speak('opening', 'affirmative', opening(debater)),
    speak('cross-examination', 'dissenting', dissenting(debater)),
    compute(
      absencesStep,
      ({ transcript }) => searchAbsences(transcript, dossier),
      dossier.documents.map(({ hash }) => hash),
    ),
    speak('rebuttal', 'affirmative', rebuttal(debater)),
    speak('synthesis', 'synthesizer', synthesizer(judge)),
    adjudication,
  );
}

const voters = ['affirmative', 'dissenting', 'synthesizer'] as const;

/** Opening, cross-examination, rebuttal, synthesis. */
const turnsOfDebate = 4;

/** The plan in words, for the record. */
export function describeAnalysisPlan({ method, maxFactors }: DocumentPlan): string {
  const factors = `every claim checked, at most ${maxFactors} argued`;
  switch (method) {
    case 'debate':
      return `${factors}: opening, cross-examination, rebuttal, synthesis; outlook`;
    case 'single':
      return `${factors}: one examiner each; outlook`;
    case 'zero-shot':
      return `${factors}: one judge for all`;
    case 'vote':
      return `${factors}: independent vote of ${voters.length} examiners each; outlook`;
    case 'control':
      return `${factors}: independent votes of one examiner for the debate's tokens each; outlook`;
  }
}
