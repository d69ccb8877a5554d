import { Link } from 'wouter-preact'
import { common } from './common-words.ts'
import { shell } from './shell-words.ts'
import { Empty, Page } from './ui/Page.tsx'

/** In place of a page that does not exist, or that this person has no access to. */
export function NoPage({ title }: { title: string }) {
  return (
    <Page title={title}>
      <Empty
        action={
          <Link class="button main" href="/">
            {shell.today}
          </Link>
        }
      >
        {common.noLongerExists}
      </Empty>
    </Page>
  )
}
