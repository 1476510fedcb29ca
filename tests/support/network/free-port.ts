import { createServer } from 'node:net'

/** Below the range for outgoing connections: one of those could occupy the port first. */
const first = 15_000
const count = 15_000

const portsPerWorker = 1_000
const workers = count / portsPerWorker

/** Every worker of a run has separate ports, so that no other one takes a port between the check and its use. */
const pool = process.env.VITEST_POOL_ID
const worker = pool === undefined ? process.pid : process.ppid + Number(pool)
const start = first + (worker % workers) * portsPerWorker
let next = Math.floor(Math.random() * portsPerWorker)

/** A loopback port on which no process listens; each call returns another one. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = start + (next++ % portsPerWorker)
    if (await isFree(port)) return port
  }
}

/** The first of this many consecutive free loopback ports, which no other call returns. */
export async function freePortRow(length: number): Promise<number> {
  for (;;) {
    const from = next % portsPerWorker
    next += length
    const row = Array.from({ length }, (_, index) => start + from + index)
    const areFree = await Promise.all(row.map(isFree))
    if (from + length <= portsPerWorker && areFree.every(Boolean)) return start + from
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
