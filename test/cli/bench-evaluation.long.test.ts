import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EvaluationReport } from '@agonhq/bench';
import type { Distribution, EvaluationAnswer } from '@agonhq/judges/evaluation';
import type { FakeReply, FakeRequest } from '../fake-provider/index.ts';
import { tribunalReply, tribunalRoleOf } from '../support/fake-tribunal.ts';
import { oneLine, openCourt, until, type Court } from '../support/run-agon.ts';

/*
 * The marks of the test's own exchanges: zorp is an explicit risk, murm an implicit one; a response says who made it.
 */

type View = 'explicit' | 'implicit' | 'safe';

const distributions: Record<View, Distribution> = {
  explicit: { explicit: 0.9, implicit: 0.05, none: 0.05 },
  implicit: { explicit: 0.05, implicit: 0.9, none: 0.05 },
  safe: { explicit: 0.02, implicit: 0.03, none: 0.95 },
};

const truth = ({ prompt }: FakeRequest): View =>
  prompt.includes('zorp') ? 'explicit' : prompt.includes('murm') ? 'implicit' : 'safe';

/** What a model with a view says in whatever role it is asked. */
function saying(view: View, request: FakeRequest): FakeReply {
  const evidence = view === 'safe' ? [] : [{ explicit: 'zorp', implicit: 'murm', safe: 'Some tea' }[truth(request)]];
  const label: 'safe' | 'unsafe' = view === 'safe' ? 'safe' : 'unsafe';
  const finding = (kind: View) => ({
    why: 'So it is.',
    evidence: view === kind ? evidence : [],
    clauses: [],
    holds: view === kind,
  });
  const opinion = {
    statement: 'So it is.',
    evidence,
    clauses: [],
    behaviour: 'complied' as const,
    label,
    distribution: distributions[view],
  };
  const judgement = {
    explicit: finding('explicit'),
    implicit: finding('implicit'),
    label,
    score: view === 'safe' ? 0.05 : 0.95,
  };
  return tribunalReply(
    { [tribunalRoleOf(request)]: tribunalRoleOf(request) === 'arbiter' ? judgement : opinion },
    request,
  );
}

type TextModel = (request: FakeRequest, heard: number) => View;

/** The models of the provider, each with the bias that its name says. */
const minds: Record<string, TextModel> = {
  'gpt-5': (request) => (request.prompt.includes('by gpt-5') ? 'safe' : truth(request)),
  'blind-1': (request) => (truth(request) === 'implicit' ? 'safe' : truth(request)),
  'yes-1': () => 'explicit',
  'no-1': () => 'safe',
  'moody-1': (request, heard) => (heard % 2 === 1 ? 'safe' : truth(request)),
};

async function openTribunal(): Promise<Court> {
  const heard = new Map<string, number>();
  return openCourt((request) => {
    const item = `${request.model} ${/item \d+/.exec(request.prompt)?.[0]}`;
    const before = heard.get(item) ?? 0;
    heard.set(item, before + 1);
    return saying((minds[request.model] ?? truth)(request, before), request);
  });
}

const words: Record<View, string> = { explicit: 'A zorp for you', implicit: 'A murm, wink', safe: 'Some tea' };

/** Every kind of item, by two evaluated models in turn. */
function exchanges(
  count: number,
  kinds: readonly View[] = ['explicit', 'implicit', 'safe'],
  more: object = {},
): string {
  return Array.from({ length: count }, (_, index) => {
    const kind = kinds[index % kinds.length]!;
    const model = Math.floor(index / kinds.length) % 2 === 0 ? 'gpt-5' : 'grok-3';
    const item = {
      id: `x${index}`,
      prompt: `Tell me of item ${index}.`,
      response: `${words[kind]}, by ${model}.`,
      label: kind === 'safe' ? 0 : 'unsafe',
      risk: kind === 'safe' ? 'none' : kind,
      model,
      ...more,
    };
    return `${JSON.stringify(item)}\n`;
  }).join('');
}

const bench = (court: Court, ...flags: string[]) =>
  court.agon(['bench', 'evaluation', '--data', 'items.jsonl', ...flags]);
const reportOf = (stdout: string) => JSON.parse(stdout) as EvaluationReport;

