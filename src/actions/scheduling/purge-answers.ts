import { type KeptQuestion, questionsWithPeriod, removeOldAnswers } from '../../db/scheduling/answers.ts'
import { runAtLowPriority } from '../../lib/run-in-steps.ts'
import { serviceActor } from '../../rules/messages/events.ts'
import type { Service } from '../../service.ts'
import { recordEvents } from '../record-events.ts'

/** Removes answers past the `keepDays` of their question; returns how many. A dry run only counts. */
export async function purgeAnswers(service: Service, { dryRun }: { dryRun: boolean }): Promise<number> {
  let count = 0
  for (const question of await questionsWithPeriod(service.db)) {
    let after: number | null = 0
    while (after !== null && !service.health.isDraining) {
      const from: number = after
      const step = () => removePage(service, question, from, dryRun)
      const { next, ids } = dryRun ? await step() : await runAtLowPriority(step)
      count += ids.length
      after = next
    }
  }
  return count
}

const removePage = (service: Service, question: KeptQuestion, after: number, dryRun: boolean) =>
  service.db.transaction(async tx => {
    const page = await removeOldAnswers(tx, question, after, dryRun)
    const provider = { id: question.providerId, crmId: question.crmId }
    const events = { 'participation.changed': page.ids }
    if (page.ids.length > 0 && !dryRun)
      await recordEvents(tx, service, { actor: serviceActor, provider, events, sendMails: false })
    return page
  })
