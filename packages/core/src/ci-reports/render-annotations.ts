import { findings, flatten, type CiCheck } from './check.ts';

/** GitHub shows ten of a kind for each step, and drops the rest without a word. */
const shownOfAKind = 10;

const commands = {
  failed: 'error',
  broken: 'error',
  undecided: 'warning',
  noted: 'warning',
  passed: 'notice',
} as const satisfies Record<CiCheck['outcome'], string>;

/** Checks as commands that GitHub shows beside a build, and at the lines they are about; the worst first. */
export function renderAnnotations(checks: readonly CiCheck[]): string {
  const told = [...findings, 'passed' as const].flatMap((outcome) =>
    checks.filter((check) => check.outcome === outcome && check.message !== ''),
  );
  return [...Map.groupBy(told, ({ outcome }) => commands[outcome])]
    .flatMap(([kind, members]) => {
      if (members.length <= shownOfAKind) return members.map((check) => annotate(kind, check));
      const more = `and ${members.length - shownOfAKind + 1} more`;
      const rest = `${members.length} in all; the report has every one.`;
      return [
        ...members.slice(0, shownOfAKind - 1).map((check) => annotate(kind, check)),
        `::${kind} title=${more}::${rest}`,
      ];
    })
    .map((line) => `${line}\n`)
    .join('');
}

function annotate(kind: string, { title, suite, message, place }: CiCheck): string {
  const at = place ? `file=${property(place.file)},line=${place.line},` : '';
  return `::${kind} ${at}title=${property(title)}::${data(place ? message : `${suite}: ${message}`)}`;
}

/** What would end a command is written by its number. */
function data(text: string): string {
  const lines = text.split(/\r\n|[\r\n]/).map((line) => flatten(line).replaceAll('%', '%25'));
  return lines.join('%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
