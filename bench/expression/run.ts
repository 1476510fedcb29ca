import { createExpressionEngine } from '../../src/expression/engine.ts'
import { context, inNodeVm, inNodeVmWithDeadline, inPlainNode, inSandbox, type Subject } from './subjects.ts'

/**
 * Evaluations of one expression per second, and how long the first one takes. Prints one line of JSON for each.
 *
 * npx tsc -p tsconfig.bench.json && node dist-bench/bench/expression/run.js
 */

const rounds = 3

interface Rate {
  readonly perSecond: number
  /** For all threads together, so that it means the same on a busy machine. */
  readonly perCpuSecond: number
}

async function rateOf(subject: Subject, count: number): Promise<Rate> {
  await subject.evaluate(Math.ceil(count / 4))
  const rates: Rate[] = []
  for (let round = 0; round < rounds; round++) {
    const cpuBefore = process.cpuUsage()
    const startedAt = performance.now()
    await subject.evaluate(count)
    const seconds = (performance.now() - startedAt) / 1000
    const { user, system } = process.cpuUsage(cpuBefore)
    rates.push({ perSecond: Math.round(count / seconds), perCpuSecond: Math.round((count * 1e6) / (user + system)) })
  }
  return rates.reduce((best, rate) => (rate.perCpuSecond > best.perCpuSecond ? rate : best))
}

async function coldStart(): Promise<number> {
  const startedAt = performance.now()
  const engine = newEngine()
  await inSandbox(engine, 1, 1).evaluate(1)
  const elapsedMs = performance.now() - startedAt
  await engine.close()
  return elapsedMs
}

function newEngine() {
  return createExpressionEngine({ virtualToHostDNS: (address) => ({ ok: true, address }) })
}

function print(line: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

const starts: number[] = []
for (let round = 0; round < 5; round++) starts.push(await coldStart())
starts.sort((left, right) => left - right)
print({
  measure: 'cold start to first result',
  medianMs: Math.round(starts[2] ?? 0),
  bestMs: Math.round(starts[0] ?? 0),
})
print({ measure: 'configuration in context', bytes: JSON.stringify(context.vcluster.config).length })

const plain = await rateOf(inPlainNode(), 2_000_000)
const vm = await rateOf(inNodeVm(), 200_000)
print({ subject: 'plain Node, no boundary', ...plain })
print({ subject: 'node:vm, no boundary', ...vm })
print({ subject: 'node:vm with a timeout', ...(await rateOf(inNodeVmWithDeadline(), 50_000)) })

const engine = newEngine()
for (const [batchSize, inFlight, count] of [
  [1000, 1, 300_000],
  [100, 1, 300_000],
  [100, 4, 300_000],
  [10, 1, 50_000],
  [1, 1, 5000],
] as const) {
  const subject = inSandbox(engine, batchSize, inFlight)
  const rate = await rateOf(subject, count)
  const toPlain = (rate.perCpuSecond / plain.perCpuSecond).toFixed(4)
  const toVm = (rate.perCpuSecond / vm.perCpuSecond).toFixed(3)
  print({ subject: subject.name, ...rate, toPlainNode: Number(toPlain), toNodeVm: Number(toVm) })
}
await engine.close()
