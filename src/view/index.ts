export {
  wordsOf,
  ruleTitle,
  outcomeOf,
  degradationWords,
  stopWords,
  failureWords,
  nameOf,
  speakerOf,
  count,
  plural,
  score,
  percent,
  seconds,
  dollars,
} from './words.ts';
export { type Step, type Ladder, stepsOf } from './ladder.ts';
export { showControls } from './controls.ts';
