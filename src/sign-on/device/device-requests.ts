import { hash } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import { InBatches } from '../../base/concurrency/in-batches.ts'
import { networkOf } from '../../base/network/network-of.ts'
import type { Random } from '../../base/random.ts'
import type { EnteredUser } from '../../server/contract.ts'
import type { Store } from '../../storage/contract.ts'
import { signOnRoot } from '../stored/store-root.ts'
import { isVerifier } from '../stored/verifier.ts'
import { newUserCode } from './user-code.ts'

const prefix = `${signOnRoot}devices/`
export const deviceValidForMs = 10 * 60_000
const most = 500
/** Replicas that begin requests at the same time may exceed the limit slightly. */
const mostListed = 2 * most
/** Requests that begin together: the waiting ones, each of which must be read, are listed once for all of them. */
const mostTogether = 20

/** A command on a machine without a browser that waits for its user to sign in on another one. */
export interface DeviceRequest {
  /** SHA-256 of the command's secret, in base64url. */
  readonly challenge: string
  /** The machine's name for itself. */
  readonly machine: string
  /** The address from which it asked. */
  readonly address: string
  readonly beganMs: number
  /** Who has signed in for it. */
  readonly entered?: EnteredUser
}

export interface DeviceParts {
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
}

type Asked = Pick<DeviceRequest, 'challenge' | 'machine' | 'address'>

/** Requests are in the store, so that any replica can continue what another one began, and each ends once. */
export class DeviceRequests {
  readonly #parts: DeviceParts
  readonly #beginning: InBatches<Asked, string>

  constructor(parts: DeviceParts) {
    this.#parts = parts
    this.#beginning = new InBatches({ most: mostTogether, handle: (asked) => this.#beginAll(asked) })
  }

  /** Returns the code that the user must enter. If too many wait already, one is removed. */
  begin(asked: Asked): Promise<string> {
    return this.#beginning.add(asked)
  }

  /** Finds a waiting request by the code that its user entered. */
  async find(code: string): Promise<DeviceRequest | undefined> {
    const found = await this.#parts.store.get(keyOf(code))
    const request = found && readRequest(found.value)
    return request === undefined || request.entered !== undefined || this.#isOver(request) ? undefined : request
  }

  /**
   * Records that the user has signed in. False: the request no longer waits, or the code belongs to another one by now.
   */
  async approve(code: string, challenge: string, entered: EnteredUser): Promise<boolean> {
    const { store } = this.#parts
    const found = await store.get(keyOf(code))
    const request = found && readRequest(found.value)
    if (found === undefined || request === undefined || request.entered !== undefined) return false
    if (request.challenge !== challenge || this.#isOver(request)) return false
    const { outcome } = await store.update(found.key, bytesOf({ ...request, entered }), found.revision)
    return outcome === 'written'
  }

  /** Who has signed in, once. Without the command's secret the request appears not to exist, and is not affected. */
  async redeem(code: string, verifier: string): Promise<EnteredUser | 'pending' | undefined> {
    const { store } = this.#parts
    const found = await store.get(keyOf(code))
    const request = found && readRequest(found.value)
    if (found === undefined || request === undefined || !isVerifier(verifier, request.challenge)) return undefined
    if (this.#isOver(request)) return undefined
    if (request.entered === undefined) return 'pending'
    const { outcome } = await store.delete(found.key, found.revision)
    return outcome === 'written' ? { ...request.entered, machine: request.machine } : undefined
  }

  #isOver({ beganMs }: DeviceRequest): boolean {
    return this.#parts.clock.now() >= beganMs + deviceValidForMs
  }

  async #beginAll(asked: readonly Asked[]): Promise<readonly string[]> {
    await this.#makeRoom(asked.length)
    return Promise.all(asked.map((each) => this.#begin(each)))
  }

  async #begin(asked: Asked): Promise<string> {
    const { store, clock, random } = this.#parts
    const request: DeviceRequest = { ...asked, beganMs: clock.now() }
    for (;;) {
      const code = newUserCode(random)
      const { outcome } = await store.create(keyOf(code), bytesOf(request))
      if (outcome === 'written') return code
    }
  }

  /** Removes expired requests. If that is not enough, others give way. */
  async #makeRoom(newcomers: number): Promise<void> {
    const { store } = this.#parts
    const { items } = await store.list(prefix, { limit: mostListed })
    const stored = items.map(({ key, revision, value }) => ({ key, revision, request: readRequest(value) }))
    const over = stored.filter(({ request }) => this.#isOver(request))
    const waiting = stored.filter(({ request }) => !this.#isOver(request))
    const givesWay = oldestOfMost(waiting, waiting.length + newcomers - most)
    await Promise.all([...over, ...givesWay].map(({ key, revision }) => store.delete(key, revision)))
  }
}

interface Waiting {
  readonly key: string
  readonly revision: number
  readonly request: DeviceRequest
}

/** One after the other, the oldest request of the network with the most: no network can lock the others out. */
function oldestOfMost(waiting: readonly Waiting[], count: number): readonly Waiting[] {
  if (count <= 0) return []
  const byNetwork = new Map<string, Waiting[]>()
  for (const each of [...waiting].sort((a, b) => b.request.beganMs - a.request.beganMs)) {
    const network = networkOf(each.request.address, 48)
    const ofNetwork = byNetwork.get(network)
    if (ofNetwork === undefined) byNetwork.set(network, [each])
    else ofNetwork.push(each)
  }
  const networks = [...byNetwork.values()]
  return Array.from({ length: Math.min(count, waiting.length) }, () =>
    networks.reduce((most, each) => (each.length > most.length ? each : most)).pop(),
  ).filter((each) => each !== undefined)
}

/** Hashed, so that a reader of the store cannot use a code. */
function keyOf(code: string): string {
  return prefix + hash('sha256', code, 'base64url')
}

function bytesOf(request: DeviceRequest): Uint8Array {
  return Buffer.from(JSON.stringify(request))
}

/** Only this file writes it. */
function readRequest(value: Uint8Array): DeviceRequest {
  return JSON.parse(Buffer.from(value).toString())
}
