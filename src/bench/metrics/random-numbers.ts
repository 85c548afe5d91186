export { randomNumbers } from '../../runs/index.ts';
