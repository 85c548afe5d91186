import { AgonError } from '@agonhq/engine/agon-error';
import { unknownAnnotation } from '../annotation/assign-items.ts';
import { exportDataset } from '../annotation/export-annotations.ts';
import { showAnnotationItem, showProject } from '../annotation/item-views.ts';
import { planMarking, readSentFinding } from '../annotation/read-finding.ts';
import { refuseKnownImages } from '../annotation/refuse-known-images.ts';
import { assertNotDraining, type ServerContext } from '../server-context.ts';
import { reviewerName, type Principal } from '../auth/principal.ts';
import type { GroupOf, Handlers } from '../handler.ts';
import { replyWithLines, replyWithLocation, replyWithMedia } from '../reply.ts';
import type { InputFormat } from '@agonhq/engine/items';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { AnnotationProject } from '@agonhq/ledger';
import type { UploadedFile } from '../http/read-upload.ts';
import { readUploadedDataset } from '../annotation/read-dataset.ts';

/** Datasets that people label by independent votes. */
export const annotationHandlers: Handlers<GroupOf<'annotations'>> = {
  async 'annotations.list'({ query, principal }, context) {
    const projects = await context.ledger.annotations.listProjects();
    return {
      rows: await Promise.all(projects.map((project) => showProject(project, voterName(principal, query.by), context))),
    };
  },

  async 'annotations.create'({ body: { by, ...order }, files, principal, signal }, context) {
    assertNotDraining(context);
    const createdBy = reviewerName(principal) ?? by ?? null;
    const project = await createProject(context, order, { files, createdBy, signal });
    return replyWithLocation(
      await showProject(project, createdBy ?? unnamedVoter, context),
      `/api/annotations/${encodeURIComponent(project.id)}`,
    );
  },

  async 'annotations.get'({ params, query, principal }, context) {
    return showProject(await context.annotations.findProject(params.id), voterName(principal, query.by), context);
  },

  async 'annotations.next'({ params, query, principal }, context) {
    const project = await context.annotations.findProject(params.id);
    const voter = voterName(principal, query.by);
    const item = await context.annotations.assignItem(project, voter, query.skip ?? []);
    return {
      item: item && showAnnotationItem(item, voter),
      waiting: await context.ledger.annotations.countOpenItems(project.id, voter),
    };
  },

  async 'annotations.items'({ params, query: { limit, after, state, by }, principal }, context) {
    const { id } = await context.annotations.findProject(params.id);
    const page = await context.ledger.annotations.listItems(id, {
      limit: limit + 1,
      ...(after === undefined ? {} : { after: readPosition(after) }),
      ...(state ? { states: [state] } : {}),
    });
    const rows = page.slice(0, limit);
    return {
      rows: rows.map((item) => showAnnotationItem(item, voterName(principal, by))),
      next: page.length > limit ? String(rows.at(-1)!.position) : null,
    };
  },

  async 'annotations.item'({ params, query, principal }, context) {
    const project = await context.annotations.findProject(params.id);
    return showAnnotationItem(
      await context.annotations.findItem(project, params.position),
      voterName(principal, query.by),
    );
  },

  async 'annotations.vote'(
    { params, body: { by, label, why = null, finding, viewed, tookMs = null }, principal },
    context,
  ) {
    const project = await context.annotations.findProject(params.id);
    const voter = voterName(principal, by);
    assertLabel(project.labels, label);
    const item = await context.annotations.findItem(project, params.position);
    const { parts } = showAnnotationItem(item, voter);
    const unseen = parts.filter((part) => !viewed.includes(part));
    if (unseen.length > 0)
      throw new AgonError(
        'not-viewed',
        `The ${unseen.join(' and the ')} of item ${params.position} ${unseen.length === 1 ? 'was' : 'were'} not ` +
          'looked at.',
        'Look at all parts of an item before you vote; `viewed` names them.',
      );
    await context.ledger.annotations.keepVote(project.id, params.position, {
      by: voter,
      label,
      why: why === '' ? null : why,
      viewed: parts,
      tookMs,
      finding: readSentFinding(project, item, finding),
    });
    return showAnnotationItem(await context.annotations.findItem(project, params.position), voter);
  },

  async 'annotations.adjudicate'({ params, body: { by, label, why, finding }, principal }, context) {
    const project = await context.annotations.findProject(params.id);
    const voter = voterName(principal, by);
    assertLabel(project.labels, label);
    const item = await context.annotations.findItem(project, params.position);
    await context.ledger.annotations.keepAdjudication(project.id, params.position, {
      by: voter,
      label,
      why,
      finding: readSentFinding(project, item, finding),
    });
    return showAnnotationItem(await context.annotations.findItem(project, params.position), voter);
  },

  async 'annotations.image'({ params }, context) {
    const { id } = await context.annotations.findProject(params.id);
    const found = await context.ledger.annotations.findImage(id, params.hash);
    if (!found)
      throw new AgonError(
        'unknown-attachment',
        `The project ${id} has no image ${params.hash}.`,
        'GET /api/annotations/{id}/items names them.',
      );
    return replyWithMedia(
      found.data,
      /^image\/(?:png|jpeg|gif|webp|avif|bmp)$/.test(found.mediaType) ? found.mediaType : 'application/octet-stream',
    );
  },

  async 'annotations.export'({ params, query }, context) {
    const project = await context.annotations.findProject(params.id);
    return replyWithLines(exportDataset(context.ledger, project, query), query.format, project.name);
  },

  async 'annotations.remove'({ params }, context) {
    if (!(await context.ledger.annotations.removeProject(params.id))) throw unknownAnnotation(params.id);
    context.annotations.dropProject(params.id);
    return null;
  },
};

