import { sha256 } from '@agonhq/engine/hash';
import { drawFor, type Draws } from '../hostile/draws.ts';
import { nameSubject } from './faulty-provider.ts';
import { askUntilAnswered, jsonBody, type Client, type ClientRequest } from './good-client.ts';
import { hearCase } from './hear-case.ts';
import type { AcknowledgedVerdict, LedgerName, TownRecord } from './record.ts';

/** What clients do, and how often. */
const acts = {
  guard: 26,
  debate: 24,
  evaluation: 8,
  analysis: 3,
  listening: 9,
  decision: 9,
  forget: 4,
  run: 5,
} as const;
export type Act = keyof typeof acts;
type JudgedBy = AcknowledgedVerdict['job'];

export const actNames = Object.keys(acts) as Act[];

/** One act of a client, from its first request to its acknowledgement; false when none came in time. */
export async function act(
  number: number,
  seed: number,
  { ledger, client, record }: { ledger: LedgerName; client: Client; record: TownRecord },
): Promise<{ act: Act; acknowledged: boolean }> {
  const draws = drawFor(`act ${number}`, seed);
  const kind = drawAct(draws);
  const subject = nameSubject(number);
  const key = { 'idempotency-key': `chaos-${seed}-${number}` };
  const judge = (job: JudgedBy, request: Pick<ClientRequest, 'headers' | 'body'>) =>
    judgeOnce({ path: `/api/jobs/${job}/cases`, ...request, headers: { ...request.headers, ...key } }, job);
  const done = (acknowledged: boolean) => ({ act: kind, acknowledged });

  async function judgeOnce(request: ClientRequest, job: JudgedBy): Promise<boolean> {
    const answer = await askUntilAnswered(client, request);
    if (answer?.status !== 200) return answer !== null;
    const { id, seal } = JSON.parse(answer.text) as { id: string; seal: string };
    keepVerdict(job, id, seal, sha256(answer.text));
    return true;
  }

  function keepVerdict(job: JudgedBy, id: string, seal: string, body: string | null): void {
    record.verdicts.push({ ledger, act: number, job, case: id, seal, body, forget: 'no' });
  }

  switch (kind) {
    case 'guard':
      return done(await judge('moderation', jsonBody({ text: sentence(draws, subject), method: 'guard' })));
    case 'debate':
      return done(await judge('moderation', jsonBody({ text: sentence(draws, subject) })));
    case 'evaluation':
      return done(
        await judge(
          'evaluation',
          jsonBody({ model: 'some:model', prompt: `exchange-of ${subject}`, response: sentence(draws, subject) }),
        ),
      );
    case 'analysis': {
      const revenue = draws.below(900);
      return done(await judge('documents', { body: () => reportForm(revenue, subject) }));
    }
    case 'listening': {
      const text = sentence(draws, subject);
      const heard = await hearCase(client, {
        path: '/api/jobs/moderation/cases',
        headers: { 'content-type': 'application/json', ...key },
        body: () => JSON.stringify({ text }),
      });
      if (heard) keepVerdict('moderation', heard.id, heard.seal, null);
      return done(heard !== null);
    }
    case 'decision':
      return done(await decide(draws));
    case 'forget':
      return done(await forget(draws));
    case 'run':
      return done(await startRun(draws));
  }

  function drawVerdict(from: Draws): AcknowledgedVerdict | undefined {
    const own = record.verdicts.filter(
      (verdict) => verdict.ledger === ledger && verdict.forget === 'no' && verdict.job !== 'documents',
    );
    return own.length === 0 ? undefined : from.pick(own);
  }

  async function decide(from: Draws): Promise<boolean> {
    const verdict = drawVerdict(from);
    if (!verdict) return true;
    const why = `The person of act ${number} says so.`;
    const answer = await askUntilAnswered(client, {
      path: `/api/cases/${verdict.case}/feedback`,
      ...jsonBody({ label: from.pick(['safe', 'unsafe']), why, by: `person-${number}` }),
    });
    if (answer !== null && answer.status < 300) record.decisions.push({ ledger, case: verdict.case, why });
    return answer !== null;
  }

  async function forget(from: Draws): Promise<boolean> {
    const verdict = drawVerdict(from);
    if (!verdict) return true;
    verdict.forget = 'asked';
    const answer = await askUntilAnswered(client, {
      method: 'DELETE',
      path: `/api/cases/${verdict.case}`,
    });
    if (answer?.status === 200) verdict.forget = 'acknowledged';
    return answer !== null;
  }

  async function startRun(from: Draws): Promise<boolean> {
    const items = Array.from({ length: 6 + from.below(19) }, (_, item) => ({
      id: `${subject}/${item}`,
      text: sentence(from, nameSubject(number, item)),
    }));
    const isEmbedded = from.below(4) === 0;
    // From too little for a single item to enough for all of them.
    const budgetUsd = !isEmbedded && from.below(3) === 0 ? 0.5 + from.below(60) / 10 : null;
    const answer = await askUntilAnswered(client, {
      path: '/api/runs',
      headers: key,
      body: () => runForm(items, { ...(isEmbedded ? { method: 'guard' } : {}), ...(budgetUsd ? { budgetUsd } : {}) }),
    });
    if (answer !== null && answer.status < 300) {
      const { id } = JSON.parse(answer.text) as { id: string };
      record.runs.push({ ledger, act: number, run: id, keys: items.map((item) => item.id), budgetUsd });
    }
    return answer !== null;
  }
}

function drawAct(draws: Draws): Act {
  let place = draws.below(actNames.reduce((sum, name) => sum + acts[name], 0));
  return actNames.find((name) => (place -= acts[name]) < 0)!;
}

const sentences = [
  'It rained all morning, and the market opened late.',
  'Whoever parks there again will find their tyres cut.',
  'The committee meets on Thursday, as it always has.',
  'You people should all be sent back to where you came from.',
  'Send me the gift cards tonight or your account is closed.',
];

function sentence(draws: Draws, subject: string): string {
  return `A note, ${subject}: ${draws.pick(sentences)}`;
}

function runForm(items: readonly object[], fields: { method?: string; budgetUsd?: number }): FormData {
  const form = new FormData();
  form.set('job', 'moderation');
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  form.set('file', new File([items.map((item) => `${JSON.stringify(item)}\n`).join('')], 'items.jsonl'));
  return form;
}

function reportForm(revenue: number, subject: string): FormData {
  const form = new FormData();
  const words =
    `# Report ${subject}\n\nRevenue was ${revenue + 100} million euros in 2025. ` +
    `It was ${revenue + 90} million euros in 2024. Revenue grew by 10 million euros.\n`;
  form.set('file', new File([words], `${subject}.md`));
  return form;
}
