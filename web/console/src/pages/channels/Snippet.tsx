import { CopyBox } from '../../ui/CopyBox.tsx'
import { texts } from './words.ts'

/** For their own website. By uuid: it stays the same whatever things are called. */
export function Snippet({ uuid, channelKey }: { uuid: string; channelKey: string }) {
  const key = channelKey === 'RESOURCE_PUBLIC' ? '' : ` channel-key="${channelKey}"`
  const html = [
    `<script src="${location.origin}/embed.js"></script>`,
    `<holdfast-booking resource="${uuid}"${key}></holdfast-booking>`,
  ].join('\n')
  const query = key ? `?channelKey=${channelKey}` : ''
  return (
    <div class="stack">
      <CopyBox label={texts.snippet} text={html} />
      <CopyBox label={texts.link} text={`${location.origin}/book/${uuid}${query}`} />
    </div>
  )
}
