import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100;

interface Stat {
  pid: number;
  parent: number;
  name: string;
  seconds: number;
  /** Of its children that have ended. */
  ofEnded: number;
}

/**
 * Seconds of processor time that the server of PostgreSQL has used which this process started. On Linux; elsewhere null.
 */
export function readPostgresSeconds(): number | null {
  if (process.platform !== 'linux') return null;
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readStat(name) : []));
  const servers = new Set(
    all.filter(({ name, parent }) => name === 'postgres' && parent === process.pid).map(({ pid }) => pid),
  );
  return all.reduce(
    (sum, { pid, parent, seconds, ofEnded }) =>
      sum + (servers.has(pid) ? seconds + ofEnded : servers.has(parent) ? seconds : 0),
    0,
  );
}

function readStat(pid: string): Stat[] {
  try {
    const [, name, rest] = /\((.*)\) (.*)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))!;
    const fields = rest!.split(' ');
    return [
      {
        pid: Number(pid),
        parent: Number(fields[1]),
        name: name!,
        seconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
        ofEnded: (Number(fields[13]) + Number(fields[14])) / ticksPerSecond,
      },
    ];
  } catch {
    return []; // It ended meanwhile.
  }
}
