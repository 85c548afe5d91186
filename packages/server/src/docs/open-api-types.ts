/* As much of an OpenAPI document as the page shows. */

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: Schema;
}

export interface Media {
  schema: Schema;
  example?: unknown;
  'x-agon-event'?: Schema;
}

export interface DocumentedAnswer {
  description: string;
  content?: Record<string, Media>;
}

export interface DescribedOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  'x-agon-scope'?: string;
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, DocumentedAnswer | { $ref: string }>;
}

export interface OpenApi {
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, DescribedOperation>>;
  components: {
    schemas: Record<string, Schema>;
    parameters: Record<string, Parameter>;
    responses: Record<string, DocumentedAnswer>;
  };
}

/** An operation with where it is and with what it refers to. */
export interface ShownOperation extends Omit<DescribedOperation, 'parameters' | 'responses'> {
  method: string;
  path: string;
  parameters: Parameter[];
  responses: [status: string, answer: DocumentedAnswer][];
}

export function listOperations({ paths, components }: OpenApi): ShownOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      parameters: (operation.parameters ?? []).map((parameter) =>
        '$ref' in parameter ? components.parameters[readRefName(parameter.$ref)]! : parameter,
      ),
      responses: Object.entries(operation.responses).map(([status, answer]) => [
        status,
        '$ref' in answer ? components.responses[readRefName(answer.$ref)]! : answer,
      ]),
    })),
  );
}

export function readRefName(ref: string): string {
  return ref.split('/').at(-1)!;
}
