// The element <holdfast-booking>, as TypeScript sees it. For JSX and templates add one of the files beside it:
// react.d.ts, preact.d.ts, vue.d.ts.

/** What the element can be told. Each is an attribute too: `baseUrl` is `base-url`. */
export interface HoldfastBookingOptions {
  /** What can be booked: a reference, the UUID of a resource or of a channel; several as a list or with commas. */
  resource?: string | readonly string[] | null
  /** Address of the service. Default: where the module came from. */
  baseUrl?: string | null
  channelKey?: 'RESOURCE_PUBLIC' | 'RESOURCE_EXCLUSIVE' | 'RESOURCE_REFERENCE' | 'CALENDAR_PUBLIC' | null
  /** Reference or UUID; then visitors are not asked. */
  product?: string | null
  /** Day to open on, `2026-03-04`. */
  date?: string | null
  /** Which of several resources is chosen at first. */
  selectedResource?: string | null
  /** IANA name of the zone to show. */
  timeZone?: string | null
  /** Token of a move link, or the link: then visitors choose a new time for that booking. */
  moveToken?: string | null
  /** `de`, `en`, `fr`, `es`, `it`, with or without a region. */
  lang?: string
  theme?: 'light' | 'dark' | null
}

/** What `event.detail` holds. Nothing that the visitor typed is in it; times are ISO 8601 in UTC. */
export interface HoldfastEventDetails {
  ready: { resources: string[]; products: string[] }
  /** `to` is null when everything from `from` on was asked for. */
  'slots-loaded': { from: string; to: string | null; count: number }
  reserved: { resource: string; product: string; start: string; end: string; expiresAt: string }
  booked: {
    status: 'confirmed' | 'requested'
    appointment: string
    resource: string
    product: string
    start: string
    end: string
  }
  /** `requested`: the provider has to agree, and until then the booking has the time that it had. */
  moved: HoldfastEventDetails['booked'] & { replaced: { start: string; end: string } }
  lost: { resource: string; start: string; end: string }
  cancelled: { start: string; end: string }
  error: { kind: HoldfastErrorKind }
}

export type HoldfastErrorKind =
  | 'no-resource'
  | 'offline'
  | 'unreachable'
  | 'busy'
  | 'broken'
  | 'unknown'
  | 'taken'
  | 'twice'
  | 'hidden'
  | 'not-invited'
  | 'late'
  | 'changed'
  | 'invalid'

export type HoldfastEventMap = {
  [Name in keyof HoldfastEventDetails as `holdfast-${Name}`]: CustomEvent<HoldfastEventDetails[Name]>
}

export interface HoldfastBooking extends HTMLElement {
  get resource(): string | null
  set resource(value: HoldfastBookingOptions['resource'])
  baseUrl: string | null
  channelKey: string | null
  product: string | null
  date: string | null
  selectedResource: string | null
  timeZone: string | null
  moveToken: string | null
  theme: string | null
  /** Fetches the shown times again. */
  refresh(): Promise<void>
}

/** Handlers as JSX writes them: `onholdfast-booked`. */
export type HoldfastHandlers = {
  [Name in keyof HoldfastEventMap as `on${Name}`]?: (event: HoldfastEventMap[Name]) => void
}

declare global {
  interface HTMLElementTagNameMap {
    'holdfast-booking': HoldfastBooking
  }
  interface HTMLElementEventMap extends HoldfastEventMap {}
  interface DocumentEventMap extends HoldfastEventMap {}
}
