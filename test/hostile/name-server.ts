import { createSocket } from 'node:dgram';
import { once } from 'node:events';

export interface NameServer extends AsyncDisposable {
  /** As `createResolver` takes it. */
  address: string;
  /** How often a name was asked for. */
  asked: Map<string, number>;
}

/** The answers to one name, by family, as bytes; asked again, it may have moved. */
export type Zone = (name: string, time: number) => { four?: readonly number[][]; six?: readonly number[][] };

/** A name server on this machine that answers as the test says: what rebinds, rebinds here. */
export async function startNameServer(zone: Zone): Promise<NameServer> {
  const socket = createSocket('udp4');
  const asked = new Map<string, number>();
  socket.on('message', (query, { port, address }) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at]!; length > 0; length = query[at]!) {
      labels.push(query.subarray(at + 1, at + 1 + length).toString());
      at += length + 1;
    }
    const end = at + 5;
    const type = query.readUInt16BE(at + 1);
    const name = labels.join('.').toLowerCase();
    const key = `${name} ${type}`;
    const time = (asked.get(key) ?? 0) + 1;
    asked.set(key, time);
    const { four = [], six = [] } = zone(name, time);
    const found = type === 1 ? four : type === 28 ? six : [];
    const head = Buffer.from([query[0]!, query[1]!, 0x81, 0x80, 0, 1, 0, found.length, 0, 0, 0, 0]);
    const answers = found.map((data) => Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length, ...data]));
    socket.send(Buffer.concat([head, query.subarray(12, end), ...answers]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    async [Symbol.asyncDispose]() {
      socket.close();
    },
  };
}
