import { shortenName, formatPlural } from './write-values.ts';
import type { MeasuredSet } from './block.ts';
import {
  checkThresholds,
  describeCheck,
  describeThreshold,
  type CheckedThreshold,
  type Threshold,
} from './thresholds.ts';

/**
 * The thresholds as JUnit XML: a suite for each system on each set, a test for each threshold, and one for what
 * nobody decided.
 */
export function renderJunit(sets: readonly MeasuredSet[], thresholds: readonly Threshold[]): string {
  // Refuses what is about no set and no system at all.
  checkThresholds(sets, thresholds);
  const suites = sets.flatMap((set) => {
    const checked = checksOn(set, thresholds);
    return set.result.systems.map(({ name }, place) =>
      suite(
        set,
        place,
        checked.filter(({ system }) => system === name),
      ),
    );
  });
  const tests = suites.reduce((sum, one) => sum + one.tests, 0);
  const failures = suites.reduce((sum, one) => sum + one.failures, 0);
  const skipped = suites.reduce((sum, one) => sum + one.skipped, 0);
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="agon bench" tests="${tests}" failures="${failures}" errors="0" skipped="${skipped}">
${suites.map(({ xml }) => xml).join('\n')}
</testsuites>
`;
}

/** The checks that are about this set; those of other sets and of systems it does not have are left to them. */
function checksOn(set: MeasuredSet, thresholds: readonly Threshold[]): CheckedThreshold[] {
  const { data, systems } = set.result;
  const about = thresholds.filter(
    (threshold) =>
      (threshold.set === null || threshold.set === data.title || threshold.set === data.file) &&
      (threshold.system === null || threshold.system === '*' || systems.some(({ name }) => name === threshold.system)),
  );
  return checkThresholds([set], about);
}

function suite({ result, figures }: MeasuredSet, place: number, checked: readonly CheckedThreshold[]) {
  const system = shortenName(result.systems[place]!.name);
  const suiteName = xml(`${shortenName(result.data.title)} / ${system}`);
  const { undecided, failed } = figures.systems[place]!.unsettled;
  const open = undecided.length + failed.length;
  const failures = checked.filter(({ passed }) => !passed).length;
  const cases = [
    ...checked.map((check) =>
      testCase(
        suiteName,
        describeThreshold(check.threshold),
        check.passed ? '' : `<failure type="threshold" message="${xml(describeCheck(check))}"/>`,
      ),
    ),
    // Not a failure by itself: `undecided=0` and `failed=0` make it one.
    testCase(
      suiteName,
      'every item was decided',
      open === 0
        ? ''
        : `<skipped message="${xml(`${formatPlural(undecided.length, 'item')} undecided, ${failed.length} failed`)}"/>`,
    ),
  ];
  const [tests, skipped] = [cases.length, open === 0 ? 0 : 1];
  const counts = `tests="${tests}" failures="${failures}" errors="0" skipped="${skipped}"`;
  return {
    tests,
    failures,
    skipped,
    xml: `  <testsuite name="${suiteName}" ${counts}>\n${cases.join('\n')}\n  </testsuite>`,
  };
}

function testCase(suiteName: string, name: string, outcome: string): string {
  const head = `    <testcase classname="${suiteName}" name="${xml(name)}"`;
  return outcome === '' ? `${head}/>` : `${head}>${outcome}</testcase>`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/**
 * Text as an attribute of XML 1.0, which has no way to write most control characters. Nothing in it reorders what is
 * around it.
 */
function xml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u{fffe}\u{ffff}]/gu, ' ')
    .replaceAll(/[&<>"']/g, (character) => entities[character]!);
}

/**
 * The thresholds as commands that GitHub shows beside a build: errors where they fail, warnings where items are open.
 */
export function renderAnnotations(sets: readonly MeasuredSet[], thresholds: readonly Threshold[]): string {
  const checks = checkThresholds(sets, thresholds).map((check) =>
    command(
      check.passed ? 'notice' : 'error',
      `${describeThreshold(check.threshold)} ${check.passed ? 'holds' : 'does not hold'}`,
      `${shortenName(check.set)}, ${shortenName(check.system)}: ${describeCheck(check)}`,
    ),
  );
  const open = sets.flatMap(({ result, figures }) =>
    figures.systems.flatMap(({ unsettled: { undecided, failed } }, place) =>
      undecided.length + failed.length === 0
        ? []
        : [
            command(
              'warning',
              'Undecided items',
              `${shortenName(result.data.title)}, ${shortenName(result.systems[place]!.name)}: ` +
                `${formatPlural(undecided.length, 'item')} undecided, ${failed.length} failed`,
            ),
          ],
    ),
  );
  return [...checks, ...open].map((line) => `${line}\n`).join('');
}

function command(kind: 'error' | 'warning' | 'notice', title: string, message: string): string {
  return `::${kind} title=${property(title)}::${data(message)}`;
}

/** What would end a command, or hide in it, is written by its number or as a space. */
function data(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/(?![\r\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
