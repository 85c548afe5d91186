import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { sha256 } from '@agonhq/engine/hash';
import { findings, flatten, type CiCheck } from './check.ts';
import type { Log, ReportingDescriptor, Result } from 'sarif';

const levels = {
  failed: 'error',
  broken: 'error',
  undecided: 'warning',
  noted: 'note',
} as const satisfies Record<(typeof findings)[number], Result.level>;

type Finding = CiCheck & { outcome: (typeof findings)[number] };

/**
 * What is wrong as SARIF 2.1.0, which code hosts and editors show at the lines it is about. Files are named from
 * `root`, where the build began.
 */
export function renderSarif(
  checks: readonly CiCheck[],
  { version, root = process.cwd() }: { version: string; root?: string },
): string {
  const found = checks.filter(isFinding);
  const rules = [...new Map(found.map((finding) => [finding.rule.id, describeRule(finding)])).values()];
  const log: Log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Agon', semanticVersion: version, rules } },
        columnKind: 'utf16CodeUnits',
        results: found.map((finding) => toResult(finding, rules, root)),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function isFinding(check: CiCheck): check is Finding {
  return check.outcome !== 'passed';
}

function describeRule({ rule: { id, description }, outcome }: Finding): ReportingDescriptor {
  return {
    id,
    shortDescription: { text: flatten(description) },
    defaultConfiguration: { level: levels[outcome] },
  };
}

function toResult(
  { suite, name, title, message, rule, outcome, place, case: id }: Finding,
  rules: readonly ReportingDescriptor[],
  root: string,
): Result {
  return {
    ruleId: rule.id,
    ruleIndex: rules.findIndex((one) => one.id === rule.id),
    level: levels[outcome],
    message: { text: flatten(`${title}. ${message}`) },
    ...(place && {
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: toUri(place.file, root) },
            region: { startLine: place.line },
          },
        },
      ],
    }),
    // The same item in the next build is the same finding, wherever its line has moved.
    partialFingerprints: { 'agonCheck/v1': sha256(JSON.stringify([rule.id, suite, name])) },
    ...(id === undefined ? {} : { properties: { case: id } }),
  };
}

/** A path below the root as code hosts know it; any other as it is on this machine. */
function toUri(file: string, root: string): string {
  const whole = path.resolve(root, file);
  const below = path.relative(root, whole);
  if (below.startsWith('..') || path.isAbsolute(below)) return pathToFileURL(whole).href;
  return below.split(path.sep).map(encodeURIComponent).join('/');
}
