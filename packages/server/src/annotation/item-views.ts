import type { AnnotationItemView, AnnotationProjectView } from '../api/index.ts';
import type { Adjudication, AnnotationItem, AnnotationProject, AnnotationVote } from '@agonhq/ledger';
import type { ServerContext } from '../server-context.ts';
import { listItemParts, readItemContent } from './item-content.ts';
import { showFinding } from './read-finding.ts';
import { settleFinding } from './settle-finding.ts';

/** A project as somebody sees it. */
export async function showProject(
  project: AnnotationProject,
  voter: string,
  { ledger: { annotations }, annotations: shared }: Pick<ServerContext, 'ledger' | 'annotations'>,
): Promise<AnnotationProjectView> {
  const { id, name, labels, votes, guidelines, marking, createdBy, createdAt } = project;
  const [progress, annotators, waiting] = await Promise.all([
    annotations.countProgress(id),
    annotations.listVoters(id),
    annotations.countOpenItems(id, voter),
  ]);
  const agreement = await shared.measureAgreement(project, progress);
  const voted = annotators.find((annotator) => annotator.name === voter)?.votes ?? 0;
  return {
    id,
    name,
    labels: [...labels],
    votes,
    guidelines,
    marking: marking && { ...marking, tags: [...marking.tags], severities: [...marking.severities] },
    createdBy,
    createdAt: createdAt.toISOString(),
    progress,
    agreement: agreement.labels,
    markAgreement: agreement.marks,
    annotators: [...annotators],
    yours: { voted, waiting },
  };
}

/** An item as somebody sees it: what others said only once all votes are in, for votes are independent. */
export function showAnnotationItem(item: AnnotationItem, voter: string): AnnotationItemView {
  const { position, key, content, images, state, label, votes, adjudication } = item;
  const { text = null, prompt = null, response = null } = readItemContent(content);
  const own = votes.find(({ by }) => by === voter);
  return {
    position,
    id: key,
    text,
    prompt,
    response,
    images: images.map(({ hash, mediaType }) => ({ hash, mediaType })),
    parts: listItemParts(readItemContent(content), images),
    state,
    voted: votes.length,
    votes: state === 'open' ? null : votes.map((vote) => showVote(vote, item)),
    yours: own ? showVote(own, item) : null,
    adjudication: adjudication && showVote(adjudication, item),
    label,
    finding: showFinding(settleFinding(item), item),
  };
}

export function showVote({ by, label, why, finding, at }: AnnotationVote | Adjudication, item: AnnotationItem) {
  return { by, label, why, finding: showFinding(finding, item), at: at.toISOString() };
}
