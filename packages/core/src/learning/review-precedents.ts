import { AgonError } from '@agonhq/engine/agon-error';
import type { KeptPrecedent } from '@agonhq/models/precedents';
import { opponentsOf, type AdmissionOptions } from './admit-precedent.ts';

type Parts = Pick<AdmissionOptions, 'seeds' | 'store' | 'library'>;

/** What a person's approval did. */
export interface Approved {
  approved: readonly string[];
  /** What the approved ones took the place of. */
  overruled: readonly { id: string; by: string }[];
  /** What waits on, since it contradicts precedents in force: it has to be approved by its name. */
  waiting: readonly { id: string; against: readonly string[] }[];
}

/** The precedents that wait for a person. */
export async function proposedPrecedents({ store }: Pick<Parts, 'store'>): Promise<KeptPrecedent[]> {
  const proposed: KeptPrecedent[] = [];
  for await (const precedent of store.listPrecedents({ state: 'proposed' })) proposed.push(precedent);
  return proposed;
}

/**
 * Puts proposed precedents in force: those named, which overrule what they contradict, or all that contradict
 * nothing.
 */
export async function approvePrecedents(
  which: readonly string[] | 'all',
  parts: Parts,
  by?: string,
): Promise<Approved> {
  const { store } = parts;
  const proposed =
    which === 'all' ? await proposedPrecedents(parts) : await Promise.all(which.map((id) => proposedOne(id, parts)));
  const approved: string[] = [];
  const overruled: { id: string; by: string }[] = [];
  const waiting: { id: string; against: string[] }[] = [];
  for (const precedent of proposed) {
    const against = await opponentsOf(precedent, parts);
    if (against.length > 0 && which === 'all') {
      waiting.push({ id: precedent.id, against });
      continue;
    }
    const opponents = await Promise.all(
      against.map(async (id) => (await store.findPrecedent(id)) ?? parts.seeds.find((seed) => seed.id === id)!),
    );
    await store.keepPrecedents([
      { ...precedent, state: 'active', ...(by === undefined ? {} : { confirmedBy: by }) },
      ...opponents.map((opponent): KeptPrecedent => ({ ...opponent, state: 'overruled', overruledBy: precedent.id })),
    ]);
    approved.push(precedent.id);
    overruled.push(...against.map((id) => ({ id, by: precedent.id })));
  }
  return { approved, overruled, waiting };
}

/** Turns a proposed precedent down; it stays on record, and is not proposed again. */
export async function rejectPrecedent(id: string, parts: Pick<Parts, 'store'>, why?: string): Promise<KeptPrecedent> {
  const rejected: KeptPrecedent = {
    ...(await proposedOne(id, parts)),
    state: 'retired',
    overruledBy: why === undefined ? 'rejected in review' : `rejected in review: ${why}`,
  };
  await parts.store.keepPrecedents([rejected]);
  return rejected;
}

async function proposedOne(id: string, { store }: Pick<Parts, 'store'>): Promise<KeptPrecedent> {
  const found = await store.findPrecedent(id);
  if (!found)
    throw new AgonError('no-such-precedent', `There is no precedent ${id}.`, {
      library: 'List the precedents that are proposed.',
      cli: '`agon precedents list --state proposed` lists those that wait.',
      api: 'GET /api/precedents?state=proposed lists those that wait.',
    });
  if (found.state !== 'proposed')
    throw new AgonError('not-proposed', `${id} is not waiting for approval: it is ${found.state}.`, {
      library: 'List the precedents that are proposed.',
      cli: '`agon precedents list --state proposed` lists those that wait.',
      api: 'GET /api/precedents?state=proposed lists those that wait.',
    });
  return found;
}
