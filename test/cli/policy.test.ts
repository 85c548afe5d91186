import { describe, expect, test } from 'vitest';
import { hang, json, status } from '../fake-provider/index.ts';
import { panelReply, type PanelScript } from '../support/fake-panel.ts';
import { agon, oneLine, openCourt, until } from '../support/run-agon.ts';

const house = `
name: house rules
version: "1"
categories:
  - id: fraud
    title: Fraud
    clauses:
      - id: fraud.scam
        text: No scams.
        severity: high
        violations: [ Send me your PIN, You have won a million ]
        exonerations: [ How do I recognise a scam? ]
  - id: weapons
    title: Weapons
    clauses:
      - id: weapons.sale
        text: No sale of weapons.
        severity: critical
        violations: [ Guns without papers ]
        exonerations: [ A museum shows old swords ]
`;

/** Condemns what holds one of the words, under the given clause. */
function panelAgainst(words: Record<string, string>) {
  return (request: Parameters<typeof panelReply>[1]) => {
    const found = Object.entries(words).find(([word]) => request.prompt.includes(word));
    const script: PanelScript = found
      ? { arbiter: { risk: { why: 'It is.', evidence: [found[0]], holds: true, clauses: [found[1]] }, score: 0.9 } }
      : {};
    return panelReply(script, request);
  };
}

describe.concurrent('agon policy show', () => {
  test('shows the clauses of the default policy, or of a file', async () => {
    const court = await openCourt();
    await court.file('house.yaml', house);
    const [ours, theirs] = await Promise.all([agon(['policy', 'show']), court.agon(['policy', 'show', 'house.yaml'])]);
    expect(ours.stdout).toMatch(/sha256:[0-9a-f]{64}/);
    expect(ours.stdout).not.toContain('\u001b');
    expect(theirs.stdout).toContain('fraud.scam No scams. high');
    expect(theirs.stdout).toContain('weapons.sale No sale of weapons. critical remove\n');
    expect(theirs.stdout).toContain('embedded:guard-2 knows too little of weapons.sale to be relied on');
  });

  test('as JSON or as the file itself', async () => {
    const [asJson, asYaml] = await Promise.all([
      agon(['policy', 'show', '--json']),
      agon(['policy', 'show', '--yaml']),
    ]);
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      hash: expect.stringMatching(/^sha256:/),
      categories: expect.any(Array),
    });
    expect(asYaml.stdout).toMatch(/^version:/m);
  });
});

describe.concurrent('agon policy diff', () => {
  const edited = house
    .replace('severity: high', 'severity: critical')
    .replace(', You have won a million', ', Your account is locked')
    .replace('version: "1"', 'version: "2"')
    .replace(/ {2}- id: weapons[^]*$/, '');

  test('tells by category and clause what was and what is', async () => {
    const court = await openCourt();
    await court.file('old.yaml', house);
    await court.file('new.yaml', edited);
    const { code, stdout, stderr } = await court.agon(['policy', 'diff', 'old.yaml', 'new.yaml']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(
      [
        'house rules 1 → house rules 2: 4 changes',
        'policy version',
        '  - 1',
        '  + 2',
        'fraud.scam severity',
        '  - high',
        '  + critical',
        'fraud.scam violations',
        '  - You have won a million',
        '  + Your account is locked',
        'weapons removed',
        '  - Weapons',
        '  - weapons.sale No sale of weapons. critical',
        '',
      ].join('\n'),
    );
    expect((await court.agon(['policy', 'diff', 'new.yaml', 'new.yaml'])).stdout).toBe(
      'house rules 2 and house rules 2 are the same.\n',
    );
  });

  test('as JSON, as the server answers it', async () => {
    const court = await openCourt();
    await court.file('old.yaml', house);
    await court.file('new.yaml', edited);
    expect(JSON.parse((await court.agon(['policy', 'diff', 'old.yaml', 'new.yaml', '--json'])).stdout)).toMatchObject({
      version: 1,
      from: { name: 'house rules', version: '1' },
      to: { version: '2' },
      changes: [
        { at: 'policy', what: 'version' },
        { at: 'fraud.scam', kind: 'changed', what: 'severity', before: 'high', after: 'critical' },
        { at: 'fraud.scam', what: 'violations' },
        { at: 'weapons', kind: 'removed', what: 'category', after: null },
      ],
    });
  });

  test('a file that is broken or not there is said in one line', async () => {
    const court = await openCourt();
    await court.file('old.yaml', house);
    const { code, stderr } = await court.agon(['policy', 'diff', 'old.yaml', 'nowhere.yaml']);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(oneLine);
    expect(stderr).toContain('nowhere.yaml cannot be read');
  });
});

describe.concurrent('agon policy test', () => {
  test('reports which clauses do not catch their own examples', async () => {
    const court = await openCourt(panelAgainst({ PIN: 'fraud.scam', Guns: 'weapons.sale', swords: 'weapons.sale' }));
    await court.file('house.yaml', house);
    const { code, stdout, stderr } = await court.agon(['policy', 'test', 'house.yaml']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout.split('\n')).toEqual([
      '✗ fraud.scam  2 of 3',
      '    missed: {"text":"You have won a million"} → safe',
      '✗ weapons.sale  1 of 2',
      '    wrongly caught: {"text":"A museum shows old swords"} → unsafe under weapons.sale',
      '2 of 2 clauses do not catch their examples.',
      '',
    ]);
  });

  test('is content when every clause catches its own', async () => {
    const court = await openCourt(panelAgainst({ PIN: 'fraud.scam', million: 'fraud.scam', Guns: 'weapons.sale' }));
    await court.file('house.yaml', house);
    const { code, stdout } = await court.agon(['policy', 'test', 'house.yaml', '--json', '--clause', 'fraud']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      version: 1,
      caught: true,
      clauses: [{ clause: 'fraud.scam', examples: 3, missed: [] }],
    });
  });

  test('ends with one line when the key is wrong, and with 130 on Ctrl-C', async () => {
    const court = await openCourt(() => status(401));
    await court.file('house.yaml', house);
    const wrong = await court.agon(['policy', 'test', 'house.yaml']);
    expect(wrong).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(oneLine) });

    court.panel.script = hang;
    const { child, ended } = court.start(['policy', 'test', 'house.yaml']);
    await until(() => court.panel.inFlight > 0);
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 130, stderr: expect.stringMatching(oneLine) });
  });

  test('a policy that tries to write on the terminal cannot', async () => {
    const court = await openCourt(() => json({}));
    await court.file(
      'evil.yaml',
      house.replace('No scams.', '"No \\e[2J scams."').replace('Fraud\n', '"Fr\\e]0;x\\aaud"\n'),
    );
    const { stdout } = await court.agon(['policy', 'show', 'evil.yaml']);
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });
});
