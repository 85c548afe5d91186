export { startServer, type RunningServer, type ServerOptions } from './start-server.ts';
export type { LogLine } from './log.ts';
