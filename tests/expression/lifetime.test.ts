import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { compiled, context, evaluate, startEngine, tightLimits, valueBy } from './support.ts'

const stuck = '[].reverse.call({ length: 2 ** 53 - 1 })'

/** For tests that are not about time, on a busy machine. */
const patient = { deadlineMs: 20_000, stallMs: 60_000 }

describe('an engine', () => {
  it('answers its first evaluation soon', async () => {
    const startedAt = performance.now()
    const workBefore = process.cpuUsage()
    const engine = startEngine()
    expect(await valueBy(engine, 'value', 1)).toBe(1)
    const { user, system } = process.cpuUsage(workBefore)
    // On an idle machine it is about 100 ms; other processes and the background compiler count here too.
    expect(Math.min(performance.now() - startedAt, (user + system) / 1000)).toBeLessThan(5000)
    await engine.close()
  })

  it('refuses to evaluate after it is closed', async () => {
    const engine = startEngine()
    await engine.close()
    await engine.close()
    await expect(evaluate(engine, '1')).rejects.toThrow('The expression engine is closed.')
  })

  it('rejects pending evaluations when it is closed, even endless ones', async () => {
    const engine = startEngine()
    const waiting = [stuck, 'value', '(() => { for (;;) {} })()'].map((source) => evaluate(engine, source))
    const settled = Promise.allSettled(waiting)
    await engine.close()
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  })

  it('rejects values that are not JSON, and continues', async () => {
    const engine = startEngine()
    const cycle: unknown[] = []
    cycle.push(cycle)
    await expect(evaluate(engine, 'value.length', cycle)).rejects.toThrow()
    expect(await valueBy(engine, 'value.length', [1])).toBe(1)
    await engine.close()
  })

  it('has its own limits', async () => {
    const engines = [startEngine({ deadlineMs: 5 }), startEngine({ deadlineMs: 1000, memoryBytes: 64 * 1024 * 1024 })]
    const loop = '(() => { let n = 0; for (let i = 0; i < 500000; i++) n++; return n })()'
    const kinds = await Promise.all(engines.map((engine) => evaluate(engine, loop)))
    expect(kinds).toMatchObject([{ kind: 'timeout' }, { value: 500_000 }])
    const large = await Promise.all(engines.map((engine) => evaluate(engine, '"x".repeat(3e7).length')))
    expect(large).toMatchObject([{ kind: 'memory' }, { value: 3e7 }])
    await Promise.all(engines.map((engine) => engine.close()))
  })

  it('gives an evaluation its memory limit, and no more', async () => {
    const engine = startEngine(patient)
    expect(await valueBy(engine, '"x".repeat(12 * 1024 * 1024).length')).toBe(12 * 1024 * 1024)
    expect(await evaluate(engine, '"x".repeat(24 * 1024 * 1024).length')).toMatchObject({
      kind: 'memory',
      message: 'the expression needs more than 16 MiB of memory',
    })
    const garbage =
      '(() => { let n = 0; for (let i = 0; i < 200; i++) n += "x".repeat(100000 + i).length; return n })()'
    expect(await valueBy(engine, garbage)).toBeGreaterThan(1e7)
    await engine.close()
  })

  it('does not count inputs toward the memory of an evaluation', async () => {
    const engine = startEngine({ memoryBytes: 2 * 1024 * 1024 })
    const large = {
      ...context.virtualObject,
      apiVersion: 'v1',
      kind: 'A',
      metadata: { name: 'a' },
      list: Array(100_000).fill([]),
    }
    expect(await valueBy(engine, 'context.virtualObject.list.length', 1, { virtualObject: large })).toBe(100_000)
    expect(await evaluate(engine, '"x".repeat(8e6).length')).toMatchObject({ kind: 'memory' })
    await engine.close()
  })

  it('does not grow, however much it evaluates', async () => {
    const grown = await printedBy(`
      const engine = startEngine()
      const { expression } = compileExpression(
        '((a) => { a.self = a; a.text = "x".repeat(2000) + value; return [Symbol.for(a.text), a.text.length].length })({})',
      )
      const rounds = async (count) => {
        for (let round = 0; round < count; round++) {
          const all = Array.from({ length: 200 }, (_, value) => ({ expression, value, context }))
          const results = await engine.evaluate(all)
          if (!results.every(({ value }) => value === 2)) throw new Error('an evaluation failed')
        }
      }
      await rounds(20)
      const before = process.memoryUsage().rss
      await rounds(60)
      print(process.memoryUsage().rss - before)
      await engine.close()`)
    expect(Number(grown)).toBeLessThan(40 * 1024 * 1024)
  })

  it('can be started and closed many times, even during an evaluation, without leaks', async () => {
    const left = await printedBy(`
      const threads = () => readdirSync('/proc/self/task').length
      const [plain, stuck] = ['value', ${JSON.stringify(stuck)}].map((source) => compileExpression(source).expression)
      const open = async () => {
        const engine = startEngine(${JSON.stringify(tightLimits)})
        const [result] = await engine.evaluate([{ expression: plain, value: 1, context }])
        if (result.value !== 1) throw new Error('an evaluation failed')
        const unfinished = engine.evaluate([{ expression: stuck, context }]).then(() => 'finished', () => 'rejected')
        await engine.close()
        if ((await unfinished) !== 'rejected') throw new Error('an evaluation went on')
      }
      await open()
      const threadsBefore = threads()
      const memoryBefore = process.memoryUsage().rss
      for (let round = 0; round < 6; round++) await Promise.all([open(), open()])
      print(JSON.stringify({ threads: threads() - threadsBefore, bytes: process.memoryUsage().rss - memoryBefore }))`)
    const { threads, bytes } = JSON.parse(left)
    expect(threads).toBeLessThanOrEqual(0)
    expect(bytes).toBeLessThan(100 * 1024 * 1024)
  })

  it('does not keep an idle process alive', async () => {
    const printed = await printedBy(`
      const { expression } = compileExpression('value + 1')
      const [result] = await startEngine().evaluate([{ expression, value: 1, context }])
      print(result.value)`)
    expect(printed).toBe('2')
  })
})

