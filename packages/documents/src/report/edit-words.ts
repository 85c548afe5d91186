import type { GivenEdit } from '@agonhq/judges/job/findings';
import { codeCell, codeSpan } from '@agonhq/engine/reports';
import { describeEdit } from '../findings/list-findings.ts';

/* A person's words on a finding, beside what the machine says of it and never in its place. */

export function findEdit(edits: readonly GivenEdit[], finding: string): GivenEdit | null {
  return edits.find((edit) => edit.finding === finding) ?? null;
}

/** In Markdown: all that a person wrote is code. */
export function editBlocks(edit: GivenEdit | null): string[] {
  if (!edit) return [];
  return [
    `**A person’s words for the report.** ${codeSpan(edit.by)} (${findDay(edit)})`,
    ...describeEdit({ edit }).map(codeSpan),
    edit.leftOut ? leftOutWords : '',
  ];
}

/** In a cell of a Markdown table, behind what the machine says. */
export function editCell(edit: GivenEdit | null): string {
  return describeEdit({ edit })
    .map((said) => `; ${codeCell(said)}`)
    .join('');
}

const leftOutWords = 'Left out of tables, brief and annotated copy.';

function findDay({ at }: GivenEdit): string {
  return new Date(at).toISOString().slice(0, 10);
}
