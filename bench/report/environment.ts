import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { arch, cpus, platform, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { median } from '../statistics.ts'

export interface Environment {
  readonly date: string
  readonly machine: string
  readonly node: string
  readonly peer: string
  /** The cost of one durable write on that disk: near zero, it is not durable. */
  readonly syncMs: number
}

export function describeEnvironment(directory: string, peer: string, nowMs: number): Environment {
  const [first] = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  return {
    date: new Date(nowMs).toISOString(),
    machine: `${cpus().length} × ${first?.model ?? 'processor'}, ${memory} GiB, ${platform()} ${release()} ${arch()}`,
    node: process.version,
    peer,
    syncMs: medianSyncMs(directory),
  }
}

function medianSyncMs(directory: string): number {
  const file = join(directory, 'sync-probe')
  const descriptor = openSync(file, 'w')
  const block = Buffer.alloc(4096, 1)
  const times = Array.from({ length: 50 }, (_, index) => {
    writeSync(descriptor, block, 0, block.length, index * block.length)
    const startedAt = performance.now()
    fsyncSync(descriptor)
    return performance.now() - startedAt
  })
  closeSync(descriptor)
  rmSync(file)
  return median(times)
}

export function printEnvironment({ date, machine, node, peer, syncMs }: Environment): string {
  return `${date}, ${machine}, Node ${node}, one fsync ${syncMs.toFixed(2)} ms. Peer: ${peer}.\n`
}
