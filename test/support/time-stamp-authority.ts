import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Whether a time stamping authority can be set up here. */
export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

const configuration = `
[tsa]
serial = serial
crypto_device = builtin
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
accuracy = secs:1
ess_cert_id_alg = sha256
[req]
distinguished_name = name
[name]
[authority]
basicConstraints = critical,CA:true
keyUsage = critical,keyCertSign
[stamps]
keyUsage = critical,digitalSignature
extendedKeyUsage = critical,timeStamping
`;

export interface Authority extends AsyncDisposable {
  url: string;
  /** The certificate of whoever issued its own, as PEM. */
  rootFile: string;
  /** What it answers with instead, where that is not null. */
  say: { status: number; body: Buffer } | null;
}

/** A time stamping authority (RFC 3161) over HTTP, by the command line of OpenSSL. */
export async function startAuthority(keyType: 'rsa' | 'ec' = 'rsa'): Promise<Authority> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agon-authority-'));
  const openssl = (...given: string[]) => run('openssl', given, { cwd: folder });
  const newKey = keyType === 'rsa' ? ['rsa:2048'] : ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];
  await writeFile(path.join(folder, 'openssl.cnf'), configuration);
  await writeFile(path.join(folder, 'serial'), '01\n');
  const request = ['req', '-config', 'openssl.cnf', '-nodes', '-newkey', ...newKey];
  await openssl(
    ...request,
    '-x509',
    '-extensions',
    'authority',
    '-subj',
    '/CN=Root of the tests',
    '-keyout',
    'root.key',
    '-out',
    'root.pem',
  );
  await openssl(...request, '-subj', '/CN=Clock of the tests', '-keyout', 'clock.key', '-out', 'clock.csr');
  await openssl(
    'x509',
    '-req',
    '-in',
    'clock.csr',
    '-CA',
    'root.pem',
    '-CAkey',
    'root.key',
    '-CAcreateserial',
    '-extfile',
    'openssl.cnf',
    '-extensions',
    'stamps',
    '-out',
    'clock.pem',
  );

  const answer = async (query: Buffer): Promise<Buffer> => {
    await writeFile(path.join(folder, 'query.tsq'), query);
    await openssl(
      'ts',
      '-reply',
      '-config',
      'openssl.cnf',
      '-section',
      'tsa',
      '-queryfile',
      'query.tsq',
      '-signer',
      'clock.pem',
      '-inkey',
      'clock.key',
      '-out',
      'reply.tsr',
    );
    return readFile(path.join(folder, 'reply.tsr'));
  };
  const authority: Authority = {
    url: '',
    rootFile: path.join(folder, 'root.pem'),
    say: null,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  const reply = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const query = await buffer(incoming);
    const { status, body } = authority.say ?? { status: 200, body: await answer(query) };
    outgoing.writeHead(status, { 'content-type': 'application/timestamp-reply' }).end(body);
  };
  const server: Server = createServer((incoming, outgoing) => void reply(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  authority.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return authority;
}
