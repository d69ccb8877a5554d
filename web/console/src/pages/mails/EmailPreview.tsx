import { useEffect, useRef, useState } from 'preact/hooks'
import { unknownPlaceholder } from '#shared/placeholders.ts'
import type { Language } from '#shared/texts/index.ts'
import { api, Problem } from '../../api.ts'
import { common } from '../../common-words.ts'
import type { Schemas } from '../../records.ts'
import { Button } from '../../ui/Button.tsx'
import { showProblem } from '../../ui/toasts.tsx'
import { texts } from './text-words.ts'
import { texts as mailTexts } from './words.ts'

type Wanted = { kind: Schemas['EmailTexts']['kind']; language: Language; text: string }
type Props = Wanted & { uuid: string; onRefused: (why: string | null) => void }
type Scheme = 'light' | 'dark'
type Shown = Wanted & { version: number; scheme: Scheme; subject: string; plain: string }

const isDark = () => matchMedia('(prefers-color-scheme: dark)').matches

/** The whole email with an invented booking, shortly after each change. */
export function EmailPreview({ uuid, kind, language, text, onRefused }: Props) {
  const [scheme, paint] = useState<Scheme>(isDark() ? 'dark' : 'light')
  const [shown, show] = useState<Shown | null>(null)
  const version = useRef(0)
  const read = async (signal: AbortSignal) => {
    const body = { language, text: text || null }
    const preview = await api
      .post(`/providers/${uuid}/email-texts/${kind as string}/preview`, body, { signal })
      .catch((problem: Problem | Error) => {
        if (signal.aborted) return null
        if (problem instanceof Problem && problem.status === 400)
          onRefused(problem.faults[0]?.rule === 'web-address' ? texts.badLink : null)
        else if (problem instanceof Problem) showProblem(problem)
        return null
      })
    if (!preview || signal.aborted) return
    onRefused(null)
    const { subject, text: plain } = preview
    show({ kind, language, text, scheme, subject, plain, version: ++version.current })
  }
  useEffect(() => {
    // The form says so already.
    if (unknownPlaceholder(text) !== null) return
    const running = new AbortController()
    const timer = setTimeout(() => void read(running.signal), shown ? 300 : 0)
    return () => {
      clearTimeout(timer)
      running.abort()
    }
  }, [kind, language, text, scheme])
  return (
    <figure class="preview email-preview">
      <figcaption class="row">
        <span>{common.preview}</span>
        <Button kind="quiet" pressed={scheme === 'light'} onClick={() => paint('light')}>
          {texts.light}
        </Button>
        <Button kind="quiet" pressed={scheme === 'dark'} onClick={() => paint('dark')}>
          {texts.dark}
        </Button>
      </figcaption>
      <p class="wrap">
        <span class="soft">{mailTexts.subject}:</span> <b>{shown?.subject}</b>
      </p>
      <Frames uuid={uuid} shown={shown} />
      <details>
        <summary>{mailTexts.plainText}</summary>
        <pre class="said">{shown?.plain}</pre>
      </details>
    </figure>
  )
}

/**
 * A new frame for each change, so that Back leaves the page. The old one stays until the new one has loaded.
 */
function Frames({ uuid, shown }: { uuid: string; shown: Shown | null }) {
  const [loaded, setLoaded] = useState<Shown | null>(null)
  const all = [loaded, shown].filter((one, index, both) => one && both.indexOf(one) === index) as Shown[]
  return (
    <div class="frames">
      {all.map(one => (
        <Frame key={one.version} uuid={uuid} shown={one} onLoad={() => setLoaded(one)} />
      ))}
    </div>
  )
}

/** Posted by a form: a frame filled by script would have the policy of the console, without inline styles. */
function Frame({ uuid, shown, onLoad }: { uuid: string; shown: Shown; onLoad: () => void }) {
  const form = useRef<HTMLFormElement>(null)
  const isSent = useRef(false)
  const name = `email-preview-${shown.version}`
  useEffect(() => {
    isSent.current = true
    form.current!.submit()
  }, [])
  const { kind, language, text, scheme } = shown
  return (
    <>
      <form ref={form} hidden method="post" action={`/console/mail-preview/${uuid}`} target={name}>
        {Object.entries({ kind, language, text, scheme }).map(([field, value]) => (
          <input key={field} type="hidden" name={field} value={value} />
        ))}
      </form>
      <iframe
        name={name}
        title={common.preview}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        onLoad={() => isSent.current && onLoad()}
      />
    </>
  )
}
