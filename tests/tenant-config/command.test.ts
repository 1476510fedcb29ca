import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tenantConfigSchema } from '../../src/api/tenant-config/json-schema.ts'
import { parseTenantConfig } from '../../src/api/tenant-config/parse.ts'
import { atOnceMs } from '../support/at-once.ts'
import { runWatchedCli } from '../support/canary/watched-cli.ts'

interface Run {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

interface Setting {
  readonly input?: string
  readonly onTerminal?: boolean
  readonly env?: Readonly<Record<string, string>>
}

async function tenant(
  args: readonly string[],
  { input = '', onTerminal = false, env = {} }: Setting = {},
): Promise<Run> {
  let stdout = ''
  let stderr = ''
  const exitCode = await runWatchedCli(args, {
    stdout: { write: (text) => (stdout += text), isTTY: onTerminal },
    stderr: { write: (text) => (stderr += text), isTTY: onTerminal },
    stdin: (async function* () {
      yield input
    })(),
    env,
  })
  return { exitCode, stdout, stderr }
}

const good = 'sync: {toHost: {endpoints: {patches: [{path: metadata.labels.app, expression: value}]}}}\n'
const bad = `sync:
  toHost:
    endpoints:
      enabeld: true
      patches:
      - path: metadata.annotations[
        expression: |
          value ?
            "a" : (
      - path: metadata["labels"]
        expression: if (value) {}
      - path: metadata.labels
        expression: value + " # 1"
`

describe('tenant config', () => {
  let directory = ''
  let file = ''

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tenant-config-'))
    file = join(directory, 'tenant.yaml')
    await writeFile(file, bad)
  })

  afterAll(() => rm(directory, { recursive: true, force: true }))

  it('validate reports a valid file on stdout', async () => {
    expect(await tenant(['config', 'validate', '-f', '-'], { input: good })).toEqual({
      exitCode: 0,
      stdout: '<stdin> is valid\n',
      stderr: '',
    })
  })

  it('validate reports all errors in fields, paths and expressions on stderr', async () => {
    const { exitCode, stdout, stderr } = await tenant(['config', 'validate', '-f', file])
    expect([exitCode, stdout]).toEqual([1, ''])
    const places = [...stderr.matchAll(/tenant\.yaml:(\d+:\d+): (\w+):/g)].map((match) => `${match[1]} ${match[2]}`)
    expect(places).toEqual(['4:7 error', '6:36 error', '9:20 error', '11:21 error', '12:15 error', '13:29 error'])
    expect(stderr).toContain('13 |         expression: value + " # 1"\n')
    expect(stderr).toContain('= what follows # is a comment; put the whole value in quotes\n')
    expect(stderr).toMatch(/tenant\.yaml is not valid, 6 errors\n$/)
  })

  it('validate prints the same as JSON for scripts, on stdout', async () => {
    const { exitCode, stdout, stderr } = await tenant(['config', 'validate', '-f', file, '-o', 'json'])
    expect([exitCode, stderr]).toEqual([1, ''])
    const verdict = JSON.parse(stdout)
    expect(verdict).toMatchObject({ file, valid: false })
    expect(verdict.problems[0]).toEqual({
      severity: 'error',
      code: 'unknown-field',
      file,
      line: 4,
      column: 7,
      length: 7,
      field: 'sync.toHost.endpoints.enabeld',
      message: 'unknown field "enabeld" in sync.toHost.endpoints',
      suggestion: 'did you mean "enabled"?',
    })
    expect(verdict.problems).toHaveLength(6)
  })

  it('validate accepts warnings, and shows them', async () => {
    const input = 'sync: {toHost: {endpoints: {enabled: false}}}'
    const { exitCode, stdout, stderr } = await tenant(['config', 'validate', '-f', '-'], { input })
    expect([exitCode, stdout]).toEqual([0, '<stdin> is valid, 1 warning\n'])
    expect(stderr).toContain('<stdin>:1:38: warning: Services are synced and Endpoints are not')
  })

