import type { Content, Precedent } from '@agonhq/core';
import type { PanelScript } from '@agonhq/test/support/fake-panel.ts';

/**
 * A typical item with the answers that models of today give to it: statements near the 60 words that the prompts allow,
 * two or three quotes, sides that stay apart, so that both rounds are held.
 */
export interface BenchCase {
  name: string;
  content: Content;
  /** What retrieval finds when it is on. */
  precedents: readonly Precedent[];
  answers: Required<Pick<PanelScript, 'supporter' | 'strict' | 'loose' | 'arbiter'>>;
  /** The supporter's answer when it was shown the precedents. */
  briefWithPrecedents: PanelScript['supporter'];
}
