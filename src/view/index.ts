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
  showControls,
} from './words.ts';
export { type Step, type Ladder, stepsOf } from './ladder.ts';