  it('validate warns about a pair of expressions that does not cancel out, with an example', async () => {
    const pair = (reverse: string) =>
      `sync: {toHost: {endpoints: {patches: [{path: metadata.labels.team, expression: '"my-prefix-" + value', reverseExpression: '${reverse}'}]}}}`
    const wrong = await tenant(['config', 'validate', '-f', '-'], { input: pair('value.slice("my-prefix".length)') })
    expect([wrong.exitCode, wrong.stdout]).toEqual([0, '<stdin> is valid, 1 warning\n'])
    expect(wrong.stderr).toContain('<stdin>:1:123: warning: reverseExpression does not undo expression')
    const right = await tenant(['config', 'validate', '-f', '-'], { input: pair('value.slice("my-prefix-".length)') })
    expect(right).toEqual({ exitCode: 0, stdout: '<stdin> is valid\n', stderr: '' })
  })

  it('uses colors only on a terminal without NO_COLOR', async () => {
    const color = '\u001b['
    expect((await tenant(['config', 'validate', '-f', file], { onTerminal: true })).stderr).toContain(color)
    expect((await tenant(['config', 'validate', '-f', file])).stderr).not.toContain(color)
    const plain = await tenant(['config', 'validate', '-f', file], { onTerminal: true, env: { NO_COLOR: '1' } })
    expect(plain.stderr).not.toContain(color)
  })

  it('show prints the configuration with all defaults, as equivalent YAML', async () => {
    const first = await tenant(['config', 'show', '-f', '-'], { input: 'platform: {apiKey: {}}' })
    expect(first.exitCode).toBe(0)
    expect(first.stdout).toContain('secretName: tenant-platform-api-key\n')
    const second = await tenant(['config', 'show', '-f', '-'], { input: first.stdout })
    expect(second).toEqual(first)
    const json = await tenant(['config', 'show', '-f', '-', '-o', 'json'], { input: first.stdout })
    expect(JSON.parse(json.stdout).external.platform.apiKey.createRBAC).toBe(true)
  })

  it('show prints only the errors of an invalid file', async () => {
    const { exitCode, stdout, stderr } = await tenant(['config', 'show', '-f', file])
    expect([exitCode, stdout]).toEqual([1, ''])
    expect(stderr).toContain('did you mean "enabled"?')
  })

  it('schema prints the JSON Schema', async () => {
    const { exitCode, stdout } = await tenant(['config', 'schema'])
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(tenantConfigSchema())))
  })

  it.each([
    [
      ['config', 'validate', '-f', '/nowhere/tenant.yaml'],
      1,
      'cannot read /nowhere/tenant.yaml: there is no such file',
    ],
    [['config', 'validate', '-f', tmpdir()], 1, 'it is a directory'],
    [['config', 'validate', '-o', 'xml'], 2, 'Allowed choices are text, json'],
    [['config', 'show', '--fiel', 'x'], 2, "unknown option '--fiel'"],
    [['config', 'valdiate'], 2, "unknown command 'valdiate'"],
    [['config'], 2, 'Usage: tenant config'],
  ])('%j exits with %i', async (args, exitCode, message) => {
    const run = await tenant(args)
    expect(run.exitCode).toBe(exitCode)
    expect(run.stderr).toContain(message)
    expect(run.stdout).toBe('')
  })

  it('refuses a file that is not text', async () => {
    await writeFile(join(directory, 'binary'), Buffer.from([0x61, 0x3a, 0xff]))
    const { exitCode, stderr } = await tenant(['config', 'validate', '-f', join(directory, 'binary')])
    expect(exitCode).toBe(1)
    expect(stderr).toContain('the text is not valid UTF-8')
  })

  it.each(['validate', 'show', 'schema'])('%s --help has examples', async (command) => {
    const { exitCode, stdout } = await tenant(['config', command, '--help'])
    expect(exitCode).toBe(0)
    expect(stdout).toContain('Examples:')
  })

  it('checks a large configuration quickly', () => {
    const patches = Array.from(
      { length: 500 },
      (_, index) => `      - {path: "a.b${index}", expression: "value + ${index}"}`,
    )
    const start = performance.now()
    const text = `sync:\n  toHost:\n    endpoints:\n      patches:\n${patches.join('\n')}\n`
    expect(parseTenantConfig(text, '')).toHaveProperty('config')
    expect(performance.now() - start).toBeLessThan(atOnceMs)
  })
})
