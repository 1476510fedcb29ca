import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'

const repository = join(import.meta.dirname, '../../../..')
const vitest = join(repository, 'node_modules/vitest/vitest.mjs')
const config = ['--config', join(import.meta.dirname, 'vitest.config.ts'), '--root', repository]
const parameters = ['run', '--mode', 'compiled', ...config]

/** Beside the files of this run. Findings there are not findings here. */
const env = { ...process.env, TMPDIR: process.env.TENANT_CANARY_HOME, CI: '' }

describe('a run in which an event loop is starved', () => {
  let code: unknown
  let output = ''
  beforeAll(
    () =>
      new Promise<void>((resolve) => {
        execFile(process.execPath, [vitest, ...parameters], { cwd: repository, env }, (error, stdout, stderr) => {
          code = error?.code
          output = stdout + stderr
          resolve()
        })
      }),
  )

  it('fails, although every test passes', () => {
    expect(output).toMatch(/Test Files .*1 passed/)
    expect(output).not.toMatch(/\d+ failed/)
    expect(code).toBe(1)
  })

  it.each([
    ['a process that never serves it again', /spins\.mjs serve computed for \d+ ms .*, to its end/],
    ['a process that serves it late', /computes\.mjs serve computed for \d+ ms .*, for a time/],
    ['a server among the tests', /a server in the process of the tests computed for \d+ ms .*, for a time/],
  ])('reports %s', (_, line) => {
    expect(output).toMatch(line)
  })

  it('reports no others', () => {
    expect(output).toContain('PROBLEMS: 3')
  })
})
