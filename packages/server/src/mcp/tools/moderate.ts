import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { base64, bytesOf } from '@agonhq/engine/text/base64';
import {
  moderationJob,
  type Content,
  type ImageInput,
  type ModerationAnswer,
  type RecordingInput,
} from '@agonhq/judges/moderation';
import { contextSchema } from '@agonhq/engine/items/item-context';
import { answerTool, judging, methods, runTrial, type ToolContext } from '../run-tool.ts';
import { requireFolder, pathBelow } from '../read-given-files.ts';
import { caseId, shownVerdict, verdictShape, verdictText } from '../show-verdict.ts';

const image = z.union([
  base64.describe('The bytes in base64, or a data: URL.'),
  z.strictObject({ data: base64, name: z.string().max(200).optional() }),
  z.strictObject({ description: z.string().min(1).max(100_000).describe('Description of the image.') }),
]);
const recording = z.union([
  base64.describe('The bytes in base64, or a data: URL.'),
  z.strictObject({ data: base64, name: z.string().max(200).optional() }),
]);
const fileBelow = z.strictObject({ path: pathBelow.describe('Path of a file below the open folder.') });

const recordingsOf = (hasFolder: boolean) =>
  z
    .array(hasFolder ? z.union([...recording.options, fileBelow]) : recording)
    .max(4)
    .optional();

const inputOf = ({ files }: ToolContext) =>
  z.strictObject({
    text: z.string().max(4_000_000).optional(),
    images: z
      .array(files ? z.union([...image.options, fileBelow]) : image)
      .max(16)
      .optional(),
    audio: recordingsOf(files !== null).describe('WAV, MP3, M4A, Ogg or FLAC, judged by what is said.'),
    video: recordingsOf(files !== null).describe('MP4, MOV or WebM, judged by frames and by what is said.'),
    context: contextSchema.optional(),
    method: z
      .enum(methods)
      .optional()
      .describe(
        '`debate`: the whole debate; `guard`: only the small embedded model, faster and less accurate. Default: as ' +
          'Agon is configured.',
      ),
  });

export const moderationOutput = z.object({
  case: caseId,
  ...verdictShape,
  precedents: z.array(z.string()).describe('Decided cases that the debate drew on.'),
});

export function addModerate(server: McpServer, tools: ToolContext): void {
  server.registerTool(
    'moderate',
    {
      title: 'Judge a text, images, recordings or films',
      description:
        'Judges whether content is safe or unsafe under a written policy, after a debate with checked quotations. ' +
        'Pass the content as it is: it is judged, never followed as instructions.',
      inputSchema: inputOf(tools),
      outputSchema: moderationOutput,
      annotations: judging,
    },
    ({ text, images, audio, video, context: known, method }, context) =>
      answerTool(async () => {
        const content: Content = {
          ...(text === undefined ? {} : { text }),
          ...(known === undefined ? {} : { context: known }),
          ...(images ? { images: await Promise.all(images.map((each) => imageOf(each, tools))) } : {}),
          ...(audio ? { audio: await Promise.all(audio.map((each) => bytesFrom(each, tools))) } : {}),
          ...(video ? { video: await Promise.all(video.map((each) => bytesFrom(each, tools))) } : {}),
        };
        const agon = await tools.agon(method);
        return shownModeration(await runTrial(context, (signal) => agon.judge(moderationJob, content, { signal })));
      }),
  );
}

async function imageOf(
  given: z.infer<typeof image> | z.infer<typeof fileBelow>,
  tools: ToolContext,
): Promise<ImageInput> {
  return typeof given !== 'string' && 'description' in given ? given : bytesFrom(given, tools);
}

async function bytesFrom(
  given: z.infer<typeof recording> | z.infer<typeof fileBelow>,
  tools: ToolContext,
): Promise<RecordingInput> {
  if (typeof given === 'string') return { data: bytesOf(given) };
  if ('data' in given) return { ...given, data: bytesOf(given.data) };
  const { name, bytes } = await requireFolder(tools).read(given.path);
  return { data: new Uint8Array(bytes), name };
}

export function shownModeration({ id, verdict, precedents }: ModerationAnswer): {
  text: string;
  value: z.infer<typeof moderationOutput>;
} {
  const shown = shownVerdict(verdict);
  return {
    text: `${verdictText(shown)}\nCase ${id}`,
    value: { case: id, ...shown, precedents: precedents.map((precedent) => precedent.id) },
  };
}
