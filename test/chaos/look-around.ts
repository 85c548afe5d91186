import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { sha256 } from '@agonhq/engine/hash';
import { readDossier } from '@agonhq/core/app';
import { ownJobs } from '@agonhq/core/own-jobs';
import { defaultPolicy } from '@agonhq/engine/policy';
import { leastEnvironment } from '../support/least-environment.ts';
import { askUntilAnswered, type Client } from './good-client.ts';
import type { FoundCase, FoundLedger, FoundRun, LedgerName, TownRecord } from './record.ts';
import type { Town } from './town.ts';
import { launcher } from './town-process.ts';

/** Everything about a ledger that the invariants speak of, asked for over HTTP as anybody could. */
export async function lookAround(
  town: Town,
  record: TownRecord,
  ledger: LedgerName,
  client: Client,
): Promise<FoundLedger> {
  const decided = new Set(record.decisions.filter((each) => each.ledger === ledger).map((each) => each.case));
  const verdicts = record.verdicts.filter((each) => each.ledger === ledger);
  const cases: Record<string, FoundCase> = {};
  await inParallel(verdicts, async ({ case: id }) => {
    cases[id] = await findCase(client, id, decided.has(id));
  });
  const runs: Record<string, FoundRun> = {};
  for (const { run } of record.runs.filter((each) => each.ledger === ledger)) {
    const found = await findRun(client, run);
    if (found) runs[run] = found;
  }
  const [judging, audit] = await Promise.all([listJudging(client), auditLedger(town, ledger)]);
  return { cases, runs, allRuns: await listRuns(client), judging, audit };
}

/** One case, its answer verified as `agon verify` does. */
export async function findCase(client: Client, id: string, withDecisions = false): Promise<FoundCase> {
  const answer = await askUntilAnswered(client, { path: `/api/cases/${id}/answer` });
  const decisions = withDecisions ? await findDecisions(client, id) : [];
  if (answer === null) return { status: 0, code: 'no answer', seal: null, body: null, invalid: [], decisions };
  const { status, code, text } = answer;
  if (status !== 200) return { status, code, seal: null, body: null, invalid: [], decisions };
  const { job, seal } = JSON.parse(text) as { job: string; seal: string };
  return { status, code, seal, body: sha256(text), invalid: await verify(job, text), decisions };
}

async function verify(job: string, text: string): Promise<string[]> {
  const known = ownJobs.require(job);
  const checks = await known.verify(known.readAnswer(text, 'answer.json'), {
    policy: await defaultPolicy(),
    settings: {},
    readDocuments: readDossier,
  });
  return checks.filter(({ outcome }) => outcome === 'wrong').map(({ name, detail }) => `${name}: ${detail}`);
}

async function findDecisions(client: Client, id: string): Promise<string[]> {
  const answer = await askUntilAnswered(client, { path: `/api/cases/${id}` });
  if (answer?.status !== 200) return [];
  return (JSON.parse(answer.text) as { decisions: { why: string | null }[] }).decisions.map(({ why }) => why ?? '');
}

async function findRun(client: Client, id: string): Promise<FoundRun | null> {
  const answer = await askUntilAnswered(client, { path: `/api/runs/${id}` });
  if (answer?.status !== 200) return null;
  const { state, problem } = JSON.parse(answer.text) as { state: string; problem: string | null };
  return { state, problem, results: await exportRun(client, id) };
}

interface ExportedLine {
  key: string;
  result?: { id: string };
  error?: { code: string; message: string };
}

async function exportRun(client: Client, id: string): Promise<FoundRun['results']> {
  const answer = await askUntilAnswered(client, { path: `/api/runs/${id}/export` });
  const lines = (answer?.text ?? '').split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const { key, result, error } = JSON.parse(line) as ExportedLine;
    return { key, case: result?.id ?? null, error: error ? `${error.code}: ${error.message}` : null };
  });
}

async function listRuns(client: Client): Promise<FoundLedger['allRuns']> {
  const all: { run: string; firstKey: string | null }[] = [];
  for (let after: string | null = null; ;) {
    const page: { rows: { id: string }[]; next: string | null } | null = await readPage(client, '/api/runs', after);
    for (const { id } of page?.rows ?? []) {
      const items: { rows: { key: string }[] } | null = await readPage(client, `/api/runs/${id}/items`, null, 1);
      all.push({ run: id, firstKey: items?.rows[0]?.key ?? null });
    }
    after = page?.next ?? null;
    if (after === null) return all;
  }
}

/** A case whose process was killed is said to be judged for a minute more, and not for longer. */
const heldForMs = 65_000;

async function listJudging(client: Client): Promise<string[]> {
  for (const until = performance.now() + heldForMs; ; await pause(1_000)) {
    const page: { rows: { id: string }[] } | null = await readPage(client, '/api/cases', null, 200, '&state=judging');
    if (page?.rows.length === 0 || performance.now() > until) return (page?.rows ?? []).map(({ id }) => id);
  }
}

async function readPage<Page>(
  client: Client,
  path: string,
  after: string | null,
  limit = 100,
  more = '',
): Promise<Page | null> {
  const next = after === null ? '' : `&after=${encodeURIComponent(after)}`;
  const answer = await askUntilAnswered(client, { path: `${path}?limit=${limit}${next}${more}` });
  return answer?.status === 200 ? (JSON.parse(answer.text) as Page) : null;
}

interface Audited {
  valid: boolean;
}

/** `agon ledger audit`, past all links; what it finds wrong. */
async function auditLedger(town: Town, ledger: LedgerName): Promise<string[]> {
  const environment = { ...leastEnvironment(), ...town.environmentFor(ledger) };
  const { code, text } = await new Promise<{ code: number; text: string }>((resolve) => {
    execFile(
      process.execPath,
      [launcher, 'ledger', 'audit', '--json'],
      { env: environment, cwd: town.folder, maxBuffer: 64e6 },
      (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code ?? 1) : 0, text: stdout === '' ? stderr : stdout }),
    );
  });
  if (code === 0) return [];
  try {
    const audited = JSON.parse(text) as Audited & Record<string, unknown>;
    return [JSON.stringify(audited).slice(0, 2_000)];
  } catch {
    return [text.slice(0, 2_000)];
  }
}

const atOnce = 6;

async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of left) await work(item);
    }),
  );
}
