import { compute, inOrder, turn, type Protocol, type Role } from '../debate/index.ts';
import { searchAbsences } from './absences.ts';
import { adjudicate, rulebook } from './adjudicate.ts';
import type { DocumentCaseFile } from './case-file.ts';
import type { DocumentPlan, DocumentSeat } from './plan.ts';
import { opening, rebuttal } from './roles/affirmative.ts';
import type { RoleContext } from './roles/case-prompt.ts';
import { dissenting } from './roles/dissenting.ts';
import { single, synthesizer } from './roles/synthesizer.ts';
import type { AnalysisSetup } from './setup.ts';

/** Who speaks when about one claim; code searches between, and decides at the end. `own`: how many number findings are the claim's own. */
export function claimProtocol({ plan, reasoners, secret }: AnalysisSetup, { claim, dossier }: DocumentCaseFile, own: number): Protocol {
  const debater: RoleContext = { secret, temperature: plan.temperature.debate };
  const judge: RoleContext = { secret, temperature: plan.temperature.synthesis };
  const speak = (id: string, seat: DocumentSeat, role: Role) => turn({ id, role, reasoner: reasoners[seat] });
  const adjudication = compute('adjudication', ({ caseFile, transcript }) => adjudicate(transcript, { caseFile: caseFile as DocumentCaseFile, own }), { rules: rulebook.hash, claim, own });
  if (plan.method === 'single') return inOrder(speak('single', 'synthesizer', single(judge)), adjudication);
  return inOrder(
    speak('opening', 'affirmative', opening(debater)),
    speak('cross-examination', 'dissenting', dissenting(debater)),
    compute('absences', ({ transcript }) => searchAbsences(transcript, dossier), dossier.documents.map(({ hash }) => hash)),
    speak('rebuttal', 'affirmative', rebuttal(debater)),
    speak('synthesis', 'synthesizer', synthesizer(judge)),
    adjudication,
  );
}

/** The plan in words, for the record. */
export function describePlan({ method, maxFactors }: DocumentPlan): string {
  const factors = `at most ${maxFactors} claims`;
  switch (method) {
    case 'debate':
      return `${factors}: opening, cross-examination, rebuttal, synthesis; outlook`;
    case 'single':
      return `${factors}: one examiner each; outlook`;
    case 'zero-shot':
      return `${factors}: one judge for all`;
  }
}
