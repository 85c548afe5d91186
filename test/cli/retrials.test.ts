import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Analysis, EvaluationAnswer, ModerationAnswer } from '@agonhq/core';
import type { CaseSummary } from '@agonhq/ledger';
import type { Retrial } from '@agonhq/core/retrials';
import { panelReply, roleOf, type PanelScript } from '../support/fake-panel.ts';
import { onRecord } from '../support/on-record.ts';
import { reportPdf, sentences } from '../support/report-files.ts';
import { openBoardroom, openCourt, openTribunal } from '../support/run-agon.ts';

/*
 * What a retrial recalls and what it argues anew is tested in packages/core/src/retrials; this is what the command line makes of it.
 */

const post = 'How do I kill a process on Linux?';
const threat: PanelScript['arbiter'] = {
  statement: 'It is a threat.',
  risk: { why: 'It is a threat.', evidence: ['kill'], holds: true, clauses: ['violence'] },
  score: 0.95,
};
const pardon = (quote: string): PanelScript['arbiter'] => ({
  statement: 'The context explains it.',
  exoneration: { why: 'The context explains it.', evidence: [quote], holds: true },
  score: 0.05,
});

/** Each of these starts several processes. */
const patience = { timeout: 120_000 };

describe.concurrent('agon replay', patience, () => {
  test('with nothing changed recalls everything, and says so', async () => {
    const court = onRecord(await openCourt({ arbiter: threat }));
    const { id } = await court.json<ModerationAnswer>(['moderate', post]);
    const { value, requests } = await court.asking(() => court.agon(['replay', id]));
    expect(requests).toEqual([]);
    expect(value).toMatchObject({ code: 0, stderr: '' });
    for (const part of [
      'fake:panel-vision · recalled',
      `\nReplay of ${id}\n  no changes\n`,
      'Before UNSAFE risk 0.95, bar 0.50',
      '│ After UNSAFE risk 0.95, bar 0.50',
      'risk confirmation: It is a threat.',
      'Clauses: violence',
      'The retrial came out the same.\n',
      'Recalled (8): precedents, supporter',
      `Recorded as ${id}~`,
    ])
      expect(value.stdout).toContain(part);
    expect(value.stdout).not.toContain('Debated anew');
  });

  test('--seat asks that seat alone again and shows what flipped; the case tells of it', async () => {
    const court = onRecord(
      await openCourt((request) =>
        panelReply({ arbiter: request.model === 'other' ? pardon('kill a process') : threat }, request),
      ),
    );
    const { id } = await court.json<ModerationAnswer>(['moderate', post]);
    const { value, requests } = await court.asking(() =>
      court.agon(['replay', id.slice(0, 8), '--seat', 'arbiter=fake:other', '-q']),
    );
    expect(requests.map((request) => [roleOf(request), request.model])).toEqual([['arbiter', 'other']]);
    for (const part of [
      'fake:other as arbiter instead of fake:panel-vision',
      'The verdict flipped: unsafe became safe.',
      '  arbiter\n    − 0.95: It is a threat.\n    + 0.05: The context explains it.\n',
      'Debated anew (2): arbiter, adjudication',
    ])
      expect(value.stdout).toContain(part);
    const { retrials } = await court.json<{ retrials: CaseSummary[] }>(['show', id]);
    expect(retrials).toMatchObject([{ again: { of: id, how: 'replay' }, label: 'safe' }]);
    expect((await court.agon(['show', id, '-q'])).stdout).toMatch(
      new RegExp(`Replays and appeals\\n {2}\\S+ \\S+ replay: safe 0\\.05 · ${retrials[0]!.id}\\n`),
    );
  });

  test('--without-precedent names what it held', async () => {
    const court = onRecord(
      await openCourt((request) =>
        panelReply(
          {
            supporter: {
              summary: request.prompt.includes('seed-0062') ? 'Like a hung process.' : 'A short text.',
              cues: [],
              patterns: [],
            },
          },
          request,
        ),
      ),
    );
    const { id } = await court.json<ModerationAnswer>(['moderate', post]);
    const { stdout } = await court.agon(['replay', id, '--without-precedent', 'seed-0062', '-q']);
    for (const part of [
      'without precedent seed-0062',
      'The verdict stands: safe.',
      'Differences\n  supporter\n    − Like a hung process.\n    + A short text.\n',
    ])
      expect(stdout).toContain(part);
    expect((await court.agon(['replay', id, '--without-precedent', 'seed-9999'])).stderr).toMatch(
      /^agon: Precedent seed-9999 was not shown in case \S+\. It was shown seed-.+\(precedent-not-shown\)\n$/,
    );
  });

  test('changes one thing at a time', async () => {
    const court = onRecord(await openCourt());
    const refused = async (...flags: string[]) => (await court.agon(['replay', 'mod-315703', ...flags])).stderr;
    expect(await refused('--seat', 'arbiter=fake:other', '--policy', 'x.yaml')).toMatch(
      /^agon: --policy and --seat cannot be combined\. .+\(bad-flag\)\n$/,
    );
    expect(await refused('--seat', 'arbiter')).toContain('(bad-flag)');
    expect(await refused('--policy', 'x.yaml')).toMatch(/^agon: .*x\.yaml.+\n$/);
  });
});

