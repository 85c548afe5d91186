import type { JudgedImage, TrialSource, TrialView } from './trial-view.ts';

/** A text that was judged with what tools drew from it; or an image with what was observed in it. */
export interface SubjectPart {
  id: string;
  /** Null of an image. */
  source: TrialSource | null;
  image: JudgedImage | null;
  observations: readonly TrialSource[];
}

/** What was judged, in the order in which a reader meets it; what belongs to nothing comes last. */
export function listSubjectParts({ sources, images }: Pick<TrialView, 'sources' | 'images'>): {
  parts: SubjectPart[];
  loose: TrialSource[];
} {
  const texts = sources.filter(({ tool }) => tool === null);
  const observations = sources.filter(({ tool }) => tool !== null);
  const findObservations = (id: string) =>
    observations.filter(({ of }) => of === id || (of?.startsWith(`${id}/`) ?? false));
  // Before the record is there, images are known by what was observed in them.
  const seen =
    images.length > 0
      ? images
      : [...new Set(observations.flatMap(({ of }) => /^image-\d+/.exec(of ?? '')?.[0] ?? []))].map((id) => ({
          id,
          hash: null,
        }));
  const parts: SubjectPart[] = [
    ...texts.map((source) => ({ id: source.id, source, image: null, observations: findObservations(source.id) })),
    ...seen.map((image) => ({ id: image.id, source: null, image, observations: findObservations(image.id) })),
  ];
  const placed = new Set(parts.flatMap((part) => part.observations));
  return { parts, loose: observations.filter((observation) => !placed.has(observation)) };
}
