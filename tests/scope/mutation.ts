import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { parseAst } from 'vitest/node'
import { type Mutant, mutantsOf } from './mutants.ts'

/**
 * Inverts every single condition of the scope code, one at a time and in a copy, and shows that the suite notices. This
 * takes long, so it is not part of the regular tests: see the README beside this file.
 */

const root = resolve(import.meta.dirname, '../..')
const folder = 'src/auth/scope'
/** The fast suites first: they notice most. */
const suites = [folder, 'tests/scope']
const only = (process.env.MUTATE ?? '').split(',')
const workers = Number(process.env.MUTATION_WORKERS ?? 2)
const timeLimitMs = 600_000
const settings = { pool: 'threads', isolate: false, testTimeout: 120_000 }

interface Task {
  readonly file: string
  readonly mutant: Mutant
}

const copies: string[] = []

afterAll(() => {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true })
})

it('the suite notices when any single condition of the scope code is inverted', { timeout: 7_200_000 }, async () => {
  const tasks = allTasks()
  const total = tasks.length
  const survivors: string[] = []
  await Promise.all(
    Array.from({ length: workers }, async () => {
      const copy = newCopy()
      await expectToPass(copy)
      for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
        if (!(await isNoticed(copy, task))) survivors.push(nameOf(task))
        process.stderr.write(`${total - tasks.length}/${total} ${survivors.length} survivors, after ${nameOf(task)}\n`)
      }
      await expectToPass(copy)
    }),
  )
  expect(total).toBeGreaterThan(only.includes('') ? 150 : 0)
  expect(survivors).toEqual([])
})

/** Any suite would notice code that does not parse. */
function allTasks(): Task[] {
  const tasks = readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => mutantsOf(readFileSync(join(root, folder, file), 'utf8')).map((mutant) => ({ file, mutant })))
    .filter((task) => only.some((name) => nameOf(task).includes(name)))
  for (const { mutant } of tasks) parseAst(mutant.source, { lang: 'ts' })
  return tasks
}

function nameOf({ file, mutant }: Task): string {
  return `${file}:${mutant.line} ${mutant.description}`
}

function newCopy(): string {
  const copy = mkdtempSync(join(tmpdir(), 'scope-mutation-'))
  copies.push(copy)
  const parts = ['src/api', 'src/auth', 'src/base', 'tests/scope', 'package.json', 'tsconfig.json']
  for (const part of parts) {
    mkdirSync(join(copy, part, '..'), { recursive: true })
    cpSync(join(root, part), join(copy, part), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  writeFileSync(join(copy, 'vitest.config.ts'), `export default ${JSON.stringify({ test: settings })}`)
  return copy
}

/** Otherwise every change would seem to be noticed. */
async function expectToPass(copy: string): Promise<void> {
  expect(await suiteFails(copy), 'the suite fails without a mutation').toBe(false)
}

async function isNoticed(copy: string, { file, mutant }: Task): Promise<boolean> {
  const path = join(copy, folder, file)
  const original = readFileSync(path, 'utf8')
  writeFileSync(path, mutant.source)
  const isFailing = await suiteFails(copy)
  writeFileSync(path, original)
  return isFailing
}

async function suiteFails(copy: string): Promise<boolean> {
  for (const suite of suites) if (await fails(copy, suite)) return true
  return false
}

function fails(copy: string, suite: string): Promise<boolean> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const options = ['run', '--bail=1', '--reporter=dot', suite]
  // A tenth of the triples is enough to notice a mutant.
  const env = { ...process.env, SCOPE_RUNS: '20000' }
  const child = spawn(process.execPath, [vitest, ...options], { cwd: copy, env, stdio: 'ignore', timeout: timeLimitMs })
  return new Promise((done, fail) => {
    child.on('error', fail)
    // The exit code of a stopped suite means nothing.
    child.on('exit', (code) => (child.killed ? fail(new Error(`${suite} took too long`)) : done(code !== 0)))
  })
}
