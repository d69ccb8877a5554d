// What takes time, told to whoever traces it. Nobody does unless start/tracing.ts says so: then nothing of it is loaded,
// and a call costs as much as asking.

export type Attributes = Record<string, string | number>

/** Of one piece of work: what is known when it begins is told then, the rest when it ends. */
export type OpenSpan = { end(attributes: Attributes, error?: unknown): void }

export type Tracer = {
  within<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>
  /** For what begins and ends in different places: `carry` runs what belongs to it. */
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
