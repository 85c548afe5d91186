import { ownJobs } from '../own-jobs.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { collect } from '@agonhq/test/support/ledger-cases.ts';
import { openClassroom, type Classroom } from '@agonhq/test/support/classroom.ts';
import { json, status } from '@agonhq/test/fake-provider/index.ts';
import { panelReply, roleOf } from '@agonhq/test/support/fake-panel.ts';
import { giveFeedback } from './give-feedback.ts';
import { learn } from './learn.ts';

let room: Classroom;
beforeEach(async () => {
  room = await openClassroom();
});
afterEach(() => room.close());

const threat = 'Nice house you have there. It would be a shame if it burnt down with the children inside.';

async function mistaken(text = threat, label: 'safe' | 'unsafe' = 'unsafe'): Promise<string> {
  const id = await room.judge(text);
  await giveFeedback(ownJobs, room.ledger, { case: id, label, by: 'Ada' });
  return id;
}

const precedents = () => collect(room.ledger.precedents.listPrecedents());
const outcomes = async (options: Partial<Parameters<typeof learn>[0]> = {}) =>
  (await learn({ ...room.learning, ...options })).cases.map(({ outcome }) => outcome);

describe('a mistake', () => {
  test('becomes a precedent: its label the truth, confirmed by whoever decided, with where it comes from', async () => {
    const id = await mistaken();
    const { cases } = await learn(room.learning);
    expect(cases).toMatchObject([
      {
        case: id,
        verdict: 'safe',
        truth: 'unsafe',
        outcome: 'learnt',
        lesson: { turn: 'round-1/loose-debater', fault: 'overlooked' },
      },
    ]);
    const [kept] = await precedents();
    expect(kept).toMatchObject({
      label: 'unsafe',
      summary: 'A hint at harm.',
      cues: ['a hint'],
      text: threat,
      modality: 'text',
      confirmedBy: 'Ada',
      state: 'active',
      provenance: { kind: 'learnt', case: id, curator: 'fake:panel-vision' },
      policy: { name: room.learning.policy.name, version: room.learning.policy.version },
    });
    expect(kept!.why).toContain('It hints at harm.');
    expect(kept!.why).toContain('burnt down');
  });

  test('is shown afterwards to an alike case and to the same one, but not where verdicts are measured', async () => {
    await mistaken();
    await learn(room.learning);
    await room.learning.library.refresh();
    const search = (text: string, copies?: boolean) =>
      room.learning.library.search({
        text,
        limit: 5,
        signal: new AbortController().signal,
        ...(copies ? { copies } : {}),
      });
    const { id } = (await precedents())[0]!;
    expect(
      (await search('Lovely house. A pity if it burnt down with your children inside.')).precedents.map(
        (precedent) => precedent.id,
      ),
    ).toContain(id);
    expect((await search(threat)).precedents[0]).toMatchObject({ id });
    expect((await search(threat, true)).excluded).toContainEqual(expect.objectContaining({ id, reason: 'itself' }));
  });

  test('is a verdict that decided nothing, too', async () => {
    room.panel.script = (request) => (roleOf(request) === 'curator' ? panelReply({}, request) : status(500));
    await mistaken('What I wrote above.', 'safe');
    expect(await outcomes()).toEqual(['learnt']);
  });

  test('teaches nothing when the verdict was right; with all, right verdicts teach too', async () => {
    await mistaken('A recipe for bread.', 'safe');
    expect(await outcomes()).toEqual([]);
    expect(await outcomes({ all: true })).toEqual(['learnt']);
  });

  test('of a data set names the set, so that it is never shown while that set is scored', async () => {
    const id = await room.judge(threat);
    await giveFeedback(ownJobs, room.ledger, { case: id, label: 'unsafe', by: 'dataset:threats' });
    await learn(room.learning);
    expect((await precedents())[0]!.provenance.dataset).toBe('threats');
  });

  test('is told to the curator with the truth, the reason and the whole trial, the content behind a fence', async () => {
    const id = await room.judge(threat);
    await giveFeedback(ownJobs, room.ledger, { case: id, label: 'unsafe', why: 'A veiled threat.' });
    await learn(room.learning);
    const asked = room.panel.requests.find((request) => roleOf(request) === 'curator')!;
    expect(asked.prompt).toContain('That was wrong: the content is unsafe');
    expect(asked.prompt).toMatch(/<<\w{6} reason of whoever decided>>\nA veiled threat\.\n<</);
    for (const key of ['round-1/strict-debater', 'round-1/loose-debater', 'arbiter', 'verdict: safe'])
      expect(asked.prompt).toContain(key);
    expect(asked.body.temperature).toBe(0);
  });
});

