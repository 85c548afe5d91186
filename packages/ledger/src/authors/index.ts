/* What is on record of those who wrote what was judged, for themselves. */

export { exportAuthor } from './export-author.ts';
