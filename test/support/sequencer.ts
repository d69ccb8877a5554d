import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Real processes and browsers first: a long file that starts last would keep one core waiting for the other. */
const slowest = ['/test/start/serve', '/test/web/', '/test/start/', '.slow.test']

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = slowest.findIndex(part => moduleId.includes(part))
      return index < 0 ? slowest.length : index
    }
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}
