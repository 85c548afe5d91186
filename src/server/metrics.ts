/** What the server counts, for Prometheus. */
export interface Meters {
  request(operation: string, status: number, seconds: number): void;
  trial(job: string, outcome: string, seconds: number): void;
  refused(why: string): void;
  stream(change: 1 | -1): void;
  text(): Promise<string>;
}

export function openMeters(_figures: { held(): number; waiting(): number }): Meters {
  throw new Error('not written yet');
}
