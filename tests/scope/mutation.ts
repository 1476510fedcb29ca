import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createVitest, parseAst, type Vitest } from 'vitest/node'
import { type Mutant, mutantsOf } from './mutants.ts'

/**
 * Inverts every single condition of the scope code, one at a time and in a copy, and shows that the suite notices.
 * Takes some minutes, so it is no part of the tests that always run: see the README beside this file.
 */

const root = resolve(import.meta.dirname, '../..')
const folder = 'src/auth/scope'
const only = process.env.MUTATE ?? ''

interface Task {
  readonly file: string
  readonly mutant: Mutant
}

const copy = mkdtempSync(join(tmpdir(), 'scope-mutation-'))

afterAll(() => rmSync(copy, { recursive: true, force: true }))

it('the suite notices when any single condition of the scope code is inverted', { timeout: 3_600_000 }, async () => {
  const tasks = allTasks()
  // What does not even parse would be noticed by any suite.
  for (const { mutant } of tasks) parseAst(mutant.source, { lang: 'ts' })
  fillCopy()
  const vitest = await createVitest('test', {
    root: copy,
    watch: false,
    include: [`${folder}/*.test.ts`, 'tests/scope/*.test.ts'],
    bail: 1,
    reporters: [{}],
    pool: 'threads',
  })
  expect(await suiteFails(vitest), 'the suite has to pass without a mutation').toBe(false)
  const survivors: string[] = []
  for (const [index, task] of tasks.entries()) {
    if (!(await isNoticed(vitest, task))) survivors.push(nameOf(task))
    process.stderr.write(`${index + 1}/${tasks.length} ${survivors.length} survivors, after ${nameOf(task)}\n`)
  }
  expect(await suiteFails(vitest), 'the suite has to pass again at the end').toBe(false)
  await vitest.close()
  expect(tasks.length).toBeGreaterThan(only === '' ? 150 : 0)
  expect(survivors).toEqual([])
})

function allTasks(): readonly Task[] {
  return readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file.includes(only))
    .flatMap((file) => mutantsOf(readFileSync(join(root, folder, file), 'utf8')).map((mutant) => ({ file, mutant })))
}

function nameOf({ file, mutant }: Task): string {
  return `${file}:${mutant.line} ${mutant.description}`
}

function fillCopy(): void {
  for (const part of ['src/api', 'src/auth', 'src/base', 'tests/scope', 'package.json', 'tsconfig.json']) {
    mkdirSync(join(copy, part, '..'), { recursive: true })
    cpSync(join(root, part), join(copy, part), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
}

async function isNoticed(vitest: Vitest, { file, mutant }: Task): Promise<boolean> {
  const path = join(copy, folder, file)
  const original = readFileSync(path, 'utf8')
  write(vitest, path, mutant.source)
  const fails = await suiteFails(vitest)
  write(vitest, path, original)
  return fails
}

function write(vitest: Vitest, path: string, source: string): void {
  writeFileSync(path, source)
  vitest.invalidateFile(path)
}

/** The quick ones first: they notice most. */
async function suiteFails(vitest: Vitest): Promise<boolean> {
  return (await filesFail(vitest, folder)) || (await filesFail(vitest, 'tests/scope'))
}

async function filesFail(vitest: Vitest, part: string): Promise<boolean> {
  const specifications = await vitest.globTestSpecifications([part])
  if (specifications.length === 0) throw new Error(`There are no tests in ${part}.`)
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
  return unhandledErrors.length > 0 || testModules.some((module) => module.state() === 'failed')
}
