import type { Language } from '../../languages.ts'
import {
  type BookingData,
  type MessageData,
  type MessageKind,
  messages,
  textKinds,
} from '../../rules/messages/messages.ts'
import type { Rendered, Renderer } from '../channel.ts'
import { contentOf } from '../content/content-of.ts'
import { readOwnText } from '../content/own-text.ts'
import type { OwnBlock } from '../content/parts.ts'
import { calendarPart } from './ics.ts'
import { printHtml } from './layout.ts'
import { printText } from './text.ts'

export const renderEmail: Renderer = (kind, language, data, ownText = null) => {
  const content = { ...contentOf(kind, language, data), own: ownBlocks(kind, language, data, ownText) }
  return {
    subject: content.subject,
    text: printText(content),
    html: printHtml(content),
    ics: icsOf(kind, language, data),
  }
}

/** A withdrawn request is sent as a declined one, but must not be explained like one. */
function ownBlocks(
  kind: MessageKind,
  language: Language,
  data: MessageData[MessageKind],
  text: string | null,
): OwnBlock[] {
  if (!text || !textKinds.includes(kind) || (data as BookingData).withdrawn) return []
  return readOwnText(text, language, data as BookingData)
}

function icsOf(kind: MessageKind, language: Language, data: MessageData[MessageKind]): Rendered['ics'] {
  const method = messages[kind].ics
  return method && { method, content: calendarPart(method, language, data as BookingData) }
}
