import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Of each project, the files that take longest: begun last, they would end alone. A clean clone has no record of it. */
const longest = [
  'packages/ledger/src/postgres/postgres-contract.long.test.ts',
  'packages/ledger/src/compact/compact.long.test.ts',
  'packages/server/src/contract.long.test.ts',
  'packages/server/src/several-servers.long.test.ts',
  'packages/ledger/src/postgres/item-queue.long.test.ts',
  'packages/server/src/runs/many-items.long.test.ts',
  'packages/core/src/app/document-reader.long.test.ts',
  'packages/models/src/reasoners/llm/local/local-models.long.test.ts',
  'packages/models/src/senses/read-image-text.long.test.ts',
  'packages/ledger/src/sqlite/sqlite-contract.test.ts',
  'packages/server/src/teams/team-limits.long.test.ts',
  'packages/ledger/src/sqlite/open-sqlite.long.test.ts',
  'packages/server/src/benches/server-benches.long.test.ts',
  'packages/lab/bench/day/simulate-day.long.test.ts',
  'packages/ledger/src/sqlite/kill.long.test.ts',
  'test/server/rolling-restart.long.test.ts',
  'test/cli/teams.long.test.ts',
  'test/tutorials.long.test.ts',
  'test/server/serve.long.test.ts',
  'test/cli/queue-ordeal.long.test.ts',
  'test/cli/follow.long.test.ts',
  'test/cli/worker.long.test.ts',
  'test/cli/analyze-verify.long.test.ts',
  'test/cli/change-of-models.long.test.ts',
  'test/cli/record.long.test.ts',
  'test/cli/analyze.long.test.ts',
  'test/cli/recordings.test.ts',
  'test/integrations/github-action.long.test.ts',
  'test/cli/mcp.long.test.ts',
  'test/cli/corrections.long.test.ts',
  'test/cli/cascade.long.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ranked = (await super.sort(files)).map((file) => ({ file, rank: rankOf(file.moduleId) }));
    const projects = [...new Set(ranked.map(({ file }) => file.project.name))];
    const place = ({ project }: TestSpecification) => projects.indexOf(project.name);
    return ranked
      .toSorted((one, other) => place(one.file) - place(other.file) || one.rank - other.rank)
      .map(({ file }) => file);
  }
}

function rankOf(file: string): number {
  const place = longest.findIndex((name) => file.endsWith(name));
  return place === -1 ? longest.length : place;
}
