import { compute, conduct, findTurns, findValue, turn } from '@agonhq/engine/debate';
import { adjudicationStep, type Analysis, type Claim, type ClaimAnswer } from './analysis.ts';
import { speakers } from './answers.ts';
import type { ZeroShotCaseFile } from './case-file.ts';
import { buildWholeSources } from './claims/open-claim.ts';
import { buildClaimAnswer } from './judge-claim.ts';
import { zeroShot } from './roles/dossier-roles.ts';
import { conductOptions, type AnalysisSession, type ClaimTrial } from './session.ts';
import { adjudicateZeroShot } from './verdicts/adjudicate-claim.ts';
import { decideOutlook } from './verdicts/decide-outlook.ts';
import { writePlainBrief } from './verdicts/write-brief.ts';

/** The zero-shot judge: all claims in one answer, without number tools; code only checks its quotes. */
export async function* judgeZeroShot(
  session: AnalysisSession,
  chosen: readonly Claim[],
): ClaimTrial<Pick<Analysis, 'claims' | 'outlook' | 'transcript'>> {
  const { dossier, setup, debate } = session;
  if (chosen.length === 0)
    return {
      claims: [],
      transcript: [],
      outlook: { ...decideOutlook([], []), brief: writePlainBrief([], []), risks: [], questions: [] },
    };
  for (const claim of chosen) yield { type: 'claim-start', debate, scope: claim.id, claim };
  const caseFile: ZeroShotCaseFile = { dossier, claims: chosen, sources: buildWholeSources(dossier) };
  const role = zeroShot({ secret: setup.secret, temperature: setup.plan.temperature.synthesis });
  const heardOnce = yield* conduct(
    turn({ id: 'zero-shot', role, reasoner: setup.reasoners.synthesizer }),
    caseFile,
    conductOptions(session),
  );
  const claims: ClaimAnswer[] = [];
  for (const [index, claim] of chosen.entries()) {
    const adjudication = compute(adjudicationStep, () => adjudicateZeroShot(heardOnce, index, caseFile.sources), {
      answer: findTurns(heardOnce)[0]?.answer,
      index,
    });
    // What was read is the whole dossier: a claim keeps the blocks that its verdict quotes.
    const transcript = yield* conduct(adjudication, { sources: [] }, { ...conductOptions(session), scope: claim.id });
    const cited = new Set(findValue(transcript, adjudicationStep)!.evidence.map(({ source }) => source));
    const sources = caseFile.sources.filter(({ id }) => cited.has(id));
    const answer = buildClaimAnswer(session, { claim, dossier, numbers: [], sources }, transcript, 0);
    claims.push(answer);
    yield { type: 'claim-end', debate, scope: claim.id, answer };
  }
  const { statement, risks, questions } = findTurns(heardOnce, speakers.zeroShot)[0]!.answer;
  return {
    claims,
    transcript: heardOnce,
    outlook: { ...decideOutlook(claims, []), brief: statement, risks, questions },
  };
}
