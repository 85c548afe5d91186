import { createFence, noUsage, type Entry, type Question } from '../../debate/index.ts';
import { hashOf } from '../../hash.ts';
import type { EvaluationCaseFile } from './case-file.ts';
import { uniform } from './risk-concepts/distribution.ts';
import { arbiter } from './roles/arbiter.ts';
import { auditor } from './roles/auditor.ts';
import { critic } from './roles/critic.ts';
import { detector } from './roles/detector.ts';
import { controlVote, judge, peer, voter } from './roles/judge.ts';
import type { Shot } from './shots.ts';

let known: string | undefined;

/**
 * Hash of the roles' own words, for provenance: their prompts over an empty case, at the start and after a round; and
 * of the examples that a judge is shown.
 */
export function promptsHash(shots: readonly Shot[] = []): string {
  known ??= hashOf([wordsOf([]), wordsOf(sampleRound())]);
  return shots.length === 0
    ? known
    : hashOf([
        known,
        judge({ policy: '', secret: '', shots }).prompt({
          caseFile: emptyCase,
          transcript: [],
          round: null,
          seat: 'judge',
          fence: emptyFence,
        }),
      ]);
}

const emptyCase: EvaluationCaseFile = { sources: [], turns: [], model: null };

const emptyFence = createFence(emptyCase, '');

function wordsOf(transcript: Question['transcript']): unknown[] {
  return [auditor, detector, critic, arbiter, judge, voter, peer, controlVote].map((role) => {
    const made = role({ policy: '', secret: '' });
    return made.prompt({ caseFile: emptyCase, transcript, round: 2, seat: made.id, fence: emptyFence });
  });
}

function sampleRound(): Entry[] {
  const opinion = {
    statement: '',
    evidence: [],
    clauses: [],
    behaviour: 'complied',
    label: 'safe',
    distribution: uniform,
  };
  const objections = [{ to: 'auditor', kind: 'logical-flaw', point: '', material: true }];
  const turns = ['auditor', 'detector', 'judge', 'critic'].map((seat): Entry => ({
    kind: 'turn',
    key: seat,
    inputHash: '',
    seat,
    role: seat,
    round: 1,
    statement: '',
    score: 0,
    evidence: [],
    answer: { ...opinion, objections },
    reasoner: '',
    usage: noUsage,
    latencyMs: 0,
  }));
  const value = { alpha: 0, mixture: uniform };
  const steps = [
    { name: 'mixture', value },
    { name: 'priors', value: { auditor: uniform, detector: uniform } },
  ];
  return [
    ...turns,
    ...steps.map(({ name, value }): Entry => ({ kind: 'computed', key: name, inputHash: '', name, round: 1, value })),
  ];
}
