import { canonicalJson } from '@agonhq/engine/hash';
import type { Claim } from '../analysis.ts';
import { type Dossier, overlaps } from '../document.ts';
import type { NumberFinding, NumberPlace } from '../numbers/finding.ts';
import { checkWholeClaim, type CheckedClaim, type Cover } from '../numbers/index.ts';

/** The number findings that touch a claim. */
export interface ClaimNumbers {
  /** Those about what the claim itself states come first. */
  findings: readonly NumberFinding[];
  /** How many of them are about the claim's own statement; the others are about what it stands on. */
  own: number;
  /** How much of what the claim states code has shown: all, all but causes and forecasts, or less. */
  cover: Cover;
}

/** So many findings say enough; conflicts come before what holds. */
const most = 12;

/** Checks a claim's statement, and takes what was found about its sentence or the numbers it stands on. */
export function findClaimNumbers(claim: Claim, dossier: Dossier, all: readonly NumberFinding[]): ClaimNumbers {
  return gatherNumbers(claim, all, checkWholeClaim(claim, dossier));
}

/** From what was found in the dossier, and of the claim's own words, to what touches the claim. */
export function gatherNumbers(claim: Claim, all: readonly NumberFinding[], checked: CheckedClaim): ClaimNumbers {
  const stated = all.filter(({ places: [first] }) => claim.origin && first && placesMeet(first, claim.origin));
  const own = dropDuplicates([
    ...stated,
    ...checked.findings.filter((finding) => !stated.some((said) => isSameFinding(said, finding))),
  ]);
  const places = [...(claim.origin ? [claim.origin] : []), ...own.flatMap((finding) => finding.places)];
  const near = all.filter((finding) =>
    listDoubtedPlaces(finding).some((place) => places.some((known) => placesMeet(place, known))),
  );
  const kept = sortConflictsFirst(own).slice(0, most);
  const known = new Set(own.map(findingKey));
  const beside = sortConflictsFirst(dropDuplicates(near).filter((finding) => !known.has(findingKey(finding))));
  return { findings: [...kept, ...beside].slice(0, most), own: kept.length, cover: checked.cover };
}

/** A table that does not add up leaves open which is wrong; a wrong statement says nothing against its cells. */
function listDoubtedPlaces({ check, places, program }: NumberFinding): readonly NumberPlace[] {
  return program === undefined && (check === 'sum' || check === 'difference') ? places : places.slice(0, 1);
}

function placesMeet(a: NumberPlace, b: NumberPlace): boolean {
  return a.block === b.block && overlaps(a, b);
}

/** Whether a finding on a claim was made on its sentence already, with the very words that state the number. */
function isSameFinding(said: NumberFinding, finding: NumberFinding): boolean {
  const [stated, ...others] = said.places;
  const [origin, ...same] = finding.places;
  return (
    said.check === finding.check &&
    said.arithmetic === finding.arithmetic &&
    stated !== undefined &&
    origin !== undefined &&
    placesMeet(stated, origin) &&
    canonicalJson(others) === canonicalJson(same)
  );
}

/** The same check of the same places is one finding, whoever made it. */
function findingKey({ check, outcome, places }: NumberFinding): string {
  return canonicalJson([
    check,
    outcome,
    places.map(({ block, start, end }) => `${block}@${start}-${end}`).toSorted((a, b) => a.localeCompare(b, 'en')),
  ]);
}

function dropDuplicates(findings: readonly NumberFinding[]): NumberFinding[] {
  return [...Map.groupBy(findings, findingKey).values()].map(([first]) => first!);
}

function sortConflictsFirst(findings: readonly NumberFinding[]): NumberFinding[] {
  return findings.toSorted((a, b) => Number(b.outcome === 'conflict') - Number(a.outcome === 'conflict'));
}
