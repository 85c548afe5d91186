import { hashOf } from '@agonhq/engine/hash';
import { claimPolicy } from './verdicts/claim-policy.ts';
import { absencesStep, documentsEdition, type DocumentsProvenance } from './analysis.ts';
import { documentSeats, type DocumentMethod } from './plan.ts';
import { describeAnalysisPlan } from './protocol.ts';
import type { AnalysisSetup } from './setup.ts';
import {
  listDigests,
  sampleComputed,
  samplePrompts,
  sampleTurn,
  type Role,
  type Transcript,
} from '@agonhq/engine/debate';
import { speakers } from './answers.ts';
import type { DocumentCaseFile, OutlookCaseFile, ZeroShotCaseFile } from './case-file.ts';
import { opening, rebuttal, dissenting, single, synthesizer, votingExaminer } from './roles/claim-roles.ts';
import type { RoleContext } from './roles/case-prompt.ts';
import { factorAgent, outlook, zeroShot } from './roles/dossier-roles.ts';

/** What every analysis of a setup says it was made by. */
export function buildDocumentsProvenance({
  plan,
  reasoners,
  embed,
  version,
  corrections,
}: AnalysisSetup): DocumentsProvenance {
  const seats = documentSeats[plan.method];
  const prompts = hashPrompts(plan.method);
  const fingerprints = Object.fromEntries(seats.map((seat) => [seat, reasoners[seat].fingerprint]));
  // How many debates run at a time changes nothing that they say.
  const { concurrency: _, ...said } = plan;
  return {
    agon: version,
    protocol: describeAnalysisPlan(plan),
    policy: claimPolicy,
    prompts,
    models: Object.fromEntries(seats.map((seat) => [seat, reasoners[seat].id])),
    ...listDigests(seats.map((seat) => reasoners[seat])),
    precedents: corrections?.version ?? null,
    edition: documentsEdition,
    configuration: hashOf({
      edition: documentsEdition,
      plan: said,
      rules: claimPolicy.hash,
      prompts,
      fingerprints,
      embedded: embed !== null,
      // Without any, a case is what it was before there were corrections.
      ...(corrections?.version ? { corrections: corrections.version } : {}),
    }),
    plan,
  };
}

let known: string | undefined;

/** Hash of the roles' own words: their prompts over an empty case, at the start and after a debate, voters too. */
function hashPrompts(method: DocumentMethod): string {
  known ??= hashOf([renderPrompts([]), renderPrompts(buildSampleDebate())]);
  return method === 'vote' || method === 'control' ? hashOf([known, renderPrompts([], [votingExaminer])]) : known;
}

/** A case that every role can be asked about. */
type SampleCase = DocumentCaseFile & OutlookCaseFile & ZeroShotCaseFile;

const everyRole = [factorAgent, opening, dissenting, rebuttal, synthesizer, single, outlook, zeroShot];

function renderPrompts(
  transcript: Transcript,
  roles: readonly ((context: RoleContext) => Role<unknown, SampleCase>)[] = everyRole,
): unknown[] {
  const caseFile: SampleCase = {
    sources: [],
    claim: { id: '', text: '', kind: 'assertion', domain: '', importance: 0, origin: null },
    dossier: { documents: [] },
    numbers: [],
    claims: [],
    observations: [],
    degraded: [],
    label: 'mixed',
  };
  const made = roles.map((role) => role({ secret: '', temperature: 0 }));
  return samplePrompts(made, { caseFile, transcript, round: null });
}

function buildSampleDebate(): Transcript {
  const said = { statement: '', score: 0 };
  const attack = { premise: 0, point: '', evidence: [], missing: [''] };
  return [
    sampleTurn(speakers.opening, { ...said, premises: [{ premise: '', evidence: [] }] }),
    sampleTurn(speakers.dissenting, {
      ...said,
      attacks: (['fallacy', 'missing-data', 'missing-data'] as const).map((kind) => ({ ...attack, kind })),
    }),
    sampleComputed(absencesStep, [{ attack: 2, terms: [''], found: [], blocksRead: 0, accepted: true }]),
    sampleTurn(speakers.rebuttal, { ...said, replies: [{ attack: 1, concedes: true, point: '', evidence: [] }] }),
  ];
}
