import { createServer } from 'node:net'

/** Below the range from which the system takes ports for outgoing connections: one of those could occupy it first. */
const first = 15_000
const count = 15_000

const portsPerWorker = 1_000
const workers = count / portsPerWorker

/** Every worker of a run has ports of its own, so that no other one takes a port between the look and its use. */
const worker = process.pid + Number(process.env.VITEST_POOL_ID ?? 0)
const start = first + (worker % workers) * portsPerWorker
let next = Math.floor(Math.random() * portsPerWorker)

/** A loopback port that no process listens on; each call gives another one. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = start + (next++ % portsPerWorker)
    if (await isFree(port)) return port
  }
}

/** The first of so many loopback ports in a row that no process listens on and that no other call gives. */
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
