import type { GivenEdit } from '@agonhq/judges/job/findings';
import { block, codeCell, codeSpan, html, inline, type Markup } from '@agonhq/engine/reports';
import { describeEdit } from '../findings/list-findings.ts';

/* A person's words on a finding, beside what the machine says of it and never in its place. */

export function findEdit(edits: readonly GivenEdit[], finding: string): GivenEdit | null {
  return edits.find((edit) => edit.finding === finding) ?? null;
}

/** On the page: marked as somebody's words, with their name and the day. */
export function editView(edit: GivenEdit | null): Markup | null {
  if (!edit) return null;
  const { wording, note, leftOut, by } = edit;
  return html`<div class="notice correction">
    <p><strong>A person’s words for the report.</strong> ${inline(by)} (${findDay(edit)})</p>
    ${wording !== null && html`<p class="kicker">In the words of ${inline(by)}</p>`}${wording !== null && block(wording)}
    ${note !== null && html`<p class="kicker">Note by ${inline(by)}</p>`}${note !== null && block(note)}
    ${leftOut && html`<p>${leftOutWords}</p>`}
  </div>`;
}

/** In a table of the page: that there are such words, and whose. */
export function editBadge(edit: GivenEdit | null): Markup | null {
  return edit && html` <span class="badge">${edit.leftOut ? 'left out' : 'worded'} by ${inline(edit.by)}</span>`;
}

/** The same in Markdown: all that a person wrote is code. */
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
