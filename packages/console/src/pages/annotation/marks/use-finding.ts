import { useState } from 'react';
import type { SentAnnotationItem, SentAnnotationProject } from '../../../api/client.ts';
import type { MarkTone } from '../../../components/tones.ts';

export type DraftFinding = NonNullable<SentAnnotationItem['finding']>;
export type DraftMark = DraftFinding['marks'][number];
export type DraftSpan = Extract<DraftMark, { kind: 'span' }>;
export type DraftRegion = Extract<DraftMark, { kind: 'region' }>;
export type MarkPlace = Pick<DraftRegion, 'x' | 'y' | 'width' | 'height'>;
export type DraftMarking = NonNullable<SentAnnotationProject['marking']>;

const nothing: DraftFinding = { tags: [], severity: null, marks: [] };

export type FindingDraft = ReturnType<typeof useFinding>;

/** What somebody is about to say of an item beside its label. A tag that has marks is given. */
export function useFinding(marking: DraftMarking | null, before: DraftFinding | null | undefined) {
  const [finding, setFinding] = useState<DraftFinding>(before ?? nothing);
  const [tag, setTag] = useState(before?.marks.at(-1)?.tag ?? marking?.tags[0]?.id ?? '');
  const setMarks = (make: (marks: readonly DraftMark[]) => DraftMark[]) =>
    setFinding((held) => {
      const marks = make(held.marks);
      return { ...held, marks, tags: [...new Set([...held.tags, ...marks.map((mark) => mark.tag)])] };
    });
  return {
    finding,
    replace: setFinding,
    /** What the next mark is of. */
    tag,
    setTag,
    toggleTag: (id: string) =>
      setFinding((held) => ({
        ...held,
        tags: held.tags.includes(id) ? held.tags.filter((one) => one !== id) : [...held.tags, id],
      })),
    setSeverity: (severity: string | null) => setFinding((held) => ({ ...held, severity })),
    addSpan: (span: Omit<DraftSpan, 'kind' | 'tag'>) => setMarks((marks) => [...marks, { kind: 'span', ...span, tag }]),
    addRegion: (image: string, place: MarkPlace) =>
      setMarks((marks) => [...marks, { kind: 'region', image, ...place, tag }]),
    moveRegion: (index: number, place: MarkPlace) =>
      setMarks((marks) => marks.map((mark, at) => (at === index ? { ...mark, ...place } : mark))),
    removeMark: (index: number) => setMarks((marks) => marks.filter((_, at) => at !== index)),
  };
}

const tagTones: readonly MarkTone[] = ['implicit', 'caution', 'risk', 'both'];

/** Tags are told apart by colour, in the order in which they are used; their names stand beside it everywhere. */
export function findTagTone({ marks }: Pick<DraftFinding, 'marks'>, tag: string): MarkTone {
  const used = [...new Set(marks.map((mark) => mark.tag))];
  return tagTones[Math.max(0, used.indexOf(tag)) % tagTones.length]!;
}
