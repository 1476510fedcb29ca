import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { VerifyAuditOptions } from '../../../src/cli/audit/options.ts'
import { verifyAudit } from '../../../src/cli/audit/verify.ts'
import type { Terminal } from '../../../src/cli/terminal/terminal.ts'
import { AuditFile } from '../../../src/platform/audit/audit-file.ts'
import { AuditChain } from '../../../src/platform/audit/chain/audit-chain.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tenant-audit-verify-'))
  const chain = new AuditChain()
  const file = new AuditFile({ file: join(directory, 'audit.log'), chain, onFailure: () => {}, onRecovery: () => {} })
  for (const user of ['ann', 'ben', 'eve']) file.add(`${JSON.stringify({ user })}\n`)
  await file.flush()
})
afterEach(() => rm(directory, { recursive: true }))

const log = () => join(directory, 'audit.log')

async function verified(files: readonly string[], output: 'text' | 'json' = 'text') {
  return outcomeOf(files, { dataDir: directory, output })
}

async function outcomeOf(files: readonly string[], options: VerifyAuditOptions, env: Terminal['env'] = {}) {
  let printed = ''
  const stream = { write: (text: string) => (printed += text) }
  const run = verifyAudit(files, options, { stdout: stream, stderr: stream, env })
  const { name: failure, message } = await run.then(
    () => ({ name: undefined, message: '' }),
    (error: Error) => error,
  )
  return { printed, failure, message }
}

describe('tenant audit verify', () => {
  it('reports that the log of a data directory is complete, and its head', async () => {
    const { printed, failure } = await verified([])
    expect(failure).toBeUndefined()
    expect(printed).toMatch(/audit\.log: whole \(3 lines, 1 to 3 of the chain, 1 file\)\n {2}head 3:[\w-]{43}\n$/)
  })

  it('fails with the error and its position', async () => {
    await writeFile(log(), (await readFile(log(), 'utf8')).replace('ben', 'bob'))
    const { printed, failure } = await verified([log()])
    expect(failure).toBe('ReportedFailure')
    expect(printed).toContain('NOT AS IT WAS WRITTEN')
    expect(printed).toMatch(/CHANGED: .*audit\.log:2 \(byte \d+\): line 2 of the chain/)
  })

  it('fails for a file of which no line can be checked', async () => {
    await writeFile(log(), '{"user":"ann"}\n{"user":"eve"}\n')
    const { printed, failure } = await verified([log()])
    expect(failure).toBe('ReportedFailure')
    expect(printed).toContain('audit.log: CANNOT BE CHECKED (no line with a hash, 1 file)')
    expect(JSON.parse((await verified([log()], 'json')).printed)).toMatchObject({ whole: false })
  })

  it('prints the same as JSON', async () => {
    await writeFile(log(), (await readFile(log(), 'utf8')).replace(/.*ben.*\n/, ''))
    const { printed } = await verified([log()], 'json')
    expect(JSON.parse(printed)).toMatchObject({
      whole: false,
      logs: [{ lines: 2, findings: [{ kind: 'missing', place: { line: 2 } }] }],
    })
  })

  it('names an unreadable file', async () => {
    const missing = join(directory, 'absent.log')
    expect((await verified([missing])).failure).toBe('UsageError')
  })

  it('suggests the file to name instead of a directory', async () => {
    expect(await verified([directory])).toMatchObject({
      failure: 'UsageError',
      message: `${directory} is a directory: name the file of the log, or the data directory with --data-dir`,
    })
  })

  it('finds the log of tenant platform serve or tenant up, but does not guess between them', async () => {
    const home = await mkdtemp(join(directory, 'home-'))
    const byItself = () => outcomeOf([], { output: 'text' }, { HOME: home })
    expect(await byItself()).toMatchObject({
      failure: 'UsageError',
      message: `there is neither ${home}/.tenant/platform/audit.log (of tenant platform serve) nor ${home}/.tenant/data/audit.log (of tenant up): name the data directory of the platform with --data-dir, or the file`,
    })
    for (const place of ['data', 'platform']) await mkdir(join(home, '.tenant', place), { recursive: true })
    await copyFile(log(), join(home, '.tenant/data/audit.log'))
    expect(await byItself()).toMatchObject({
      failure: undefined,
      printed: expect.stringContaining('data/audit.log: whole'),
    })
    await copyFile(log(), join(home, '.tenant/platform/audit.log'))
    expect(await byItself()).toMatchObject({
      failure: 'UsageError',
      message: expect.stringContaining('there are both'),
    })
  })
})
