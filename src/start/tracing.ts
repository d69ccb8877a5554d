import type { Config } from '../config.ts'
import { traceWith } from '../lib/watch/traced.ts'

/**
 * Sends spans to an OpenTelemetry collector if one is configured. Must run before the first request: routes
 * decide once whether to trace.
 */
export async function startTracing({ otlpEndpoint, traceShare }: Config) {
  if (!otlpEndpoint) return null
  const { openTracing } = await import('../lib/watch/open-telemetry.ts')
  const { tracer, stop } = openTracing(traceShare)
  traceWith(tracer)
  return {
    async stop() {
      traceWith(null)
      // An unavailable collector must not prevent the shutdown.
      await stop().catch(() => {})
    },
  }
}
