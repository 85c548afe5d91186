import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { createResolver, resolvePublicAddresses } from './public-address.ts';

const open: Socket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.close();
});

/**
 * A name server that knows one name by an address of each family; other names do not exist, and some it never
 * answers.
 */
async function nameServer({ four, six }: { four: number[]; six: number[] }): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const name = query.subarray(13, 13 + query[12]!).toString();
    if (name === 'silent') return;
    const end = query.indexOf(0, 12) + 5;
    const type = query.readUInt16BE(end - 4);
    const data = name === 'known' ? Buffer.from(type === 1 ? four : six) : null;
    const head = Buffer.from([query[0]!, query[1]!, 0x81, data ? 0x80 : 0x83, 0, 1, 0, data ? 1 : 0, 0, 0, 0, 0]);
    const answer = data
      ? Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length]), data])
      : Buffer.alloc(0);
    socket.send(Buffer.concat([head, query.subarray(12, end), answer]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  open.push(socket);
  return `127.0.0.1:${socket.address().port}`;
}

const never = new AbortController().signal;
const eight = [8, 8, 8, 8];
const google = [0x20, 0x01, 0x48, 0x60, 0x48, 0x60, 0, 0, 0, 0, 0, 0, 0, 0, 0x88, 0x88];

test('a name is looked up in both families, and one that does not exist has no address', async () => {
  const ask = createResolver([await nameServer({ four: eight, six: google })]);
  expect(await resolvePublicAddresses(new URL('https://known.example.com/'), ask, never)).toEqual([
    { address: '8.8.8.8', family: 4 },
    { address: '2001:4860:4860::8888', family: 6 },
  ]);
  expect(await resolvePublicAddresses(new URL('https://unknown.example.com/'), ask, never)).toEqual([]);
});

test('one private address of either family is enough to refuse a name', async () => {
  const loopback6 = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
  for (const known of [
    { four: eight, six: loopback6 },
    { four: [10, 0, 0, 1], six: google },
  ]) {
    const ask = createResolver([await nameServer(known)]);
    await expect(resolvePublicAddresses(new URL('https://known.example.com/'), ask, never)).rejects.toMatchObject({
      code: 'private-address',
    });
  }
});

test('a name server that does not answer is not waited for longer than the caller does', async () => {
  const ask = createResolver([await nameServer({ four: eight, six: google })]);
  const leave = new AbortController();
  // The name server's own patience ends with another error.
  const asked = expect(ask('silent.example.com', leave.signal)).rejects.toThrow('nobody waits');
  setTimeout(() => leave.abort(new Error('nobody waits')), 100);
  await asked;
});
