import type { BenchCase } from './bench-case.ts';
import { imagePost } from './image-post.ts';
import { jailbreakPrompt } from './jailbreak-prompt.ts';
import { mediumPost } from './medium-post.ts';
import { shortPost } from './short-post.ts';

export type { BenchCase } from './bench-case.ts';
export { mediumPost };

export const benchCases: readonly BenchCase[] = [shortPost, mediumPost, jailbreakPrompt, imagePost];
