import { describe, expect, test } from 'vitest';
import type { LookedAt } from '../job/job-kit.ts';
import { placeholderText } from './case-file.ts';
import { listSights } from './list-sights.ts';

const placeholder = {
  id: 'image-1/description',
  text: placeholderText,
  tool: 'placeholder',
  of: 'image-1',
  note: 'no vision model was asked',
};
const box = { x: 0.1, y: 0.2, width: 0.3, height: 0.4 };
const seen: LookedAt = {
  text: { text: 'HANDS UP', confidence: 0.97, lines: [{ text: 'HANDS UP', confidence: 0.97, box }] },
  scene: {
    description: 'The picture shows a revolver.',
    weighed: 'The picture shows a revolver.',
    objects: [{ named: 'a revolver', clauses: ['weapons.get'], probability: 0.931, place: box }],
    nudity: { kind: 'none', probability: 0.98, isDrawing: false },
  },
};

describe('what the image models saw', () => {
  test('is a description, things with probabilities, nudity and text, each with its place', () => {
    expect(listSights('image-1', seen, placeholder)).toMatchObject([
      { id: 'image-1/description', tool: 'image-models', text: 'The picture shows a revolver.' },
      {
        id: 'image-1/objects',
        tool: 'objects',
        text: 'a revolver 0.93',
        note: 'may matter to weapons.get',
        marks: [{ label: 'a revolver', sure: 0.93, box }],
      },
      { id: 'image-1/nudity', tool: 'nudity', text: 'no nudity 0.98' },
      {
        id: 'image-1/ocr',
        tool: 'ocr',
        text: 'HANDS UP',
        note: 'confidence 97 %',
        marks: [{ label: 'HANDS UP', box }],
      },
    ]);
  });

  test('says of a description what of it is weighed, where that is less than all', () => {
    const scene = { ...seen.scene!, description: 'The picture shows a revolver and a cock.' };
    const weighed = 'The picture shows a revolver.';
    expect(listSights('image-1', { ...seen, scene: { ...scene, weighed } }, placeholder)[0]).toMatchObject({ weighed });
    expect(listSights('image-1', seen, placeholder)[0]).not.toHaveProperty('weighed');
  });

  test('says what no model looked for', () => {
    expect(listSights('image-1', seen, placeholder)[0]!.note).toContain('they do not see');
  });

  test('stands beside the description of a model, and does not replace it', () => {
    const described = { ...placeholder, text: 'A man holds a gun.', tool: 'vision' };
    expect(listSights('image-1', seen, described).map(({ tool }) => tool)).toEqual([
      'vision',
      'objects',
      'nudity',
      'ocr',
    ]);
  });

  test('is nothing where nobody looked', () => {
    expect(listSights('image-1', { text: null, scene: null }, placeholder)).toEqual([placeholder]);
  });
});
