import { useEffect, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { api, type Problem } from '../../api.ts'
import type { Schemas } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { shell } from '../../shell-words.ts'
import { Button } from '../../ui/Button.tsx'
import { Chip } from '../../ui/Chip.tsx'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { Empty, Page, Skeleton, Trouble } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { withEllipsis } from '../../words.ts'
import { texts as mergeTexts } from './merge-words.ts'
import { birthDay } from './records.ts'
import { texts } from './words.ts'

type Pair = Schemas['ConsoleDuplicate']

/** Enough to fill a screen. The service looks at a part of the customers at a time. */
const wanted = 25

const words = {
  email: texts.sameEmail,
  mobile: texts.sameMobile,
  birthDate: texts.sameBirthDate,
} as const

/** Customers that may be one person, two by two. */
export default function DuplicatesPage() {
  const { uuid } = useProvider()
  const [pairs, setPairs] = useState<Pair[]>([])
  /** Where to go on; undefined before the first answer, null at the end. */
  const [next, setNext] = useState<string | null | undefined>(undefined)
  const [isLooking, setLooking] = useState(true)
  const [problem, setProblem] = useState<Problem | null>(null)
  const look = async (from: string | null | undefined) => {
    setLooking(true)
    setProblem(null)
    try {
      let after = from
      for (let found = 0; found < wanted && after !== null; ) {
        const page = await api.get(`/providers/${uuid}/duplicate-customers`, {
          query: { limit: wanted, ...(after ? { after } : {}) },
        })
        setPairs(before => [...before, ...page.pairs])
        setNext(page.next)
        after = page.next
        found += page.pairs.length
      }
    } catch (error) {
      setProblem(error as Problem)
    }
    setLooking(false)
  }
  useEffect(() => {
    setPairs([])
    setNext(undefined)
    void look(undefined)
  }, [uuid])
  const remove = (pair: Pair) => setPairs(before => before.filter(one => one !== pair))
  const putBack = (pair: Pair, at: number) => setPairs(before => before.toSpliced(at, 0, pair))
  return (
    <Page title={texts.duplicates}>
      <p>
        <Link href="/customers">‹ {shell.customers}</Link>
      </p>
      <p class="soft">{texts.duplicatesHint}</p>
      {problem && <Trouble problem={problem} onRetry={() => look(next)} />}
      {pairs.length === 0 && next === null && <Empty>{texts.noDuplicates}</Empty>}
      <ul class="stack plain-list">
        {pairs.map((pair, index) => (
          <PairCard
            key={pair.customers.map(one => one.uuid).join()}
            pair={pair}
            onMarked={() => remove(pair)}
            onUndone={() => putBack(pair, index)}
          />
        ))}
      </ul>
      {isLooking && <Skeleton rows={3} />}
      {!isLooking && next && (
        <div>
          <Button onClick={() => look(next)}>{texts.lookFurther}</Button>
        </div>
      )}
    </Page>
  )
}

type CardProps = { pair: Pair; onMarked: () => void; onUndone: () => void }

function PairCard({ pair, onMarked, onUndone }: CardProps) {
  const [one, other] = pair.customers as [Pair['customers'][0], Pair['customers'][0]]
  const { busy, run } = useSubmit()
  const path = `/customers/${one.uuid}/distinct/${other.uuid}` as const
  const mark = async () => {
    const done = await run(async () => {
      await api.put(path, {})
      return true
    })
    if (!done) return
    onMarked()
    const undo = async () => {
      await api.remove(path)
      onUndone()
    }
    showToast(texts.markedDistinct, { undo })
  }
  return (
    <li class="card stack">
      <div class="row">
        {pair.same.map(name => (
          <Chip key={name} tone="wait">
            {words[name]}
          </Chip>
        ))}
      </div>
      <div class="beside">
        {[one, other].map(customer => (
          <div key={customer.uuid}>
            <Link href={`/customers/${customer.uuid}`}>
              <strong>{customer.name}</strong>
            </Link>
            {[customer.email, customer.mobile, customer.birthDate && birthDay(customer.birthDate)]
              .filter(Boolean)
              .map(text => (
                <p key={text} class="soft wrap">
                  {text}
                </p>
              ))}
          </div>
        ))}
      </div>
      <div class="row">
        <Link
          class="button"
          href={`/customers/${one.uuid}/merge/${other.uuid}`}
          aria-label={mergeTexts.mergeOf(one.name, other.name)}
        >
          {withEllipsis(mergeTexts.merge)}
        </Link>
        <Button busy={busy} label={texts.notSameOf(one.name, other.name)} onClick={mark}>
          {texts.notSame}
        </Button>
      </div>
    </li>
  )
}
