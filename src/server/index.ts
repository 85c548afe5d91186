export { startServer, type RunningServer, type ServerOptions } from './server.ts';
export { openKeys, type Keys, type NewKey } from './auth/keys.ts';
export type { LogLine } from './house.ts';
