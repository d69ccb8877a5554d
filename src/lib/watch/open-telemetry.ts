import {
  context,
  type Span as OtelSpan,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { version } from '../root.ts'
import type { Attributes, Tracer } from './traced.ts'

// The only file that knows OpenTelemetry, loaded only if a collector is configured. The SDK reads the other
// OTEL_* variables.

export function openTracing(share: number): { tracer: Tracer; stop(): Promise<void> } {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'holdfast', 'service.version': version }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  })
  const inner = provider.getTracer('holdfast')
  return {
    tracer: {
      within: (name, attributes, work) =>
        inner.startActiveSpan(name, { attributes }, async span => {
          try {
            const result = await work()
            end(span, {})
            return result
          } catch (error) {
            end(span, {}, error)
            throw error
          }
        }),
      begin(name, headers) {
        const parent = propagation.extract(context.active(), headers)
        const span = inner.startSpan(name, { kind: SpanKind.SERVER }, parent)
        return {
          span: {
            traceId: span.spanContext().traceId,
            end: (attributes, error) => end(span, attributes, error),
          },
          carry: work => context.with(trace.setSpan(parent, span), work),
        }
      },
    },
    async stop() {
      await provider.shutdown()
      context.disable()
      propagation.disable()
    },
  }
}

function end(span: OtelSpan, attributes: Attributes, error?: unknown) {
  span.setAttributes(attributes)
  // Not the message: PostgreSQL and mail servers quote what people entered.
  if (error) span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).name })
  span.end()
}
