import type { Attributes, AttributeValue, Exception, Span, SpanStatus, Tracer } from '@opentelemetry/api';
import type { TelemetryOptions } from 'ai';
import type { Redact } from './redact.ts';

/**
 * OpenTelemetry GenAI spans of every call, without prompts and answers unless `content` is asked for. OpenTelemetry is
 * loaded here and only when telemetry is on; spans go wherever the application's tracer provider sends them.
 */
export async function loadTelemetry(content: boolean, redact: Redact): Promise<TelemetryOptions> {
  const [{ OpenTelemetry }, { trace }] = await Promise.all([import('@ai-sdk/otel'), import('@opentelemetry/api')]);
  const tracer = guardTracer(trace.getTracer('agon'), content, redact);
  return {
    isEnabled: true,
    recordInputs: content,
    recordOutputs: content,
    integrations: [new OpenTelemetry({ tracer })],
  };
}

/** Said for every call when telemetry is off, so that nothing another library registered records what is judged. */
export const noTelemetry: TelemetryOptions = { isEnabled: false };

/** Errors quote what a provider sent, answers included: without content only their names are recorded. */
function guardTracer(tracer: Tracer, content: boolean, redact: Redact): Tracer {
  const clean = (text: string) => (content ? redact(text) : '');
  const cleanAttributes = (attributes: Attributes) =>
    Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, cleanAttribute(value)]));
  const cleanAttribute = (value: AttributeValue | undefined) => (typeof value === 'string' ? redact(value) : value);

  function guard(span: Span): Span {
    const { setAttribute, setAttributes, recordException, setStatus } = span;
    return Object.assign(span, {
      setAttribute: (name: string, value: AttributeValue) =>
        setAttribute.call(span, name, cleanAttribute(value) ?? value),
      setAttributes: (attributes: Attributes) => setAttributes.call(span, cleanAttributes(attributes)),
      recordException: (exception: Exception) => {
        const { name, message = '' } =
          typeof exception === 'string' ? { name: 'Error', message: exception } : exception;
        recordException.call(span, { name: name ?? 'Error', message: clean(message) });
      },
      setStatus: (status: SpanStatus) =>
        setStatus.call(span, { code: status.code, message: clean(status.message ?? '') }),
    });
  }

  return {
    startSpan: (name, options, context) =>
      guard(tracer.startSpan(name, { ...options, attributes: cleanAttributes(options?.attributes ?? {}) }, context)),
    // The SDK starts its spans itself and never asks the tracer to run anything.
    startActiveSpan: tracer.startActiveSpan.bind(tracer),
  };
}
