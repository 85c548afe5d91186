import { readFile, stat } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { ModerationAnswer } from '@agonhq/core';
import type { CaseSummary } from '@agonhq/ledger';
import { panelReply, type PanelScript } from '../support/fake-panel.ts';
import { onRecord } from '../support/on-record.ts';
import { key, openCourt } from '../support/run-agon.ts';
const post = 'How do I kill a process on Linux?';
const condemned: PanelScript = {
  arbiter: { risk: { why: 'It is a threat.', evidence: ['kill'], holds: true, clauses: ['violence'] }, score: 0.95 },
};
/** Each of these starts several processes. */
const patience = { timeout: 120_000 };

interface Shown extends CaseSummary {
  answer: ModerationAnswer | null;
  decisions: { label: string; by: string; why: string | null }[];
  retrials: CaseSummary[];
}

describe.concurrent('what is judged is on record', patience, () => {
  test('and read back as it was given; the file is the user’s alone, and holds no key', async () => {
    const court = onRecord(await openCourt(condemned));
    const answer = await court.json<ModerationAnswer>(['moderate', post]);
    const shown = await court.json<Shown>(['show', answer.id]);
    expect(shown.answer).toEqual(answer);
    expect(shown).toMatchObject({
      version: 1,
      job: 'moderation',
      label: 'unsafe',
      risk: 0.95,
      decisions: [],
      retrials: [],
    });
    expect((await stat(court.ledger)).mode & 0o777).toBe(0o600);
    expect((await readFile(court.ledger)).includes(key)).toBe(false);
  });

  test('cases are listed, the newest first, and found by verdict, words and time', async () => {
    const court = onRecord(
      await openCourt((request) => panelReply(request.prompt.includes('kill') ? condemned : {}, request)),
    );
    for (const text of [post, 'A loaf of bread', 'Another loaf']) await court.agon(['moderate', text, '-q']);
    const { stdout } = await court.agon(['cases']);
    expect(
      stdout.split('\n').map((line) => / {2}((?:un)?safe) \d\.\d\d {2,}mod-[0-9a-f]{16} {2}(.*)$/.exec(line)?.slice(1)),
    ).toEqual([['safe', 'Another loaf'], ['safe', 'A loaf of bread'], ['unsafe', post], undefined]);
    const excerpts = async (...flags: string[]) =>
      (await court.agon(['cases', '--json', ...flags])).stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => (JSON.parse(line) as CaseSummary).excerpt);
    expect(await excerpts('--label', 'unsafe')).toEqual([post]);
    expect(await excerpts('--search', 'LOAF bread')).toEqual(['A loaf of bread']);
    expect(await excerpts('--limit', '1')).toEqual(['Another loaf']);
    expect(await excerpts('--until', '1h')).toEqual([]);
    const [newest] = (await court.agon(['cases', '--json'])).stdout
      .split('\n')
      .map((line) => JSON.parse(line || 'null') as CaseSummary);
    expect(newest).toMatchObject({
      disagreement: expect.any(Number) as number,
      modality: 'text',
    });
    expect(await excerpts('--model', newest!.models[0]!, '--modality', 'text', '--min-disagreement', '0')).toHaveLength(
      3,
    );
    for (const flags of [
      ['--model', 'nobody:here'],
      ['--modality', 'image'],
      ['--run', 'run-1'],
      ['--degraded'],
      ['--min-disagreement', '1'],
    ])
      expect(await excerpts(...flags), flags.join(' ')).toEqual([]);
    expect((await court.agon(['cases', '--min-disagreement', '70'])).stderr).toContain('Use a number from 0 to 1.');
    expect((await court.agon(['cases', '--limit', '1'])).stdout).toContain('There are more: ');
    expect((await court.agon(['cases', '--since', 'yesterday'])).stderr).toMatch(
      /^agon: --since yesterday is not a time\. .+\(bad-flag\)\n$/,
    );
  });
});

