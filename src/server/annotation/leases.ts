/**
 * Who looks at which item, so that no more people do than votes are needed. It is soft: whoever votes first is
 * counted.
 */
export interface Leases {
  /** Gives an item to somebody, and takes back what they had of the project. */
  give(project: string, position: number, voter: string): void;
  release(project: string, voter: string): void;
  /** What somebody has in hand. */
  of(project: string, voter: string): number | null;
  /** How many others have it in hand. */
  others(project: string, position: number, voter: string): number;
  /** How many are given in a project. */
  count(project: string): number;
  drop(project: string): void;
}

const leaseMs = 5 * 60_000;

interface Lease {
  position: number;
  until: number;
}

export function openLeases({ now = Date.now }: { now?: () => number } = {}): Leases {
  const projects = new Map<string, Map<string, Lease>>();

  function live(project: string): Map<string, Lease> {
    const leases = projects.get(project) ?? new Map<string, Lease>();
    for (const [voter, { until }] of leases) if (until <= now()) leases.delete(voter);
    return leases;
  }

  return {
    give(project, position, voter) {
      projects.set(project, live(project).set(voter, { position, until: now() + leaseMs }));
    },
    release: (project, voter) => void live(project).delete(voter),
    of: (project, voter) => live(project).get(voter)?.position ?? null,
    others: (project, position, voter) =>
      [...live(project)].filter(([name, lease]) => name !== voter && lease.position === position).length,
    count: (project) => live(project).size,
    drop: (project) => void projects.delete(project),
  };
}
