export { serveMcp, type McpOptions, type McpServing } from './serve.ts';