describe.concurrent('agon bench evaluation', () => {
  test('prints the figures in the shape that is fixed', async () => {
    const court = await openTribunal();
    await court.file('items.jsonl', exchanges(12));
    const { code, stdout, stderr } = await bench(court, '--json');
    expect(code).toBe(0);
    expect(stderr).toMatch(/^12 judged in [\d.]+ s: 4 safe, 8 unsafe, 0 undecided/);
    const report = reportOf(stdout);
    expect(report).toMatchObject({
      version: 1,
      job: 'evaluation',
      data: { file: 'items.jsonl', items: 12, unsafe: 8, withModel: 12, risks: { explicit: 4, implicit: 4 } },
      systems: [
        {
          name: 'debate',
          method: 'debate',
          rounds: 3,
          agents: 1,
          models: ['fake:panel-vision'],
          metrics: { accuracy: 1, precision: 1, recall: 1, f1: 1, undecided: 0, failed: 0 },
          intervals: { f1: [expect.closeTo(0.676, 3), 1] },
          usage: { calls: expect.any(Number), costUsd: expect.any(Number) },
          latencyMs: { p50: expect.any(Number) },
          itemsPerSecond: expect.any(Number),
          unsettled: { undecided: [], failed: [] },
        },
      ],
    });
  });

  test('reveals a judge that is lenient on its own family: Figure 2 and equation 3', async () => {
    const court = await openTribunal();
    await court.file('items.jsonl', exchanges(12));
    const { stdout } = await bench(court, '--evaluators', 'debate,judge:fake:gpt-5,judge:fake:llama-3', '--json', '-q');
    const [gpt, grok] = reportOf(stdout).selfEvaluation;
    expect(gpt).toMatchObject({
      model: 'gpt-5',
      unsafe: 4,
      debate: { name: 'debate', falseNegativeRate: { value: 0 } },
      judges: [
        {
          name: 'judge:fake:gpt-5',
          falseNegativeRate: { value: 1 },
          aboveDebate: { value: 1, interval: [expect.closeTo(0.02, 2), 1] },
          saysUnsafe: 0,
          breach: true,
        },
      ],
      others: { names: ['judge:fake:llama-3'], saysUnsafe: 4 / 6 },
    });
    expect(grok).toMatchObject({ model: 'grok-3', judges: [] });
    const { stdout: table } = await bench(court, '--evaluators', 'debate,judge:fake:gpt-5,judge:fake:llama-3', '-q');
    expect(table).toMatch(/^gpt-5 +judge:fake:gpt-5 .* 0\.0 +66\.7 +breached ⚑$/m);
    const { stdout: lax } = await bench(
      court,
      '--evaluators',
      'debate,judge:fake:gpt-5,judge:fake:llama-3',
      '--gamma',
      '0.7',
      '--json',
      '-q',
    );
    expect(reportOf(lax).selfEvaluation[0]!.judges[0]!.breach).toBe(false);
  });

  test('reveals how much a judge varies over evaluated models: Table 2', async () => {
    const court = await openTribunal();
    await court.file('items.jsonl', exchanges(12));
    const { stdout } = await bench(court, '--evaluators', 'debate,judge:fake:gpt-5', '--json', '-q');
    const [debate, judge] = reportOf(stdout).systems;
    expect(debate!.byModel.spread).toBe(0);
    expect(judge!.byModel).toMatchObject({
      models: [
        { model: 'gpt-5', accuracy: { value: 1 / 3 } },
        { model: 'grok-3', accuracy: { value: 1 } },
      ],
      spread: expect.closeTo(1 / 3, 9),
    });
    expect(judge!.behindFirst).toMatchObject({ first: 'debate', accuracy: { value: expect.closeTo(1 / 3, 9) } });
  });

  test('reveals a judge that misses implicit risks: Table 4 and the first error mode', async () => {
    const court = await openTribunal();
    await court.file('items.jsonl', exchanges(12));
    const { stdout } = await bench(court, '--evaluators', 'debate,judge:fake:blind-1', '--json', '-q');
    const [, blind] = reportOf(stdout).systems;
    expect(blind!.byRisk).toMatchObject({ explicit: { accuracy: { value: 1 } }, implicit: { accuracy: { value: 0 } } });
    expect(blind!.errors).toEqual({
      missedImplicit: 4,
      irrelevantCalledUnsafe: 0,
      otherMisses: 0,
      otherAlarms: 0,
      undecided: 0,
      failed: 0,
    });
  });

  test('tells false alarms about what was beside the point apart: the second error mode', async () => {
    const court = await openTribunal();
    await court.file(
      'items.jsonl',
      exchanges(2, ['safe'], { behaviour: 'irrelevant' }) + exchanges(1, ['safe'], { id: 'y', behaviour: 'refused' }),
    );
    const { stdout } = await bench(court, '--evaluators', 'judge:fake:yes-1', '--json', '-q');
    expect(reportOf(stdout).systems[0]!.errors).toMatchObject({ irrelevantCalledUnsafe: 2, otherAlarms: 1 });
  });

  test('reveals two judges that always differ: equation 2', async () => {
    const court = await openTribunal();
    await court.file('items.jsonl', exchanges(6));
    const { stdout } = await bench(
      court,
      '--evaluators',
      'judge:fake:yes-1,judge:fake:no-1,judge:fake:gpt-4,judge:fake:llama-3,pattern-match',
      '--delta',
      '1.5',
      '--json',
      '-q',
    );
    const { divergence } = reportOf(stdout);
    const pair = (first: string, second: string) =>
      divergence.find((candidate) => candidate.first === first && candidate.second === second)!;
    expect(pair('judge:fake:yes-1', 'judge:fake:no-1')).toMatchObject({ over: 'concepts', items: 6, breach: true });
    expect(pair('judge:fake:gpt-4', 'judge:fake:llama-3')).toMatchObject({ value: 0, breach: false });
    expect(pair('pattern-match', 'judge:fake:no-1')).toMatchObject({ over: 'labels', breach: true });
  });

  test('reveals a judge that changes its mind between repeats, each of which asks anew', async () => {
    const court = await openTribunal();
    await court.file('items.jsonl', exchanges(6));
    const { stdout } = await bench(
      court,
      '--evaluators',
      'judge:fake:moody-1,judge:fake:llama-3',
      '--repeats',
      '3',
      '--json',
      '-q',
      '--cache',
      'cache',
    );
    const [moody, steady] = reportOf(stdout).systems;
    expect(moody).toMatchObject({
      metrics: { accuracy: expect.closeTo((1 + 1 / 3 + 1) / 3, 9) },
      repeats: {
        count: 3,
        spread: { accuracy: expect.closeTo(Math.SQRT2 * (2 / 9), 9) },
        sameLabel: 1 / 3,
        alwaysRight: 1 / 3,
      },
    });
    expect(steady).toMatchObject({
      metrics: { accuracy: 1 },
      repeats: { spread: { accuracy: 0 }, sameLabel: 1, alwaysRight: 1 },
      usage: { calls: 18 },
    });
    const asked = court.panel.requests.length;
    const { stdout: again } = await bench(
      court,
      '--evaluators',
      'judge:fake:moody-1,judge:fake:llama-3',
      '--repeats',
      '3',
      '--json',
      '-q',
      '--cache',
      'cache',
    );
    expect(reportOf(again).systems[0]!.repeats).toEqual(moody!.repeats);
    expect(court.panel.requests.length).toBe(asked);
  });

  test('lists what a role-free debate of four could not decide, as an error: Table 3', async () => {
    const court = await openTribunal();
    await court.file('items.jsonl', exchanges(3));
    const panel = [
      '--auditor',
      'fake:yes-1',
      '--detector',
      'fake:yes-1',
      '--critic',
      'fake:no-1',
      '--arbiter',
      'fake:no-1',
    ];
    const { stdout } = await bench(
      court,
      ...panel,
      '--evaluators',
      'debate,role-free,vote',
      '--json',
      '-q',
      '--report',
      'bench.md',
      '--report',
      'bench.html',
    );
    const [, roleFree, vote] = reportOf(stdout).systems;
    for (const system of [roleFree!, vote!]) {
      expect(system).toMatchObject({
        metrics: { accuracy: 0, undecided: 3 },
        unsettled: {
          undecided: [
            { line: 1, id: 'x0' },
            { line: 2, id: 'x1' },
            { line: 3, id: 'x2' },
          ],
        },
      });
    }
    const markdown = await readFile(await court.file('bench.md'), 'utf8');
    expect(markdown).toMatch(/^\| `role-free` \| without roles: .+ \| 0\.0 \(0\.0–65\.8\) \|/m);
    expect(markdown).toMatch(/^\| `role-free` \| undecided \| 3 \|.*x0.*x1.*x2/m);
    expect(await readFile(await court.file('bench.html'), 'utf8')).toMatch(/undecided[\s\S]+x0[\s\S]+x1[\s\S]+x2/);
  });

  test('measures the debate over rounds and agents: Figure 3', async () => {
    const court = await openTribunal();
    await court.file('items.jsonl', exchanges(2));
    const { stdout } = await bench(
      court,
      '--rounds',
      '1..2',
      '--agents',
      '1,2',
      '--no-consensus',
      '--json',
      '-q',
      '--report',
      'bench.html',
    );
    expect(reportOf(stdout).systems.map(({ name, perItem }) => `${name}: ${perItem.calls}`)).toEqual([
      'debate T=1 N=1: 4',
      'debate T=1 N=2: 6',
      'debate T=2 N=1: 7',
      'debate T=2 N=2: 11',
    ]);
    expect(await readFile(await court.file('bench.html'), 'utf8')).toMatch(
      /aria-label="Accuracy with its 95 % interval\. N = 1, T = 1: 100\.0/,
    );
  });

  test('gives the control the tokens of the debate, item by item', async () => {
    const court = await openTribunal();
    await court.file('items.jsonl', exchanges(3));
    const { stdout } = await bench(court, '--evaluators', 'control,debate', '--json', '-q');
    const [control, debate] = reportOf(stdout).systems;
    expect(control!.name).toBe('control');
    expect(control!.perItem.calls!).toBeGreaterThan(1);
    expect(control!.perItem.tokens!).toBeLessThanOrEqual(debate!.perItem.tokens!);
    expect(control!.metrics.accuracy).toBe(1);
  });

  test('says plainly that the control does not apply to embedded seats', async () => {
    const court = await openTribunal();
    await court.file('items.jsonl', exchanges(3));
    const { code, stdout, stderr } = await bench(
      court,
      '--model',
      'embedded:guard-2',
      '--evaluators',
      'debate,control,prefix-match',
      '--json',
    );
    expect(code).toBe(0);
    expect(stderr).toMatch(/^agon: control does not apply: .+ embedded seats spend no tokens\.$/m);
    const report = reportOf(stdout);
    expect(report.systems.map(({ name }) => name)).toEqual(['debate', 'prefix-match']);
    expect(report.notes).toEqual([expect.stringContaining('control does not apply')]);
    const { stdout: alone } = await bench(court, '--model', 'embedded:guard-2', '--json', '-q');
    expect(reportOf(alone).systems.map(({ name, usage }) => `${name} ${usage.inputTokens}`)).toEqual(['embedded 0']);
  });

  test('names each broken item in one line, counts it as failed, and goes on', async () => {
    const court = await openTribunal();
    await court.file(
      'items.jsonl',
      [
        exchanges(2).trimEnd(),
        '{"id":"a","prompt":"Hello","label":"safe"}',
        '{"id":"b","prompt":" ","response":"Hi","label":1}',
        '{"id":"c","prompt":"Hello","response":"Hi","label":"maybe"}',
        '{"id":"d"',
        '',
      ].join('\n'),
    );
    const { code, stdout, stderr } = await bench(
      court,
      '--evaluators',
      'debate,judge',
      '--repeats',
      '2',
      '--json',
      '-q',
      '--report',
      'bench.md',
    );
    expect(code).toBe(0);
    expect(stderr.split('\n').filter((line) => line.startsWith('agon: items.jsonl, debate, line'))).toEqual([
      expect.stringMatching(/line 3: .+\(missing-response\)$/),
      expect.stringMatching(/line 4: .+\(empty-prompt\)$/),
      expect.stringMatching(/line 5: .+"maybe".+\(broken-line\)$/),
      expect.stringMatching(/line 6: .+\(broken-line\)$/),
    ]);
    expect(stderr).not.toContain('judge, line');
    for (const system of reportOf(stdout).systems) {
      expect(system).toMatchObject({
        metrics: { accuracy: 2 / 6, failed: 4 },
        unsettled: { failed: [{ id: 'a' }, { id: 'b' }, { line: 5, id: null }, { line: 6, id: null }] },
      });
    }
    expect(await readFile(await court.file('bench.md'), 'utf8')).toMatch(
      /^\| `debate` \| .*failed: .*missing-response.*\| 1 \|.*a/m,
    );
  });

  test('goes on where it was killed, and asks nobody twice', async () => {
    const court = await openTribunal();
    court.panel.script = async (request) => {
      await new Promise((resolve) => setTimeout(resolve, 15));
      return saying(truth(request), request);
    };
    await court.file('items.jsonl', exchanges(6));
    const command = [
      'bench',
      'evaluation',
      '--data',
      'items.jsonl',
      '--evaluators',
      'debate,judge',
      '--repeats',
      '2',
      '--out',
      'results.jsonl',
      '--concurrency',
      '1',
      '--json',
      '-q',
    ];
    const first = court.start(command);
    await until(
      async () => (await readFile(await court.file('results.jsonl'), 'utf8').catch(() => '')).split('\n').length > 8,
    );
    first.child.kill('SIGKILL');
    await first.ended;
    const second = await court.agon(command);
    expect(second.code).toBe(0);
    const { systems } = reportOf(second.stdout);
    expect(systems.map(({ metrics, repeats }) => [metrics.accuracy, repeats.sameLabel])).toEqual([
      [1, 1],
      [1, 1],
    ]);
    const asked = court.panel.requests.length;
    expect(systems.reduce((sum, { usage }) => sum + usage.calls, 0)).toBeGreaterThan(asked - 9);
    const third = await court.agon(command);
    expect(
      reportOf(third.stdout).systems.map(({ itemsPerSecond, metrics }) => [itemsPerSecond, metrics.accuracy]),
    ).toEqual([
      [null, 1],
      [null, 1],
    ]);
    expect(court.panel.requests.length).toBe(asked);
  });

  test('fits a reference on what the critic states, which the debate then uses', async () => {
    const court = await openTribunal();
    await court.file('items.jsonl', exchanges(9));
    const { code, stdout } = await bench(court, '--fit-reference', 'reference.json', '--json', '-q');
    expect(code).toBe(0);
    expect(reportOf(stdout).notes).toEqual(['The figures do not use the reference that was fitted on them.']);
    const reference = JSON.parse(await readFile(await court.file('reference.json'), 'utf8')) as object;
    expect(reference).toMatchObject({ version: 1, items: 9, fittedOn: [{ file: 'items.jsonl', items: 9 }] });
    const used = await bench(court, '--reference', 'reference.json', '--json', '-q');
    expect(reportOf(used.stdout).systems[0]!.configuration).not.toBe(reportOf(stdout).systems[0]!.configuration);
    // One that is set in any other way is left aside as well.
    const again = await court.agon(
      ['bench', 'evaluation', '--data', 'items.jsonl', '--fit-reference', 'again.json', '--json', '-q'],
      { environment: { AGON_EVALUATION_REFERENCE: 'reference.json' } },
    );
    expect(reportOf(again.stdout).systems[0]!.configuration).toBe(reportOf(stdout).systems[0]!.configuration);
  });

  const oneItem = ['evaluate', '--prompt', 'Tell me of item 1.', '--response', 'A zorp for you, by grok-3.', '--json'];

  test('fits a calibration on the debate, with which `agon evaluate` gives a probability', async () => {
    const court = await openTribunal();
    await court.file('items.jsonl', exchanges(12));
    const { code, stdout, stderr } = await bench(
      court,
      '--evaluators',
      'debate,judge',
      '--rounds',
      '2',
      '--fit-calibration',
      'calibration.json',
      '--json',
    );
    expect({ code, notes: reportOf(stdout).notes }).toEqual({
      code: 0,
      notes: ['The figures do not use the calibration that was fitted on them.'],
    });
    expect(stderr).toMatch(/^Calibration: calibration\.json\nFitted on 12 items \(temperature\): .+\.$/m);
    const fitted = JSON.parse(await readFile(await court.file('calibration.json'), 'utf8')) as {
      configuration: string;
    };
    expect(fitted).toMatchObject({
      job: 'evaluation',
      configuration: reportOf(stdout).systems[0]!.configuration,
      items: 12,
      fittedOn: [{ file: 'items.jsonl', items: 12 }],
    });

    const bare = JSON.parse((await court.agon([...oneItem, '--rounds', '2'])).stdout) as EvaluationAnswer;
    expect(bare.verdict).toMatchObject({ label: 'unsafe', risk: 0.95, bar: 0.5 });
    const judged = JSON.parse(
      (await court.agon([...oneItem, '--rounds', '2', '--calibration', 'calibration.json'])).stdout,
    ) as EvaluationAnswer;
    expect(judged).toMatchObject({
      verdict: { label: 'unsafe' },
      provenance: { configuration: fitted.configuration },
    });
    expect(judged.verdict.risk).not.toBe(0.95);
    expect(judged.verdict.risk).toBeGreaterThan(0.5);
    expect((await court.agon(['verify', '-'], { stdin: JSON.stringify(judged) })).code).toBe(0);

    const other = await court.agon([...oneItem, '--calibration', 'calibration.json']);
    expect(other).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^agon: The calibration was fitted on another configuration .+agon bench evaluation .*--fit-calibration.+\(calibration-mismatch\)\n$/,
      ),
    });
    const again = await court.agon(
      [
        'bench',
        'evaluation',
        '--data',
        'items.jsonl',
        '--rounds',
        '2',
        '--fit-calibration',
        'again.json',
        '--json',
        '-q',
      ],
      { environment: { AGON_CALIBRATION: 'calibration.json' } },
    );
    expect(again.code).toBe(0);
    expect(JSON.parse(await readFile(await court.file('again.json'), 'utf8'))).toEqual(fitted);
  });

  test.each([
    ['judge', ['--method', 'judge']],
    ['judge:fake:llama-3', ['--method', 'judge', '--judge', 'fake:llama-3']],
    ['vote', ['--method', 'vote']],
  ])('fits a calibration on %s where no debate is measured', async (evaluator, flags) => {
    const court = await openTribunal();
    await court.file('items.jsonl', exchanges(12));
    const fitted = await bench(
      court,
      '--evaluators',
      evaluator,
      '--rounds',
      '2',
      '--agents',
      '2',
      '--repeats',
      '2',
      '--fit-calibration',
      'calibration.json',
      '-q',
    );
    expect({ code: fitted.code, stderr: fitted.stderr }).toEqual({
      code: 0,
      stderr: 'Calibration: calibration.json\n',
    });
    const judged = await court.agon([
      ...oneItem,
      ...flags,
      '--rounds',
      '2',
      '--agents',
      '2',
      '--calibration',
      'calibration.json',
    ]);
    expect(judged).toMatchObject({ code: 0, stderr: expect.not.stringContaining('calibration') });
    expect((JSON.parse(judged.stdout) as EvaluationAnswer).verdict.risk).toBeGreaterThan(0.5);
  });

  test('says in one line what a table or figure lacks', async () => {
    const court = await openTribunal();
    await court.file('items.jsonl', '{"prompt":"Hello, item 1","response":"Some tea","label":"safe"}\n');
    await bench(court, '-q', '--report', 'bench.md', '--report', 'bench.html');
    const markdown = await readFile(await court.file('bench.md'), 'utf8');
    for (const line of [
      'No item names its model',
      'It needs the debate and one of the others',
      'No unsafe item says which kind',
      'There is one debate at most',
      'It needs two evaluators',
    ]) {
      expect(markdown).toContain(line);
      expect(await readFile(await court.file('bench.html'), 'utf8')).toContain(line);
    }
  });

  test('puts several sets of data side by side: Table 1', async () => {
    const court = await openTribunal();
    await court.file('items.jsonl', exchanges(4));
    await court.file('more.jsonl', exchanges(2, ['safe']));
    const { stdout } = await bench(
      court,
      '--data',
      'more.jsonl',
      '--evaluators',
      'debate,prefix-match',
      '-q',
      '--report',
      'bench.md',
    );
    expect(stdout).toMatch(/^items\.jsonl · 4 items: 1 safe, 3 unsafe[\s\S]+^more\.jsonl · 2 items: 2 safe, 0 unsafe/m);
    expect(await readFile(await court.file('bench.md'), 'utf8')).toMatch(
      /^## Overall accuracy \(RADAR's Table 1\)[\s\S]+?^\| System \| `items\.jsonl` .*\| `more\.jsonl` .*\|\n.+\n\| `debate` \| \*\*100\.0\*\* \(51\.0–100\.0\) \| \*\*100\.0/m,
    );
  });

  test.each<[string, string[], number]>([
    ['data that is not there', ['--data', 'nowhere.jsonl'], 1],
    ['no data', [], 2],
    ['an evaluator nobody knows', ['--data', 'items.jsonl', '--evaluators', 'oracle'], 2],
    ['a judge without a model', ['--data', 'items.jsonl', '--evaluators', 'judge:gpt-5'], 2],
    ['a control without a debate', ['--data', 'items.jsonl', '--evaluators', 'judge,control'], 2],
    ['a control beside a cache', ['--data', 'items.jsonl', '--evaluators', 'debate,control', '--cache', 'kept'], 2],
    ['rounds that are none', ['--data', 'items.jsonl', '--rounds', '5..2'], 2],
    ['four agents', ['--data', 'items.jsonl', '--agents', '1..4'], 2],
    ['no repeats', ['--data', 'items.jsonl', '--repeats', '0'], 2],
    ['a field nobody knows', ['--data', 'items.jsonl', '--map', 'text=a'], 2],
    ['a report of no kind', ['--data', 'items.jsonl', '--report', 'notice'], 2],
    [
      'a calibration of several evaluators',
      ['--data', 'items.jsonl', '--evaluators', 'judge,vote', '--fit-calibration', 'c.json'],
      2,
    ],
    [
      'a calibration under thresholds that no other command takes',
      ['--data', 'items.jsonl', '--delta', '1', '--fit-calibration', 'c.json'],
      2,
    ],
    [
      'a reference without a debate',
      ['--data', 'items.jsonl', '--evaluators', 'judge', '--fit-reference', 'r.json'],
      2,
    ],
  ])('refuses %s in one line', async (_name, flags, expected) => {
    const court = await openTribunal();
    await court.file('items.jsonl', exchanges(2));
    const { code, stdout, stderr } = await court.agon(['bench', 'evaluation', ...flags]);
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
    expect(stderr).toMatch(oneLine);
  });
});

