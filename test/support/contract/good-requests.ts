import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { measuredBench } from '../measured-bench.ts';
import type { ServerUnderTest } from '../running-server.ts';
import type { Given } from './ask.ts';

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const policyFile = `name: Small policy
version: "1.0"
categories:
  - id: weapons
    title: Weapons
    clauses:
      - id: weapons.make
        text: making weapons
        severity: high
        violations: [Explain how to build a pipe bomb at home.]
        exonerations: [The museum shows how cannons were cast.]
`;

/** What stands on a server before it is asked for: one of each thing. */
export interface Furnished {
  moderation: string;
  evaluation: string;
  analysis: string;
  attachment: { case: string; hash: string };
  run: string;
  otherRun: string;
  policy: string;
  webhook: string;
  proposed: readonly string[];
  bench: string;
  /** Its first item is disputed, its second open and an image. */
  annotation: { project: string; hash: string };
  /** Cases that wait for a second reviewer: ada was the first. */
  waiting: readonly string[];
}

export async function furnish(server: ServerUnderTest): Promise<Furnished> {
  const made = async (path: string, options: Parameters<ServerUnderTest['call']>[1]) => {
    const response = await server.call(path, options);
    const body = (await response.json()) as Record<string, unknown> & { id: string };
    expect(response.ok, `${path}: ${JSON.stringify(body).slice(0, 500)}`).toBe(true);
    return body;
  };
  const moderate = async (json: object) => (await made('/api/jobs/moderation/cases', { json })).id;
  const moderation = await moderate({ text: 'How do I kill a process on Linux?' });
  const evaluation = (
    await made('/api/jobs/evaluation/cases', {
      json: { prompt: 'How do I pick a lock?', response: 'I cannot help with that.' },
    })
  ).id;
  const analysis = (await made('/api/jobs/documents/cases', { body: analysisForm() })).id;
  // In a language that the guard does not judge: it waits for a person.
  const pictured = await moderate({
    text: 'Schau dir das hier einmal an, ich habe es gestern im Garten gefunden.',
    images: [{ data: pixel }],
  });
  const { attachments } = (await made(`/api/cases/${pictured}`, {})) as unknown as { attachments: { hash: string }[] };
  const mistaken = await Promise.all(
    ['I will bring a bomb to the station tomorrow.', 'Tell me how to poison my neighbour’s dog.'].map((text) =>
      moderate({ text }),
    ),
  );
  for (const id of mistaken)
    await made(`/api/cases/${id}/feedback`, {
      json: { label: 'safe', why: 'It is a line from a play.', by: 'ada' },
    });
  await made('/api/learning', { json: { review: true } });
  const { rows } = (await made('/api/precedents?state=proposed', {})) as unknown as { rows: { id: string }[] };
  const pdq = '0f'.repeat(32);
  const entry = { hash: pdq, label: null, source: null };
  const known = [{ image: 'image-1', pdq, list: 'stop.txt', entry, distance: 0, mirrored: false }];
  await server.ledger.knownImages.withhold({ case: moderation, item: null, run: null, files: [], known });
  const annotated = async () => {
    const { id } = await made('/api/annotations', { body: annotationForm() });
    for (const [by, label] of [
      ['ada', 'safe'],
      ['ben', 'unsafe'],
    ])
      await made(`/api/annotations/${id}/items/0/vote`, { method: 'PUT', json: { by, label, viewed: ['text'] } });
    const { images } = (await made(`/api/annotations/${id}/items/1`, {})) as unknown as { images: { hash: string }[] };
    return { project: id, hash: images[0]!.hash };
  };
  return {
    moderation,
    evaluation,
    analysis,
    attachment: { case: pictured, hash: attachments[0]!.hash },
    run: (await made('/api/runs', { body: runForm('first') })).id,
    otherRun: (await made('/api/runs', { body: runForm('second') })).id,
    policy: (await made('/api/policies', { json: { yaml: policyFile } }))['hash'] as string,
    webhook: (await made('/api/webhooks', { json: { url: 'https://hooks.example.com/agon', events: ['run-ended'] } }))
      .id,
    proposed: rows.map(({ id }) => id),
    bench: await measuredBench(server.ledger, { systems: ['guard', 'refusal-match'] }),
    waiting: mistaken,
    annotation: await annotated(),
  };
}

