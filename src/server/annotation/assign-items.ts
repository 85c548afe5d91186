import { AgonError } from '../../errors.ts';
import type { MarkAgreementView } from '../../api/index.ts';
import type {
  AnnotationItem,
  AnnotationProgress,
  AnnotationProject,
  Ledger,
  Marking,
  Rating,
} from '../../ledger/index.ts';
import { agreementBetween, type AgreementBetween } from '../../statistics/index.ts';
import { measureMarks } from './measure-marks.ts';

/**
 * Who looks at which item, so that no more people do than votes are needed. It is soft: whoever votes first is
 * counted.
 */
interface ItemLeases {
  /** Gives an item to somebody, and takes back what they had of the project. */
  give(project: string, position: number, voter: string): void;
  release(project: string, voter: string): void;
  /** What somebody has in hand. */
  of(project: string, voter: string): number | null;
  /** How many others have it in hand. */
  others(project: string, position: number, voter: string): number;
  /** How many are given in a project. */
  count(project: string): number;
  drop(project: string): void;
}

const leaseMs = 5 * 60_000;

interface Lease {
  position: number;
  until: number;
}

function openItemLeases({ now = Date.now }: { now?: () => number } = {}): ItemLeases {
  const projects = new Map<string, Map<string, Lease>>();

  function live(project: string): Map<string, Lease> {
    const leases = projects.get(project) ?? new Map<string, Lease>();
    for (const [voter, { until }] of leases) if (until <= now()) leases.delete(voter);
    return leases;
  }

  return {
    give(project, position, voter) {
      projects.set(project, live(project).set(voter, { position, until: now() + leaseMs }));
    },
    release: (project, voter) => void live(project).delete(voter),
    of: (project, voter) => live(project).get(voter)?.position ?? null,
    others: (project, position, voter) =>
      [...live(project)].filter(([name, lease]) => name !== voter && lease.position === position).length,
    count: (project) => live(project).size,
    drop: (project) => void projects.delete(project),
  };
}

export interface ProjectAgreement {
  labels: AgreementBetween;
  /** Null where a label alone is asked for. */
  marks: MarkAgreementView | null;
}

/** Hands items out to annotators, and knows how far they agree. */
export interface ItemAssigner {
  findProject(id: string): Promise<AnnotationProject>;
  findItem(project: AnnotationProject, position: number): Promise<AnnotationItem>;
  /** The next item for somebody; null when there is none, or when others have all that is left in hand. */
  assignItem(project: AnnotationProject, voter: string, skip: readonly number[]): Promise<AnnotationItem | null>;
  /** Somebody has voted: what they had in hand is free. */
  releaseItem(project: string, voter: string): void;
  /** Over the items that have all their votes: figures of others would tell who votes next what was said before. */
  measureAgreement(project: AnnotationProject, progress: AnnotationProgress): Promise<ProjectAgreement>;
  dropProject(id: string): void;
}

export function openItemAssigner({ annotations }: Pick<Ledger, 'annotations'>): ItemAssigner {
  const leases = openItemLeases();
  /** Votes that are all in are never changed: how many items have them says which figures are right. */
  const figures = new Map<string, { items: number; agreement: Promise<ProjectAgreement> }>();

  return {
    async findProject(id) {
      const found = await annotations.findProject(id);
      if (!found) throw unknownAnnotation(id);
      return found;
    },
    async findItem({ id }, position) {
      const found = await annotations.findItem(id, position);
      if (!found)
        throw new AgonError(
          'unknown-item',
          `The project has no item ${position}.`,
          'GET /api/annotations/{id}/items lists them.',
        );
      return found;
    },
    async assignItem({ id, votes }, voter, skip) {
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
    releaseItem: (project, voter) => leases.release(project, voter),
    measureAgreement({ id, marking }, { items, open }) {
      const complete = items - open;
      const known = figures.get(id);
      if (known?.items === complete) return known.agreement;
      const made = measureRatings(annotations.readRatings(id), marking);
      figures.set(id, { items: complete, agreement: made });
      made.catch(() => figures.delete(id));
      return made;
    },
    dropProject(id) {
      leases.drop(id);
      figures.delete(id);
    },
  };
}

async function measureRatings(
  ratings: AsyncIterable<ReadonlyMap<string, Rating>>,
  marking: Marking | null,
): Promise<ProjectAgreement> {
  const items: ReadonlyMap<string, Rating>[] = [];
  for await (const item of ratings) items.push(item);
  return {
    labels: agreementBetween(items.map((item) => new Map([...item].map(([by, { label }]) => [by, label])))),
    marks: marking && measureMarks(items, marking),
  };
}

export function unknownAnnotation(id: string): AgonError {
  return new AgonError(
    'unknown-annotation',
    `There is no annotation project ${id}.`,
    'GET /api/annotations lists them.',
  );
}
