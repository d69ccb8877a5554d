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

type Props = { shown: Bookable; version: number }

/** The booking page as customers see it. A new `version` reloads it after saving. */
export function Preview({ shown, version }: Props) {
  const address = bookPathOf(shown)
  return (
    <figure class="preview">
      <figcaption>
        {common.preview}{' '}
        <a href={address} target="_blank" rel="noreferrer">
          {embedTexts.openPage}&nbsp;↗
        </a>
      </figcaption>
      <iframe key={`${address}-${version}`} src={address} title={common.preview} />
    </figure>
  )
}
