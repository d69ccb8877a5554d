import type { Config } from '../config.ts'
import { traceWith } from '../lib/watch/traced.ts'

/** Sends spans to an OpenTelemetry collector, if there is one. Before the first request: routes ask once whether to trace. */
export async function startTracing({ otlpEndpoint, traceShare }: Config) {
  if (!otlpEndpoint) return null
  const { openTracing } = await import('../lib/watch/open-telemetry.ts')
  const { tracer, stop } = openTracing(traceShare)
  traceWith(tracer)
  return {
    async stop() {
      traceWith(null)
      // A collector that is away keeps nobody from stopping.
      await stop().catch(() => {})
    },
  }
}
