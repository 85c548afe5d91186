import { AgonError } from '../../errors.ts';
import type { AnnotationItem, AnnotationProgress, AnnotationProject, Ledger } from '../../ledger/index.ts';
import { openLeases } from './leases.ts';
import { agreementBetween, type AgreementBetween } from '../../statistics/index.ts';

/** Hands items out to annotators, and knows how far they agree. */
export interface AnnotationDesk {
  project(id: string): Promise<AnnotationProject>;
  item(project: AnnotationProject, position: number): Promise<AnnotationItem>;
  /** The next item for somebody; null when there is none, or when others have all that is left in hand. */
  next(project: AnnotationProject, voter: string, skip: readonly number[]): Promise<AnnotationItem | null>;
  /** Somebody has voted: what they had in hand is free. */
  voted(project: string, voter: string): void;
  /** Over the items that have all their votes: figures of others would tell who votes next what was said before. */
  agreement(id: string, progress: AnnotationProgress): Promise<AgreementBetween>;
  dropped(id: string): void;
}

export function openAnnotationDesk({ annotations }: Pick<Ledger, 'annotations'>): AnnotationDesk {
  const leases = openLeases();
  /** Votes that are all in are never changed: how many items have them says which figures are right. */
  const figures = new Map<string, { items: number; agreement: Promise<AgreementBetween> }>();

  return {
    async project(id) {
      const found = await annotations.findProject(id);
      if (!found) throw unknownAnnotation(id);
      return found;
    },
    async item({ id }, position) {
      const found = await annotations.findItem(id, position);
      if (!found)
        throw new AgonError(
          'unknown-item',
          `The project has no item ${position}.`,
          'GET /api/annotations/{id}/items lists them.',
        );
      return found;
    },
    async next({ id, votes }, voter, skip) {
      const held = leases.of(id, voter);
      const inHand = held === null || skip.includes(held) ? undefined : await annotations.findItem(id, held);
      if (inHand?.state === 'open' && !inHand.votes.some(({ by }) => by === voter)) return inHand;
      leases.release(id, voter);
      // Of so many, one at least is not in too many hands.
      const needing = await annotations.listOpenItems(id, voter, { limit: leases.count(id) + 1, except: skip });
      const chosen = needing.find(({ position, voted }) => voted + leases.others(id, position, voter) < votes);
      if (chosen === undefined) return null;
      leases.give(id, chosen.position, voter);
      return (await annotations.findItem(id, chosen.position)) ?? null;
    },
    voted: (project, voter) => leases.release(project, voter),
    agreement(id, { items, open }) {
      const complete = items - open;
      const known = figures.get(id);
      if (known?.items === complete) return known.agreement;
      const made = measure(annotations.readRatings(id));
      figures.set(id, { items: complete, agreement: made });
      made.catch(() => figures.delete(id));
      return made;
    },
    dropped(id) {
      leases.drop(id);
      figures.delete(id);
    },
  };
}

async function measure(ratings: AsyncIterable<ReadonlyMap<string, string>>): Promise<AgreementBetween> {
  const items: ReadonlyMap<string, string>[] = [];
  for await (const item of ratings) items.push(item);
  return agreementBetween(items);
}

export function unknownAnnotation(id: string): AgonError {
  return new AgonError(
    'unknown-annotation',
    `There is no annotation project ${id}.`,
    'GET /api/annotations lists them.',
  );
}
