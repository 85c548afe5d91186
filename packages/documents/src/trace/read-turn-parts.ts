import type { Turn } from '@agonhq/engine/debate';

/* What a seat said beside its statement. A model may have said anything: what is missing or odd is left out. */

export interface SaidPremise {
  premise: string;
  evidence: readonly string[];
}

export interface SaidAttack {
  /** From 1; 0 for the claim itself. */
  premise: number;
  kind: string;
  point: string;
  evidence: readonly string[];
  missing: readonly string[];
}

export interface SaidReply {
  /** From 1. */
  attack: number;
  concedes: boolean;
  point: string;
  evidence: readonly string[];
}

export interface SaidFinding {
  holds: boolean;
  why: string;
  strength: string;
  evidence: readonly string[];
}

export interface TracedTurnParts {
  premises: readonly SaidPremise[];
  attacks: readonly SaidAttack[];
  replies: readonly SaidReply[];
  support: SaidFinding | null;
  contradiction: SaidFinding | null;
  /** Attacks that still stand. */
  standing: readonly number[];
}

type Members = Readonly<Record<string, unknown>>;

const readText = (value: unknown) => (typeof value === 'string' ? value : '');
const readTexts = (value: unknown) => (Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []);
const readNumber = (value: unknown) => (typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : 0);
const readMembers = (value: unknown): Members | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : null;
const readList = <Item>(value: unknown, read: (item: Members) => Item): Item[] =>
  Array.isArray(value)
    ? value.flatMap((item) => {
        const found = readMembers(item);
        return found ? [read(found)] : [];
      })
    : [];

function readFinding(value: unknown): SaidFinding | null {
  const said = readMembers(value);
  return (
    said && {
      holds: said['holds'] === true,
      why: readText(said['why']),
      strength: readText(said['strength']),
      evidence: readTexts(said['evidence']),
    }
  );
}

/** Nothing is read from a seat that was not heard: a stand-in has no premises of its own. */
export function readTurnParts({ answer, fallback }: Turn): TracedTurnParts {
  const said = (!fallback && readMembers(answer)) || {};
  return {
    premises: readList(said['premises'], (item) => ({
      premise: readText(item['premise']),
      evidence: readTexts(item['evidence']),
    })),
    attacks: readList(said['attacks'], (item) => ({
      premise: readNumber(item['premise']),
      kind: readText(item['kind']),
      point: readText(item['point']),
      evidence: readTexts(item['evidence']),
      missing: readTexts(item['missing']),
    })),
    replies: readList(said['replies'], (item) => ({
      attack: readNumber(item['attack']),
      concedes: item['concedes'] === true,
      point: readText(item['point']),
      evidence: readTexts(item['evidence']),
    })),
    support: readFinding(said['support']),
    contradiction: readFinding(said['contradiction']),
    standing: Array.isArray(said['standing']) ? said['standing'].filter((number) => Number.isInteger(number)) : [],
  };
}
