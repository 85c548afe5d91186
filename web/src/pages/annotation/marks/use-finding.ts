import { useState } from 'react';
import type { AnnotationItem, AnnotationProject } from '../../../api/client.ts';
import type { MarkTone } from '../../../components/tones.ts';

export type Finding = NonNullable<AnnotationItem['finding']>;
export type Mark = Finding['marks'][number];
export type SpanMark = Extract<Mark, { kind: 'span' }>;
export type RegionMark = Extract<Mark, { kind: 'region' }>;
export type Place = Pick<RegionMark, 'x' | 'y' | 'width' | 'height'>;
export type Marking = NonNullable<AnnotationProject['marking']>;

const nothing: Finding = { tags: [], severity: null, marks: [] };

export type FindingDraft = ReturnType<typeof useFinding>;

/** What somebody is about to say of an item beside its label. A tag that has marks is given. */
export function useFinding(marking: Marking | null, before: Finding | null | undefined) {
  const [finding, setFinding] = useState<Finding>(before ?? nothing);
  const [tag, setTag] = useState(before?.marks.at(-1)?.tag ?? marking?.tags[0]?.id ?? '');
  const setMarks = (make: (marks: readonly Mark[]) => Mark[]) =>
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
    addSpan: (span: Omit<SpanMark, 'kind' | 'tag'>) => setMarks((marks) => [...marks, { kind: 'span', ...span, tag }]),
    addRegion: (image: string, place: Place) =>
      setMarks((marks) => [...marks, { kind: 'region', image, ...place, tag }]),
    moveRegion: (index: number, place: Place) =>
      setMarks((marks) => marks.map((mark, at) => (at === index ? { ...mark, ...place } : mark))),
    removeMark: (index: number) => setMarks((marks) => marks.filter((_, at) => at !== index)),
  };
}

const tagTones: readonly MarkTone[] = ['implicit', 'caution', 'risk', 'both'];

/** Tags are told apart by colour, in the order in which they are used; their names stand beside it everywhere. */
export function findTagTone({ marks }: Pick<Finding, 'marks'>, tag: string): MarkTone {
  const used = [...new Set(marks.map((mark) => mark.tag))];
  return tagTones[Math.max(0, used.indexOf(tag)) % tagTones.length]!;
}
