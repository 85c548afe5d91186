import { flatten, type CiCheck } from './check.ts';

/** Checks as JUnit XML, a suite for each of theirs. What is only noted is no test. */
export function renderJunit(name: string, checks: readonly CiCheck[]): string {
  const tests = checks.filter(({ outcome }) => outcome !== 'noted');
  const suites = [...Map.groupBy(tests, ({ suite }) => suite)].map(([suite, members]) => {
    const cases = members.map((check) => testCase(suite, check));
    return `  <testsuite name="${xml(suite)}" ${counts(members)}>\n${cases.join('\n')}\n  </testsuite>`;
  });
  const body = suites.length > 0 ? `${suites.join('\n')}\n` : '';
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${xml(name)}" ${counts(tests)}>
${body}</testsuites>
`;
}

function counts(checks: readonly CiCheck[]): string {
  const count = (wanted: CiCheck['outcome']) => checks.filter(({ outcome }) => outcome === wanted).length;
  return (
    `tests="${checks.length}" failures="${count('failed')}" errors="${count('broken')}" ` +
    `skipped="${count('undecided')}"`
  );
}

const elements = { failed: 'failure', broken: 'error', undecided: 'skipped' } as const;

function testCase(suite: string, { name, outcome, rule, message }: CiCheck): string {
  const head = `    <testcase classname="${xml(suite)}" name="${xml(name)}"`;
  if (outcome === 'passed' || outcome === 'noted') return `${head}/>`;
  const type = outcome === 'undecided' ? '' : ` type="${xml(rule.id)}"`;
  return `${head}><${elements[outcome]}${type} message="${xml(message)}"/></testcase>`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** Text as an attribute of XML 1.0, which has no way to write most control characters. */
function xml(text: string): string {
  return flatten(text).replaceAll(/[&<>"']/g, (character) => entities[character]!);
}
