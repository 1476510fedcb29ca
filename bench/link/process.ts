import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface Usage {
  readonly cpuMs: number
  /** On the heap of JavaScript and beside it. */
  readonly heapBytes: number
  /** All that the process has, with TLS and HTTP/2. */
  readonly residentBytes: number
}

/** A part of the setting in a process of its own, so that what it uses can be told apart. */
export interface Part<T> {
  readonly facts: T
  usage(): Promise<Usage>
  ask(request: unknown): Promise<unknown>
  stop(): void
}

interface Reply {
  readonly id: number
  readonly value: unknown
}

/** Starts `bench/link/NAME.js`; it says `{ facts }` when it is ready. */
export async function startPart<T>(name: string, options: unknown): Promise<Part<T>> {
  const file = fileURLToPath(new URL(`./${name}.js`, import.meta.url))
  const child: ChildProcess = fork(file, [JSON.stringify(options)], { execArgv: ['--expose-gc'] })
  const waiting = new Map<number, (value: unknown) => void>()
  let asked = 0
  const facts = await new Promise<T>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)))
    child.on('message', (message: Reply & { readonly facts?: T }) => {
      if (message.facts !== undefined) resolve(message.facts)
      else waiting.get(message.id)?.(message.value)
    })
  })
  const ask = (request: unknown) =>
    new Promise<unknown>((resolve) => {
      asked += 1
      waiting.set(asked, resolve)
      child.send({ id: asked, request })
    })
  return { facts, ask, usage: () => ask('usage') as Promise<Usage>, stop: () => child.disconnect() }
}

/** The other side: answers what it is asked, and how much it has used. */
export function serveParent(facts: unknown, answer: (request: unknown) => Promise<unknown> = async () => null): void {
  process.on('message', async ({ id, request }: { readonly id: number; readonly request: unknown }) => {
    process.send?.({ id, value: request === 'usage' ? usage() : await answer(request) })
  })
  process.once('disconnect', () => process.exit())
  process.send?.({ facts })
}

function usage(): Usage {
  globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  const { heapUsed, external, rss } = process.memoryUsage()
  return { cpuMs: (user + system) / 1000, heapBytes: heapUsed + external, residentBytes: rss }
}
