import type { Booked } from './state.ts'

/** What the host page can listen to, as `holdfast-<name>`. Nothing of what the visitor typed is in it. */
export type WidgetEvents = {
  ready: { resources: string[]; products: string[] }
  /** `to` is null when everything from `from` on was asked for. */
  'slots-loaded': { from: string; to: string | null; count: number }
  reserved: { resource: string; product: string; start: string; end: string; expiresAt: string }
  booked: {
    status: Booked['status']
    appointment: string
    resource: string
    product: string
    start: string
    end: string
  }
  lost: { resource: string; start: string; end: string }
  cancelled: { start: string; end: string }
  error: { kind: string }
}

export type Emit = <K extends keyof WidgetEvents>(name: K, detail: WidgetEvents[K]) => void
