import { shell } from '../../shell-words.ts'
import { Page } from '../../ui/Page.tsx'

export default function Requests() {
  return <Page title={shell.requests}>{null}</Page>
}
