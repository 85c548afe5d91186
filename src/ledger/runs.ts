/** Many subjects through one configuration. */
export interface RunRow {
  id: string;
  name: string | null;
  job: string;
  configuration: string;
  settings: unknown;
  input: string | null;
  state: 'running' | 'stopped' | 'finished' | 'failed' | 'cancelled';
  startedAt: Date;
  endedAt: Date | null;
}

export interface RunStore {
  start(run: Pick<RunRow, 'id' | 'name' | 'job' | 'configuration' | 'settings' | 'input'>): Promise<RunRow>;
  end(id: string, state: RunRow['state']): Promise<void>;
  find(id: string): Promise<RunRow | undefined>;
  /** The newest first. */
  list(): Promise<readonly RunRow[]>;
}
