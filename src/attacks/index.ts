export { attacked, attackNames, readAttackNames, type AttackName } from './attacks.ts';