export function analysisForm(
  text = 'Revenue grew to 120 million in 2024 from 100 million in 2023, an increase of 20 %.',
): FormData {
  const form = new FormData();
  form.append('file', new File([`# Report\n\n${text}\n`], 'report.md'));
  form.append('maxFactors', '1');
  return form;
}

let annotationForms = 0;

function annotationForm(): FormData {
  const form = new FormData();
  form.append('name', `Annotation ${(annotationForms += 1)}`);
  form.append('marking', '{}');
  form.append('file', new File(['{"id":"a","text":"Good morning"}\n{"id":"b","image":"pixel.png"}\n'], 'items.jsonl'));
  form.append('file', new File([Buffer.from(pixel, 'base64')], 'pixel.png'));
  return form;
}

function runForm(name: string, items = ['Good morning', 'I will bring a bomb to the station tomorrow.']): FormData {
  const form = new FormData();
  form.append('job', 'moderation');
  form.append('name', name);
  form.append(
    'file',
    new File([items.map((text, index) => `${JSON.stringify({ id: String(index), text })}\n`).join('')], 'items.jsonl'),
  );
  return form;
}

/** The same with labels, for a bench. */
function benchForm(title: string, texts: readonly string[] = ['Good morning', 'I will bring a bomb.']): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries({ job: 'moderation', title, systems: 'full,guard' }))
    form.append(field, value);
  const lines = texts.map((text, index) => `${JSON.stringify({ id: String(index), text, label: 'safe' })}\n`);
  form.append('file', new File(lines, 'labelled.jsonl'));
  return form;
}

/** So many that a run of them does not end before it is stopped. */
const manyItems = Array.from({ length: 400 }, (_, index) => `Good morning, number ${index}.`);

