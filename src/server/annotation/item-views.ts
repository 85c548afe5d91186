import type { AnnotationItemView, AnnotationProjectView } from '../../api/index.ts';
import type { Adjudication, AnnotationItem, AnnotationProject, AnnotationVote } from '../../ledger/index.ts';
import type { ServerContext } from '../server-context.ts';
import { z } from 'zod';

/** The parts of an item that are looked at, in the order in which they are shown. */
const parts = ['image', 'text', 'prompt', 'response'] as const;
type Part = (typeof parts)[number];

/** What an item holds beside its images. */
export interface AnnotationContent {
  text?: string;
  prompt?: string;
  response?: string;
  /** Of the dataset: not shown to annotators, and handed on by the export. */
  category?: string;
  model?: string;
  /** The label that the dataset came with. */
  given?: string;
}

const optionalText = z.string().optional();
const contentSchema = z.object({
  text: optionalText,
  prompt: optionalText,
  response: optionalText,
  category: optionalText,
  model: optionalText,
  given: optionalText,
});

/** What the ledger keeps of an item. */
export function readItemContent(stored: unknown): AnnotationContent {
  return contentSchema.parse(stored);
}

/** What must be looked at before a vote. */
export function listParts(
  content: Pick<AnnotationContent, 'text' | 'prompt' | 'response'>,
  images: readonly unknown[],
): Part[] {
  return parts.filter((part) => (part === 'image' ? images.length > 0 : content[part] !== undefined));
}

/** A project as somebody sees it. */
export async function showProject(
  project: AnnotationProject,
  voter: string,
  { ledger: { annotations }, annotations: desk }: Pick<ServerContext, 'ledger' | 'annotations'>,
): Promise<AnnotationProjectView> {
  const { id, name, labels, votes, guidelines, createdBy, createdAt } = project;
  const [progress, annotators, waiting] = await Promise.all([
    annotations.countProgress(id),
    annotations.listVoters(id),
    annotations.countOpenItems(id, voter),
  ]);
  const voted = annotators.find((annotator) => annotator.name === voter)?.votes ?? 0;
  return {
    id,
    name,
    labels: [...labels],
    votes,
    guidelines,
    createdBy,
    createdAt: createdAt.toISOString(),
    progress,
    agreement: await desk.measureAgreement(id, progress),
    annotators: [...annotators],
    yours: { voted, waiting },
  };
}

/** An item as somebody sees it: what others said only once all votes are in, for votes are independent. */
export function showItem(
  { position, key, content, images, state, label, votes, adjudication }: AnnotationItem,
  voter: string,
): AnnotationItemView {
  const { text = null, prompt = null, response = null } = readItemContent(content);
  const own = votes.find(({ by }) => by === voter);
  return {
    position,
    id: key,
    text,
    prompt,
    response,
    images: images.map(({ hash, mediaType }) => ({ hash, mediaType })),
    parts: listParts(readItemContent(content), images),
    state,
    voted: votes.length,
    votes: state === 'open' ? null : votes.map(showVote),
    yours: own ? showVote(own) : null,
    adjudication: adjudication && showVote(adjudication),
    label,
  };
}

export function showVote({ by, label, why, at }: AnnotationVote | Adjudication) {
  return { by, label, why, at: at.toISOString() };
}
