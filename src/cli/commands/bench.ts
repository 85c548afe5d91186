import { moderationReport, openResults, readContentData, type LabelledContent, type SystemRun } from '../../bench/index.ts';
import { contentOptionsFrom, settingsForData, type ContentDataFlags } from '../bench-flags.ts';
import { openModerationSystems } from '../bench-systems.ts';
import { datasetNameOf } from '../../runs/index.ts';
import { benchTable } from '../bench-table.ts';
import { measureSystem } from '../measure-system.ts';
import { exitCodes } from '../print-error.ts';

export interface BenchFlags extends ContentDataFlags {
  systems?: string[];
  by: string;
  out?: string;
  json?: boolean;
}

/** `agon bench moderation`: returns the exit code. */
export async function benchModerationCommand(flags: BenchFlags): Promise<number> {
  const reading = { ...contentOptionsFrom(flags), by: flags.by };
  const sets = await Promise.all(flags.data.map((file) => readContentData(file, reading)));
  const systems = await openModerationSystems(flags.systems, await settingsForData(flags), sets.map(({ file }) => datasetNameOf(file)));
  const results = await openResults(flags.out);
  try {
    for (const data of sets) {
      const runs: SystemRun<LabelledContent>[] = [];
      for (const system of systems) runs.push(await measureSystem(system, data, { ...flags, results, kept: flags.out !== undefined }));
      const report = moderationReport(data, runs);
      process.stdout.write(flags.json ? `${JSON.stringify(report)}\n` : `${benchTable(report, flags.by).join('\n')}\n`);
    }
    return exitCodes.judged;
  } finally {
    await results.close();
    await Promise.all(systems.map((system) => system.close()));
  }
}
