import type { Question, Turn } from '../debate/index.ts';
import { noUsage } from '../debate/index.ts';
import { hashOf } from '../hash.ts';
import { arbiter } from './roles/arbiter.ts';
import { looseDebater } from './roles/loose-debater.ts';
import { preprocessor } from './roles/preprocessor.ts';
import { strictDebater } from './roles/strict-debater.ts';
import { supporter } from './roles/supporter.ts';
import type { Modality } from './subject.ts';

let known: string | undefined;

/** Hash of the roles' own words, for provenance: their prompts over an empty case, in every modality and both kinds of round. */
export function promptsHash(): string {
  known ??= hashOf((['text', 'image', 'text+image'] as const).flatMap((modality) => [wordsOf(modality, 1), wordsOf(modality, 2)]));
  return known;
}

function wordsOf(modality: Modality, round: 1 | 2): unknown[] {
  const context = { policy: '', secret: '' };
  const caseFile = { sources: [], modality, images: [] } as Question['caseFile'];
  const transcript = round === 1 ? [] : [sampleTurn('strict-debater'), sampleTurn('loose-debater')];
  return [supporter, strictDebater, looseDebater, arbiter, () => preprocessor].map((role) => {
    const made = role(context);
    return made.prompt({ caseFile, transcript, round, seat: made.id });
  });
}

function sampleTurn(seat: string): Turn {
  const answer = { statement: '', concession: '', evidence: [], clauses: [], score: 0 };
  return { kind: 'turn', key: seat, inputHash: '', seat, role: seat, round: 1, statement: '', score: 0, evidence: [], answer, reasoner: '', usage: noUsage, latencyMs: 0 };
}
