export { startServer, type RunningServer, type ServerOptions } from './server.ts';
export type { LogLine } from './log.ts';
