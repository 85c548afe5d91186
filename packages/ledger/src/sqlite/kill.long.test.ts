import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { entryLine, holdDebates } from '@agonhq/test/support/ledger-debates.ts';
import { runLedgerChild } from '@agonhq/test/support/run-ledger-child.ts';
import type { JournalEntry } from '@agonhq/engine/debate';
import { hashOf } from '@agonhq/engine/hash';
import { openLedger, type Ledger } from '../index.ts';

const kills = Number(process.env['AGON_KILLS'] ?? 4);
const debatesEach = 8;
const folder = mkdtempSync(path.join(tmpdir(), 'agon-kill-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A provider that counts who asks for what, and takes a few milliseconds to answer. */
let asked: string[] = [];
const provider = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (words: string) => (body += words));
  request.on('end', () => {
    const { debate, key } = JSON.parse(body) as { debate: string; key: string };
    asked.push(`${debate} ${key}`);
    setTimeout(() => response.end('{}'), Math.random() * 8);
  });
});
let url: string;
beforeAll(async () => {
  provider.listen(0, '127.0.0.1');
  await new Promise((resolve) => provider.once('listening', resolve));
  url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/`;
});
afterAll(() => {
  provider.closeAllConnections();
  provider.close();
});

test(
  `killed ${kills} times while debates run, the ledger loses and doubles nothing, and the debates end as if nobody had`,
  { timeout: 60_000 + kills * 15_000 },
  async () => {
    const file = path.join(folder, 'ledger.sqlite');
    const record = path.join(folder, 'acknowledged');
    const acknowledged = () => (existsSync(record) ? readFileSync(record, 'utf8').split('\n').slice(0, -1) : []);
    const place = (line: string) => line.split(' ').slice(0, 2).join(' ');
    let debates = 0;
    let midway = 0;

    for (let kill = 0; kill < kills; kill += 1) {
      const before = new Set(acknowledged().map(place));
      asked = [];
      const child = runLedgerChild('debates', file, url, record, String((debates += debatesEach)));
      // Every third time also while it starts, opens the file or makes it.
      if (kill % 3 !== 0) await child.ready;
      await pause(Math.random() * 400);
      child.kill();
      const { output } = await child.ended;
      if (!output.includes('"done"')) midway += 1;
      expect(
        asked.filter((call) => before.has(call)),
        'what was acknowledged is never asked for again',
      ).toEqual([]);
      expect(problemsIn(file, acknowledged())).toEqual([]);
      const survivor = await openLedger({ file });
      expect((await survivor.records.audit()).problems, 'every record has its leaf').toEqual([]);
      await survivor.records.sequence();
      await survivor.close();
    }
    expect(midway, 'most of the kills came midway').toBeGreaterThan(kills / 2);

    const before = new Set(acknowledged().map(place));
    asked = [];
    const last = runLedgerChild('debates', file, url, record, String(debates));
    const { code, output } = await last.ended;
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(asked.filter((call) => before.has(call))).toEqual([]);
    expect(problemsIn(file, acknowledged())).toEqual([]);

    const killed = await openLedger({ file });
    const unhurt = await openLedger({ file: path.join(folder, 'unhurt.sqlite') });
    try {
      await holdDebates(unhurt, url, debates, () => undefined);
      expect(await trialsIn(killed, debates)).toEqual(await trialsIn(unhurt, debates));
      expect((await killed.readStats()).entries).toBe(debates * 7);
      expect((await killed.records.audit()).problems).toEqual([]);
    } finally {
      await killed.close();
      await unhurt.close();
    }
  },
);

/** Entries that were acknowledged and are gone, changed or there twice, and what SQLite itself finds wrong. */
function problemsIn(file: string, lines: readonly string[]): string[] {
  if (!existsSync(file)) return lines.map((line) => `lost: ${line}`);
  const database = new DatabaseSync(file);
  try {
    const { integrity_check: integrity } = database.prepare('pragma integrity_check').get() as {
      integrity_check: string;
    };
    const made = database.prepare("select 1 from sqlite_schema where name = 'entries'").get() !== undefined;
    const rows = (made ? database.prepare('select debate, key, input_hash, entry from entries').all() : []) as {
      debate: string;
      key: string;
      input_hash: string;
      entry: string;
    }[];
    const there = rows.map((row) =>
      entryLine(row.debate, row.key, row.input_hash, hashOf(JSON.parse(row.entry) as JournalEntry)),
    );
    const kept = new Set(there);
    return [
      ...(integrity === 'ok' ? [] : [integrity]),
      ...lines.filter((line) => !kept.has(line)).map((line) => `lost: ${line}`),
      ...(kept.size === there.length ? [] : ['an entry is there twice']),
    ];
  } finally {
    database.close();
  }
}

/** Verdict and seal of each debate: its transcript is part of what is sealed. */
async function trialsIn(ledger: Ledger, debates: number): Promise<unknown[]> {
  return Promise.all(
    Array.from({ length: debates }, async (_, index) => {
      const found = await ledger.cases.findCase(`debate-${index}`);
      return { id: found?.id, label: found?.label, transcript: found?.answer?.transcript, seal: found?.seal };
    }),
  );
}
