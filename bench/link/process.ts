import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface Usage {
  readonly cpuMs: number
  /** On the JavaScript heap and outside it. */
  readonly heapBytes: number
  /** All memory of the process, including TLS and HTTP/2. */
  readonly residentBytes: number
}

/** A part of the setting in a separate process, so that its usage can be measured separately. */
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

/** Starts `bench/link/NAME.js`; it sends `{ facts }` when it is ready. */
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

/** The other side: answers requests, and reports its usage. */
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
