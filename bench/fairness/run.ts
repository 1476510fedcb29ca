import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ensureCertificates } from '../../src/base/certificates/ensure.ts'
import { systemClock } from '../../src/base/clock.ts'
import type { Subject } from '../contract.ts'
import { launchOurs } from '../servers/ours.ts'
import { startHostileHost } from './attacks/hostile-host.ts'
import { attacks } from './attacks/table.ts'
import type { Ground, Measured } from './contract.ts'
import { prepare, watched } from './ground.ts'
import { observe } from './observer.ts'

/**
 * While one caller does its worst, what does another one notice?
 * `npm run bench:fairness`, with `-- --only words of an attack --seconds 5` for a part of it.
 */

const columns = ['while one caller sends', 'p50', 'p99', 'ratio', '/livez', 'memory', 'failed', ''] as const
const widths = [56, 8, 8, 6, 8, 8, 6, 8]
const mostRatio = 3
const mostLivezMs = 100
const mebibyte = 2 ** 20
/** Runs only when nothing else would. A priority that a process gives itself applies to only one of its threads. */
const leastPriority = existsSync('/usr/bin/chrt') ? ['/usr/bin/chrt', '--idle', '0'] : ['nice', '-n', '19']

function line(cells: readonly string[]): void {
  const padded = cells.map((cell, index) =>
    index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[index] ?? 0),
  )
  process.stdout.write(`| ${padded.join(' | ')} |\n`)
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { only: { type: 'string', default: '' }, seconds: { type: 'string', default: '8' } },
  })
  const forMs = Number(values.seconds) * 1000
  const directory = mkdtempSync(join(tmpdir(), 'tenant-fairness-'))
  line(columns)
  line(widths.map((width, index) => (index === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)))
  const hostile = await hostileHost(directory)
  const chosen = [...attacks.keys()].filter((name) => name.includes(values.only))
  try {
    for (const name of chosen) await withServer(directory, (subject) => compare(subject, hostile, name, forMs))
  } catch (error) {
    process.stderr.write(`What the servers logged is in ${directory}.\n`)
    throw error
  }
  rmSync(directory, { recursive: true, force: true })
}

async function hostileHost(directory: string) {
  const pki = { directory: join(directory, 'hostile'), name: 'hostile', names: ['127.0.0.1'], clock: systemClock }
  const { key, certificate, authority } = await ensureCertificates(pki)
  return { port: await startHostileHost(key, certificate), authority }
}

/** A separate server for each attack, so that none affects the next. */
async function withServer(directory: string, act: (subject: Subject) => Promise<void>): Promise<void> {
  const subject = await launchOurs(directory, { withKeys: true })()
  try {
    await act(subject)
  } finally {
    await subject.stop()
  }
}

async function compare(
  subject: Subject,
  hostile: Parameters<typeof prepare>[1],
  name: string,
  forMs: number,
): Promise<void> {
  const { ground, other } = await prepare(subject, hostile)
  await observe(subject, other, watched, forMs / 4)
  const idle = await observe(subject, other, watched, forMs)
  const attacker = attackBy(name, ground)
  try {
    await pause(1_000)
    report(name, idle, await observe(subject, other, watched, forMs))
  } finally {
    attacker.kill('SIGKILL')
  }
}

/**
 * A separate process that gets only what the server and the measurement leave of this machine, with all of its threads:
 * it stands for clients on other machines.
 */
function attackBy(name: string, ground: Ground) {
  const entry = new URL('./attacker.js', import.meta.url).pathname
  const [program = '', ...args] = [...leastPriority, process.execPath, entry, name]
  const attacker = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'] })
  // It contains keys, which the arguments of a process would show to every user of the machine.
  attacker.stdin.end(JSON.stringify(ground))
  return attacker
}

function report(name: string, idle: Measured, { p50Ms, p99Ms, livezMs, peakBytes, failed }: Measured): void {
  const ratio = p99Ms / idle.p99Ms
  const isMet = ratio <= mostRatio && livezMs <= mostLivezMs && failed === 0
  line([
    name,
    ...[p50Ms.toFixed(1), p99Ms.toFixed(1), ratio.toFixed(1), livezMs.toFixed(0)],
    ...[`${(peakBytes / mebibyte).toFixed(0)}`, String(failed), isMet ? 'met' : 'missed'],
  ])
}

await main()
process.exit()
