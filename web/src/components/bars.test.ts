import { expect, test } from 'vitest';
import { findScoreTone } from './bars.tsx';

test('a risk in a list has the colour of what it says, whatever was decided', () => {
  expect(findScoreTone({ label: 'safe', score: 0.97 }, true)).toBe('risk');
  expect(findScoreTone({ label: 'unsafe', score: 0.2 }, true)).toBe('exoneration');
  expect(findScoreTone({ label: 'undecided', score: null }, true)).toBe('caution');
  expect(findScoreTone({ label: 'mixed', score: 0.9 }, false)).toBe('implicit');
});