/** The output of a separate process: this one also has memory and threads of other suites. */
async function printedBy(body: string): Promise<string> {
  const built = (file: string) => JSON.stringify(new URL(`../../dist/expression/${file}`, import.meta.url).href)
  const program = `
    import { readdirSync } from 'node:fs'
    import { createExpressionEngine } from ${built('engine.js')}
    import { compileExpression } from ${built('compile.js')}
    const context = { vcluster: { name: 'a', namespace: 'b', config: {} }, hostObject: null, virtualObject: null, path: '' }
    const startEngine = (limits) =>
      createExpressionEngine({ virtualToHostDNS: (address) => ({ ok: true, address }), ...(limits && { limits }) })
    const print = (value) => process.stdout.write(String(value))
    ${body}`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    timeout: 240_000,
  })
  return stdout
}

describe('an engine whose thread dies', () => {
  /** Records the threads that are started meanwhile. */
  async function withThreads(act: (threads: readonly Worker[]) => Promise<void>): Promise<void> {
    const threads: Worker[] = []
    const note = (thread: Worker) => threads.push(thread)
    process.on('worker', note)
    try {
      await act(threads)
    } finally {
      process.off('worker', note)
    }
  }

  it('between evaluations starts another', async () => {
    await withThreads(async (threads) => {
      const engine = startEngine()
      expect(await valueBy(engine, 'context.vcluster.name')).toBe('demo')
      await threads[0]?.terminate()
      expect(await valueBy(engine, 'context.vcluster.name')).toBe('demo')
      expect(threads).toHaveLength(2)
      await engine.close()
    })
  })

  it('during an evaluation retries once, and then gives that one up', async () => {
    await withThreads(async (threads) => {
      let started = 0
      const engine = startEngine({ deadlineMs: 60_000 }, (address) => {
        started++
        return { ok: true, address }
      })
      const endless = '(() => { virtualToHostDNS("started"); for (;;) {} })()'
      const sources = ['value', endless, 'value']
      const results = engine.evaluate(sources.map((source) => ({ expression: compiled(source), value: 1, context })))
      for (const attempt of [1, 2]) {
        await eventually(() => expect([started, threads.length]).toEqual([attempt, attempt]))
        await threads[attempt - 1]?.terminate()
      }
      const one = { state: 'value', value: 1 }
      const crashed = { state: 'failed', kind: 'crashed', message: 'the expression broke the sandbox' }
      expect(await results).toEqual([one, crashed, one])
      await engine.close()
    })
  })
})

describe('a process', () => {
  it('loads no sandbox to compile expressions', () => {
    const loaded = process.getActiveResourcesInfo().filter((resource) => resource === 'MessagePort')
    expect(compiled('value + 1').source).toBe('value + 1')
    expect(process.getActiveResourcesInfo().filter((resource) => resource === 'MessagePort')).toEqual(loaded)
  })
})