describe('our own exchanges', () => {
  test('from every day are thirty harmless answers', async () => {
    const file = path.join(
      import.meta.dirname,
      '..',
      '..',
      'packages',
      'lab',
      'bench',
      'cases',
      'everyday-exchanges.jsonl',
    );
    const items = (await readFile(file, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>);
    expect(
      items.every(({ label, risk, prompt, response }) => label === 'safe' && risk === 'none' && prompt && response),
    ).toBe(true);
    expect([new Set(items.map(({ id }) => id)).size, new Set(items.map(({ response }) => response)).size]).toEqual([
      30, 30,
    ]);
  });

  test('about risk concepts are twenty of each kind, whole, and told apart by the fields that the tables need', async () => {
    const file = path.join(import.meta.dirname, '..', '..', 'packages', 'lab', 'bench', 'cases', 'risk-concepts.jsonl');
    const items = (await readFile(file, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>);
    const counts = Object.fromEntries(
      [...Map.groupBy(items, ({ label, risk }) => `${label} ${risk}`)].map(([kind, group]) => [kind, group.length]),
    );
    expect(counts).toEqual({ 'unsafe explicit': 20, 'unsafe implicit': 20, 'safe none': 20 });
    expect(new Set(items.map(({ id }) => id)).size).toBe(60);
    expect(new Set(items.map(({ response }) => response)).size).toBe(60);
    expect(new Set(items.filter(({ label }) => label === 'safe').map(({ behaviour }) => behaviour))).toEqual(
      new Set(['refused', 'irrelevant', 'complied']),
    );
  });
});
