import { AgonError } from '@agonhq/engine/agon-error';
import type { FindingView, NewFinding } from '../api/index.ts';
import type { AnnotationItem, AnnotationProject, AnnotatorFinding, FindingMark, Marking } from '@agonhq/ledger';
import type { Policy } from '@agonhq/engine/policy';
import { severities } from '@agonhq/engine/policy/known-actions';
import { readItemContent } from './item-content.ts';

/** What a new project asks for: by default the clauses and the severities of the policy in force. */
export function planMarking(
  asked: { tags?: readonly string[] | undefined; severities?: readonly string[] | undefined },
  { name, version, categories }: Policy,
): Marking {
  const clauses = categories.flatMap((category) => category.clauses);
  const own = asked.tags;
  return {
    tags: own
      ? own.map((id) => ({ id, title: clauses.find((clause) => clause.id === id)?.text ?? null }))
      : clauses.map(({ id, text }) => ({ id, title: text })),
    severities: asked.severities ?? severities,
    // Own words that are clauses, all of them, are the policy's still: a part of it is asked for.
    policy: !own || own.every((id) => clauses.some((clause) => clause.id === id)) ? { name, version } : null,
  };
}

/** Checks what somebody found against the project and the item: tags, severity, and each mark by what stands there. */
export function readSentFinding(
  { marking }: AnnotationProject,
  item: AnnotationItem,
  found: NewFinding | undefined,
): AnnotatorFinding | null {
  if (marking === null) {
    if (found === undefined) return null;
    throw new AgonError(
      'no-marking',
      'The project asks for a label alone.',
      'Leave `finding` out, or make a project with `marking`.',
    );
  }
  const { tags = [], severity = null, marks = [] } = found ?? {};
  const known = marking.tags.map(({ id }) => id);
  for (const tag of tags)
    if (!known.includes(tag))
      throw new AgonError(
        'unknown-label',
        `${JSON.stringify(tag)} is no tag of the project.`,
        'GET /api/annotations/{id} lists them under marking.',
      );
  if (severity !== null && !marking.severities.includes(severity))
    throw new AgonError(
      'unknown-severity',
      `${JSON.stringify(severity)} is no severity of the project.`,
      marking.severities.length === 0 ? 'It asks for none.' : `Its severities are ${marking.severities.join(', ')}.`,
    );
  return {
    // In the order of the project, so that the same is said alike.
    tags: known.filter((tag) => tags.includes(tag)),
    severity,
    marks: marks.map((mark, index) => checkMark(mark, index, { item, tags })),
  };
}

function checkMark(
  mark: NewFinding['marks'][number],
  index: number,
  { item, tags }: { item: AnnotationItem; tags: readonly string[] },
): FindingMark {
  const refuse = (what: string, hint: string) => new AgonError('bad-mark', `Mark ${index + 1} ${what}.`, hint);
  if (!tags.includes(mark.tag))
    throw refuse(`is of ${JSON.stringify(mark.tag)}, which is not among the tags`, 'Name its tag under `tags` too.');
  if (mark.kind === 'region') {
    if (!item.images.some(({ hash }) => hash === mark.image))
      throw refuse('is of an image that the item does not have', 'Name an image of the item by its hash.');
    return mark;
  }
  const { quote, ...span } = mark;
  const text = readItemContent(item.content)[mark.part];
  if (text === undefined) throw refuse(`is of its ${mark.part}, which the item does not have`, 'Mark another part.');
  if (text.slice(mark.start, mark.end) !== quote)
    throw refuse(
      `does not quote what stands in its ${mark.part} from ${mark.start} to ${mark.end}`,
      'Offsets count UTF-16 code units, as JavaScript does; `quote` is the text between them.',
    );
  return span;
}

/** What was found, with the words that were marked. Marks of an image that is gone are left out. */
export function showFinding(finding: AnnotatorFinding | null, item: Pick<AnnotationItem, 'content' | 'images'>) {
  if (finding === null) return null;
  const content = readItemContent(item.content);
  return {
    tags: [...finding.tags],
    severity: finding.severity,
    marks: finding.marks.flatMap((mark): FindingView['marks'] => {
      if (mark.kind === 'region') return item.images.some(({ hash }) => hash === mark.image) ? [mark] : [];
      const quote = content[mark.part]?.slice(mark.start, mark.end) ?? '';
      return quote === '' ? [] : [{ ...mark, quote }];
    }),
  };
}
