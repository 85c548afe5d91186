import { shortName } from './clip.ts';
import type { MeasuredSet } from './measured-set.ts';
import { checkThresholds, checkWords, thresholdWords, type Threshold } from './thresholds.ts';
import { plural } from './writing.ts';

/**
 * The thresholds as commands that GitHub shows beside a build: errors where they fail, warnings where items are open.
 */
export function benchAnnotations(sets: readonly MeasuredSet[], thresholds: readonly Threshold[]): string {
  const checks = checkThresholds(sets, thresholds).map((check) =>
    command(
      check.passed ? 'notice' : 'error',
      `${thresholdWords(check.threshold)} ${check.passed ? 'holds' : 'does not hold'}`,
      `${shortName(check.set)}, ${shortName(check.system)}: ${checkWords(check)}`,
    ),
  );
  const open = sets.flatMap(({ sheet, figures }) =>
    figures.systems.flatMap(({ unsettled: { undecided, failed } }, place) =>
      undecided.length + failed.length === 0
        ? []
        : [
            command(
              'warning',
              'Items nobody decided',
              `${shortName(sheet.data.title)}, ${shortName(sheet.systems[place]!.name)}: ${plural(undecided.length, 'item')} ` +
                `undecided, ${failed.length} failed`,
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
