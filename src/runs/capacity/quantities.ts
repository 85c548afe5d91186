import { AgonError } from '../../errors.ts';

const multiples: Record<string, number> = { '': 1, k: 1e3, m: 1e6, b: 1e9, g: 1e9, t: 1e12 };

/**
 * A number as people write it.
 *
 * @example readCount('--items-per-day', '2.5k') // 2500
 */
export function readCount(flag: string, text: string): number {
  const [, digits, multiple] = /^(\d+(?:[_,]\d{3})*(?:\.\d+)?)\s*([kmbgt]?)$/i.exec(text.trim()) ?? [];
  if (digits === undefined) throw wrong(flag, text, `${flag} 100M, ${flag} 2.5k or ${flag} 400`);
  return Number(digits.replaceAll(/[_,]/g, '')) * multiples[multiple!.toLowerCase()]!;
}

/** A share of one, as `3%` or `0.03`. */
export function readShare(flag: string, text: string): number {
  const [, digits, percent] = /^(\d*\.?\d+)\s*(%?)$/.exec(text.trim()) ?? [];
  const share = Number(digits) / (percent ? 100 : 1);
  if (digits === undefined || share > 1) throw wrong(flag, text, `${flag} 3% or ${flag} 0.03`);
  return share;
}

/** How many times as much, as `3x` or `3`. */
export function readTimes(flag: string, text: string): number {
  const [, digits] = /^(\d+(?:\.\d+)?)\s*[x×]?$/i.exec(text.trim()) ?? [];
  if (digits === undefined || Number(digits) < 1) throw wrong(flag, text, `${flag} 3x`);
  return Number(digits);
}

/** A stretch of time in days, as `90d`, `12w` or `2y`. */
export function readDays(flag: string, text: string): number {
  const [, digits, unit] = /^(\d+(?:\.\d+)?)\s*([dwy]?)$/i.exec(text.trim()) ?? [];
  if (digits === undefined || Number(digits) === 0) throw wrong(flag, text, `${flag} 90d`);
  return Number(digits) * { '': 1, d: 1, w: 7, y: 365 }[unit!.toLowerCase() as '' | 'd' | 'w' | 'y'];
}

function wrong(flag: string, text: string, example: string): AgonError {
  return new AgonError('bad-flag', `${flag} ${text} is not readable.`, `Write ${example}.`);
}
