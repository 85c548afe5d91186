import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { holdCase, openedCase } from '@agonhq/test/support/ledger-cases.ts';
import { openNewLedger } from '@agonhq/test/support/new-ledger.ts';
import { makeSigner } from '@agonhq/test/support/signer.ts';
import { hasOpenssl, startAuthority } from '@agonhq/test/support/time-stamp-authority.ts';
import { auditLedger, makeCheckpoint } from '../index.ts';
import { readObjectId, readDerValue, readValues, writeInteger, writeObjectId, writeOctets } from './der.ts';
import { requestTimeStamp, writeRequest } from './request.ts';
import { verifyTimeStamp } from './verify.ts';

const stamped = Buffer.from('What was there.');

describe('DER', () => {
  test('reads what it has written, and nothing that is cut off or has something behind it', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        const written = writeOctets(bytes);
        expect(Buffer.compare(readDerValue(written).content, bytes)).toBe(0);
        expect(() => readDerValue(written.subarray(0, -1))).toThrow();
        expect(() => readDerValue(Buffer.concat([written, Uint8Array.of(5, 0)]))).toThrow();
      }),
    );
    for (const id of ['2.16.840.1.101.3.4.2.1', '1.2.840.113549.1.9.16.1.4'])
      expect(readObjectId(readDerValue(writeObjectId(id)))).toBe(id);
    expect([...writeInteger(Uint8Array.of(0, 200))]).toEqual([2, 2, 0, 200]);
    expect([...writeInteger(Uint8Array.of(0))]).toEqual([2, 1, 0]);
    expect(() => readValues(Uint8Array.of(0x30, 0x80, 0, 0))).toThrow();
  });
});

describe.skipIf(!hasOpenssl)('a time stamp', () => {
  test.each(['rsa', 'ec'] as const)('is asked for, checked here and by OpenSSL (%s)', async (keyType) => {
    await using authority = await startAuthority(keyType);
    const response = await requestTimeStamp(authority.url, stamped);
    const { at, authority: who } = verifyTimeStamp(response, stamped);
    expect(Math.abs(at.getTime() - Date.now())).toBeLessThan(60_000);
    expect(who).toBe('CN=Clock of the tests');

    const folder = await mkdtemp(path.join(tmpdir(), 'agon-time-stamp-'));
    const files = { data: path.join(folder, 'data'), reply: path.join(folder, 'data.tsr') };
    await writeFile(files.data, stamped);
    await writeFile(files.reply, response);
    const given = ['ts', '-verify', '-data', files.data, '-in', files.reply, '-CAfile', authority.rootFile];
    expect(execFileSync('openssl', given, { stdio: 'pipe' }).toString()).toContain('Verification: OK');
    await writeFile(files.data, writeRequest(stamped, Uint8Array.of(200, 1)));
    const query = execFileSync('openssl', ['ts', '-query', '-in', files.data, '-text'], { stdio: 'pipe' }).toString();
    expect(query).toMatch(/Hash Algorithm: sha256[^]+Nonce: 0xC801\nCertificate required: yes/);
    await rm(folder, { recursive: true });
  });

  test('is not accepted where a byte of it was changed, of other bytes or for another request', async () => {
    await using authority = await startAuthority('ec');
    const response = await requestTimeStamp(authority.url, stamped);
    expect(() => verifyTimeStamp(response, Buffer.from('Something else.'))).toThrow('of something else');
    expect(() => verifyTimeStamp(response, stamped, Uint8Array.of(1))).toThrow('another request');
    // The time stands in what was signed, the last bytes are the signature's.
    const time = Buffer.from(response).indexOf(`${new Date().getUTCFullYear()}`);
    for (const at of [time + 4, response.length - 1]) {
      const changed = Uint8Array.from(response, (byte, index) => (index === at ? byte ^ 1 : byte));
      expect(() => verifyTimeStamp(changed, stamped)).toThrow(/signed|signature/);
    }
    fc.assert(
      fc.property(fc.nat(response.length - 1), (length) => {
        expect(() => verifyTimeStamp(response.subarray(0, length), stamped)).toThrow();
      }),
    );
  });

  test('comes with the checkpoint; where the authority fails, the checkpoint says why, and the next time asks again', async () => {
    await using authority = await startAuthority('ec');
    const folder = await mkdtemp(path.join(tmpdir(), 'agon-stamped-'));
    const file = path.join(folder, 'ledger.sqlite');
    const ledger = await openNewLedger(file);
    const { signer, keys } = makeSigner();
    const sign = () => makeCheckpoint(ledger, { signer, authority: authority.url });
    const stamps = async () => (await auditLedger(ledger, { keys })).checks.find(({ name }) => name === 'time stamps');
    await holdCase(ledger, openedCase('case-1'));

    authority.say = { status: 503, body: Buffer.from('') };
    expect(await sign()).toMatchObject({
      isNew: true,
      timeStamp: null,
      timeStampProblem: expect.stringContaining('it answered with status 503'),
    });
    expect(await stamps()).toMatchObject({ outcome: 'not-checked', detail: expect.stringContaining('status 503') });
    authority.say = { status: 200, body: Buffer.from('nonsense') };
    expect((await sign())?.timeStampProblem).toContain('its answer is not accepted');
    authority.say = null;
    expect(await sign()).toMatchObject({ isNew: false, timeStampProblem: null, timeStamp: expect.any(Uint8Array) });
    expect(await stamps()).toMatchObject({ outcome: 'ok', detail: expect.stringContaining('CN=Clock of the tests') });

    await holdCase(ledger, openedCase('case-2'));
    await sign();
    const database = new DatabaseSync(file);
    database.exec('update checkpoints set time_stamp = (select time_stamp from checkpoints where number = 1)');
    database.close();
    expect(await stamps()).toMatchObject({
      outcome: 'wrong',
      detail: 'checkpoint 2: it is the time stamp of something else',
    });
    await ledger.close();
    await rm(folder, { recursive: true });
  });
});