describe.concurrent('what can be wrong with a case is said in a line', patience, () => {
  test('one that was forgotten keeps its verdict and seal, and cannot be held again', async () => {
    const court = onRecord(await openCourt(condemned));
    const { id, seal } = await court.json<ModerationAnswer>(['moderate', 'They kill the zyxomma at dawn.']);
    expect((await readFile(court.ledger)).includes('zyxomma')).toBe(true);
    expect((await court.agon(['ledger', 'forget', id])).stderr).toMatch(
      /^agon: This needs confirmation, .+ Nothing was deleted\. .+--yes.+\(bad-flag\)\n$/,
    );
    expect((await court.agon(['ledger', 'forget', id, '--yes'])).stdout).toBe(
      'Forgotten in 1 case. Verdicts, seals and decisions stay.\n',
    );
    const { stdout } = await court.agon(['show', id]);
    for (const part of ['Forgotten on 2', 'Verdict: unsafe at 0.95, by risk-confirmation (violence', `Seal: ${seal}`])
      expect(stdout).toContain(part);
    expect(stdout).not.toContain('zyxomma');
    expect(await court.json<Shown>(['show', id])).toMatchObject({ answer: null, content: null, label: 'unsafe', seal });
    for (const command of ['replay', 'appeal'])
      expect((await court.agon([command, id])).stderr).toMatch(
        new RegExp(`^agon: What case ${id} judged was forgotten on .+\\(forgotten-case\\)\\n$`),
      );
    expect((await court.agon(['show', id, '--report', 'case.html'])).stderr).toContain('(forgotten-case)');
    expect((await readFile(court.ledger)).includes('zyxomma')).toBe(false);
    expect((await court.agon(['ledger', 'forget', id, '--yes'])).stdout).toContain('Already forgotten');
    expect((await court.agon(['ledger', 'forget', 'sha256:nothing', '--yes'])).stderr).toContain('(unknown-subject)');
  });
});

describe.concurrent('agon ledger', patience, () => {
  test('counts and saves', async () => {
    const court = onRecord(await openCourt(condemned));
    await court.agon(['moderate', post, '-q']);
    const { stdout } = await court.agon(['ledger', 'stats']);
    expect(stdout).toMatch(/^ledger +.+ledger\.sqlite \(sqlite, schema \d+, \d+ kB\)\ncases +1\nsubjects +1\n/);
    expect(stdout).toMatch(/verdicts +1 unsafe\n/);
    expect((await court.agon(['ledger', 'export', '--out', 'saved.jsonl'])).stderr).toMatch(
      /^Wrote \d+ lines to saved\.jsonl\.\n$/,
    );
    const saved = (await readFile(await court.file('saved.jsonl'), 'utf8')).trimEnd().split('\n');
    expect(saved.filter((line) => line.startsWith('{"kind":"debate",'))).toHaveLength(1);
    expect((await court.agon(['ledger', 'export', '--out', 'nowhere/saved.jsonl'])).stderr).toMatch(
      /^agon: nowhere\/saved\.jsonl cannot be written: there is no such folder\. .+\(cannot-write\)\n$/,
    );
  });

  test('prunes what is older, after it has been asked to', async () => {
    const court = onRecord(await openCourt(condemned));
    const { id } = await court.json<ModerationAnswer>(['moderate', post]);
    const prune = ['ledger', 'prune', '--what', 'contents', '--before'];
    expect((await court.agon([...prune, '90d'])).stdout).toMatch(/^Nothing is older than 2/);
    expect((await court.agon([...prune, '0h', '--dry-run'])).stdout).toMatch(
      /^Would delete 1 subject, 1 case, \d+ entries/,
    );
    expect((await court.agon([...prune, '0h'])).stderr).toContain('(bad-flag)');
    expect((await court.json<Shown>(['show', id])).answer).not.toBeNull();
    expect(await court.json([...prune, '0h', '--yes'])).toMatchObject({
      what: 'contents',
      dryRun: false,
      subjects: 1,
      debates: 1,
    });
    expect(await court.json<Shown>(['show', id])).toMatchObject({ answer: null, label: 'unsafe' });
    expect((await court.agon(['ledger', 'prune', '--before', '90d'])).code).toBe(2);
  });
});