describe('learning twice', () => {
  test('adds nothing and asks nobody', async () => {
    await mistaken();
    await learn(room.learning);
    const before = [await precedents(), room.asked('curator')];
    expect(await outcomes()).toEqual([]);
    expect([await precedents(), room.asked('curator')]).toEqual(before);
  });

  test('at once, from two sides, gives each lesson once, and of two that say the same one', async () => {
    const texts = Array.from(
      { length: 6 },
      (_, place) =>
        `${threat} Number ${place} of the street should think about the windows, the doors and the cars of ` +
        'everybody who lives there.',
    );
    for (const text of texts) await mistaken(text);
    const other = { ...room.learning };
    await Promise.all([learn(room.learning), learn(other)]);
    expect(await precedents()).toHaveLength(1);
    expect(await outcomes()).toEqual([]);
  });

  test('after it was cut goes on where it stopped, and pays for nothing again', async () => {
    for (const text of [
      threat,
      'Bring me the money by noon or your cat is next.',
      'Every teacher at that school is going to bleed.',
    ])
      await mistaken(text);
    const stop = new AbortController();
    await expect(
      learn({ ...room.learning, concurrency: 1, signal: stop.signal, onProgress: () => stop.abort() }),
    ).rejects.toThrow();
    expect(await precedents()).toHaveLength(1);
    expect((await outcomes()).length).toBe(2);
    expect(room.asked('curator')).toBe(3);
  });

  test('after a crash between the precedent and its mark finds it there', async () => {
    const id = await mistaken();
    const { decisions } = room.ledger;
    const crashing = {
      ...room.ledger,
      decisions: { ...decisions, markLearnt: () => Promise.reject(new Error('the power went')) },
    };
    await expect(learn({ ...room.learning, ledger: crashing })).rejects.toThrow('the power went');
    const { cases, usage } = await learn(room.learning);
    expect(cases).toMatchObject([{ case: id, outcome: 'known' }]);
    expect(usage.calls).toBe(0);
    expect(room.asked('curator')).toBe(1);
    expect(await outcomes()).toEqual([]);
  });
});

