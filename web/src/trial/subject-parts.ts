import type { JudgedImage, TrialSource, TrialView } from './trial-view.ts';

/** A text that was judged with what tools drew from it; or an image with what was observed in it. */
export interface SubjectPart {
  id: string;
  /** Who said it, of an exchange. */
  speaker: string | null;
  /** Null of an image. */
  source: TrialSource | null;
  image: JudgedImage | null;
  observations: readonly TrialSource[];
}

/** What was judged, in the order in which a reader meets it; what belongs to nothing comes last. */
export function listSubjectParts({
  job,
  sources,
  images,
  speakers,
}: Pick<TrialView, 'job' | 'sources' | 'images' | 'speakers'>): { parts: SubjectPart[]; loose: TrialSource[] } {
  const texts = sources.filter(({ tool }) => tool === null);
  const observations = sources.filter(({ tool }) => tool !== null);
  const drawnFrom = (id: string) => observations.filter(({ of }) => of === id || (of?.startsWith(`${id}/`) ?? false));
  const order = [...speakers.keys()];
  const inOrder =
    job !== 'evaluation'
      ? texts
      : texts.toSorted((one, other) => sourceOrder(one.id, order) - sourceOrder(other.id, order));
  // Before the record is there, images are known by what was observed in them.
  const seen =
    images.length > 0
      ? images
      : [...new Set(observations.flatMap(({ of }) => /^image-\d+/.exec(of ?? '')?.[0] ?? []))].map((id) => ({
          id,
          hash: null,
        }));
  const parts: SubjectPart[] = [
    ...inOrder.map((source) => ({
      id: source.id,
      speaker: job === 'evaluation' ? (speakers.get(source.id) ?? readSpeaker(source.id)) : null,
      source,
      image: null,
      observations: drawnFrom(source.id),
    })),
    ...seen.map((image) => ({ id: image.id, speaker: null, source: null, image, observations: drawnFrom(image.id) })),
  ];
  const placed = new Set(parts.flatMap((part) => part.observations));
  return { parts, loose: observations.filter((observation) => !placed.has(observation)) };
}

/** The system's message, what was said before, what was asked, what was answered. */
function sourceOrder(id: string, order: readonly string[]): number {
  if (order.includes(id)) return order.indexOf(id);
  const turn = /^turn-(\d+)-/.exec(id)?.[1];
  return turn === undefined ? ({ system: 0, prompt: 10_000, response: 10_001 }[id] ?? 10_002) : Number(turn);
}

function readSpeaker(id: string): string {
  return { prompt: 'user', response: 'assistant' }[id] ?? /^turn-\d+-(\w+)$/.exec(id)?.[1] ?? id;
}
