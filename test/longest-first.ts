import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Of each project, the files that take longest: begun last, they would end alone. A clean clone has no record of it. */
const longest = [
  'packages/ledger/src/postgres/postgres-contract.test.ts',
  'packages/ledger/src/compact/compact.test.ts',
  'packages/server/src/contract.test.ts',
  'packages/server/src/several-servers.test.ts',
  'packages/ledger/src/postgres/item-queue.test.ts',
  'packages/server/src/runs/many-items.test.ts',
  'packages/core/src/app/document-reader.test.ts',
  'packages/models/src/reasoners/llm/local/local-models.test.ts',
  'packages/models/src/senses/read-image-text.test.ts',
  'packages/ledger/src/sqlite/sqlite-contract.test.ts',
  'packages/server/src/teams/team-limits.test.ts',
  'packages/ledger/src/sqlite/open-sqlite.test.ts',
  'packages/server/src/benches/server-benches.test.ts',
  'packages/lab/bench/day/simulate-day.test.ts',
  'packages/ledger/src/sqlite/kill.test.ts',
  'test/server/rolling-restart.test.ts',
  'test/cli/teams.test.ts',
  'test/tutorials.test.ts',
  'test/server/serve.test.ts',
  'test/cli/queue-ordeal.test.ts',
  'test/cli/follow.test.ts',
  'test/cli/worker.test.ts',
  'test/cli/analyze-verify.test.ts',
  'test/cli/change-of-models.test.ts',
  'test/cli/record.test.ts',
  'test/cli/analyze.test.ts',
  'test/cli/recordings.test.ts',
  'test/integrations/github-action.test.ts',
  'test/cli/mcp.test.ts',
  'test/cli/corrections.test.ts',
  'test/cli/cascade.test.ts',
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
