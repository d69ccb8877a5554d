import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openApiText } from '../../scripts/openapi.ts'
import { makeFolder, runTool } from './tools.ts'

let temporary: Awaited<ReturnType<typeof makeFolder>>
beforeAll(async () => {
  temporary = await makeFolder()
  await writeFile(join(temporary.folder, 'openapi.json'), await openApiText())
  await writeFile(join(temporary.folder, 'spectral.yaml'), 'extends: ["spectral:oas"]\n')
}, 180_000)
afterAll(() => temporary.remove())

it('Redocly reports no errors or warnings with its recommended rules', async () => {
  const args = ['lint', 'openapi.json', '--extends=recommended', '--format=json']
  const report = await runTool(temporary.folder, 'redocly', args)
  expect(JSON.parse(report.slice(report.indexOf('{'), report.lastIndexOf('}') + 1))).toMatchObject({
    totals: { errors: 0, warnings: 0 },
    problems: [],
  })
}, 180_000)

it('Spectral reports no errors or warnings with its OpenAPI rules', async () => {
  const args = ['lint', 'openapi.json', '-r', 'spectral.yaml', '--fail-severity=hint', '--format=json']
  const report = await runTool(temporary.folder, 'spectral', args)
  expect(report).toMatch(/^\[\s*\]/)
}, 180_000)
