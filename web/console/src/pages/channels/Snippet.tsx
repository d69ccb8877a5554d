import { CopyBox } from '../../ui/CopyBox.tsx'
import { embedTexts } from './embed-words.ts'

type Props = { uuids: string[]; channelKey: string }

/** The embed code. It uses uuids, so it survives renames. */
export function Snippet({ uuids, channelKey }: Props) {
  const resources = uuids.join(',')
  const key = channelKey === 'RESOURCE_PUBLIC' ? '' : ` channel-key="${channelKey}"`
  const html = [
    `<script src="${location.origin}/embed.js"></script>`,
    `<holdfast-booking resource="${resources}"${key}></holdfast-booking>`,
  ].join('\n')
  const query = key ? `?channelKey=${channelKey}` : ''
  return (
    <div class="stack">
      <CopyBox label={embedTexts.link} text={`${location.origin}/book/${resources}${query}`} />
      <CopyBox label={embedTexts.snippet} text={html} />
    </div>
  )
}
