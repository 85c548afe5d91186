import { hashOf } from '../../hash.ts';
import { rulebook } from './verdicts/adjudicate-claim.ts';
import type { DocumentsProvenance } from './analysis.ts';
import { documentSeats, type DocumentMethod } from './plan.ts';
import { describePlan } from './protocol.ts';
import type { AnalysisSetup } from './setup.ts';
import { createFence, noUsage, type Entry, type Role } from '../../debate/index.ts';
import { speakers, type Opening, type CrossExamination, type Rebuttal } from './answers.ts';
import type { DocumentCaseFile, OutlookCaseFile, ZeroShotCaseFile } from './case-file.ts';
import { opening, rebuttal } from './roles/affirmative.ts';
import type { RoleContext } from './roles/case-prompt.ts';
import { dissenting } from './roles/dissenting.ts';
import { factorAgent } from './roles/factor-agent.ts';
import { outlook } from './roles/outlook.ts';
import { single, synthesizer, votingExaminer } from './roles/synthesizer.ts';
import { zeroShot } from './roles/zero-shot.ts';

/** What every analysis of a setup says it was made by. */
export function buildDocumentsProvenance({ plan, reasoners, embed, version }: AnalysisSetup): DocumentsProvenance {
  const seats = documentSeats[plan.method];
  const prompts = hashPrompts(plan.method);
  const fingerprints = Object.fromEntries(seats.map((seat) => [seat, reasoners[seat].fingerprint]));
  // How many debates run at a time changes nothing that they say.
  const { concurrency: _, ...said } = plan;
  return {
    agon: version,
    protocol: describePlan(plan),
    policy: rulebook,
    prompts,
    models: Object.fromEntries(seats.map((seat) => [seat, reasoners[seat].id])),
    precedents: null,
    configuration: hashOf({ plan: said, rules: rulebook.hash, prompts, fingerprints, embedded: embed !== null }),
    plan,
  };
}

let known: string | undefined;

/**
 * Hash of the roles' own words, for provenance: their prompts over an empty case, at the start and after a debate;
 * for a method that votes, those of its voters too.
 */
function hashPrompts(method: DocumentMethod): string {
  known ??= hashOf([renderPrompts([]), renderPrompts(buildSampleDebate())]);
  return method === 'vote' || method === 'control' ? hashOf([known, renderPrompts([], [votingExaminer])]) : known;
}

/** A case that every role can be asked about. */
type SampleCase = DocumentCaseFile & OutlookCaseFile & ZeroShotCaseFile;

const everyRole = [factorAgent, opening, dissenting, rebuttal, synthesizer, single, outlook, zeroShot];

function renderPrompts(
  transcript: readonly Entry[],
  roles: readonly ((context: RoleContext) => Pick<Role<unknown, SampleCase>, 'id' | 'prompt'>)[] = everyRole,
): unknown[] {
  const claim = { id: '', text: '', kind: 'assertion' as const, domain: '', importance: 0, origin: null };
  const caseFile: SampleCase = {
    sources: [],
    claim,
    dossier: { documents: [] },
    numbers: [],
    claims: [],
    observations: [],
    degraded: [],
    label: 'mixed',
  };
  return roles.map((role) => {
    const made = role({ secret: '', temperature: 0 });
    return made.prompt({ caseFile, transcript, round: null, seat: made.id, fence: createFence(caseFile, '') });
  });
}

function buildSampleDebate(): Entry[] {
  const said = { statement: '', score: 0 };
  const first: Opening = { ...said, premises: [{ premise: '', evidence: [] }] };
  const second: CrossExamination = {
    ...said,
    attacks: (['fallacy', 'missing-data', 'missing-data'] as const).map((kind) => ({
      premise: 0,
      kind,
      point: '',
      evidence: [],
      missing: [''],
    })),
  };
  const third: Rebuttal = { ...said, replies: [{ attack: 1, concedes: true, point: '', evidence: [] }] };
  const spoken = (seat: string, role: string, answer: unknown): Entry => ({
    kind: 'turn',
    key: seat,
    inputHash: '',
    seat,
    role,
    round: null,
    statement: '',
    score: 0,
    evidence: [],
    answer,
    reasoner: '',
    usage: noUsage,
    latencyMs: 0,
  });
  const value = [{ attack: 2, terms: [''], found: [], blocksRead: 0, accepted: true }];
  return [
    spoken('opening', speakers.opening.id, first),
    spoken('cross-examination', speakers.dissenting.id, second),
    { kind: 'computed', key: 'absences', inputHash: '', name: 'absences', round: null, value },
    spoken('rebuttal', speakers.rebuttal.id, third),
  ];
}
