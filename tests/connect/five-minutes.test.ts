import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { findKubectls } from '../support/clusters/kubectl.ts'
import { eventually } from '../support/eventually.ts'
import { askForShared } from '../support/shared/ask-for-shared.ts'

interface Tick {
  readonly tick: number
  readonly atSeconds: number
  /** The exit code of `kubectl create`. */
  readonly code: number
  /** The status through `kubectl proxy`, which has run from the beginning. */
  readonly proxied: number
  /** When the key that was kept at that time was created, and its end. */
  readonly key: readonly [number, number] | null
}

let folder = ''
const text = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '')

describe.skipIf(findKubectls().length === 0)('kubectl with keys of 30 seconds, for five minutes', () => {
  let ticks: readonly Tick[]

  beforeAll(async () => {
    const shared = await askForShared('connectedKubectl')
    folder = shared.folder
    await eventually(() => expect(existsSync(join(folder, 'done'))).toBe(true), 900_000)
    expect(text('done') + text('login.log').slice(0, 2_000)).toMatch(/^3\d\d seconds$/m)
    ticks = text('report.jsonl')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  }, 960_000)

  it('is never refused', () => {
    expect(text('failures.txt')).toBe('')
    expect(ticks.filter(({ code }) => code !== 0)).toEqual([])
    // A busy machine makes fewer calls in five minutes.
    expect(ticks.length).toBeGreaterThanOrEqual(10)
  })

  it('gets a new key in time, each valid for 30 seconds at most', () => {
    const keys = new Map(ticks.flatMap(({ key }) => (key === null ? [] : [key])))
    expect(keys.size).toBeGreaterThanOrEqual(5)
    for (const [issuedMs, endMs] of keys) {
      // Full seconds, less the time that the answer took.
      expect(endMs - issuedMs).toBeLessThanOrEqual(30_000)
      expect(endMs - issuedMs).toBeGreaterThanOrEqual(20_000)
    }
  })

  it('continues in a process that outlives each of them', () => {
    expect(ticks.filter(({ proxied }) => proxied !== 200)).toEqual([])
  })

  it('sees everything with a single watch', () => {
    const seen = new Set(text('watch.txt').split('\n'))
    expect(ticks.filter(({ tick }) => !seen.has(`configmap/tick-${tick}`))).toEqual([])
  })

  it('leaves no secret in the kubeconfig, and keeps the keys private', () => {
    expect(text('home/kubeconfig')).toContain('tenant')
    expect(text('home/kubeconfig')).not.toContain('tpk_')
    const kept = join(folder, 'home/.tenant/connection-keys')
    const files = readdirSync(kept, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.key'))
    expect(files.map((name) => statSync(join(kept, name)).mode & 0o777)).toEqual([0o600])
  })
})
