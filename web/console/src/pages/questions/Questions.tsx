import { useRef, useState } from 'preact/hooks'
import { Link, useParams } from 'wouter-preact'
import { languages } from '../../../../../src/rules/questions/languages.ts'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { refresh } from '../../load.ts'
import { useGo } from '../../navigation.ts'
import type { Product } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { Button } from '../../ui/Button.tsx'
import { Chip } from '../../ui/Chip.tsx'
import { ExportList, exportTexts } from '../../ui/ExportButton.tsx'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { Empty, Pending } from '../../ui/Page.tsx'
import { languageName } from '../../words.ts'
import { useBusinessSettings } from '../channels/business-settings.ts'
import { OffersPage } from '../offers/OffersPage.tsx'
import { useProducts } from '../offers/offers.ts'
import { Preview } from './Preview.tsx'
import { QuestionPanel } from './QuestionPanel.tsx'
import { labelOf, type QuestionRecord, useQuestions } from './questions.ts'
import { texts } from './words.ts'

/** All questions of the business in one place, in the order of the forms. */
export default function Questions() {
  const { which } = useParams<{ which?: string }>()
  const go = useGo()
  const { uuid } = useProvider()
  const loaded = useQuestions()
  const products = useProducts()
  const all = loaded.data?.questions.filter(one => !one.archived)
  const close = () => go('/offers/questions')
  const done = () => {
    void loaded.reload()
    refresh(`products-${uuid}`)
    refresh(`booking-${uuid}`)
    close()
  }
  const add = (
    <Button kind="main" onClick={() => go('/offers/questions/new')}>
      {texts.add}
    </Button>
  )
  const services = products.data?.products ?? []
  const ofBusiness = useBusinessSettings().data?.questions ?? []
  const opened = all?.find(one => one.key === which) ?? null
  return (
    <OffersPage
      action={
        all?.length !== 0 && (
          <>
            <ExportList
              file={common.questions}
              heads={[common.questions, exportTexts.details]}
              cells={(one: QuestionRecord) => [labelOf(one.label), texts.types[one.type]]}
              rows={all}
            />
            {add}
          </>
        )
      }
    >
      <Pending of={loaded} />
      {all?.length === 0 && <Empty action={add}>{texts.none}</Empty>}
      {all && all.length > 0 && (
        <>
          <List
            questions={all}
            products={services}
            ofBusiness={ofBusiness}
            onMoved={() => void loaded.reload()}
          />
          <Preview questions={all} products={services} />
        </>
      )}
      {all && (which === 'new' || opened) && (
        <QuestionPanel
          key={which}
          question={opened}
          others={all}
          products={services}
          ofBusiness={ofBusiness}
          onClose={close}
          onDone={done}
        />
      )}
    </OffersPage>
  )
}

type ListProps = {
  questions: QuestionRecord[]
  products: Product[]
  ofBusiness: string[]
  onMoved: () => void
}

/** Rows are dragged, or moved with the buttons at their end. */
function List({ questions, products, ofBusiness, onMoved }: ListProps) {
  const { uuid } = useProvider()
  const { run } = useSubmit()
  // Not a state: nothing is drawn between press and release.
  const dragged = useRef<string | null>(null)
  const [said, say] = useState('')
  const keys = questions.map(one => one.key)
  const move = async (key: string, to: number) => {
    const wanted = keys.filter(one => one !== key)
    wanted.splice(to, 0, key)
    if (wanted.join() === keys.join()) return
    const moved = await run(() => api.put(`/providers/${uuid}/question-order`, { keys: wanted }))
    if (!moved) return
    say(texts.moved(labelOf(questions.find(one => one.key === key)!.label), to + 1))
    refresh(`products-${uuid}`)
    onMoved()
  }
  return (
    <section class="stack">
      <p class="soft">{texts.orderHint}</p>
      <p class="visually-hidden" role="status">
        {said}
      </p>
      <ol class="lines questions">
        {questions.map((one, index) => (
          <li
            key={one.key}
            draggable
            onDragStart={event => {
              dragged.current = one.key
              event.dataTransfer?.setData('text/plain', labelOf(one.label))
              event.currentTarget.classList.add('dragged')
            }}
            onDragEnd={event => event.currentTarget.classList.remove('dragged')}
            onDragOver={event => dragged.current && event.preventDefault()}
            onDrop={event => {
              event.preventDefault()
              if (dragged.current) void move(dragged.current, index)
              dragged.current = null
            }}
          >
            <span class="handle" aria-hidden="true">
              ⠿
            </span>
            <div>
              <Link href={`/offers/questions/${one.key}`}>{labelOf(one.label)}</Link>
              <p class="soft">{factsOf(one, products, ofBusiness)}</p>
              <Missing question={one} />
            </div>
            <span class="row">
              <Button
                label={texts.moveUp(labelOf(one.label))}
                disabled={index === 0}
                onClick={() => void move(one.key, index - 1)}
              >
                ↑
              </Button>
              <Button
                label={texts.moveDown(labelOf(one.label))}
                disabled={index === questions.length - 1}
                onClick={() => void move(one.key, index + 1)}
              >
                ↓
              </Button>
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

function factsOf(
  { key, type, required, subject, audience }: QuestionRecord,
  products: Product[],
  ofBusiness: string[],
): string {
  if (subject === 'customer') return `${texts.types[type]} · ${texts.ofCustomer}`
  const names = (isAsking: boolean) =>
    products
      .filter(one => one.questions.includes(key) === isAsking)
      .map(one => one.name)
      .join(', ')
  const everywhere = names(false) ? texts.everyExcept(names(false)) : texts.everyService
  return [
    texts.types[type],
    required && texts.required,
    audience === 'staff' && texts.staff,
    ofBusiness.includes(key) ? everywhere : names(true) || texts.noServices,
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Only if the question is in several languages already: others never will be. */
function Missing({ question }: { question: QuestionRecord }) {
  const given = Object.keys(question.label)
  const missing = languages.filter(one => !given.includes(one))
  if (given.length < 2 || missing.length === 0) return null
  return <Chip tone="wait">{texts.languagesMissing(missing.map(languageName).join(', '))}</Chip>
}
