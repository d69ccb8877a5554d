import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

type Props = { url: string | null; name: string; children: ComponentChildren }

/** As customers see it: the picture, or the initial. A list without any picture shows neither. */
export function Pictured({ url, name, children }: Props) {
  const [broken, setBroken] = useState<string | null>(null)
  return (
    <div class={url ? 'pictured own' : 'pictured'}>
      {url && url !== broken ? (
        <img src={url} alt="" width={32} height={32} loading="lazy" onError={() => setBroken(url)} />
      ) : (
        <i data-initial={[...name][0]} />
      )}
      <div>{children}</div>
    </div>
  )
}
