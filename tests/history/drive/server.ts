import { execFileSync } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { rememberKeys, restoreKeys } from '../../reliability/support/keys.ts'
import { type ServerProcess, startServerProcess } from '../../reliability/support/server-process.ts'
import { type FaultyTcp, startFaultyTcp } from '../../support/network/faulty-tcp.ts'
import { freePort } from '../../support/network/free-port.ts'
import type { Endpoint } from './transport.ts'

const betweenStartsMs = 100
const restartingMs = 240_000

export interface ServerOptions {
  readonly name: string
  /** `file:DIR` or `etcd:URL`. */
  readonly store: string
  /** The directory of certificates and keys. */
  readonly directory: string
}

/** A server that can be killed, restarted at its address, and reached through a faulty network. */
export class Server {
  readonly endpoint: Endpoint
  readonly network: FaultyTcp
  readonly #options: ServerOptions
  readonly #port: number
  #process: ServerProcess | undefined
  /** Whether the running process has been out of disk space: a write of lmdb that fails halfway may end it. */
  #hadNoRoom = false
  /** Unexpected ends. */
  readonly crashes: string[] = []

  private constructor(options: ServerOptions, first: ServerProcess, network: FaultyTcp) {
    this.#options = options
    this.#port = first.port
    this.network = network
    this.endpoint = { name: options.name, port: network.port, authority: first.authority, token: first.token }
    this.#adopt(first)
  }

  static async start(options: ServerOptions): Promise<Server> {
    restoreKeys(options.directory)
    const first = await startServerProcess(processOptions(options, await freePort()))
    rememberKeys(options.directory)
    return new Server(options, first, await startFaultyTcp(first.port))
  }

  async kill(): Promise<void> {
    const running = this.#process
    this.#process = undefined
    await running?.kill()
  }

  /** Retries as often as needed: its store may be away as well. Does nothing while it runs. */
  async start(withinMs: number): Promise<void> {
    const deadline = performance.now() + withinMs
    while (this.#process === undefined) {
      try {
        this.#adopt(await startServerProcess(processOptions(this.#options, this.#port)))
      } catch (error) {
        if (performance.now() > deadline) throw error
        await delay(betweenStartsMs)
      }
    }
  }

  pause(): void {
    this.#process?.freeze()
  }

  resume(): void {
    this.#process?.thaw()
  }

  /** Limits the size of every file that the server writes. */
  limitFiles(bytes: number | 'unlimited'): void {
    const pid = this.#process?.pid
    if (bytes !== 'unlimited') this.#hadNoRoom = true
    if (pid !== undefined) execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`])
  }

  async remove(): Promise<void> {
    await this.kill()
    await this.network.remove()
  }

  #adopt(started: ServerProcess): void {
    this.#process = started
    this.#hadNoRoom = false
    void started.ended.then(async ({ code, signal, stderr }) => {
      if (this.#process !== started) return
      this.#process = undefined
      if (this.#hadNoRoom) await this.start(restartingMs).catch((error: unknown) => this.crashes.push(String(error)))
      else this.crashes.push(`${this.#options.name} ended by itself with ${code ?? signal}: ${stderr.slice(-2_000)}`)
    })
  }
}

function processOptions({ store, directory }: ServerOptions, port: number) {
  return { store, directory, port, flags: ['--audit-log', '-'] }
}
