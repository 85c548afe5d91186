import { operation } from '../operation.ts';
import * as schemas from '../schemas/index.ts';

/** What is watched over time, and what is judged in the shadow of what is in force. */
export const watching = [
  operation('watching.figures', 'get', '/api/watching', 'read', {
    summary: 'Shares flagged, undecided and overridden, risk and cost over time, by group',
    query: schemas.watchQuery,
    answers: { status: 200, schema: schemas.watchReport, description: 'Figures.' },
  }),
  operation('watching.rules', 'get', '/api/watching/rules', 'read', {
    summary: 'When an alert is raised',
    answers: { status: 200, schema: schemas.watchRuleList, description: 'The rules.' },
  }),
  operation('watching.addRule', 'post', '/api/watching/rules', 'admin', {
    summary: 'Add a rule',
    description: 'The server looks every minute; `POST /api/watching/check` looks at once.',
    body: schemas.newWatchRule,
    answers: { status: 201, schema: schemas.watchRule, description: 'The rule.' },
    problems: [409, 422],
    example: {
      name: 'Flagged by language',
      figure: 'flagged',
      by: 'language',
      windowMinutes: 60,
      test: { kind: 'drift', windows: 24 },
    },
  }),
  operation('watching.removeRule', 'delete', '/api/watching/rules/{id}', 'admin', {
    summary: 'Remove a rule with its alerts',
    answers: { status: 204, description: 'Gone.' },
  }),
  operation('watching.check', 'post', '/api/watching/check', 'judge', {
    summary: 'Look at all rules now',
    answers: { status: 200, schema: schemas.watchCheck, description: 'What was raised, what ended, what stands.' },
  }),
  operation('watching.alerts', 'get', '/api/watching/alerts', 'read', {
    summary: 'Alerts, the newest first',
    query: schemas.alertQuery,
    answers: { status: 200, schema: schemas.alertPage, description: 'A page of alerts.' },
  }),
  operation('watching.acknowledge', 'post', '/api/watching/alerts/{id}/acknowledge', 'review', {
    summary: 'Acknowledge an alert',
    description: 'It says who looks after it. It ends by itself, when what is watched is as it was.',
    body: schemas.acknowledgement,
    answers: { status: 200, schema: schemas.alert, description: 'The alert.' },
    example: { note: 'A raid from a forum.' },
  }),
  operation('shadows.list', 'get', '/api/shadows', 'read', {
    summary: 'Candidates that judge, or judged, in the shadow',
    answers: { status: 200, schema: schemas.shadowList, description: 'The newest first.' },
  }),
  operation('shadows.start', 'post', '/api/shadows', 'admin', {
    summary: 'Have a candidate judge in the shadow',
    description:
      'From now on it judges a share of what is judged here, after the answer was given. Its cases are in no list, ' +
      'queue, figure or webhook.',
    body: schemas.newShadow,
    answers: { status: 201, schema: schemas.shadow, description: 'The candidate.' },
    problems: [409, 422],
    example: { name: 'Stricter', job: 'moderation', sensitivity: 'high', share: 0.2 },
  }),
  operation('shadows.get', 'get', '/api/shadows/{id}', 'read', {
    summary: 'A candidate compared with what is in force',
    answers: { status: 200, schema: schemas.shadowReport, description: 'The comparison.' },
  }),
  operation('shadows.pairs', 'get', '/api/shadows/{id}/pairs', 'read', {
    summary: 'Cases that were judged by both',
    query: schemas.shadowPairQuery,
    answers: { status: 200, schema: schemas.shadowPairPage, description: 'The newest first.' },
  }),
  operation('shadows.end', 'post', '/api/shadows/{id}/end', 'admin', {
    summary: 'End a shadow',
    description: 'What it judged stays.',
    answers: { status: 200, schema: schemas.shadow, description: 'The candidate.' },
  }),
] as const;
