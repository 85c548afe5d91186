import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * How a link carries what is sent: as it is; late; not before the link is well again, as packets that are lost and
 * sent anew (`black-hole`); with the far side gone and the near side not told (`half-open`); or not even connections
 * (`refuse`).
 */
export type LinkMode = { kind: 'pass' | 'black-hole' | 'half-open' | 'refuse' } | { kind: 'slow'; delayMs: number };

/** A way from one process to another that can be made to fail. */
export interface FaultyLink {
  port: number;
  setMode(mode: LinkMode): void;
  /** Breaks all connections, in the middle of whatever they carry. */
  cut(): void;
  close(): Promise<void>;
}

interface Pair {
  near: Socket;
  far: Socket | null;
}

/** A TCP proxy on this machine; `to` is asked for each connection, since what is behind may be started anew. */
export async function openLink(to: () => number): Promise<FaultyLink> {
  const pairs = new Set<Pair>();
  let mode: LinkMode = { kind: 'pass' };
  let well = Promise.withResolvers<void>();
  well.resolve();

  function cut(): void {
    for (const { near, far } of pairs) {
      near.resetAndDestroy();
      far?.resetAndDestroy();
    }
  }

  /** What one side says reaches the other by the mode of that moment, in order. */
  function carry(pair: Pair, from: Socket, into: Socket): void {
    let last: Promise<unknown> = Promise.resolve();
    const isParted = () => pair.far === null;
    from.on('data', (bytes: Buffer) => {
      if (isParted()) return;
      last = Promise.all([last, well.promise, mode.kind === 'slow' ? pause(mode.delayMs) : null]).then(() => {
        if (isParted() || !into.writable || into.write(bytes)) return;
        from.pause();
        into.once('drain', () => from.resume());
      });
    });
    from.on('end', () => void last.then(() => isParted() || into.end()));
    from.on('error', () => isParted() || into.destroy());
    from.on('close', () => {
      if (isParted()) return;
      void last.then(() => into.destroy());
      pairs.delete(pair);
    });
  }

  const server = createServer({ allowHalfOpen: true }, (near) => {
    near.setNoDelay(true);
    if (mode.kind === 'refuse') return void near.on('error', () => undefined).resetAndDestroy();
    const far = mode.kind === 'half-open' ? null : connect({ port: to(), host: '127.0.0.1', allowHalfOpen: true });
    const pair: Pair = { near, far };
    pairs.add(pair);
    if (far === null) return void near.on('error', () => undefined).resume();
    far.setNoDelay(true);
    carry(pair, near, far);
    carry(pair, far, near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    setMode(next) {
      const before = mode;
      mode = next;
      if (next.kind === 'black-hole') well = Promise.withResolvers();
      else well.resolve();
      if (next.kind === 'refuse') cut();
      if (next.kind === 'half-open')
        for (const pair of pairs) {
          const { far } = pair;
          pair.far = null;
          far?.destroy();
        }
      // Whoever still waits on a connection that has no other side is told now.
      if (before.kind === 'half-open')
        for (const pair of pairs)
          if (pair.far === null) {
            pair.near.resetAndDestroy();
            pairs.delete(pair);
          }
    },
    cut,
    async close() {
      well.resolve();
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
