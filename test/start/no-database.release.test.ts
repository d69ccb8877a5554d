import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { newDataDir, run } from '../support/process.ts'

vi.setConfig({ testTimeout: 120_000 })

describe('a command with a folder without a database', () => {
  it.each([
    [['crm', 'list']],
    [['migrate']],
    [['jobs', 'list']],
    [['backup', 'here.backup']],
    [['crm', 'export', 'acme']],
    [['worker']],
  ])('%j says so and creates nothing', async args => {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-none-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const DATA_DIR = join(folder, 'data')
    const { code, output } = await run(args, { DATA_DIR })
    expect(code).toBe(1)
    expect(output).toContain(`There is no database in ${DATA_DIR}.`)
    expect(output).toContain('/etc/holdfast.env')
    expect(existsSync(DATA_DIR)).toBe(false)
    expect(readdirSync(folder)).toEqual([])
  })

  it('demo creates one', async () => {
    const DATA_DIR = newDataDir()
    const { code, output } = await run(['demo'], { DATA_DIR })
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('hf_demo_') })
    expect(await run(['crm', 'list', '--json'], { DATA_DIR })).toMatchObject({
      code: 0,
      output: expect.stringContaining('"demo"'),
    })
  })
})
