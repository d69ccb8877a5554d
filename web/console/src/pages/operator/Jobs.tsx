import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { useLoad } from '../../load.ts'
import type { Schemas } from '../../records.ts'
import { moment } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { Chip } from '../../ui/Chip.tsx'
import { ExportList, exportTexts } from '../../ui/ExportButton.tsx'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { Pending, SectionHead } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { texts } from './words.ts'

type Job = Schemas['FailedJob']

export function Jobs() {
  const loaded = useLoad('jobs', signal => api.get('/jobs', { signal }))
  const { busy, run } = useSubmit()
  const again = (job: Job) =>
    run(async () => {
      await api.post(`/jobs/${job.id}/run`)
      showToast(texts.runningAgain)
      await loaded.reload()
    })
  return (
    <section class="stack" aria-labelledby="jobs">
      <SectionHead
        id="jobs"
        title={texts.jobs}
        action={
          <ExportList
            file={texts.jobs}
            heads={[exportTexts.name, exportTexts.when, exportTexts.status, exportTexts.details]}
            cells={(one: Job) => [
              one.task,
              one.nextRunAt ?? one.createdAt,
              one.isGivenUp ? texts.gaveUp : texts.willRetry,
              one.error,
            ]}
            rows={loaded.data?.jobs}
          />
        }
      />
      <Pending of={loaded} rows={1} />
      {loaded.data?.jobs.length === 0 && <p class="soft">{texts.noJobs}</p>}
      <ul class="lines">
        {loaded.data?.jobs.map(job => (
          <li key={job.id}>
            <span class="wrap">
              <strong>{job.task}</strong> · {common.attempts(job.attempts)} ·{' '}
              {moment(job.nextRunAt ?? job.createdAt)}
              <br />
              <span class="soft">{job.error}</span>
            </span>
            <span class="row">
              <Chip tone={job.isGivenUp ? 'bad' : 'wait'}>
                {job.isGivenUp ? texts.gaveUp : texts.willRetry}
              </Chip>
              <Button
                busy={busy}
                label={`${texts.runAgain}: ${job.task} ${job.id}`}
                onClick={() => again(job)}
              >
                {texts.runAgain}
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
