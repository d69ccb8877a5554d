import { expect, it } from 'vitest'
import { mergeMetrics } from '../../src/lib/watch/metrics.ts'

it('merges the metrics of all processes: each sample names its process, each metric is described once', () => {
  const text = (value: number) => `# HELP a_total Things
# TYPE a_total counter
a_total{of="x"} ${value}

# HELP b Others
# TYPE b gauge
b ${value}
`
  const merged = mergeMetrics([
    { process: '1', text: text(1) },
    { process: '2', text: text(2) },
  ])
  expect(merged).toBe(`# HELP a_total Things
# TYPE a_total counter
a_total{process="1",of="x"} 1
a_total{process="2",of="x"} 2

# HELP b Others
# TYPE b gauge
b{process="1"} 1
b{process="2"} 2
`)
})
