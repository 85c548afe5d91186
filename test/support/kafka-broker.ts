import { spawn } from 'node:child_process';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { openKafkaGroups } from './kafka-groups.ts';

/*
 * A broker that can be started here: librdkafka's mock cluster within Debian's kcat, behind a proxy of ours, which
 * coordinates groups.
 */

export interface KafkaBroker {
  /** `127.0.0.1:9092`, by way of the proxy: for whoever is tested. */
  readonly address: string;
  /** Sends lines with kcat: `key\tvalue`. */
  produce(topic: string, lines: readonly string[]): Promise<void>;
  /** What kcat reads of a topic from its start to its end. */
  consume(topic: string): Promise<{ partition: number; offset: number; key: string; value: string }[]>;
  /** The brokers are gone; what they have is kept until they are back. */
  leaveOff(): void;
  comeBack(): void;
  /** Answers for a topic with an error of the protocol: 3 for an unknown one, 29 for no rights. */
  refuse(topic: string, code: number): void;
  stop(): Promise<void>;
}

/** Ids of requests: https://kafka.apache.org/protocol#protocol_api_keys. */
const apis = { metadata: 3, findCoordinator: 10, apiVersions: 18 };

export async function startKafkaBroker(): Promise<KafkaBroker> {
  const { port: real, stop: stopMock } = await startMock();
  const refused = new Map<string, number>();
  const groups = openKafkaGroups();
  const sockets = new Set<Socket>();
  let isAway = false;
  const proxy = createServer((client) => {
    if (isAway) return void client.destroy();
    const broker = connect(real, '127.0.0.1');
    const asked = new Map<number, number>();
    for (const socket of [client, broker]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        broker.destroy();
      });
    }
    readFrames(client, (frame) => {
      if (groups.answer(frame, (answer) => client.destroyed || client.write(answer))) return;
      asked.set(frame.readInt32BE(8), frame.readInt16BE(4));
      broker.write(frame);
    });
    readFrames(broker, (frame) => {
      const api = asked.get(frame.readInt32BE(4));
      asked.delete(frame.readInt32BE(4));
      if (api === apis.metadata || api === apis.findCoordinator) showOwnPort(frame, real, own);
      if (api === apis.metadata) for (const [topic, code] of refused) markTopic(frame, topic, code);
      if (api === apis.apiVersions) capListOffsets(frame);
      client.write(frame);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const own = (proxy.address() as AddressInfo).port;
  const direct = `127.0.0.1:${real}`;
  return {
    address: `127.0.0.1:${own}`,
    async produce(topic, lines) {
      await kcat(['-P', '-b', direct, '-t', topic, '-K', '\t'], `${lines.join('\n')}\n`);
    },
    async consume(topic) {
      const text = await kcat(['-C', '-b', direct, '-t', topic, '-e', '-q', '-f', '%p\t%o\t%k\t%s\n']);
      return text
        .split('\n')
        .filter(Boolean)
        .map((line) => {
          const [partition, offset, key, ...value] = line.split('\t');
          return { partition: Number(partition), offset: Number(offset), key: key!, value: value.join('\t') };
        });
    },
    leaveOff() {
      isAway = true;
      for (const socket of sockets) socket.destroy();
    },
    comeBack: () => void (isAway = false),
    refuse: (topic, code) => void refused.set(topic, code),
    async stop() {
      groups.stop();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
      await stopMock();
    },
  };
}

/** A producer that sends nothing, and has the mock cluster within it: it says where, and lasts as long as its input. */
async function startMock(): Promise<{ port: number; stop(): Promise<void> }> {
  const child = spawn('kcat', ['-X', 'test.mock.num.brokers=1', '-P', '-b', 'mock', '-t', 'nothing'], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const gone = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  const port = await new Promise<number>((resolve, reject) => {
    child.on('error', (error) => reject(new Error('kcat is needed: apt-get install kcat', { cause: error })));
    createInterface(child.stderr).on('line', (line) => {
      const found = /replaced with 127\.0\.0\.1:(\d+)/.exec(line)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
  });
  return {
    port,
    stop: async () => {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

function kcat(args: readonly string[], input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('kcat', args, { stdio: ['pipe', 'pipe', 'pipe'] });
    let out = '';
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve(out) : reject(new Error(`kcat: ${said}`))));
    child.stdin.end(input);
  });
}

/** Requests and answers are framed by their length. */
function readFrames(socket: Socket, onFrame: (frame: Buffer) => void): void {
  let begun: Buffer = Buffer.alloc(0);
  socket.on('data', (piece) => {
    begun = Buffer.concat([begun, piece]);
    for (;;) {
      const end = begun.length < 4 ? Infinity : begun.readInt32BE(0) + 4;
      if (begun.length < end) return;
      onFrame(Buffer.from(begun.subarray(0, end)));
      begun = begun.subarray(end);
    }
  });
}

/** The mock says where it is; whoever is tested is to come by way of the proxy. */
function showOwnPort(frame: Buffer, real: number, own: number): void {
  const place = Buffer.concat([Buffer.from('127.0.0.1'), writeInt32(real)]);
  for (let at = frame.indexOf(place); at !== -1; at = frame.indexOf(place, at + 1))
    frame.writeInt32BE(own, at + place.length - 4);
}

/** A topic in metadata is its error, the length of its name, and its name. */
function markTopic(frame: Buffer, topic: string, code: number): void {
  const at = frame.indexOf(Buffer.from(topic));
  if (at >= 4) frame.writeInt16BE(code, at - 4);
}

/** The mock of librdkafka 2.0 writes the answer to ListOffsets (2) wrong from version 4 on: its epoch has 8 bytes. */
function capListOffsets(frame: Buffer): void {
  const at = frame.indexOf(Buffer.from([0, 2, 0, 0, 0, 5]));
  if (at !== -1) frame.writeInt16BE(3, at + 4);
}

function writeInt32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
