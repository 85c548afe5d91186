import { AgonError } from '@agonhq/engine/agon-error';
import type { MarkAgreementView } from '../api/index.ts';
import type { AnnotationItem, AnnotationProgress, AnnotationProject, Ledger, Marking, Rating } from '@agonhq/ledger';
import { agreementBetween, type AgreementBetween } from '@agonhq/engine/statistics';
import { measureMarks } from './measure-marks.ts';

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
  /** Over the items that have all their votes: figures of others would tell who votes next what was said before. */
  measureAgreement(project: AnnotationProject, progress: AnnotationProgress): Promise<ProjectAgreement>;
  dropProject(id: string): void;
}

export function openItemAssigner({ annotations }: Pick<Ledger, 'annotations'>): ItemAssigner {
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
    async assignItem({ id }, voter, skip) {
      const position = await annotations.assignItem(id, voter, skip);
      return position === null ? null : ((await annotations.findItem(id, position)) ?? null);
    },
    measureAgreement({ id, marking }, { items, open }) {
      const complete = items - open;
      const known = figures.get(id);
      if (known?.items === complete) return known.agreement;
      const made = measureRatings(annotations.readRatings(id), marking);
      figures.set(id, { items: complete, agreement: made });
      made.catch(() => figures.delete(id));
      return made;
    },
    dropProject: (id) => void figures.delete(id),
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
