import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ApiClient } from '../../../reliability/support/api-client.ts'
import { endProgram, type RunningProgram, runProgram, untilReady } from '../../../reliability/support/server-process.ts'
import { freePort } from '../../../support/network/free-port.ts'
import { freeze } from '../../../support/programs/freeze.ts'

const token = 'chaos-token'

/** The content of a --token-auth-file that all replicas share. */
export const tokenFileText = `${token},chaos,chaos-uid,"system:masters"\n`

const mostConnections = 30

/** Short, so that another replica takes over within seconds. */
const leaseSeconds = '3'

export interface ReplicaOptions {
  readonly name: string
  readonly etcdUrl: string
  readonly directory: string
  readonly tokenFile: string
}

/** A server on an etcd, with all controllers, which can be killed, frozen and started again. */
export class Replica {
  readonly name: string
  readonly #options: ReplicaOptions
  #running: RunningProgram | undefined
  #client: ApiClient | undefined
  #port = 0

  constructor(options: ReplicaOptions) {
    this.name = options.name
    this.#options = options
  }

  /** Undefined while it cannot be called. */
  get client(): ApiClient | undefined {
    return this.#client
  }

  async start(): Promise<void> {
    const { etcdUrl, directory, tokenFile } = this.#options
    this.#port = await freePort()
    const store = ['--store', `etcd:${etcdUrl}`, '--token-auth-file', tokenFile, '--log-level', 'error']
    const listening = [
      '--data-dir',
      directory,
      '--port',
      String(this.#port),
      '--leader-elect-lease-duration',
      leaseSeconds,
    ]
    const running = runProgram(['apiserver', ...listening, ...store])
    this.#running = running
    await untilReady(running)
    this.#connect()
  }

  async kill(): Promise<void> {
    const running = this.#running
    this.#running = undefined
    await this.#disconnect()
    if (running !== undefined) await endProgram(running, 'SIGKILL')
  }

  /** Stops the process: when it continues, others may have taken over. */
  async freezeFor(pause: () => Promise<void>): Promise<void> {
    await this.#disconnect()
    freeze(this.#running?.child.pid)
    await pause()
    this.#running?.child.kill('SIGCONT')
    this.#connect()
  }

  #connect(): void {
    const authority = readFileSync(join(this.#options.directory, 'pki/ca.crt'), 'utf8')
    this.#client = new ApiClient({ url: `https://127.0.0.1:${this.#port}`, authority, token }, mostConnections)
  }

  async #disconnect(): Promise<void> {
    const client = this.#client
    this.#client = undefined
    await client?.close()
  }
}