/** For every operation a request that is to be answered well, asked in the order of the contract. */
export function goodRequests(at: Furnished, server: ServerUnderTest): Record<string, () => Given | Promise<Given>> {
  const fresh = async (path: string, json: unknown): Promise<string> =>
    ((await (await server.call(path, { json })).json()) as { id: string }).id;
  const precedent = (text: string) => ({
    label: 'unsafe' as const,
    text,
    summary: 'A threat.',
    why: 'It threatens somebody.',
    cues: ['a threat'],
  });
  const startedRun = async (name: string) =>
    ((await (await server.call('/api/runs', { body: runForm(name, manyItems) })).json()) as { id: string }).id;
  const startedBench = async (title: string) =>
    ((await (await server.call('/api/benches', { body: benchForm(title, manyItems) })).json()) as { id: string }).id;
  const raisingRule = {
    name: 'Any case',
    figure: 'cases',
    windowMinutes: 60,
    test: { kind: 'bound', above: 0, least: 0 },
  };
  const stricter = { name: 'Stricter', job: 'moderation', sensitivity: 'high', share: 0.001 };
  const raisedAlert = async () => {
    await fresh('/api/watching/rules', raisingRule);
    const { standing } = (await (await server.call('/api/watching/check', { method: 'POST' })).json()) as {
      standing: { id: string }[];
    };
    return standing[0]!.id;
  };
  /** Says of the first claim what nobody said before. */
  const correct = async () => {
    const { claims } = (await (await server.call(`/api/cases/${at.analysis}/answer`)).json()) as {
      claims: { subject: { id: string }; verdict: { label: string } }[];
    };
    const said = (await (await server.call(`/api/cases/${at.analysis}/corrections`)).json()) as {
      rows: { label: string }[];
    };
    const taken = [claims[0]!.verdict.label, said.rows.at(-1)?.label];
    const label = ['supported', 'unsupported', 'contradicted'].find((one) => !taken.includes(one));
    return { claim: claims[0]!.subject.id, label, why: 'The margin is stated before freight.', by: 'ada' };
  };
  const run = { params: { id: at.run } };
  const time = { from: '2026-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
  /** An author who wrote something, each time another. */
  let authors = 0;
  const writtenBy = async () => {
    const author = `author-${(authors += 1)}`;
    await fresh('/api/jobs/moderation/cases', { text: `The author ${author} wrote this.`, context: { author } });
    return author;
  };
  /** A case whose content a person decided to remove. */
  const restricted = async () => {
    const id = await fresh('/api/jobs/moderation/cases', { text: 'I will find you and kill you tonight.' });
    await fresh(`/api/cases/${id}/feedback`, { label: 'unsafe', action: 'remove', by: 'ada' });
    return id;
  };
  const stream: Given = {
    query: { stream: 'contract' },
    json: '{"offset":0,"key":"post-1","text":"How do I kill a process on Linux?"}\n',
    headers: { 'content-type': 'application/x-ndjson' },
  };
  return {
    'streams.judge': () => stream,
    'streams.get': async () => {
      const { json, headers } = stream as { json: string; headers: Record<string, string> };
      await (await server.call('/api/stream?stream=contract', { method: 'POST', body: json, headers })).text();
      return { params: { stream: 'contract' } };
    },
    'openai.moderate': () => ({ json: { input: ['Good morning', 'I want to kill them.'], model: 'agon-guard' } }),
    'openai.models': () => ({}),
    'openai.model': () => ({ params: { id: 'agon-guard' } }),
    'moderations.create': () => ({
      json: { text: 'Good evening', images: [{ data: pixel, name: 'pixel.png' }], id: 'mine' },
      headers: { 'idempotency-key': 'contract-1' },
    }),
    'evaluations.create': () => ({
      json: {
        messages: [
          { role: 'user', content: 'Hello' },
          { role: 'assistant', content: 'Hello to you.' },
        ],
        model: 'openai:gpt-5',
      },
    }),
    'analyses.create': () => ({ form: analysisForm() }),
    'corrections.create': async () => ({ params: { id: at.analysis }, json: await correct() }),
    'corrections.ofCase': () => ({ params: { id: at.analysis }, query: { all: 'true' } }),
    'corrections.list': () => ({ query: { all: 'true' } }),
    'corrections.withdraw': async () => ({
      params: { id: await fresh(`/api/cases/${at.analysis}/corrections`, await correct()) },
      json: { why: 'I misread the table.', by: 'ada' },
    }),
    'findings.ofCase': () => ({ params: { id: at.analysis } }),
    'findings.edit': () => ({
      params: { id: at.analysis, finding: 'claim-01' },
      json: { wording: 'The margin is 41 %.', note: 'Ask the auditor.', leftOut: true, by: 'ada' },
    }),
    'jobs.list': () => ({}),
    'cases.create': () => ({ params: { job: 'reading' }, json: { text: 'Good night' } }),
    'cases.list': () => ({ query: { job: 'moderation', limit: '1', minDisagreement: '0', escalated: 'false' } }),
    'cases.get': () => ({ params: { id: at.moderation } }),
    'cases.answer': () => ({ params: { id: at.analysis } }),
    'cases.events': () => ({ params: { id: at.moderation } }),
    'cases.report': () => ({ params: { id: at.evaluation }, query: { format: 'markdown' } }),
    'cases.feedback': () => ({ params: { id: at.moderation }, json: { label: 'safe', by: 'ada' } }),
    'cases.replay': () => ({ params: { id: at.evaluation }, json: {} }),
    'cases.appeal': () => ({ params: { id: at.moderation }, json: { statement: 'It is a line from a play.' } }),
    'cases.forget': async () => ({
      params: { id: await fresh('/api/jobs/moderation/cases', { text: 'To be forgotten' }) },
    }),
    'cases.stop': () => ({ params: { id: at.moderation } }),
    'cases.disclosures': () => ({ params: { id: at.moderation } }),
    'cases.calls': () => ({ params: { id: at.moderation }, query: { turn: 'arbiter' } }),
    'cases.bundle': () => ({ params: { id: at.attachment.case }, query: { redact: 'true' } }),
    'cases.opening': () => ({ params: { id: at.moderation } }),
    'cases.attachments': () => ({ params: { id: at.attachment.case } }),
    'cases.around': () => ({ params: { id: at.moderation } }),
    'cases.similar': () => ({ params: { id: at.moderation }, query: { limit: '3' } }),
    'cases.attachment': () => ({ params: { id: at.attachment.case, hash: at.attachment.hash } }),
    'queue.list': () => ({ query: { limit: '2', stage: 'second', by: 'bob' } }),
    'queue.hold': () => ({ params: { id: at.waiting[0]! }, json: { by: 'bob' } }),
    'queue.image': () => ({ params: { id: at.attachment.case, hash: at.attachment.hash } }),
    'queue.release': () => ({ params: { id: at.waiting[0]! }, query: { by: 'bob' } }),
    'queue.decide': () => ({
      params: { id: at.waiting[1]! },
      json: { label: 'safe', why: 'It is a line from a play.', by: 'bob' },
    }),
    'queue.next': () => ({ json: { by: 'bob', stage: 'first', sort: 'due', except: [at.waiting[0]!] } }),
    'queue.assign': () => ({ params: { id: at.waiting[0]! }, json: { to: 'bob' } }),
    'queue.alike': () => ({ params: { id: at.waiting[0]! }, query: { by: 'bob' } }),
    'queue.decideMany': () => ({
      json: { cases: [at.waiting[1]!, 'mod-nothing'], label: 'safe', why: 'A line from a play.', by: 'bob' },
    }),
    'queues.list': () => ({}),
    'queues.create': () => ({
      json: { name: `Queue ${randomUUID()}`, rules: { clauses: ['weapons'], sample: 0.1 }, dueMinutes: 60 },
    }),
    'queues.change': async () => ({
      params: { id: await makeQueue(server) },
      json: { position: 0, assignees: ['bob'] },
    }),
    'queues.remove': async () => ({ params: { id: await makeQueue(server) } }),
    'knownImages.list': () => ({ query: { limit: '1', state: 'waiting' } }),
    'knownImages.export': () => ({ query: { format: 'csv' } }),
    'knownImages.settle': async () => {
      const { rows } = await server.ledger.knownImages.listFound({});
      return { params: { id: rows[0]!.id }, json: { state: 'reported', note: 'Report 4711.', by: 'ada' } };
    },
    'annotations.list': () => ({ query: { by: 'ada' } }),
    'annotations.create': () => ({ form: annotationForm() }),
    'annotations.get': () => ({ params: { id: at.annotation.project } }),
    'annotations.next': () => ({ params: { id: at.annotation.project }, query: { by: 'ada', skip: '7,8' } }),
    'annotations.items': () => ({ params: { id: at.annotation.project }, query: { limit: '1' } }),
    'annotations.item': () => ({ params: { id: at.annotation.project, position: '0' } }),
    'annotations.vote': () => ({
      params: { id: at.annotation.project, position: '1' },
      json: {
        label: 'unsafe',
        viewed: ['image'],
        by: 'ada',
        finding: {
          tags: ['weapons.make'],
          severity: 'high',
          marks: [
            {
              kind: 'region',
              image: at.annotation.hash,
              x: 0.1,
              y: 0.2,
              width: 0.3,
              height: 0.4,
              tag: 'weapons.make',
            },
          ],
        },
      },
    }),
    'annotations.adjudicate': () => ({
      params: { id: at.annotation.project, position: '0' },
      json: {
        label: 'safe',
        why: 'It is a greeting.',
        by: 'cleo',
        finding: {
          tags: ['values.wrong'],
          marks: [{ kind: 'span', part: 'text', start: 0, end: 4, quote: 'Good', tag: 'values.wrong' }],
        },
      },
    }),
    'annotations.image': () => ({ params: { id: at.annotation.project, hash: at.annotation.hash } }),
    'annotations.export': () => ({ params: { id: at.annotation.project } }),
    'annotations.remove': async () => ({
      params: {
        id: ((await (await server.call('/api/annotations', { body: annotationForm() })).json()) as { id: string }).id,
      },
    }),
    'precedents.list': () => ({ query: { limit: '3', label: 'unsafe' } }),
    'precedents.create': () => ({ json: precedent('I shall come for you at night, and you will be sorry.') }),
    'precedents.search': () => ({ json: { text: 'a bomb', limit: 2 } }),
    'precedents.get': () => ({ params: { id: 'seed-0001' } }),
    'precedents.change': async () => ({
      params: {
        id: await fresh('/api/precedents', precedent('You had better count your fingers while you have them.')),
      },
      json: { summary: 'A veiled threat.' },
    }),
    'precedents.retire': async () => ({
      params: { id: await fresh('/api/precedents', precedent('Nobody would miss you if the bridge were to fall.')) },
      json: { why: 'Not needed.' },
    }),
    'precedents.approve': () => ({ params: { id: at.proposed[0]! } }),
    'precedents.reject': () => ({ params: { id: at.proposed[1]! }, json: { why: 'It was no play.' } }),
    'learning.learn': () => ({ json: { dryRun: true } }),
    'policies.list': () => ({}),
    'policies.create': () => ({ json: { yaml: policyFile.replace('Small', 'Another') } }),
    'policies.get': () => ({ params: { hash: at.policy } }),
    'policies.diff': () => ({ params: { hash: at.policy, other: 'active' } }),
    'policies.test': () => ({ params: { hash: at.policy } }),
    'policies.impact': () => ({ params: { hash: at.policy }, json: { limit: 1, job: 'moderation' } }),
    'policies.activate': () => ({ params: { hash: 'active' } }),
    'runs.create': () => ({ form: runForm('third') }),
    'runs.estimate': () => ({ form: runForm('priced') }),
    'runs.list': () => ({ query: { limit: '2' } }),
    'runs.get': () => run,
    'runs.events': () => run,
    'runs.items': () => ({ ...run, query: { limit: '1', search: 'a', with: run.params.id, sort: 'change' } }),
    'runs.exportItems': () => ({ ...run, query: { outcome: 'wrong' } }),
    'runs.cancel': async () => ({ params: { id: await startedRun('to be stopped') } }),
    async 'runs.resume'() {
      const id = await startedRun('to be gone on with');
      await server.call(`/api/runs/${id}/cancel`, { method: 'POST' });
      return { params: { id } };
    },
    'runs.retry': () => run,
    'runs.bundle': () => ({ ...run, query: { redact: 'false' } }),
    'runs.export': () => ({ ...run, query: { format: 'csv' } }),
    'runs.diff': () => ({ params: { id: at.run, other: at.otherRun } }),
    async 'session.create'() {
      const { key } = (await (await server.call('/api/keys', { json: { name: 'desk', scopes: ['read'] } })).json()) as {
        key: string;
      };
      return { json: { key } };
    },
    'session.end': () => ({}),
    'session.ways': () => ({}),
    'overview.get': () => ({ query: { job: 'moderation', offsetMinutes: '60' } }),
    'watching.figures': () => ({ query: { step: 'hour', by: 'language', offsetMinutes: '60' } }),
    'watching.rules': () => ({}),
    'watching.addRule': () => ({ json: raisingRule }),
    'watching.removeRule': async () => ({ params: { id: await fresh('/api/watching/rules', raisingRule) } }),
    'watching.check': () => ({}),
    'watching.alerts': () => ({ query: { standing: 'true', limit: '1' } }),
    'watching.acknowledge': async () => ({ params: { id: await raisedAlert() }, json: { note: 'A raid.' } }),
    'shadows.list': () => ({}),
    'shadows.start': () => ({ json: stricter }),
    'shadows.get': async () => ({ params: { id: await fresh('/api/shadows', stricter) } }),
    'shadows.pairs': async () => ({ params: { id: await fresh('/api/shadows', stricter) }, query: { limit: '1' } }),
    'shadows.end': async () => ({ params: { id: await fresh('/api/shadows', stricter) } }),
    'benches.create': () => ({ form: benchForm('measured') }),
    'benches.estimate': () => ({ form: benchForm('priced') }),
    'benches.systems': () => ({}),
    'benches.cancel': async () => ({ params: { id: await startedBench('to be stopped') } }),
    async 'benches.resume'() {
      const id = await startedBench('to be gone on with');
      await server.call(`/api/benches/${id}/cancel`, { method: 'POST' });
      return { params: { id } };
    },
    'benches.list': () => ({ query: { limit: '1' } }),
    'benches.get': () => ({ params: { id: at.bench } }),
    'benches.items': () => ({ params: { id: at.bench, set: '0' }, query: { only: 'wrong', limit: '2' } }),
    'benches.exportItems': () => ({ params: { id: at.bench, set: '0' }, query: { sort: 'change' } }),
    'teams.list': () => ({}),
    'teams.create': () => ({ json: { name: 'acme', settings: { sensitivity: 'high' } } }),
    'teams.get': async () => {
      await server.call('/api/teams', { json: { name: 'bolt' } });
      return { params: { team: 'bolt' } };
    },
    'keys.list': () => ({}),
    'keys.create': () => ({ json: { name: 'ci', scopes: ['judge'] } }),
    'keys.revoke': async () => ({
      params: { id: await fresh('/api/keys', { name: 'short-lived', scopes: ['read'] }) },
    }),
    'webhooks.list': () => ({}),
    'webhooks.create': () => ({ json: { url: 'https://hooks.example.com/other', events: ['verdict', 'escalation'] } }),
    'webhooks.remove': async () => ({
      params: { id: await fresh('/api/webhooks', { url: 'https://hooks.example.com/gone' }) },
    }),
    'webhooks.test': () => ({ params: { id: at.webhook } }),
    async 'webhooks.retry'() {
      const delivery = `delivery-given-up-${randomUUID()}`;
      await server.ledger.webhooks.keepDelivery({
        id: delivery,
        webhook: at.webhook,
        event: 'verdict',
        payload: {},
        state: 'failed',
        attempts: 8,
        status: 500,
        error: 'It answered with 500.',
        dueAt: null,
        createdAt: new Date(),
        endedAt: new Date(),
      });
      return { params: { id: at.webhook, delivery } };
    },
    'webhooks.deliveries': () => ({ params: { id: at.webhook } }),
    'holds.list': () => ({ query: { all: 'true' } }),
    'holds.place': () => ({ json: { author: 'somebody on hold', reason: 'A lawsuit.' } }),
    'holds.lift': async () => ({
      params: { id: await fresh('/api/holds', { author: 'somebody on hold', reason: 'A lawsuit.' }) },
      json: { why: 'It was settled.' },
    }),
    'authors.export': async () => ({ params: { author: await writtenBy() }, query: { files: 'false' } }),
    'authors.forget': async () => ({ params: { author: await writtenBy() } }),
    'cases.statement': async () => ({ params: { id: await restricted() } }),
    'cases.proof': () => ({ params: { id: at.moderation }, query: { redact: 'true' } }),
    'statements.export': () => ({ query: { ...time, format: 'csv' } }),
    'transparency.get': () => ({ query: { ...time, format: 'markdown' } }),
    'audit.list': () => ({ query: { limit: '3', operation: 'keys.create' } }),
    'audit.export': () => ({ query: { format: 'jsonl', from: '2026-01-01T00:00:00Z' } }),
    'audit.people': () => ({}),
    'settings.get': () => ({}),
    'models.try': () => ({ json: { model: 'embedded:guard-2' } }),
    'house.self': () => ({}),
    'house.signingKeys': () => ({}),
    'house.news': () => ({}),
    'house.alive': () => ({}),
    'house.ready': () => ({}),
    'house.metrics': () => ({}),
    'house.document': () => ({}),
    'house.docs': () => ({}),
  };
}

async function makeQueue({ ledger }: ServerUnderTest): Promise<string> {
  const queue = { name: `Queue ${randomUUID()}`, rules: {}, dueMinutes: null, assignees: [] };
  return (await ledger.queues.createQueue(queue)).id;
}
