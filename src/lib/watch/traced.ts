// Reports timed work to a tracer. Without a tracer (see start/tracing.ts) nothing is loaded, and a call costs
// one check.

export type Attributes = Record<string, string | number>

/** One span: attributes known at the start are set then, the rest at the end. */
export type OpenSpan = { traceId: string; end(attributes: Attributes, error?: unknown): void }

export type Tracer = {
  within<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>
  /** For spans that start and end in different places: `carry` runs the work that belongs to it. */
  begin(name: string, headers: Record<string, unknown>): { span: OpenSpan; carry(work: () => void): void }
}

let tracer: Tracer | null = null

export const traceWith = (one: Tracer | null) => {
  tracer = one
}

export const currentTracer = () => tracer

export function traced<T>(
  name: string,
  attributes: (() => Attributes) | null,
  work: () => Promise<T>,
): Promise<T> {
  return tracer ? tracer.within(name, attributes?.() ?? {}, work) : work()
}
