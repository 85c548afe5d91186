import { renderReport } from '@agonhq/core/app';
import { ResourceTemplate, type McpServer } from '@modelcontextprotocol/server';
import { policyOnRecord } from '@agonhq/engine/policy';
import { requireJudgedCase } from '@agonhq/core/retrials';
import type { ToolContext } from './run-tool.ts';

/** What can be read beside the tools: the policy in force, and the record of every case. */
export function addResources(server: McpServer, { agon, ledger }: ToolContext): void {
  server.registerResource(
    'policy',
    'agon://policy',
    { title: 'The policy', description: 'The policy that new cases are judged by.', mimeType: 'application/json' },
    async ({ href }) => writeContents(href, 'application/json', JSON.stringify((await agon()).policy, null, 2)),
  );
  if (!ledger) return;
  server.registerResource(
    'case',
    new ResourceTemplate('agon://cases/{id}', { list: undefined }),
    {
      title: 'The answer of a case',
      description: 'The complete answer as JSON; `agon verify` checks it.',
      mimeType: 'application/json',
    },
    async ({ href }, { id }) =>
      writeContents(href, 'application/json', JSON.stringify((await requireJudgedCase(ledger, String(id))).answer)),
  );
  server.registerResource(
    'report',
    new ResourceTemplate('agon://cases/{id}/report', { list: undefined }),
    { title: 'The report on a case', description: 'A readable report, in Markdown.', mimeType: 'text/markdown' },
    async ({ href }, { id }) => {
      const { id: whole, answer, job, policy } = await requireJudgedCase(ledger, String(id));
      const corrections = await ledger.corrections.listCorrections({ case: whole, standing: true });
      const { jobs } = await agon();
      const shown = jobs.require(job).usesPolicy ? { policy: policyOnRecord(policy.document) } : {};
      return writeContents(href, 'text/markdown', renderReport(answer, 'markdown', { ...shown, corrections }, jobs));
    },
  );
}

function writeContents(uri: string, mimeType: string, text: string) {
  return { contents: [{ uri, mimeType, text }] };
}
