import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** What came back over a connection until it was closed, or for so long. */
export async function rawHttp(
  url: string,
  bytes: string | Uint8Array,
  { patienceMs = 3_000 } = {},
): Promise<{ text: string; closed: boolean; statuses: number[] }> {
  const socket = open(url);
  const heard = { text: '', closed: false };
  const over = new Promise<void>((resolve) => {
    socket.on('data', (data) => {
      heard.text += data.toString('latin1');
    });
    socket.on('error', () => resolve());
    socket.on('close', () => {
      heard.closed = true;
      resolve();
    });
  });
  socket.write(bytes);
  const answered = (async () => {
    while (!heard.closed && !/^HTTP\/1\.1 \d{3}[^]*\r\n\r\n/.test(heard.text)) await pause(20);
    await pause(150);
  })();
  await Promise.race([over, answered, pause(patienceMs)]);
  socket.destroy();
  return { ...heard, statuses: [...heard.text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status)) };
}

export function open(url: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  return socket;
}