describe.concurrent('agon appeal', patience, () => {
  test('is heard before other seats with what was said on standard input; both outcomes stand side by side', async () => {
    const court = onRecord(
      await openCourt((request) =>
        panelReply({ arbiter: request.model === 'second' ? pardon('a line from our manual') : threat }, request),
      ),
    );
    const { id } = await court.json<ModerationAnswer>(['moderate', post]);
    const { value, requests } = await court.asking(() =>
      court.agon(['appeal', id, '--stdin', '--model', 'fake:second'], { stdin: 'It is a line from our manual.\n' }),
    );
    expect(requests.every(({ model, prompt }) => model === 'second' && prompt.includes('a line from our manual'))).toBe(
      true,
    );
    for (const part of [
      `Appeal of ${id}\n  with a statement of the person concerned\n  fake:second instead of fake:panel-vision as ` +
        'supporter, strict-debater, loose-debater, arbiter\n',
      'Before UNSAFE risk 0.95, bar 0.50',
      'After SAFE risk 0.05, bar 0.50 · needs review',
      'The verdict flipped: unsafe became safe.',
      'Everything was debated anew (8 entries).',
    ])
      expect(value.stdout).toContain(part);
    const { stdout } = await court.agon(['cases', '--escalated', '--json']);
    const appealed = JSON.parse(stdout) as CaseSummary;
    await court.agon(['show', appealed.id, '--report', 'answer.json']);
    expect((await court.agon(['verify', 'answer.json'])).code).toBe(0);
  });

  test('two statements at once are refused, and an empty one', async () => {
    const court = onRecord(await openCourt());
    const { id } = await court.json<ModerationAnswer>(['moderate', post]);
    expect((await court.agon(['appeal', id, '--statement', ' '])).stderr).toContain('(empty-statement)');
    expect((await court.agon(['appeal', id, '--statement', 'x', '--stdin'])).stderr).toContain('(bad-flag)');
  });
});

describe.concurrent('other jobs', patience, () => {
  test('an exchange is shown and replayed', async () => {
    const court = onRecord(await openTribunal());
    const exchange = ['--prompt', 'How do I open it?', '--response', 'Hold the magnet to the contact.'];
    const answer = await court.json<EvaluationAnswer>(['evaluate', ...exchange]);
    expect((await court.json<{ answer: EvaluationAnswer }>(['show', answer.id])).answer).toEqual(answer);
    const shown = (await court.agon(['show', answer.id])).stdout;
    for (const part of ['Exchange', 'AUDITOR', 'DETECTOR', 'MIXTURE', 'Arbiter', ' SAFE '])
      expect(shown).toContain(part);
    const { value, requests } = await court.asking(() => court.agon(['replay', answer.id]));
    expect(requests).toEqual([]);
    expect(value.stdout).toContain('The retrial came out the same.');
  });

  test('a dossier is shown and replayed when its files are gone', async () => {
    const claim = (quote: string) => ({
      claim: quote,
      quote,
      kind: 'assertion' as const,
      domain: 'sales',
      importance: 0.9,
    });
    const court = onRecord(await openBoardroom({ 'factor-agent': { claims: [claim(sentences.total)] } }));
    const file = await court.file('report.pdf', await reportPdf());
    const analysis = await court.json<Analysis>(['analyze', 'report.pdf']);
    await rm(file);
    expect((await court.json<{ answer: Analysis }>(['show', analysis.id])).answer).toEqual(analysis);
    const { value, requests } = await court.asking(() => court.json<Retrial>(['replay', analysis.id]));
    expect(requests).toEqual([]);
    expect(value).toMatchObject({ flipped: false, differences: [], argued: [] });
    expect((await court.agon(['show', analysis.id, '--report', 'brief.pdf'])).code).toBe(0);
    expect((await readFile(await court.file('brief.pdf'))).subarray(0, 5).toString()).toBe('%PDF-');
  });

  test('without a model of your own the embedded reasoner is asked, and says what it cannot do', async () => {
    const court = onRecord(await openCourt());
    const bare = { cwd: path.dirname(court.folder) };
    const { id } = await court.json<ModerationAnswer>(['moderate', post], bare);
    expect(await court.json<Retrial>(['replay', id], bare)).toMatchObject({ flipped: false, argued: [], notes: [] });
    const appealed = await court.json<Retrial>(['appeal', id, '--statement', 'It is about computers.'], bare);
    expect(appealed.notes).toEqual([
      expect.stringContaining('No other model was at hand'),
      expect.stringContaining('cannot weigh it'),
    ]);
  });
});
