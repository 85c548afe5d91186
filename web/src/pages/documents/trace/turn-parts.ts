import type { Turn } from './types.ts';

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

export interface TurnParts {
  premises: readonly SaidPremise[];
  attacks: readonly SaidAttack[];
  replies: readonly SaidReply[];
  support: SaidFinding | null;
  contradiction: SaidFinding | null;
  /** Attacks that still stand. */
  standing: readonly number[];
}

type Members = Readonly<Record<string, unknown>>;

const text = (value: unknown) => (typeof value === 'string' ? value : '');
const texts = (value: unknown) => (Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []);
const place = (value: unknown) => (typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : 0);
const members = (value: unknown): Members | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : null;
const listOf = <Item>(value: unknown, read: (item: Members) => Item): Item[] =>
  Array.isArray(value)
    ? value.flatMap((item) => {
        const found = members(item);
        return found ? [read(found)] : [];
      })
    : [];

function findingOf(value: unknown): SaidFinding | null {
  const said = members(value);
  return (
    said && {
      holds: said['holds'] === true,
      why: text(said['why']),
      strength: text(said['strength']),
      evidence: texts(said['evidence']),
    }
  );
}

/** Nothing is read from a seat that was not heard: a stand-in has no premises of its own. */
export function partsOf({ answer, fallback }: Turn): TurnParts {
  const said = (!fallback && members(answer)) || {};
  return {
    premises: listOf(said['premises'], (item) => ({
      premise: text(item['premise']),
      evidence: texts(item['evidence']),
    })),
    attacks: listOf(said['attacks'], (item) => ({
      premise: place(item['premise']),
      kind: text(item['kind']),
      point: text(item['point']),
      evidence: texts(item['evidence']),
      missing: texts(item['missing']),
    })),
    replies: listOf(said['replies'], (item) => ({
      attack: place(item['attack']),
      concedes: item['concedes'] === true,
      point: text(item['point']),
      evidence: texts(item['evidence']),
    })),
    support: findingOf(said['support']),
    contradiction: findingOf(said['contradiction']),
    standing: Array.isArray(said['standing']) ? said['standing'].filter((number) => Number.isInteger(number)) : [],
  };
}
