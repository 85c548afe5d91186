import { answerVersion, conduct, findValue, sealAnswer, sumUsage, type Transcript } from '@agonhq/engine/debate';
import { hashOf } from '@agonhq/engine/hash';
import {
  absencesStep,
  adjudicationStep,
  correctionsStep,
  type Claim,
  type ClaimAnswer,
  type ClaimSubject,
} from './analysis.ts';
import { speakers } from './answers.ts';
import type { DocumentCaseFile } from './case-file.ts';
import { findClaimNumbers } from './claims/find-claim-numbers.ts';
import { isShownWhole, openClaim } from './claims/open-claim.ts';
import { retrieveBlocks } from './claims/retrieve-blocks.ts';
import { describeMatter, recallCorrections } from './corrections/index.ts';
import type { Dossier } from './document.ts';
import { findHeardTurn } from './grounding/list-attacks.ts';
import { claimProtocol } from './protocol.ts';
import { conductOptions, type AnalysisSession, type ClaimTrial } from './session.ts';
import type { AnalyzeOptions } from './setup.ts';

export async function* judgeClaim(
  session: AnalysisSession,
  claim: Claim,
  isDebated: boolean,
  signal: AbortSignal,
): ClaimTrial<ClaimAnswer> {
  const started = performance.now();
  const { dossier, setup, debate, numbers: all } = session;
  yield { type: 'claim-start', debate, scope: claim.id, claim };
  const { findings, own, cover } = findClaimNumbers(claim, dossier, all);
  const ranked =
    !isDebated || isShownWhole(dossier, setup.plan.retrieval)
      ? []
      : await retrieveBlocks(claim, dossier, { embed: setup.embed, signal });
  const caseFile = recall(
    openClaim(claim, dossier, findings, ranked, setup.plan.retrieval, session.observations),
    session,
  );
  const transcript = yield* conduct(
    claimProtocol(setup, caseFile, { own, cover, isDebated, tokens: tokenLimitFor(claim, session.options) }),
    caseFile,
    { ...conductOptions(session), signal, scope: claim.id },
  );
  const answer = buildClaimAnswer(session, caseFile, transcript, performance.now() - started);
  yield { type: 'claim-end', debate, scope: claim.id, answer };
  return answer;
}

/** The case of a claim with what people corrected on it, or on claims alike. */
function recall(caseFile: DocumentCaseFile, { setup, dossier, numbers: all }: AnalysisSession): DocumentCaseFile {
  const { corrections = [] } = setup.corrections ?? {};
  if (corrections.length === 0) return caseFile;
  const { claim, sources, numbers } = caseFile;
  const recalled = recallCorrections(claim, describeMatter(claim, { dossier, sources, numbers, all }), corrections);
  return recalled.length === 0 ? caseFile : { ...caseFile, corrections: recalled };
}

function tokenLimitFor({ text }: Claim, { tokens }: AnalyzeOptions): number | null {
  return (typeof tokens === 'function' ? tokens(text) : tokens) ?? null;
}

export function buildClaimAnswer(
  { dossier, provenance, debate }: AnalysisSession,
  caseFile: DocumentCaseFile,
  transcript: Transcript,
  latencyMs: number,
): ClaimAnswer {
  const { claim, sources, numbers } = caseFile;
  const dissent = findHeardTurn(transcript, speakers.dissenting);
  const corrections = findValue(transcript, correctionsStep);
  const subject: ClaimSubject = { ...claim, hash: hashClaim(claim, dossier) };
  return sealAnswer({
    version: answerVersion,
    id: `${debate}/${claim.id}`,
    job: 'documents',
    subject,
    sources,
    verdict: findValue(transcript, adjudicationStep)!,
    numbers,
    absences: findValue(transcript, absencesStep) ?? [],
    ...(corrections ? { corrections } : {}),
    roleCollapse: dissent !== null && dissent.answer.attacks.length === 0,
    transcript,
    precedents: [],
    usage: sumUsage(transcript, Math.round(latencyMs)),
    provenance,
  });
}

/** What stands for a claim and the files it is judged against. */
export function hashClaim({ text, origin }: Claim, { documents }: Dossier): string {
  return hashOf([text, origin, documents.map(({ hash }) => hash)]);
}
