export * from './answers.ts';
export * from './cases.ts';
export * from './common.ts';
export * from './house.ts';
export * from './judging.ts';
export * from './library.ts';
export * from './openai.ts';
export * from './runs.ts';
