import type { TrialImage, TrialRecording, TrialSource, TrialView } from './trial-view.ts';

/** A text that was judged with what tools drew from it; or an image with what was observed in it. */
export interface SubjectPart {
  id: string;
  source: TrialSource | null;
  image: TrialImage | null;
  observations: readonly TrialSource[];
}

/** A recording: what is heard in it, and the frames of a film, each with what was observed in it. */
export interface RecordingPart {
  recording: TrialRecording;
  observations: readonly TrialSource[];
  frames: readonly SubjectPart[];
}

type Subject = Pick<TrialView, 'sources' | 'images' | 'recordings'>;

/** What was judged, in the order in which a reader meets it; what belongs to nothing comes last. */
export function listSubjectParts(subject: Subject): {
  parts: SubjectPart[];
  recordings: RecordingPart[];
  loose: TrialSource[];
} {
  const texts = subject.sources.filter(({ tool }) => tool === null);
  const observations = subject.sources.filter(({ tool }) => tool !== null);
  const findObservations = (id: string) =>
    observations.filter(({ of }) => of === id || (of?.startsWith(`${id}/`) ?? false));
  const images = listImages(subject, observations);
  const toPart = (image: TrialImage): SubjectPart => ({
    id: image.id,
    source: null,
    image,
    observations: findObservations(image.id),
  });
  const parts: SubjectPart[] = [
    ...texts.map((source) => ({ id: source.id, source, image: null, observations: findObservations(source.id) })),
    ...images.filter(({ frame }) => frame === undefined).map(toPart),
  ];
  const recordings = listRecordings(subject, observations).map((recording) => {
    const frames = images.filter(({ frame }) => frame?.of === recording.id).map(toPart);
    const ofFrames = new Set(frames.flatMap((frame) => frame.observations));
    const heard = findObservations(recording.id).filter((observation) => !ofFrames.has(observation));
    return { recording, observations: heard, frames };
  });
  const placed = new Set([
    ...parts.flatMap((part) => part.observations),
    ...recordings.flatMap((part) => [...part.observations, ...part.frames.flatMap((frame) => frame.observations)]),
  ]);
  return { parts, recordings, loose: observations.filter((observation) => !placed.has(observation)) };
}

/** Before the record is there, images and frames are known by what was observed in them. */
function listImages({ images }: Subject, observations: readonly TrialSource[]): TrialImage[] {
  const known = new Set(images.map(({ id }) => id));
  const seen = observations.flatMap(({ of, moments }): TrialImage[] => {
    const [id] = /^(?:image-\d+|video-\d+\/frame-\d+)/.exec(of ?? '') ?? [];
    if (id === undefined || known.has(id)) return [];
    known.add(id);
    const [film, frame] = id.split('/');
    return [{ id, hash: null, ...(frame ? { frame: { of: film!, second: moments[0]?.from ?? 0 } } : {}) }];
  });
  return [...images, ...seen];
}

function listRecordings({ recordings }: Subject, observations: readonly TrialSource[]): TrialRecording[] {
  const known = new Set(recordings.map(({ id }) => id));
  const heard = observations.flatMap(({ of }): TrialRecording[] => {
    const [id, kind] = /^(audio|video)-\d+/.exec(of ?? '') ?? [];
    if (id === undefined || known.has(id)) return [];
    known.add(id);
    return [{ id, kind: kind as TrialRecording['kind'], hash: null, seconds: null }];
  });
  return [...recordings, ...heard];
}
