import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'

const repository = join(import.meta.dirname, '../../../..')
const vitest = join(repository, 'node_modules/vitest/vitest.mjs')
const config = ['--config', join(import.meta.dirname, 'vitest.config.ts'), '--root', repository]
const parameters = ['run', '--mode', 'compiled', ...config]

/** Beside the files of this run, because the leaks must not be found there. */
const env = { ...process.env, TMPDIR: process.env.TENANT_CANARY_HOME, CI: '' }

describe('a run in which a key leaks', () => {
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
    ['an answer', 'in-plain-0', 'answer: POST /api/v1/namespaces/default/configmaps'],
    ['an answer to what came in pieces', 'in-parsed-', 'answer: POST /api/v1/namespaces/default/configmaps'],
    ['an answer over HTTP/2', 'in-frames-', 'answer: GET /api/v1/namespaces/default/configmaps/framed'],
    ['a compressed answer', 'in-gzip-01', 'compressed answer'],
    ['a log', 'in-a-log-0', 'log'],
    ['a command in the process of the tests', 'in-command', 'output: tenant'],
    ['the output of a process', 'in-output-', 'output: node -e'],
    ['an answer of another process', 'in-process', 'answer: GET /served'],
    ['a file', 'in-removed', 'file: tenant-leak-'],
    ['a file, in Base64', 'in-base64-', 'file: tenant-leak-'],
    ['a file that is left behind', 'in-remains', 'file: left.log'],
    ['a file of the database', 'in-plain-0', 'file: tenant-server-'],
  ])('reports %s', (_, id, place) => {
    expect(output).toMatch(new RegExp(`${id}… \\([a-z0-9, ]+\\)\\s+in ${place}`))
  })

  it('repeats no value', () => {
    expect(output).not.toContain('-0123456789')
  })
})
