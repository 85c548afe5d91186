import { AgonError } from '../../errors.ts';
import { unknownAnnotation } from '../annotation/assign-items.ts';
import { exportLines } from '../annotation/export-annotations.ts';
import { openProject } from '../annotation/create-project.ts';
import { itemView, projectView } from '../annotation/item-views.ts';
import { assertOpen } from '../server-context.ts';
import { reviewerOf, type Principal } from '../auth/principal.ts';
import type { GroupOf, Handlers } from '../handler.ts';
import { inPieces, located, media } from '../reply.ts';

/** Datasets that people label by independent votes. */
export const annotationHandlers: Handlers<GroupOf<'annotations'>> = {
  async 'annotations.list'({ query, principal }, house) {
    const projects = await house.ledger.annotations.listProjects();
    return {
      rows: await Promise.all(projects.map((project) => projectView(project, voterOf(principal, query.by), house))),
    };
  },

  async 'annotations.create'({ body: { by, ...order }, files, principal, signal }, house) {
    assertOpen(house);
    const createdBy = reviewerOf(principal) ?? by ?? null;
    const project = await openProject(house.ledger, order, { files, createdBy, signal });
    return located(
      await projectView(project, createdBy ?? unnamed, house),
      `/api/annotations/${encodeURIComponent(project.id)}`,
    );
  },

  async 'annotations.get'({ params, query, principal }, house) {
    return projectView(await house.annotations.project(params.id), voterOf(principal, query.by), house);
  },

  async 'annotations.next'({ params, query, principal }, house) {
    const project = await house.annotations.project(params.id);
    const voter = voterOf(principal, query.by);
    const item = await house.annotations.next(project, voter, query.skip ?? []);
    return {
      item: item && itemView(item, voter),
      waiting: await house.ledger.annotations.countOpenItems(project.id, voter),
    };
  },

  async 'annotations.items'({ params, query: { limit, after, state, by }, principal }, house) {
    const { id } = await house.annotations.project(params.id);
    const page = await house.ledger.annotations.listItems(id, {
      limit: limit + 1,
      ...(after === undefined ? {} : { after: positionIn(after) }),
      ...(state ? { states: [state] } : {}),
    });
    const rows = page.slice(0, limit);
    return {
      rows: rows.map((item) => itemView(item, voterOf(principal, by))),
      next: page.length > limit ? String(rows.at(-1)!.position) : null,
    };
  },

  async 'annotations.item'({ params, query, principal }, house) {
    const project = await house.annotations.project(params.id);
    return itemView(await house.annotations.item(project, params.position), voterOf(principal, query.by));
  },

  async 'annotations.vote'({ params, body: { by, label, why = null, viewed, tookMs = null }, principal }, house) {
    const project = await house.annotations.project(params.id);
    const voter = voterOf(principal, by);
    assertLabel(project.labels, label);
    const { parts } = itemView(await house.annotations.item(project, params.position), voter);
    const unseen = parts.filter((part) => !viewed.includes(part));
    if (unseen.length > 0)
      throw new AgonError(
        'not-viewed',
        `The ${unseen.join(' and the ')} of item ${params.position} ${unseen.length === 1 ? 'was' : 'were'} not ` +
          'looked at.',
        'Look at all parts of an item before you vote; `viewed` names them.',
      );
    await house.ledger.annotations.keepVote(project.id, params.position, {
      by: voter,
      label,
      why: why === '' ? null : why,
      viewed: parts,
      tookMs,
    });
    house.annotations.voted(project.id, voter);
    return itemView(await house.annotations.item(project, params.position), voter);
  },

  async 'annotations.adjudicate'({ params, body: { by, label, why }, principal }, house) {
    const project = await house.annotations.project(params.id);
    const voter = voterOf(principal, by);
    assertLabel(project.labels, label);
    await house.annotations.item(project, params.position);
    await house.ledger.annotations.keepAdjudication(project.id, params.position, { by: voter, label, why });
    return itemView(await house.annotations.item(project, params.position), voter);
  },

  async 'annotations.image'({ params }, house) {
    const { id } = await house.annotations.project(params.id);
    const found = await house.ledger.annotations.findImage(id, params.hash);
    if (!found)
      throw new AgonError(
        'unknown-attachment',
        `The project ${id} has no image ${params.hash}.`,
        'GET /api/annotations/{id}/items names them.',
      );
    return media(
      found.data,
      /^image\/(?:png|jpeg|gif|webp|avif|bmp)$/.test(found.mediaType) ? found.mediaType : 'application/octet-stream',
    );
  },

  async 'annotations.export'({ params, query }, house) {
    const project = await house.annotations.project(params.id);
    return media(
      inPieces(exportLines(house.ledger, project, query)),
      query.format === 'csv' ? 'text/csv; charset=utf-8' : 'application/jsonl',
      `${project.name}.${query.format}`,
    );
  },

  async 'annotations.remove'({ params }, house) {
    if (!(await house.ledger.annotations.removeProject(params.id))) throw unknownAnnotation(params.id);
    house.annotations.dropped(params.id);
    return null;
  },
};

const unnamed = 'reviewer';

/** In whose name is voted: that of the key, or the one that is given where there is none. */
function voterOf(principal: Principal, by: string | undefined): string {
  return reviewerOf(principal) ?? by ?? unnamed;
}

function assertLabel(labels: readonly string[], label: string): void {
  if (!labels.includes(label))
    throw new AgonError(
      'unknown-label',
      `${JSON.stringify(label)} is no label of the project.`,
      `Its labels are ${labels.join(', ')}.`,
    );
}

function positionIn(after: string): number {
  if (/^\d{1,9}$/.test(after)) return Number(after);
  throw new AgonError(
    'bad-page',
    'There is no such page of items.',
    'Pass what `next` of the page before says, or nothing for the first.',
  );
}
