import { embedTexts } from './embed-words.ts'

type Props = { uuids: string[]; channelKey: string; version: number }

/** Our own booking page, as customers see it. A new version is loaded anew: what was saved shows at once. */
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