const unnamedVoter = 'reviewer';

/** In whose name is voted: that of the key, or the one that is given where there is none. */
function voterName(principal: Principal, by: string | undefined): string {
  return reviewerName(principal) ?? by ?? unnamedVoter;
}

function assertLabel(labels: readonly string[], label: string): void {
  if (!labels.includes(label))
    throw new AgonError(
      'unknown-label',
      `${JSON.stringify(label)} is no label of the project.`,
      `Its labels are ${labels.join(', ')}.`,
    );
}

function readPosition(after: string): number {
  if (/^\d{1,9}$/.test(after)) return Number(after);
  throw new AgonError(
    'bad-page',
    '`after` names no page of items.',
    'Pass what `next` of the page before says, or nothing for the first.',
  );
}

interface ProjectOrder {
  name: string;
  labels: readonly string[];
  votes: number;
  guidelines?: string | undefined;
  marking?: Parameters<typeof planMarking>[0] | undefined;
  format?: InputFormat | undefined;
  map?: Readonly<Record<string, string>> | undefined;
}

/**
 * Makes a project of a dataset and its images, or says what is wrong with them. Images that are kept for one that
 * fails go by themselves.
 */
async function createProject(
  { ledger: { annotations, attachments }, settings, agons }: Pick<ServerContext, 'ledger' | 'settings' | 'agons'>,
  { name, labels, votes, guidelines, marking, format, map }: ProjectOrder,
  { files, createdBy, signal }: { files: readonly UploadedFile[]; createdBy: string | null; signal: AbortSignal },
): Promise<AnnotationProject> {
  if ((await annotations.listProjects()).some((project) => project.name === name))
    throw new AgonError(
      'annotation-exists',
      `There is already an annotation project ${JSON.stringify(name)}.`,
      'Give it another name.',
    );
  const { images, items } = await readUploadedDataset(files, { format, map, signal });
  await refuseKnownImages(images, settings);
  for (const { hash, mediaType, path } of images)
    await attachments.keepAttachment({ hash, mediaType, data: await readFile(path) });
  return annotations.createProject(
    {
      id: `annotation-${randomUUID().slice(0, 13)}`,
      name,
      labels,
      votes,
      guidelines: guidelines?.trim() ? guidelines : null,
      marking: marking ? planMarking(marking, agons.activePolicy()) : null,
      createdBy,
    },
    items(),
  );
}
