import stringWidth from 'string-width';
import { afterAll, describe, expect, test } from 'vitest';
import { boardClaimOf, startFakeBoardroom } from '@agonhq/test/support/fake-boardroom.ts';
import { analysed, boardroomSetup } from '@agonhq/test/support/analysis-setup.ts';
import { figuresXlsx, sentences } from '@agonhq/test/support/report-files.ts';
import { fakeScreen } from '@agonhq/test/support/screen.ts';
import type { AnalysisEvent } from '@agonhq/documents';
import { ingestDossier } from '@agonhq/documents/ingest';
import { drawLive } from '../terminal/live-view.ts';
import { advanceProgress, renderProgress, startProgress } from './documents-view.ts';
import { renderAnalysis, listClaimPlaces } from './render-analysis.ts';

const claims = [sentences.flawed, sentences.total, sentences.driver];
const board = await startFakeBoardroom({
  'factor-agent': {
    claims: claims.map((quote) => ({ claim: quote, quote, kind: 'assertion', domain: 'sales', importance: 0.5 })),
  },
  synthesis: (request) => {
    const holds = boardClaimOf(request) === sentences.total;
    return {
      statement: '',
      support: {
        why: 'It says so.',
        evidence: holds ? [sentences.total] : [],
        holds,
        strength: holds ? 'full' : 'none',
      },
      contradiction: { why: '', evidence: [], holds: false },
      standing: [],
      confidence: 1,
      score: 0.5,
    };
  },
});
afterAll(() => board.close());

const files = [
  { name: 'report.txt', bytes: Buffer.from(`${claims.join(' ')}\n`) },
  { name: 'figures.xlsx', bytes: await figuresXlsx() },
];
const events: AnalysisEvent[] = [];
const trace = await analysed(
  await ingestDossier(files, { readImageText: null }),
  boardroomSetup(board, { concurrency: 1 }),
  {},
  (event) => events.push(event),
);
/** The view after each event. */
const views = events.reduce(
  (seen, event) => [...seen, advanceProgress(seen.at(-1)!, event)],
  [startProgress(['report.txt', 'figures.xlsx'])],
);
const shown = views.map((view) =>
  renderProgress(view, 100)
    .flatMap(({ lines }) => lines)
    .join('\n'),
);

describe('while an analysis goes on', () => {
  test('it says what is read, then that claims are looked for', () => {
    expect(shown[0]).toBe('Reading report.txt, figures.xlsx …');
    expect(shown[1]).toMatch(/^report\.txt text · .+\nfigures\.xlsx xlsx · .+1 table\nFinding claims …$/);
  });

  test('each claim goes through its stages to its verdict, while the next ones wait', () => {
    const states = shown
      .map((text) => /^ {2}(\S+)( …)? +Total revenue reached/m.exec(text)?.[1])
      .filter((state) => state !== undefined);
    expect([...new Set(states)]).toEqual(['opening', 'cross-examination', 'rebuttal', 'synthesis', 'supported']);
    expect(
      shown.some((text) => /0 of 3 claims judged\n {2}opening … +Revenue in APAC.+\n {2}2 claims waiting$/.test(text)),
    ).toBe(true);
    expect(shown.at(-1)).toMatch(/3 of 3 claims judged\n[^]+\nWeighing the results …$/);
  });

  test('at its end nothing of it is left on the screen', () => {
    const screen = fakeScreen({ columns: 60, rows: 8 });
    let at = 0;
    const live = drawLive(screen, (width) => (at < views.length ? renderProgress(views[at]!, width) : []));
    for (; at < views.length; at++) live.changed();
    live.end();
    expect(screen.text()).toBe('');
    expect(screen.cursorHidden).toBe(false);
  });
});

describe('the result', () => {
  test('names of a cited number finding every cell that it was computed from', () => {
    const claim = trace.claims.find(({ subject }) => subject.text === sentences.flawed)!;
    const { id, text } = claim.sources.find((source) => 'tool' in source && source.tool === 'numbers')!;
    const [quote] = text.split('\n') as [string];
    const evidence = [{ quote, source: id, start: 0, end: quote.length, verified: true as const }];
    expect(listClaimPlaces({ ...claim, verdict: { ...claim.verdict, evidence } }, trace)).toBe(
      'report.txt, figures.xlsx Revenue!C2, B2',
    );
  });

  test.each([30, 60, 96, 140])(
    'fits a terminal of %i columns, with every claim, its verdict, its rule and its place',
    (width) => {
      const lines = renderAnalysis(trace, width);
      expect(lines.filter((line) => stringWidth(line) > width)).toEqual([]);
      const flat = lines.join(' ').replace(/\s+/g, ' ');
      for (const label of ['contradicted', 'supported', 'unsupported']) expect(flat).toContain(label);
      for (const part of [
        'number conflict',
        'figures.xlsx Revenue!C2, B2',
        '15 %, stated 51 %',
        'A brief.',
        'A risk.',
        'A question?',
      ])
        expect(flat.replaceAll(' ', '')).toContain(part.replaceAll(' ', ''));
    },
  );
});