describe('a lesson', () => {
  test('whose passage is not in the source is refused, and asked for again only by another curator', async () => {
    room.panel.script = (request) => panelReply({ curator: { excerpt: 'words that nobody wrote' } }, request);
    await mistaken();
    expect((await learn(room.learning)).cases).toMatchObject([
      { outcome: 'refused', why: 'the passage it rests on is not in the source' },
    ]);
    const asked = room.asked('curator');
    expect(await outcomes()).toEqual(['refused']);
    expect(room.asked('curator')).toBe(asked);
    expect(await precedents()).toEqual([]);
  });

  test('of a case that is nothing but a refusal is refused: nobody knows what it was', async () => {
    await mistaken("I'm sorry, but I can't describe this image.");
    expect((await learn(room.learning)).cases[0]).toMatchObject({
      outcome: 'refused',
      why: expect.stringContaining('nothing but a refusal'),
    });
    expect(await precedents()).toEqual([]);
  });

  test('without cues is refused', async () => {
    room.panel.script = (request) => panelReply({ curator: { cues: [] } }, request);
    await mistaken();
    expect((await learn(room.learning)).cases[0]).toMatchObject({
      outcome: 'refused',
      why: expect.stringContaining('cues'),
    });
  });

  test('of a curator that is down is learnt the next time', async () => {
    await mistaken();
    room.panel.script = () => status(503);
    expect((await learn(room.learning)).cases[0]).toMatchObject({
      outcome: 'refused',
      why: expect.stringContaining('gave no answer'),
    });
    room.panel.script = (request) => panelReply({}, request);
    expect(await outcomes()).toEqual(['learnt']);
  });

  test('that says what a precedent says already is not learnt', async () => {
    await mistaken();
    await mistaken(`${threat} Think about it.`);
    const { cases } = await learn(room.learning);
    expect(cases.map(({ outcome }) => outcome)).toEqual(['learnt', 'duplicate']);
    expect(cases[1]!.of).toBe(cases[0]!.precedent!.id);
  });

  test('that contradicts a precedent in force is set aside for a person, and that precedent stands', async () => {
    const [seed] = room.learning.seeds.filter(({ label, text }) => label === 'safe' && !text.includes(' || '));
    await mistaken(seed!.text);
    const { cases } = await learn(room.learning);
    expect(cases).toMatchObject([{ outcome: 'set-aside', against: [seed!.id] }]);
    expect(await precedents()).toMatchObject([{ label: 'unsafe', state: 'proposed' }]);
  });

  test('names a clause that the policy has; the one that a person named is stronger', async () => {
    room.panel.script = (request) => panelReply({ curator: { clause: 'no.such-clause' } }, request);
    await mistaken();
    const id = await room.judge('Bring me the money or your cat is next.');
    const [clause] = room.learning.policy.categories[0]!.clauses;
    await giveFeedback(ownJobs, room.ledger, { case: id, label: 'unsafe', clause: clause!.id });
    await learn(room.learning);
    const kept = await precedents();
    expect(new Set(kept.map((precedent) => precedent.clause))).toEqual(new Set([clause!.id, null]));
  });
});

describe('a dry run', () => {
  test('pays nobody and writes nothing', async () => {
    await mistaken();
    const before = await collect(room.ledger.export());
    expect(await outcomes({ dryRun: true })).toEqual(['to-ask']);
    expect(await collect(room.ledger.export())).toEqual(before);
    expect(room.asked('curator')).toBe(0);
  });

  test('tells what a curator that costs nothing would say', async () => {
    await mistaken();
    const before = await collect(room.ledger.export());
    const { cases } = await learn({
      ...room.learning,
      curator: { ...room.learning.curator, free: true },
      dryRun: true,
    });
    expect(cases).toMatchObject([{ outcome: 'learnt', precedent: { label: 'unsafe' } }]);
    expect(await collect(room.ledger.export())).toEqual(before);
  });
});

describe('what was forgotten', () => {
  test('teaches nothing', async () => {
    const id = await mistaken();
    await room.ledger.cases.forgetSubject((await room.ledger.cases.findCase(id))!.subject);
    expect(await outcomes()).toEqual(['forgotten']);
    expect(await precedents()).toEqual([]);
    expect(room.asked('curator')).toBe(0);
  });

  test('while the curator thought about it leaves no word behind', async () => {
    const id = await mistaken();
    const { subject } = (await room.ledger.cases.findCase(id))!;
    room.panel.script = async (request) => {
      await room.ledger.cases.forgetSubject(subject);
      return roleOf(request) === 'curator' ? panelReply({}, request) : json({});
    };
    expect(await outcomes()).toEqual(['forgotten']);
    expect(JSON.stringify(await collect(room.ledger.export()))).not.toContain('shame if it burnt');
  });
});

test('a limit takes the oldest', async () => {
  const first = await mistaken();
  await mistaken('You will not see the next summer, I promise you that.');
  expect((await learn({ ...room.learning, limit: 1 })).cases.map((taken) => taken.case)).toEqual([first]);
});
