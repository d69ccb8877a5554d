import { useEffect, useRef } from 'preact/hooks'
import { accentOf, readableAccents, textOn } from '#shared/color.ts'
import { common } from '../../common-words.ts'
import { CopyBox } from '../../ui/dialogs/CopyBox.tsx'
import { embedTexts } from './embed-words.ts'

/** The address of a business, or uuids of Resources: they survive renames. */
export type Bookable = { business: string } | { uuids: string[]; channelKey: string }

const keyOf = (shown: Bookable) =>
  'business' in shown || shown.channelKey === 'RESOURCE_PUBLIC' ? '' : shown.channelKey

export function bookPathOf(shown: Bookable): string {
  const key = keyOf(shown)
  return `/book/${'business' in shown ? shown.business : shown.uuids.join(',')}${key && `?channelKey=${key}`}`
}

/** The link and the embed code. */
export function Snippet({ shown }: { shown: Bookable }) {
  const key = keyOf(shown)
  const name = 'business' in shown ? `business="${shown.business}"` : `resource="${shown.uuids.join(',')}"`
  const html = [
    `<script src="${location.origin}/embed.js"></script>`,
    `<holdfast-booking ${name}${key && ` channel-key="${key}"`}></holdfast-booking>`,
  ].join('\n')
  return (
    <div class="stack">
      <CopyBox label={embedTexts.link} text={`${location.origin}${bookPathOf(shown)}`} />
      <CopyBox label={embedTexts.snippet} text={html} />
    </div>
  )
}

type Props = {
  shown: Bookable
  version: number
  /** A colour that is chosen and not saved yet; null is ours, undefined what the page has. */
  accent?: string | null | undefined
}

/** The booking page as customers see it. A new `version` reloads it after saving. */
export function Preview({ shown, version, accent }: Props) {
  const address = bookPathOf(shown)
  const frame = useRef<HTMLIFrameElement>(null)
  const color = () => colorPage(frame.current!.contentDocument?.documentElement, accent)
  useEffect(color, [accent])
  return (
    <figure class="preview">
      <figcaption>
        {common.preview}{' '}
        <a href={address} target="_blank" rel="noreferrer">
          {embedTexts.openPage}&nbsp;↗
        </a>
      </figcaption>
      <iframe ref={frame} key={`${address}-${version}`} src={address} title={common.preview} onLoad={color} />
    </figure>
  )
}

/** Pages and widgets take their colours from these properties, if they are set. */
function colorPage(page: HTMLElement | null | undefined, accent: string | null | undefined) {
  const color = accentOf(accent ?? null)
  const { light, dark } = readableAccents(color)
  const properties = {
    '--holdfast-accent': `light-dark(${light}, ${dark})`,
    '--holdfast-fill': color,
    '--holdfast-on-fill': textOn(color),
  }
  // Null before the page has been read; loading it colours it.
  for (const [name, value] of Object.entries(properties))
    page?.style.setProperty(name, accent === undefined ? '' : value)
}
