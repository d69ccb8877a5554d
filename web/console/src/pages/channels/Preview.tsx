import { embedTexts } from './embed-words.ts'

type Props = { uuids: string[]; channelKey: string; version: number }

/** The booking page as customers see it. A new `version` reloads it after saving. */
export function Preview({ uuids, channelKey, version }: Props) {
  const address = `/book/${uuids.join(',')}?channelKey=${channelKey}`
  return (
    <figure class="preview">
      <figcaption>
        {embedTexts.preview}{' '}
        <a href={address} target="_blank" rel="noreferrer">
          {embedTexts.openPage} ↗
        </a>
      </figcaption>
      <iframe key={`${address}-${version}`} src={address} title={embedTexts.preview} />
    </figure>
  )
}
