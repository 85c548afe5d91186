export { detectLanguage, nameLanguage } from './detect-language.ts';
