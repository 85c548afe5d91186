import { benchReport, openResults, readLabelledData, type SystemRun } from '../../bench/index.ts';
import { dataOptionsFrom, settingsForData, type DataFlags } from '../bench-flags.ts';
import { openModerationSystems } from '../bench-systems.ts';
import { benchTable } from '../bench-table.ts';
import { measureSystem } from '../measure-system.ts';
import { exitCodes } from '../print-error.ts';

export interface BenchFlags extends DataFlags {
  systems?: string[];
  by: string;
  out?: string;
  json?: boolean;
}

/** `agon bench moderation`: returns the exit code. */
export async function benchModerationCommand(flags: BenchFlags): Promise<number> {
  const reading = { ...dataOptionsFrom(flags), by: flags.by };
  const sets = await Promise.all(flags.data.map((file) => readLabelledData(file, reading)));
  const systems = await openModerationSystems(flags.systems, await settingsForData(flags));
  const results = await openResults(flags.out);
  try {
    for (const data of sets) {
      const runs: SystemRun[] = [];
      for (const system of systems) runs.push(await measureSystem(system, data, { ...flags, results, kept: flags.out !== undefined }));
      const report = benchReport(data, runs);
      process.stdout.write(flags.json ? `${JSON.stringify(report)}\n` : `${benchTable(report, flags.by).join('\n')}\n`);
    }
    return exitCodes.judged;
  } finally {
    await results.close();
    await Promise.all(systems.map((system) => system.close()));
  }
}
