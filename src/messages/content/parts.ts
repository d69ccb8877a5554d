// The parts of an email before it is rendered.

import type { Language } from '../../languages.ts'
import type { BothTimes } from './times-in-both-zones.ts'

export type Content = {
  language: Language
  brand: { name: string; logo: string | null; accent: string | null }
  subject: string
  /** The line an inbox shows next to the subject. */
  preview: string
  heading: string
  greeting: string
  lead: string
  when: BothTimes | null
  /** True if the appointment is cancelled or declined. */
  off: boolean
  rows: Row[]
  notes: Note[]
  /** Paragraphs of the business. */
  own?: OwnBlock[]
  hint: string | null
  buttons: Button[]
  closing: string[]
  footer: string[]
}

/** What most messages leave out that are not about one booking. */
export const plain = {
  when: null,
  off: false,
  rows: [],
  notes: [],
  hint: null,
  buttons: [],
} satisfies Partial<Content>

export type Row = { label: string; lines: Line[] }
/** `isPage`: the text part prints its address too. `more` is not part of the link. */
export type Line = {
  label: string | null
  text: string
  href: string | null
  isPage?: boolean
  more?: string
}
export type Note = { label: string; text: string }
/** `isFirst`: stands above the hint, which is about the others. `isAside`: only a link, below other buttons. */
export type Button = {
  label: string
  href: string
  primary: boolean
  isFirst?: boolean
  isAside?: boolean
}
/** A paragraph or a list; `first` is the number of its first item. */
export type OwnBlock = { kind: 'paragraph' | 'bullets' | 'numbers'; first: number; items: Inline[][] }
export type Inline = { text: string; bold?: boolean; italic?: boolean; href?: string }
