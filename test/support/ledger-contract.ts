import { implicitAnswer } from '../fixtures/evaluation-answers.ts';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Entry, JournalEntry } from '@agonhq/engine/debate';
import { sha256 } from '@agonhq/engine/hash';
import type { StoredAttachment, Ledger } from '@agonhq/ledger';
import { quarterlyAnalysis } from '../fixtures/analyses.ts';
import {
  answerTo,
  collect,
  exportedText,
  holdCase,
  openedCase,
  precedentOf,
  turnAt,
  recordAnswer,
} from './ledger-cases.ts';
import { gridContract } from './grid-contract.ts';
import { reviewContract } from './review-contract.ts';
import { runContract } from './run-contract.ts';
import { brokenLine, itemAt, resultAt, takeFrom } from './run-items.ts';

export interface LedgerMaker {
  /** A new, empty ledger; those of one test are apart from each other. */
  make(): Promise<Ledger>;
  /** Whether it has one connection only, which an export holds. */
  alone?: boolean;
}

/** An attachment as a case names it: without its bytes. */
const listed = ({ hash, mediaType, data }: StoredAttachment) => ({ hash, mediaType, bytes: data.length });

const soon = () => new Date(Date.now() + 60_000);

/** What every ledger does, whatever it is kept in. */
export function ledgerContract(maker: LedgerMaker): void {
  let ledger: Ledger;
  beforeEach(async () => {
    ledger = await maker.make();
  });
  afterEach(async () => {
    await ledger.close();
  });

  describe('the journal', () => {
    test('finds an entry by debate, key and hash of its input, as it was', async () => {
      const turn = turnAt('round-1/strict-debater', { notes: ['one'] });
      expect(await ledger.journal.insert('debate-1', turn)).toEqual(turn);
      expect(await ledger.journal.find('debate-1', turn.key, turn.inputHash)).toEqual(turn);
      expect(await ledger.journal.find('debate-2', turn.key, turn.inputHash)).toBeUndefined();
      expect(await ledger.journal.find('debate-1', 'round-2/strict-debater', turn.inputHash)).toBeUndefined();
      expect(await ledger.journal.find('debate-1', turn.key, sha256('another prompt'))).toBeUndefined();
    });

    test('the first writer wins, and every later one is told what stands', async () => {
      const writers = Array.from({ length: 20 }, (_, index) =>
        ledger.journal.insert('debate-1', turnAt('arbiter', { statement: `writer ${index}` })),
      );
      const told = await Promise.all(writers);
      const standing = await ledger.journal.find('debate-1', 'arbiter', sha256('arbiter'));
      expect(new Set(told.map((entry) => JSON.stringify(entry)))).toEqual(new Set([JSON.stringify(standing)]));
      expect((await ledger.readStats()).entries).toBe(1);
    });

    test('keeps any JSON, letter by letter', async () => {
      const entries = fc.record({
        key: fc.string({ minLength: 1, unit: 'grapheme' }),
        value: fc.jsonValue({ stringUnit: 'binary' }),
      });
      let debates = 0;
      await fc.assert(
        fc.asyncProperty(entries, async ({ key, value }) => {
          const entry: JournalEntry = {
            kind: 'computed',
            key,
            inputHash: sha256(key),
            name: 'anything',
            round: null,
            value,
          };
          const debate = `debate-${(debates += 1)}`;
          await ledger.journal.insert(debate, entry);
          expect(JSON.stringify(await ledger.journal.find(debate, key, entry.inputHash))).toBe(JSON.stringify(entry));
        }),
        {
          numRuns: 60,
          examples: [[{ key: 'k', value: { text: '\0 \ud800 \u2028', ['__proto__']: 1, '2': -0.5e-7, '1': 1e21 } }]],
        },
      );
    }, 90_000);
  });

  describe('cases', () => {
    test('a case that was opened and closed is found with everything in it', async () => {
      const picture = {
        hash: sha256('picture'),
        mediaType: 'image/png',
        data: Uint8Array.from({ length: 300 }, (_, index) => index % 256),
      };
      const opened = openedCase('case-1', {
        subject: {
          hash: sha256('subject-1'),
          content: { text: 'Pour\nboth   bottles into the bucket', id: null },
          attachments: [picture, picture],
        },
        run: 'run-1',
        again: { of: 'case-0', how: 'appeal' },
      });
      const answer = await holdCase(ledger, opened);
      const found = (await ledger.cases.findCase('case-1'))!;
      expect(found).toMatchObject({
        id: 'case-1',
        job: 'moderation',
        subject: opened.subject.hash,
        configuration: opened.configuration,
        run: 'run-1',
        again: { of: 'case-0', how: 'appeal' },
        label: 'unsafe',
        risk: 0.88,
        bar: 0.5,
        escalate: false,
        rule: 'risk-confirmation',
        categories: ['chemicals'],
        degraded: true,
        modality: 'text+image',
        excerpt: 'Pour both bottles into the bucket',
        decided: false,
        seal: answer.seal,
        forgottenAt: null,
        content: opened.subject.content,
        settings: opened.settings,
        policy: opened.policy,
      });
      expect(found.answer).toEqual(answer);
      expect(found.attachments).toEqual([listed(picture), listed(picture)]);
      expect(await ledger.cases.listAttachments('case-1')).toEqual(found.attachments);
      expect(await ledger.attachments.findAttachment(picture.hash)).toEqual(picture);
      const file = (await ledger.attachments.openAttachment(picture.hash))!;
      expect(file).toMatchObject({ mediaType: picture.mediaType, bytes: picture.data.length });
      expect(await file.read(1, 3)).toEqual(picture.data.slice(1, 3));
      expect(await ledger.attachments.openAttachment('sha256:none')).toBeUndefined();
      expect(found.closedAt!.getTime()).toBeGreaterThanOrEqual(found.openedAt.getTime());
      expect(await ledger.cases.findCase('case-2')).toBeUndefined();
    });

    test('a case that runs has no verdict yet, and opening it again leaves it as it is', async () => {
      await ledger.cases.openCase(openedCase('case-1'));
      const before = await ledger.cases.findCase('case-1');
      await ledger.cases.openCase(openedCase('case-1', { settings: 'others', run: 'run-2' }));
      expect(await ledger.cases.findCase('case-1')).toEqual(before);
      expect(before).toMatchObject({
        closedAt: null,
        label: null,
        escalate: false,
        categories: [],
        answer: null,
        seal: null,
        run: null,
      });
    });

    test('a subject that was judged without its files gets them when they are brought, once', async () => {
      const report = { hash: sha256('report'), mediaType: 'application/pdf', data: Uint8Array.from([37, 80, 68, 70]) };
      const subject = { hash: sha256('dossier'), content: { documents: [] } };
      await ledger.cases.openCase(openedCase('docs-1', { subject }));
      expect(await ledger.cases.listAttachments('docs-1')).toEqual([]);
      for (const id of ['docs-1', 'docs-2'])
        await ledger.cases.openCase(openedCase(id, { subject: { ...subject, attachments: [report] } }));
      expect(await ledger.cases.listAttachments('docs-1')).toEqual([listed(report)]);
      expect(await ledger.cases.listAttachments('docs-2')).toEqual([listed(report)]);
    });

    test('a trial that was recalled keeps its first seal; one that ended otherwise replaces it', async () => {
      const first = await holdCase(ledger, openedCase('case-1'));
      await recordAnswer(ledger, answerTo('case-1', {}, { usage: { ...first.usage, latencyMs: 1 } }));
      expect((await ledger.cases.findCase('case-1'))!.seal).toBe(first.seal);
      const second = answerTo('case-1', { label: 'safe' });
      await recordAnswer(ledger, second);
      expect(await ledger.cases.findCase('case-1')).toMatchObject({ seal: second.seal, label: 'safe' });
    });

    test('closing a case that was never opened is refused', async () => {
      await expect(recordAnswer(ledger, answerTo('nobody'))).rejects.toMatchObject({ code: 'unknown-case' });
    });

    test('a dossier is listed by its outlook', async () => {
      const dossier = { ...quarterlyAnalysis, id: 'docs-1' };
      await ledger.cases.openCase(
        openedCase('docs-1', {
          job: 'documents',
          subject: { hash: sha256('files'), content: { documents: [{ name: 'report.pdf', text: 'Revenue rose.' }] } },
        }),
      );
      await recordAnswer(ledger, dossier);
      const found = await ledger.cases.findCase('docs-1');
      expect(found).toMatchObject({
        label: dossier.outlook.label,
        rule: dossier.outlook.rule.id,
        escalate: true,
        modality: 'documents',
        excerpt: 'report.pdf · Revenue rose.',
        answer: dossier,
      });
    });

    test('are listed by what is asked for', async () => {
      await holdCase(ledger, openedCase('case-1', { text: 'Mix the BOTTLES, 100%_sure', run: 'run-1' }));
      await holdCase(ledger, openedCase('case-2', { text: 'Water the plants' }), {
        label: 'safe',
        categories: [],
        degraded: [],
        escalate: true,
      });
      await ledger.cases.openCase(
        openedCase('case-3', { text: 'Still open', job: 'evaluation', configuration: 'other' }),
      );
      await ledger.decisions.recordDecision({ case: 'case-2', label: 'unsafe', by: 'ann' });
      const listed = async (filter: Parameters<Ledger['cases']['listCases']>[0]) =>
        (await ledger.cases.listCases(filter)).rows.map(({ id }) => id).sort();
      expect(await listed({})).toEqual(['case-1', 'case-2', 'case-3']);
      expect(await listed({ job: 'evaluation' })).toEqual(['case-3']);
      expect(await listed({ label: 'safe' })).toEqual(['case-2']);
      expect(await listed({ category: 'chemicals' })).toEqual(['case-1']);
      expect(await listed({ category: 'chemical' })).toEqual([]);
      expect(await listed({ modality: 'text+image' })).toEqual(['case-1', 'case-2']);
      expect(await listed({ escalated: true })).toEqual(['case-2']);
      expect(await listed({ escalated: false })).toEqual(['case-1', 'case-3']);
      expect(await listed({ degraded: true })).toEqual(['case-1']);
      expect(await listed({ run: 'run-1' })).toEqual(['case-1']);
      expect(await listed({ subject: sha256('Still open') })).toEqual(['case-3']);
      expect(await listed({ configuration: 'other' })).toEqual(['case-3']);
      expect(await listed({ decided: true })).toEqual(['case-2']);
      expect((await ledger.cases.findCase('case-2'))!.decided).toBe(true);
      expect(await listed({ decided: false })).toEqual(['case-1', 'case-3']);
      expect(await listed({ finished: false })).toEqual(['case-3']);
      expect(await listed({ since: soon() })).toEqual([]);
      expect(await listed({ until: soon() })).toEqual(['case-1', 'case-2', 'case-3']);
      expect(await listed({ search: 'bottles mix' })).toEqual(['case-1']);
      expect(await listed({ search: '100%_' })).toEqual(['case-1']);
      expect(await listed({ search: '%' })).toEqual(['case-1']);
      expect(await listed({ label: 'unsafe', search: 'plants' })).toEqual([]);
    });

    test('are listed with who sat in their seats, and how far apart the sides ended', async () => {
      const sides = (strict: number, loose: number) => [
        turnAt('round-1/strict-debater', { role: 'strict-debater', score: 0.9 }),
        turnAt('round-1/loose-debater', { role: 'loose-debater', score: 0.1 }),
        turnAt('round-2/strict-debater', { role: 'strict-debater', score: strict }),
        turnAt('round-2/loose-debater', { role: 'loose-debater', score: loose }),
      ];
      const benches = (round: number, auditor: number, detector: number | null) => ({
        kind: 'computed' as const,
        key: `round-${round}/mixture`,
        inputHash: 'h',
        name: 'mixture',
        round,
        value: {
          auditor: { explicit: auditor, implicit: 0.25, none: 0.75 - auditor },
          detector: detector === null ? null : { explicit: detector, implicit: 0.25, none: 0.75 - detector },
        },
      });
      const provenance = answerTo('any').provenance;
      const close = (id: string, transcript: readonly Entry[], models: Record<string, string>) =>
        recordAnswer(ledger, answerTo(id, {}, { transcript, provenance: { ...provenance, models } }));
      const closeEvaluation = (id: string, transcript: readonly Entry[], models: Record<string, string>) => {
        const { verdict, provenance: made } = implicitAnswer;
        const closed = { id, transcript, verdict, provenance: { ...made, models } };
        return recordAnswer(ledger, { ...implicitAnswer, ...closed });
      };
      for (const id of ['split', 'agreed', 'judges', 'alone', 'open']) await ledger.cases.openCase(openedCase(id));
      await close('split', sides(0.75, 0.25), {
        'strict-debater': 'openai:gpt-4o',
        'loose-debater': 'openai:gpt-4o',
        arbiter: 'embedded',
      });
      await close('agreed', sides(0.5, 0.5), { arbiter: 'openai:gpt-4o-mini' });
      await closeEvaluation('judges', [benches(1, 0.5, 0.5), benches(2, 0.75, 0.5)], { 'auditor#1': 'embedded' });
      await closeEvaluation('alone', [benches(1, 0.75, null)], {});
      expect(await ledger.cases.findCase('split')).toMatchObject({
        disagreement: 0.5,
        models: ['openai:gpt-4o', 'embedded'],
      });
      expect(await ledger.cases.findCase('agreed')).toMatchObject({
        disagreement: 0,
        models: ['openai:gpt-4o-mini'],
      });
      expect(await ledger.cases.findCase('judges')).toMatchObject({
        disagreement: 0.25,
        models: ['embedded'],
      });
      expect(await ledger.cases.findCase('alone')).toMatchObject({ disagreement: null, models: [] });
      expect(await ledger.cases.findCase('open')).toMatchObject({ disagreement: null, models: [] });
      const listed = async (filter: Parameters<Ledger['cases']['listCases']>[0]) =>
        (await ledger.cases.listCases(filter)).rows.map(({ id }) => id).sort();
      expect(await listed({ model: 'embedded' })).toEqual(['judges', 'split']);
      expect(await listed({ model: 'openai:gpt-4' })).toEqual([]);
      expect(await listed({ model: 'openai:gpt-4o' })).toEqual(['split']);
      expect(await listed({ minDisagreement: 0.25 })).toEqual(['judges', 'split']);
      expect(await listed({ minDisagreement: 0 })).toEqual(['agreed', 'judges', 'split']);
      expect(await listed({ model: 'embedded', minDisagreement: 0.5 })).toEqual(['split']);

      await close('split', sides(0.5, 0.25), { arbiter: 'embedded' });
      await ledger.cases.forgetSubject(openedCase('split').subject.hash);
      const marks = { disagreement: 0.25, models: ['embedded'] };
      expect(await ledger.cases.findCase('split'), 'they say nothing about the content').toMatchObject({
        ...marks,
        answer: null,
      });
    });

    test('are found by their words, letter by letter, whatever the letters', async () => {
      const texts = [
        'Ein Händler in MÜNCHEN',
        '清洁小窍门：把两瓶都倒进桶里',
        'a b c',
        'İstanbul ǅ ß',
        '[*?] "quoted" \\ %_',
        'zebra',
        '🧽✨ tricks',
      ];
      for (const [index, text] of texts.entries()) await ledger.cases.openCase(openedCase(`case-${index}`, { text }));
      for (const [index, text] of texts.entries()) {
        for (const word of text.split(' '))
          expect(
            (await ledger.cases.listCases({ search: word.slice(0, 9) })).rows.map(({ id }) => id),
            word,
          ).toContain(`case-${index}`);
      }
      const found = async (search: string) => (await ledger.cases.listCases({ search })).rows.map(({ id }) => id);
      expect(await found('münch ÄNDLER')).toEqual(['case-0']);
      expect(await found('窍门')).toEqual(['case-1']);
      expect(await found('门窍')).toEqual([]);
      expect(await found('zebras')).toEqual([]);
      expect(await found('ebr')).toEqual(['case-5']);
      expect(await found('\0')).toEqual([]);
    });

    test('are listed as they are after every change, by any way', async () => {
      const subject = { hash: sha256('private'), content: { text: 'A private matter' } };
      await holdCase(ledger, openedCase('case-1', { subject }));
      await ledger.cases.openCase(openedCase('case-2', { subject, job: 'evaluation' }));
      await ledger.decisions.recordDecision({ case: 'case-1', label: 'safe', by: 'ann' });
      const rows = async () =>
        (await ledger.cases.listCases({ search: 'private' })).rows.map(({ id }) => id).toSorted();
      expect(await rows()).toEqual(['case-1', 'case-2']);
      await ledger.cases.forgetSubject(subject.hash);
      expect(await rows()).toEqual([]);
      expect((await ledger.cases.listCases({ decided: true })).rows).toMatchObject([
        { id: 'case-1', excerpt: null, label: 'unsafe' },
      ]);
      await ledger.cases.openCase(openedCase('case-1', { subject }));
      expect(await rows()).toEqual(['case-1']);
      await ledger.prune({ before: soon(), what: 'unfinished' });
      expect((await ledger.cases.listCases({})).rows.map(({ id }) => id)).toEqual(['case-1']);
      await ledger.prune({ before: soon(), what: 'cases' });
      expect((await ledger.cases.listCases({})).rows).toEqual([]);
    });

    test('those that hold a case again and those whose id begins so are found', async () => {
      for (const id of ['mod-1', 'mod-1~2', 'mod-10', 'mod-2'])
        await ledger.cases.openCase(openedCase(id, id.includes('~') ? { again: { of: 'mod-1', how: 'replay' } } : {}));
      const listed = async (filter: Parameters<Ledger['cases']['listCases']>[0]) =>
        (await ledger.cases.listCases(filter)).rows.map(({ id }) => id).sort();
      expect(await listed({ id: 'mod-1' })).toEqual(['mod-1', 'mod-10', 'mod-1~2']);
      expect(await listed({ id: 'mod-1~' })).toEqual(['mod-1~2']);
      expect(await listed({ id: 'od-1' })).toEqual([]);
      expect(await listed({ again: 'mod-1' })).toEqual(['mod-1~2']);
    });

    test('pages of any length hold every case once, the newest first', async () => {
      const ids = Array.from({ length: 11 }, (_, index) => `case-${index}`);
      for (const id of ids) await ledger.cases.openCase(openedCase(id));
      const all = (await ledger.cases.listCases({})).rows.map(({ id }) => id);
      expect(all.toSorted()).toEqual(ids.toSorted());
      for (const limit of [1, 2, 5, 11, 12]) {
        const paged: string[] = [];
        let after: string | null = null;
        do {
          const page: Awaited<ReturnType<Ledger['cases']['listCases']>> = await ledger.cases.listCases(
            {},
            { limit, after },
          );
          expect(page.rows.length).toBeLessThanOrEqual(limit);
          paged.push(...page.rows.map(({ id }) => id));
          after = page.next;
        } while (after !== null);
        expect(paged).toEqual(all);
      }
      await expect(ledger.cases.listCases({}, { after: 'nonsense' })).rejects.toMatchObject({ code: 'bad-page' });
    });
  });

  describe('forgetting', () => {
    test('takes away what was judged and said, and leaves verdict, rule, decision and seal', async () => {
      const shared = { hash: sha256('shared'), mediaType: 'image/png', data: new Uint8Array([1]) };
      const own = { hash: sha256('own'), mediaType: 'image/png', data: new Uint8Array([2]) };
      await holdCase(
        ledger,
        openedCase('other', { subject: { hash: sha256('other'), content: { text: 'Other' }, attachments: [shared] } }),
      );
      const subject = { hash: sha256('private'), content: { text: 'A private matter' }, attachments: [own, shared] };
      const { seal } = await holdCase(ledger, openedCase('case-1', { subject }));
      await ledger.cases.openCase(openedCase('case-2', { subject, configuration: 'another' }));
      await ledger.cache.keepAnswer('asked', { answer: 'about a private matter' });
      await ledger.decisions.recordDecision({ case: 'case-1', label: 'safe', by: 'ann' });
      await ledger.precedents.keepPrecedents([
        precedentOf('p-1', { provenance: { kind: 'learnt', case: 'case-1', subject: subject.hash } }),
        precedentOf('p-2'),
      ]);
      await ledger.precedents.keepVectors(
        'model',
        new Map([
          ['p-1', new Float32Array([1, 2])],
          ['p-2', new Float32Array([3, 4])],
        ]),
      );

      expect(await ledger.cases.forgetSubject(subject.hash)).toBe(2);
      expect(await ledger.cases.findCase('case-1')).toMatchObject({
        label: 'unsafe',
        rule: 'risk-confirmation',
        seal,
        content: null,
        excerpt: null,
        attachments: [],
        answer: null,
        forgottenAt: expect.any(Date) as Date,
      });
      expect(
        await ledger.journal.find('case-1', 'round-1/strict-debater', sha256('round-1/strict-debater')),
      ).toBeUndefined();
      expect(await ledger.decisions.listDecisions('case-1')).toHaveLength(1);
      expect(await ledger.cache.findAnswer('asked')).toBeUndefined();
      expect(await ledger.precedents.findPrecedent('p-1')).toMatchObject({
        state: 'retired',
        text: '(forgotten)',
        summary: '(forgotten)',
        cues: [],
      });
      expect([...(await ledger.precedents.readVectors('model')).keys()]).toEqual(['p-2']);
      expect((await ledger.cases.findCase('other'))!.attachments).toEqual([listed(shared)]);
      expect(await ledger.cases.listAttachments('case-1')).toEqual([]);
      const kept = await exportedText(ledger);
      expect(kept).not.toContain('private matter');
      expect(kept).not.toContain(own.hash);
      expect(await ledger.cases.forgetSubject(subject.hash)).toBe(0);
      expect(await ledger.cases.forgetSubject('unheard of')).toBe(0);
      expect((await ledger.readStats()).forgottenSubjects).toBe(1);
      expect((await ledger.cases.listCases({ search: 'private' })).rows).toEqual([]);
    });

    test('holds for items of runs that were not judged yet', async () => {
      const own = { hash: sha256('own'), mediaType: 'image/png', data: new Uint8Array([2]) };
      const shared = { hash: sha256('shared'), mediaType: 'image/png', data: new Uint8Array([1]) };
      const subject = { hash: sha256('private'), content: { text: 'A private matter' }, attachments: [own, shared] };
      await ledger.cases.openCase(openedCase('case-1', { subject }));
      await ledger.attachments.keepAttachment(own);
      await ledger.runs.startRun({
        id: 'run-1',
        name: null,
        job: 'moderation',
        configuration: 'c',
        settings: {},
        input: null,
      });
      const input = { text: 'A private matter', images: [{ attachment: own.hash }] };
      await ledger.runs.putItems('run-1', [
        itemAt(1, { hash: subject.hash, input }),
        itemAt(2, { input: { images: [{ attachment: shared.hash }] } }),
      ]);
      const [taken] = await takeFrom(ledger, 'run-1', 1);
      await ledger.cases.forgetSubject(subject.hash);
      expect(await taken!.queue.finishItem(taken!.item, resultAt('case-1'))).toBe(false);
      expect(await ledger.runs.listItems('run-1', { order: 'input', limit: 9 })).toMatchObject([
        { state: 'failed', error: { code: 'forgotten' } },
        { state: 'waiting' },
      ]);
      expect(await ledger.attachments.findAttachment(own.hash)).toBeUndefined();
      expect(await ledger.attachments.findAttachment(shared.hash)).toEqual(shared);
      expect(await exportedText(ledger)).not.toContain('private matter');
    });

    test('holds for a debate that is still running', async () => {
      const opened = openedCase('case-1', { text: 'A private matter' });
      await ledger.cases.openCase(opened);
      await ledger.cases.forgetSubject(opened.subject.hash);
      const turn = turnAt('arbiter', { statement: 'A private matter indeed' });
      expect(await ledger.journal.insert('case-1', turn)).toEqual(turn);
      expect(await ledger.journal.find('case-1', turn.key, turn.inputHash)).toBeUndefined();
      const answer = answerTo('case-1', {}, { sources: [{ id: 'text', text: 'A private matter' }] });
      await recordAnswer(ledger, answer);
      expect(await ledger.cases.findCase('case-1')).toMatchObject({
        label: 'unsafe',
        seal: answer.seal,
        answer: null,
        content: null,
      });
      expect(await exportedText(ledger)).not.toContain('private matter');
    });

    test('does not bar the subject: who brings it again has it judged again', async () => {
      const opened = openedCase('case-1', { text: 'A private matter' });
      await holdCase(ledger, opened);
      await ledger.cases.openCase({ ...opened, id: 'case-2' });
      await ledger.cases.forgetSubject(opened.subject.hash);
      const again = await holdCase(ledger, opened);
      expect(await ledger.cases.findCase('case-1')).toMatchObject({
        forgottenAt: null,
        content: { text: 'A private matter' },
        answer: { seal: again.seal },
      });
      expect(await ledger.journal.find('case-1', 'adjudication', sha256('adjudication'))).toBeDefined();
      expect(await ledger.cases.findCase('case-2')).toMatchObject({ content: null, excerpt: null });
    });
  });

  describe('decisions', () => {
    test('the same by the same person is recorded once; a change of mind stands over what came before', async () => {
      await holdCase(ledger, openedCase('case-1'));
      const first = await ledger.decisions.recordDecision({
        case: 'case-1',
        label: 'unsafe',
        by: 'ann',
        why: 'It\0 is',
        clause: 'chemicals',
      });
      expect(
        await ledger.decisions.recordDecision({
          case: 'case-1',
          label: 'unsafe',
          by: 'ann',
          why: 'It\0 is',
          clause: 'chemicals',
        }),
      ).toEqual(first);
      const other = await ledger.decisions.recordDecision({ case: 'case-1', label: 'safe', by: 'ann' });
      const back = await ledger.decisions.recordDecision({
        case: 'case-1',
        label: 'unsafe',
        by: 'ann',
        why: 'It\0 is',
        clause: 'chemicals',
      });
      const earlier = await ledger.decisions.recordDecision({
        case: 'case-1',
        label: 'safe',
        by: 'dataset:x',
        at: new Date('2020-01-01'),
      });
      expect((await ledger.decisions.listDecisions('case-1')).map(({ id }) => id)).toEqual(
        [earlier, first, other, back].map(({ id }) => id),
      );
      expect(first).toMatchObject({ case: 'case-1', why: 'It� is', clause: 'chemicals', learntAt: null });
      expect(await collect(ledger.decisions.readStandingDecisions())).toEqual([{ ...back, verdict: 'unsafe' }]);
      await expect(ledger.decisions.recordDecision({ case: 'nobody', label: 'safe', by: 'ann' })).rejects.toMatchObject(
        {
          code: 'unknown-case',
        },
      );
    });

    test('those that stand are told the oldest first, with what was decided before', async () => {
      for (const [index, label] of (['unsafe', 'safe', 'unsafe'] as const).entries()) {
        await holdCase(ledger, openedCase(`case-${index}`, { run: `run-${index % 2}` }), { label });
        await ledger.decisions.recordDecision({
          case: `case-${index}`,
          label: 'safe',
          by: 'ann',
          at: new Date(Date.UTC(2026, 0, 9 - index)),
        });
      }
      const standing = async (filter: Parameters<Ledger['decisions']['readStandingDecisions']>[0]) =>
        (await collect(ledger.decisions.readStandingDecisions(filter))).map((decision) => decision.case);
      expect(await standing({})).toEqual(['case-2', 'case-1', 'case-0']);
      expect(await standing({ wrong: true })).toEqual(['case-2', 'case-0']);
      expect(await standing({ wrong: false })).toEqual(['case-1']);
      expect(await standing({ since: new Date(Date.UTC(2026, 0, 8)) })).toEqual(['case-1', 'case-0']);
      expect(await standing({ run: 'run-1' })).toEqual(['case-1']);
      const [oldest] = await collect(ledger.decisions.readStandingDecisions());
      await ledger.decisions.markLearnt([oldest!.id]);
      expect(await standing({ unlearnt: true, wrong: true })).toEqual(['case-0']);
      expect((await ledger.decisions.listDecisions('case-2'))[0]!.learntAt).toBeInstanceOf(Date);
    });

    test('can be recorded while they are read', async () => {
      for (let index = 0; index < 3; index += 1) {
        await holdCase(ledger, openedCase(`case-${index}`));
        await ledger.decisions.recordDecision({ case: `case-${index}`, label: 'safe', by: 'ann' });
      }
      const learnt: string[] = [];
      for await (const { id } of ledger.decisions.readStandingDecisions({ unlearnt: true })) {
        await ledger.decisions.markLearnt([id]);
        learnt.push(id);
      }
      expect(new Set(learnt).size).toBe(3);
    });
  });

  runContract(() => ledger);
  gridContract(() => ledger);
  reviewContract(() => ledger);

  test('the cache gives back what was kept last', async () => {
    expect(await ledger.cache.findAnswer('key')).toBeUndefined();
    await ledger.cache.keepAnswer('key', { answer: [1, null, 'é'] });
    await ledger.cache.keepAnswer('key', { answer: 2 });
    expect(await ledger.cache.findAnswer('key')).toEqual({ answer: 2 });
  });

  describe('precedents', () => {
    test('are kept, replaced, found and listed', async () => {
      await ledger.precedents.keepPrecedents([
        precedentOf('p-2'),
        precedentOf('p-1', { label: 'safe', category: null }),
      ]);
      await ledger.precedents.keepPrecedents([precedentOf('p-2', { state: 'retired', overruledBy: 'p-1' })]);
      expect(await ledger.precedents.findPrecedent('p-2')).toEqual(
        precedentOf('p-2', { state: 'retired', overruledBy: 'p-1' }),
      );
      expect(await ledger.precedents.findPrecedent('p-3')).toBeUndefined();
      const listed = async (filter?: Parameters<Ledger['precedents']['listPrecedents']>[0]) =>
        (await collect(ledger.precedents.listPrecedents(filter))).map(({ id }) => id);
      expect(await listed()).toEqual(['p-1', 'p-2']);
      expect(await listed({ state: 'active' })).toEqual(['p-1']);
      expect(await listed({ category: 'chemicals' })).toEqual(['p-2']);
      expect(await listed({ label: 'safe', state: 'active' })).toEqual(['p-1']);
    });

    test('are kept only while nobody else has changed them, where that is asked for', async () => {
      const empty = await ledger.precedents.readVersion();
      const after = await ledger.precedents.keepPrecedentsIf(empty, [precedentOf('p-1')]);
      expect(after).toBe(await ledger.precedents.readVersion());
      expect(await ledger.precedents.keepPrecedentsIf(empty, [precedentOf('p-2')])).toBeNull();
      expect(await ledger.precedents.findPrecedent('p-2')).toBeUndefined();
      const [one, other] = await Promise.all(
        ['p-3', 'p-4'].map((id) => ledger.precedents.keepPrecedentsIf(after!, [precedentOf(id)])),
      );
      expect([one, other].filter((version) => version !== null)).toHaveLength(1);
      expect(await collect(ledger.precedents.listPrecedents())).toHaveLength(2);
    });

    test(
      'are listed from one on, without what cannot hold the words that are looked for; and it is said which ' +
        'are there',
      async () => {
        await ledger.precedents.keepPrecedents([
          precedentOf('p-1', { summary: 'Some ÄRGER with "quotes".' }),
          precedentOf('p-2'),
          precedentOf('p-3'),
        ]);
        const listed = async (filter: Parameters<Ledger['precedents']['listPrecedents']>[0]) =>
          (await collect(ledger.precedents.listPrecedents(filter))).map(({ id }) => id);
        expect(await listed({ after: 'p-1' })).toEqual(['p-2', 'p-3']);
        expect(await listed({ after: 'p-3' })).toEqual([]);
        expect(await listed({ search: 'ärger' })).toEqual(['p-1']);
        expect(await listed({ search: '"quotes"' })).toEqual(['p-1']);
        expect(await listed({ category: 'no\0where' })).toEqual([]);
        expect(await ledger.precedents.findKnownIds(['p-3', 'p-4', 'p-1'])).toEqual(new Set(['p-1', 'p-3']));
        expect(await ledger.precedents.findKnownIds([])).toEqual(new Set());
      },
    );

    test('the version names the precedents, not the way they came', async () => {
      const other = await maker.make();
      try {
        const versions = [await ledger.precedents.readVersion()];
        await ledger.precedents.keepPrecedents([precedentOf('p-1')]);
        versions.push(await ledger.precedents.readVersion());
        await ledger.precedents.keepPrecedents([precedentOf('p-2')]);
        versions.push(await ledger.precedents.readVersion());
        await ledger.precedents.keepPrecedents([precedentOf('p-1', { state: 'retired' })]);
        versions.push(await ledger.precedents.readVersion());
        expect(new Set(versions).size).toBe(4);
        await ledger.precedents.keepPrecedents([precedentOf('p-1')]);
        expect(await ledger.precedents.readVersion()).toBe(versions[2]);
        await other.precedents.keepPrecedents([precedentOf('p-2'), precedentOf('p-1')]);
        expect(await other.precedents.readVersion()).toBe(versions[2]);
      } finally {
        await other.close();
      }
    });

    test('are kept only if nobody changed the library meanwhile', async () => {
      const version = await ledger.precedents.readVersion();
      const writers = await Promise.all(
        ['p-1', 'p-2', 'p-3'].map((id) => ledger.precedents.keepPrecedentsIf(version, [precedentOf(id)])),
      );
      expect(writers.filter((kept) => kept !== null)).toEqual([await ledger.precedents.readVersion()]);
      expect(await collect(ledger.precedents.listPrecedents())).toHaveLength(1);
      const next = await ledger.precedents.keepPrecedentsIf(await ledger.precedents.readVersion(), [
        precedentOf('p-4'),
      ]);
      expect(next).toBe(await ledger.precedents.readVersion());
    });

    test('a seed has a vector and no row', async () => {
      await ledger.precedents.keepVectors('small', new Map([['seed-1', new Float32Array([1, 2])]]));
      expect(await ledger.precedents.readVectors('small')).toEqual(new Map([['seed-1', new Float32Array([1, 2])]]));
      expect(await ledger.precedents.findPrecedent('seed-1')).toBeUndefined();
    });

    test('vectors are kept by model, bit by bit, and go when the words change', async () => {
      await ledger.precedents.keepPrecedents([precedentOf('p-1'), precedentOf('p-2')]);
      const vectors = new Map([
        ['p-1', new Float32Array([0.1, -1e-38, 3])],
        ['p-2', new Float32Array([1, 2, 3])],
      ]);
      await ledger.precedents.keepVectors('small', vectors);
      await ledger.precedents.keepVectors('large', new Map([['p-1', new Float32Array([1, 2, 3, 4])]]));
      expect(await ledger.precedents.readVectors('small')).toEqual(vectors);
      expect(await ledger.precedents.readVectors('unheard of')).toEqual(new Map());
      expect([...(await ledger.precedents.readVectors('small', ['p-2', 'p-9'])).keys()]).toEqual(['p-2']);
      expect(await ledger.precedents.readVectors('small', [])).toEqual(new Map());
      expect(await ledger.precedents.listEmbedded!('small')).toEqual(new Set(['p-1', 'p-2']));
      await ledger.precedents.keepVectors('small', new Map([['p-2', new Float32Array([3, 2, 1])]]));
      expect((await ledger.precedents.readVectors('small')).get('p-2')).toEqual(new Float32Array([3, 2, 1]));
      await ledger.precedents.keepPrecedents([
        precedentOf('p-1', { text: 'Other words' }),
        precedentOf('p-2', { why: 'Another reason' }),
      ]);
      expect([...(await ledger.precedents.readVectors('small')).keys()]).toEqual(['p-2']);
      expect([...(await ledger.precedents.readVectors('large')).keys()]).toEqual([]);
    });
  });

  test('stats count everything', async () => {
    await holdCase(ledger, openedCase('case-1'));
    await ledger.cases.openCase(openedCase('case-2'));
    await ledger.decisions.recordDecision({ case: 'case-1', label: 'safe', by: 'ann' });
    await ledger.precedents.keepPrecedents([precedentOf('p-1'), precedentOf('p-2', { state: 'proposed' })]);
    await ledger.runs.startRun({
      id: 'run-1',
      name: null,
      job: 'moderation',
      configuration: 'c',
      settings: {},
      input: null,
    });
    await ledger.runs.putItems('run-1', [itemAt(1), itemAt(2, { input: null, error: brokenLine })]);
    await ledger.benches.startBench({ id: 'bench-1', name: 'nightly', plan: {} });
    await ledger.benches.keepJudgements('bench-1', [
      { key: 'a', result: 1 },
      { key: 'b', result: 2 },
    ]);
    await ledger.cache.keepAnswer('key', 1);
    expect(await ledger.readStats()).toMatchObject({
      kind: ledger.kind,
      place: ledger.place,
      schema: 1,
      subjects: 2,
      forgottenSubjects: 0,
      debates: 2,
      unfinishedDebates: 1,
      entries: 2,
      verdicts: { unsafe: 1 },
      decisions: 1,
      precedents: { active: 1, proposed: 1 },
      runs: 1,
      runItems: { failed: 1, waiting: 1 },
      benches: 1,
      benchJudgements: 2,
      cached: 1,
    });
    expect((await ledger.readStats()).bytes).toBeGreaterThan(0);
  });

  describe('an export', () => {
    test('holds one moment, whatever is written meanwhile', async () => {
      for (let index = 0; index < 3; index += 1) await holdCase(ledger, openedCase(`case-${index}`));
      const lines: unknown[] = [];
      for await (const line of ledger.export()) {
        lines.push(line);
        if (lines.length === 2 && !maker.alone) await holdCase(ledger, openedCase('late'));
      }
      expect(JSON.stringify(lines)).not.toContain('"late"');
    });
  });

  describe('pruning', () => {
    const kept = async () => {
      const { subjects, forgottenSubjects, debates, entries, cached } = await ledger.readStats();
      return { subjects, forgottenSubjects, debates, entries, cached };
    };
    beforeEach(async () => {
      await holdCase(ledger, openedCase('case-1', { text: 'One' }));
      await ledger.cases.openCase(openedCase('case-2', { text: 'Two' }));
      await ledger.journal.insert('case-2', turnAt('arbiter'));
      await ledger.journal.insert('no-case', turnAt('arbiter'));
      await ledger.precedents.keepPrecedents([
        precedentOf('p-1', { provenance: { kind: 'learnt', subject: sha256('One') } }),
      ]);
      await ledger.decisions.recordDecision({ case: 'case-1', label: 'safe', by: 'ann' });
    });

    test('spares what was touched since', async () => {
      const before = await exportedText(ledger);
      for (const what of ['contents', 'cases', 'cache', 'unfinished'] as const) {
        expect(await ledger.prune({ before: new Date(Date.now() - 60_000), what })).toEqual({
          subjects: 0,
          debates: 0,
          entries: 0,
          cached: 0,
          items: 0,
          benches: 0,
          held: 0,
        });
      }
      expect(await exportedText(ledger)).toBe(before);
    });

    test('of contents leaves verdicts, seals, decisions and what was learnt', async () => {
      expect(await ledger.prune({ before: soon(), what: 'contents' })).toEqual({
        subjects: 2,
        debates: 2,
        entries: 3,
        cached: 0,
        items: 0,
        benches: 0,
        held: 0,
      });
      expect(await ledger.cases.findCase('case-1')).toMatchObject({ label: 'unsafe', content: null, answer: null });
      expect(await ledger.decisions.listDecisions('case-1')).toHaveLength(1);
      expect(await ledger.precedents.findPrecedent('p-1')).toMatchObject({ state: 'active' });
      expect(await kept()).toMatchObject({ subjects: 2, forgottenSubjects: 2, debates: 2, entries: 1 });
    });

    test('of cases leaves nothing of them, nor of benches', async () => {
      await ledger.benches.startBench({ id: 'bench-1', name: 'nightly', plan: {} });
      await ledger.benches.keepJudgements('bench-1', [{ key: 'a', result: 1 }]);
      expect(await ledger.prune({ before: soon(), what: 'cases' })).toEqual({
        subjects: 2,
        debates: 2,
        entries: 3,
        cached: 0,
        items: 0,
        benches: 1,
        held: 0,
      });
      expect(await ledger.cases.findCase('case-1')).toBeUndefined();
      expect(await ledger.readStats()).toMatchObject({
        subjects: 0,
        debates: 0,
        entries: 1,
        verdicts: {},
        decisions: 0,
        benches: 0,
        benchJudgements: 0,
      });
    });

    test('of the unfinished takes debates that nobody ended, and entries without a case', async () => {
      expect(await ledger.prune({ before: soon(), what: 'unfinished' })).toEqual({
        subjects: 1,
        debates: 1,
        entries: 2,
        cached: 0,
        items: 0,
        benches: 0,
        held: 0,
      });
      expect((await ledger.cases.listCases({})).rows.map(({ id }) => id)).toEqual(['case-1']);
    });

    test('of the cache takes what was kept before', async () => {
      await ledger.cache.keepAnswer('key', 1);
      expect(await ledger.prune({ before: soon(), what: 'cache' })).toEqual({
        subjects: 0,
        debates: 0,
        entries: 0,
        cached: 1,
        items: 0,
        benches: 0,
        held: 0,
      });
      expect(await ledger.cache.findAnswer('key')).toBeUndefined();
    });

    describe('of runs', () => {
      const image = { hash: sha256('image'), mediaType: 'image/png', data: new Uint8Array([7]) };
      beforeEach(async () => {
        await ledger.attachments.keepAttachment(image);
        await ledger.runs.startRun({
          id: 'run-1',
          name: null,
          job: 'moderation',
          configuration: 'c',
          settings: {},
          input: null,
        });
        await ledger.runs.putItems('run-1', [
          itemAt(1),
          itemAt(2, { input: { images: [{ attachment: image.hash }] } }),
          itemAt(3, { hash: 'hash-2' }),
          itemAt(4),
        ]);
        const [taken] = await takeFrom(ledger, 'run-1', 1);
        await taken!.queue.finishItem(taken!.item, resultAt('case-1'));
      });

      test.each(['contents', 'cases'] as const)(
        'with their %s goes what was never judged; results stay',
        async (what) => {
          expect(await ledger.prune({ before: soon(), what })).toMatchObject({ items: 2 });
          expect(await ledger.runs.listItems('run-1', { order: 'input', limit: 9 })).toMatchObject([
            { state: 'done', result: resultAt('case-1'), error: null },
            { state: 'failed', result: null, error: { code: 'pruned' } },
            { state: 'same', error: { code: 'pruned' }, endedAt: expect.any(Date) as Date },
            { state: 'failed', error: { code: 'pruned' } },
          ]);
          expect(await ledger.runs.retryFailedItems('run-1')).toBe(0);
          expect(await ledger.attachments.findAttachment(image.hash)).toBeDefined();
        },
      );

      test('spares what was touched since, and the images of items that wait', async () => {
        await ledger.prune({ before: new Date(Date.now() - 60_000), what: 'cases' });
        expect(await ledger.runs.countItems('run-1')).toMatchObject({ waiting: 2, failed: 0 });
        expect(await ledger.attachments.findAttachment(image.hash)).toEqual(image);
      });
    });

    test('dry says what it would take, and takes nothing', async () => {
      const before = await exportedText(ledger);
      for (const what of ['contents', 'cases', 'unfinished'] as const) {
        const { debates } = await ledger.prune({ before: soon(), what, dryRun: true });
        expect(debates).toBeGreaterThan(0);
      }
      expect(await exportedText(ledger)).toBe(before);
    });
  });
}
