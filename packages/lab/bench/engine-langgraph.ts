import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ask, readBodies } from './captured-bodies.ts';
import { serveMeasurements } from './measure.ts';

/*
 * The same debate as a graph of LangGraph.js, which is installed apart. Arguments: the provider's URL, the bodies, the
 * folder of the installation, and who makes the calls: `fetch`, or LangChain's own OpenAI `client`.
 * It sends Agon's prompts as they stand and keeps the answers: no prompt is rendered, no quote checked, nothing hashed.
 */

const [url, file, folder, caller] = process.argv.slice(2) as [string, string, string, 'fetch' | 'client'];
const require = createRequire(path.join(folder, 'package.json'));
const load = async (name: string): Promise<any> => import(pathToFileURL(require.resolve(name)).href);

const { Annotation, END, START, StateGraph } = await load('@langchain/langgraph');
const bodies = await readBodies(file);
const answerTo = caller === 'fetch' ? (body: object) => ask(url, body) : await openaiClient();

const said = { reducer: (all: unknown[], more: unknown[]) => [...all, ...more], default: () => [] };
const State = Annotation.Root({ said: Annotation(said) });
const node = (body: object) => async () => ({ said: [await answerTo(body)] });

const graph = new StateGraph(State)
  .addNode('supporter', node(bodies.supporter))
  .addNode('strict-1', node(bodies.strict[0]))
  .addNode('loose-1', node(bodies.loose[0]))
  .addNode('strict-2', node(bodies.strict[1]))
  .addNode('loose-2', node(bodies.loose[1]))
  .addNode('arbiter', node(bodies.arbiter))
  .addEdge(START, 'supporter')
  .addEdge('supporter', 'strict-1')
  .addEdge('supporter', 'loose-1')
  .addEdge(['strict-1', 'loose-1'], 'strict-2')
  .addEdge(['strict-1', 'loose-1'], 'loose-2')
  .addEdge(['strict-2', 'loose-2'], 'arbiter')
  .addEdge('arbiter', END)
  .compile();

serveMeasurements(async () => {
  const state = await graph.invoke({ said: [] });
  if (state.said.length !== 6) throw new Error(`a debate of ${state.said.length} answers`);
});

async function openaiClient(): Promise<(body: any) => Promise<unknown>> {
  const { ChatOpenAI } = await load('@langchain/openai');
  const common = { apiKey: 'none', configuration: { baseURL: `${url}/v1` }, maxRetries: 0, useResponsesApi: false };
  const models = new Map<string, any>();
  return async ({ model, temperature, max_tokens: maxTokens, response_format: format, messages }) => {
    const { name, schema } = format.json_schema;
    let structured = models.get(name);
    if (!structured) {
      const options = { name, method: 'jsonSchema', strict: true };
      models.set(
        name,
        (structured = new ChatOpenAI({ ...common, model, temperature, maxTokens }).withStructuredOutput(
          schema,
          options,
        )),
      );
    }
    return structured.invoke(messages);
  };
}
