import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { auditMoment, openLedger, type AuditEntry } from '@agonhq/ledger';
import { agon } from '../support/run-agon.ts';

const day = 24 * 3_600_000;

function entry(daysAgo: number, changes: Partial<AuditEntry>): AuditEntry {
  const at = new Date(Date.now() - daysAgo * day);
  return {
    id: `${auditMoment(at)}-${daysAgo}`,
    at,
    who: 'Mara',
    key: 'key-1',
    operation: 'queue.decide',
    target: 'mod-1',
    what: { label: 'safe' },
    status: 201,
    request: `request-${daysAgo}`,
    ...changes,
  };
}

let home: string;
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'agon-audit-'));
  const ledger = await openLedger({ file: path.join(home, 'ledger.sqlite') });
  await ledger.audit.keepEntries([
    entry(20, { who: 'Ben\u001b[31m' }),
    entry(3, { who: null, key: null, operation: 'keys.create', target: null, what: { scopes: ['read', 'judge'] } }),
    entry(1, {}),
  ]);
  await ledger.close();
});

const audit = (...args: string[]) =>
  agon(['audit', ...args], {
    cwd: home,
    environment: { AGON_HOME: home, AGON_LEDGER: path.join(home, 'ledger.sqlite') },
  });

describe('agon audit', { timeout: 120_000 }, () => {
  test('lists who did what, the newest first, and nothing that a terminal would obey', async () => {
    const { code, stdout } = await audit();
    expect(code).toBe(0);
    const [head, ...lines] = stdout.trimEnd().split('\n');
    expect(head).toMatch(/when +who +what +status +of +with/);
    expect(lines[0]).toMatch(/Mara +queue\.decide +201 +mod-1 +label=safe/);
    expect(lines[1]).toMatch(/– +keys\.create +201 +– +scopes=read\+judge/);
    expect(lines).toHaveLength(3);
    expect(stdout).not.toContain('\u001b[31m');
  });

  test('is narrowed by who, what and when, and tells it as JSON', async () => {
    const ids = async (...args: string[]) =>
      (await audit('--json', ...args)).stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => (JSON.parse(line) as AuditEntry).request);
    expect(await ids()).toEqual(['request-1', 'request-3', 'request-20']);
    expect(await ids('--who', 'Mara')).toEqual(['request-1']);
    expect(await ids('--operation', 'keys.create')).toEqual(['request-3']);
    expect(await ids('--since', '7d')).toEqual(['request-1', 'request-3']);
    expect(await ids('--limit', '1')).toEqual(['request-1']);
    expect((await audit('--who', 'nobody')).stdout).toContain('nothing of that kind');
  });
});
