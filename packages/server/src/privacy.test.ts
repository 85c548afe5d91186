import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { panelSettings, startFakePanel } from '@agonhq/test/support/fake-panel.ts';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';

const text =
  'Anna Keller lives here. Mail anna.k@example.org or call 0171 1234567, and tell Keller that you will be sorry. ' +
  'She also writes as @anna_k from 93.184.216.34.';
const originals = ['Keller', 'Anna', 'anna.k@example.org', '0171 1234567', '@anna_k', '93.184.216.34', 'u-4711'];

function drawPicture(words: string): Promise<Buffer> {
  const drawn = `<svg width="900" height="200"><rect width="900" height="200" fill="white"/>
    <text x="40" y="120" font-family="DejaVu Sans" font-size="60">${words}</text></svg>`;
  return sharp(Buffer.from(drawn)).png().toBuffer();
}

let panel: Awaited<ReturnType<typeof startFakePanel>>;
let server: ServerUnderTest;
beforeAll(async () => {
  panel = await startFakePanel({
    strict: [
      {
        statement: 'It gives away [mail-1] of [person-1].',
        evidence: ['Mail [mail-1] or call [phone-1]', 'tell [person-1.2] that you will be sorry'],
        clauses: ['violence.plan'],
        score: 0.9,
      },
    ],
    arbiter: {
      statement: 'The threat stands.',
      risk: { why: 'It threatens.', evidence: ['call [phone-1], and tell'], holds: true, clauses: ['violence.plan'] },
      score: 0.9,
    },
  });
  const settings = panelSettings(panel);
  server = await runningServer({
    ...settings,
    providers: { fake: { ...settings.providers.fake, personalData: 'mask' } },
    moderation: { context: ['author', 'authorId'] },
  });
});
afterAll(async () => {
  await server.close();
  await panel.close();
});

test('a provider that is not trusted gets no personal data, and the verdict quotes the original', async () => {
  const response = await server.call('/api/jobs/moderation/cases', {
    json: { text, context: { author: 'Anna Keller', authorId: 'u-4711' } },
  });
  expect(response.status).toBe(200);
  const answer = (await response.json()) as {
    id: string;
    verdict: { evidence: { quote: string; start: number; end: number; verified: boolean }[] };
    transcript: {
      kind: string;
      seat?: string;
      statement?: string;
      evidence?: { quote: string; verified: boolean }[];
    }[];
  };

  expect(panel.requests.length).toBeGreaterThan(3);
  for (const { body } of panel.requests)
    for (const original of originals) expect(JSON.stringify(body)).not.toContain(original);
  expect(JSON.stringify(panel.requests.at(-1)!.body)).toContain('author: [person-1]');

  const strict = answer.transcript.find(({ seat }) => seat === 'strict-debater')!;
  expect(strict.statement).toBe('It gives away anna.k@example.org of Anna Keller.');
  expect(strict.evidence).toMatchObject([
    { quote: 'Mail anna.k@example.org or call 0171 1234567', verified: true },
    { quote: 'tell Keller that you will be sorry', verified: true },
  ]);
  const [quoted] = answer.verdict.evidence;
  expect(text.slice(quoted!.start, quoted!.end)).toBe('call 0171 1234567, and tell');

  const left = await server.call(`/api/cases/${answer.id}/disclosures`);
  expect(await left.json()).toMatchObject({
    case: answer.id,
    disclosures: [
      {
        host: new URL(panel.url).host,
        here: true,
        requests: panel.requests.length,
        masked: { mail: 1, phone: 1, person: 2, handle: 1, ip: 1 },
        unmasked: {},
        images: 0,
      },
    ],
  });
});

test('one that is trusted gets it as it is, and the record says so', async () => {
  const trusting = await runningServer(panelSettings(panel));
  try {
    const before = panel.requests.length;
    const response = await trusting.call('/api/jobs/moderation/cases', { json: { text } });
    const { id } = (await response.json()) as { id: string };
    expect(JSON.stringify(panel.requests[before]!.body)).toContain('anna.k@example.org');
    const { disclosures } = (await (await trusting.call(`/api/cases/${id}/disclosures`)).json()) as {
      disclosures: object[];
    };
    expect(disclosures).toMatchObject([{ masked: {}, unmasked: { mail: 1, phone: 1 } }]);
  } finally {
    await trusting.close();
  }
});

test('an image that is withheld is described here, and the answer says so', async () => {
  const settings = panelSettings(panel);
  const careful = await runningServer({
    ...settings,
    providers: { fake: { ...settings.providers.fake, images: 'withhold' } },
  });
  try {
    const before = panel.requests.length;
    const data = (await drawPicture('Call 0171 1234567')).toString('base64');
    const response = await careful.call('/api/jobs/moderation/cases', {
      json: { images: [{ data, name: 'note.png' }] },
    });
    const answer = (await response.json()) as { id: string; sources: { id: string; tool?: string; note?: string }[] };
    const described = answer.sources.find(({ id }) => id === 'image-1/description')!;
    expect(described.tool).toBe('image-models');
    expect(described.note).toContain('images are withheld from fake:panel-vision by the settings');
    for (const { body } of panel.requests.slice(before)) expect(JSON.stringify(body)).not.toContain(data.slice(0, 60));
  } finally {
    await careful.close();
  }
});

test('what left the machine is forgotten with the case', async () => {
  const response = await server.call('/api/jobs/moderation/cases', { json: { text: 'Mail zoe@example.org today.' } });
  const { id } = (await response.json()) as { id: string };
  expect((await server.call(`/api/cases/${id}`, { method: 'DELETE' })).status).toBe(200);
  expect((await server.call(`/api/cases/${id}/disclosures`)).status).toBe(410);
});
