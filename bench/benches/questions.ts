import { compare } from '../lib/compare.ts'
import { atMost, type Row } from '../lib/report.ts'
import { type FreeSlot, freeSlots, post, type Seeded } from '../lib/seed.ts'
import type { Running } from '../lib/service.ts'
import { onStage } from '../lib/stage.ts'
import { cpuOf } from '../lib/usage.ts'
import { bookPairs } from './reserve.ts'

/** Whole bookings with ten answers, in turns with bookings of a Product that asks nothing. */
export const questions = (): Promise<Row[]> =>
  onStage(
    async ({ service, seeded, load }) => {
      const asking = await productWithQuestions(service, seeded)
      const slots = await freeSlots(service, seeded)
      const ofRest = (rest: number) => slots.filter((_, index) => index % 2 === rest)
      const product = (slot: FreeSlot) => ({ ...slot, product_uuid: asking })
      const answered = bookPairs(ofRest(0).map(product), service, load, index => ({
        email: `answering${index}@example.org`,
        answers,
      }))
      const plain = bookPairs(ofRest(1), service, load)
      const cpu = (work: typeof plain) => () => cpuOf(service.pid, work)
      return [
        atMost('a booking with ten answers', 'ms of CPU', await compare(cpu(answered), cpu(plain)), 1.1),
      ]
    },
    { args: ['--without-jobs'] },
  )

export const answers = {
  reason: 'Pain in the left knee since last week',
  story: 'It began after a long walk. Going up the stairs is harder than going down.',
  weight: 72.5,
  born: '1980-02-03',
  phone: '+49 40 1234567',
  insurance: 'private',
  policy: 'P-1234567',
  pains: ['back', 'knee'],
  first: true,
  consent: true,
}

const options = (...keys: string[]) => keys.map(key => ({ key, label: { en: key, de: key } }))

const asked: Record<keyof typeof answers, object> = {
  reason: { type: 'text', required: true, inEmails: true },
  story: { type: 'textarea' },
  weight: { type: 'number', min: 1, max: 300 },
  born: { type: 'date' },
  phone: { type: 'phone' },
  insurance: { type: 'choice', options: options('public', 'private') },
  policy: { type: 'text', required: true, showIf: { key: 'insurance', is: 'private' } },
  pains: { type: 'choices', options: options('back', 'knee', 'neck') },
  first: { type: 'checkbox' },
  consent: { type: 'consent', required: true },
}

export async function productWithQuestions(service: Running, { path }: Seeded): Promise<string> {
  for (const [key, question] of Object.entries(asked))
    await post(service, `${path}/questions`, { key, label: { en: key, de: key }, ...question })
  const body = { reference: 'asking@bench', name: 'Talk', questions: Object.keys(asked) }
  return (await post(service, `${path}/products`, body)).product.uuid
}
