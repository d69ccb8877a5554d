// The element <holdfast-booking> for TypeScript. For JSX and templates add one of the files beside it:
// react.d.ts, preact.d.ts, vue.d.ts.

/** The element's options. Each is an attribute too: `baseUrl` is `base-url`. */
export interface HoldfastBookingOptions {
  /** Everything that a business offers, by its slug, UUID or reference; instead of `resource`. */
  business?: string | null
  /**
   * What can be booked: a reference, or the UUID of a resource or channel; several as a list or separated by
   * commas.
   */
  resource?: string | readonly string[] | null
  /** Address of the service. Default: the origin of the module. */
  baseUrl?: string | null
  channelKey?: 'RESOURCE_PUBLIC' | 'RESOURCE_EXCLUSIVE' | 'RESOURCE_REFERENCE' | 'CALENDAR_PUBLIC' | null
  /** Reference or UUID; visitors then have no choice of product. */
  product?: string | null
  /** Day to open on, `2026-03-04`. */
  date?: string | null
  /** Which of several resources is selected at first. */
  selectedResource?: string | null
  /** IANA name of the time zone to show. */
  timeZone?: string | null
  /** Token of a move link, or the link itself: visitors then choose a new time for that booking. */
  moveToken?: string | null
  /** `de`, `en`, `fr`, `es`, `it`, with or without a region. */
  lang?: string
  theme?: 'light' | 'dark' | null
}

/** The contents of `event.detail`. Never includes visitor input; times are ISO 8601 in UTC. */
export interface HoldfastEventDetails {
  ready: { resources: string[]; products: string[] }
  /** `to` is null if the request had no end. */
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
  /** `requested`: the provider has to confirm, and until then the booking keeps its time. */
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
  /** Reloads the shown times. */
  refresh(): Promise<void>
}

/** Event handlers in JSX: `onholdfast-booked`. */
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
