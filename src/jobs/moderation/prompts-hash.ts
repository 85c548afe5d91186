import { createFence, noUsage, type Role, type Turn } from '../../debate/index.ts';
import { hashOf } from '../../hash.ts';
import type { ModerationCaseFile } from './case-file.ts';
import { methodOf, type DebatePlan } from './plan.ts';
import { arbiter } from './roles/arbiter.ts';
import type { RoleContext } from './roles/case-prompt.ts';
import { controlVote, judge, peer, voter } from './roles/judge.ts';
import { looseDebater } from './roles/loose-debater.ts';
import { preprocessor } from './roles/preprocessor.ts';
import { strictDebater } from './roles/strict-debater.ts';
import { supporter } from './roles/supporter.ts';
import type { Shot } from './shots.ts';
import type { Modality } from './subject.ts';

type RoleMaker = (context: RoleContext) => Role<unknown, ModerationCaseFile>;

const debaters: readonly RoleMaker[] = [supporter, strictDebater, looseDebater, arbiter, () => preprocessor];
const judges: readonly RoleMaker[] = [judge, voter, peer, controlVote, () => preprocessor];
const emptyFence = createFence({ sources: [] }, '');
const known = new Map<readonly RoleMaker[], string>();

/**
 * Hash of the roles' own words, for provenance: their prompts over an empty case, in every modality and both kinds of
 * round; and of the examples that a judge is shown. The words of the debate are not those of the methods beside it.
 */
export function promptsHash(plan: Pick<DebatePlan, 'method'>, shots: readonly Shot[] = []): string {
  const words = ofAll(methodOf(plan) === 'debate' ? debaters : judges);
  return shots.length === 0
    ? words
    : hashOf([
        words,
        judge({ policy: '', secret: '', shots }).prompt({
          caseFile: emptyCase('text'),
          transcript: [],
          round: null,
          seat: 'judge',
          fence: emptyFence,
        }),
      ]);
}

function ofAll(roles: readonly RoleMaker[]): string {
  const words =
    known.get(roles) ??
    hashOf(
      (['text', 'image', 'text+image'] as const).flatMap((modality) => [
        wordsOf(roles, modality, 1),
        wordsOf(roles, modality, 2),
      ]),
    );
  known.set(roles, words);
  return words;
}

function wordsOf(roles: readonly RoleMaker[], modality: Modality, round: 1 | 2): unknown[] {
  const said =
    roles === judges
      ? ['judge', 'peer'].map((seat) => sampleTurn(seat, 'judge'))
      : [sampleTurn('strict-debater'), sampleTurn('loose-debater')];
  return roles.map((role) => {
    const made = role({ policy: '', secret: '' });
    return made.prompt({
      caseFile: emptyCase(modality),
      transcript: round === 1 ? [] : said,
      round,
      seat: made.id,
      fence: emptyFence,
    });
  });
}

function emptyCase(modality: Modality): ModerationCaseFile {
  return { sources: [], modality, images: [] };
}

function sampleTurn(seat: string, role = seat): Turn {
  const answer = { statement: '', concession: '', evidence: [], clauses: [], score: 0 };
  return {
    kind: 'turn',
    key: seat,
    inputHash: '',
    seat,
    role,
    round: 1,
    statement: '',
    score: 0,
    evidence: [],
    answer,
    reasoner: '',
    usage: noUsage,
    latencyMs: 0,
  };
}
