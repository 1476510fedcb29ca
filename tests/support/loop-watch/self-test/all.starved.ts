import { spawn } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startTestServer } from '../../clusters/api-server.ts'
import { budgetMs } from '../loop-folder.ts'
import { cpuMsOf, thisThread } from '../thread-cpu.ts'

const env = { TENANT_LOOP_BUDGET_MS: String(budgetMs), TENANT_LOOP_SLOWNESS: '1' }

/** The exit code or signal of a separate program. */
async function run(name: string, source: string): Promise<number | NodeJS.Signals | null> {
  const file = join(await mkdtemp(join(tmpdir(), 'tenant-starved-')), `${name}.mjs`)
  await writeFile(file, `await new Promise((resolve) => setTimeout(resolve, 500))\n${source}`)
  const child = spawn(process.execPath, [file, 'serve'], { env, stdio: 'ignore' })
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)))
}

const compute = (ms: number) => `const used = () => process.cpuUsage().user + process.cpuUsage().system
  const end = used() + ${ms} * 1000
  while (used() < end) for (let step = 0; step < 1e6; step++);`

it('a process that only ever keeps its promises is ended', async () => {
  const spins = 'const again = () => Promise.resolve().then(again); await again()'
  expect(await run('spins', spins)).toBe('SIGKILL')
})

it('a process that computes for too long and then goes on is told of', async () => {
  expect(await run('computes', `${compute(1.5 * budgetMs)}\nsetTimeout(() => process.exit(0), 500)`)).toBe(0)
})

it('a process that computes, but not for too long, is fine', async () => {
  const often = `for (let time = 0; time < 5; time++) {
    await new Promise((resolve) => setTimeout(resolve, 300))
    ${compute(0.3 * budgetMs)}
  }`
  expect(await run('rests', often)).toBe(0)
})

it('a process that waits is fine', async () => {
  expect(await run('waits', `setTimeout(() => {}, ${1.5 * budgetMs})`)).toBe(0)
})

it('a server in the process of the tests is told of', async () => {
  const server = await startTestServer()
  const thread = thisThread()
  const used = () => (thread === undefined ? 0 : (cpuMsOf(thread) ?? 0))
  const end = used() + 1.3 * budgetMs
  while (used() < end) for (let step = 0; step < 1e6; step++);
  await new Promise((resolve) => setTimeout(resolve, 500))
  await server.stop()
})
