import { type Agent, request } from 'undici'
import { eventually } from '../../../support/eventually.ts'
import { patientAgent } from '../../../support/network/patient-agent.ts'

export interface Served {
  readonly url: string
  readonly token: string
  /** PEM. */
  readonly authority: string
}

/** The fields of an object that matter to tests of owners; undefined once the object is deleted. */
export interface Seen {
  readonly name: string
  readonly uid: string
  readonly kind: string
  readonly isBeingDeleted: boolean
  readonly finalizers: readonly string[]
  /** Each owner's name, and whether its deletion waits for this object. */
  readonly owners: readonly (readonly [string, boolean])[]
}

export type Policy = 'Foreground' | 'Background' | 'Orphan'

export interface CycleOptions {
  readonly block?: boolean
  readonly finalizers?: readonly string[]
}

const plurals: Readonly<Record<string, string>> = { ConfigMap: 'configmaps', Secret: 'secrets' }

/** A client that makes objects own each other. */
export class OwnerClient {
  readonly #served: Served
  readonly #agent: Agent

  constructor(served: Served) {
    this.#served = served
    this.#agent = patientAgent({ ca: served.authority })
  }

  close(): Promise<void> {
    return this.#agent.destroy()
  }

  async create(name: string, kind = 'ConfigMap'): Promise<Seen> {
    const { body } = await this.#ask('POST', pathOf(kind), { metadata: { name } })
    return seen(kind, body)
  }

  async own(dependent: Seen, owners: readonly Seen[], { block = true, finalizers = [] }: CycleOptions = {}) {
    const ownerReferences = owners.map(({ kind, name, uid }) => ({
      apiVersion: 'v1',
      kind,
      name,
      uid,
      blockOwnerDeletion: block,
    }))
    await this.#merge(dependent, { ownerReferences, finalizers })
  }

  /** Each object is owned by the next one, and the last one by the first. */
  async cycle(names: readonly string[], options: CycleOptions & { readonly kinds?: readonly string[] } = {}) {
    const made: Seen[] = []
    for (const [index, name] of names.entries()) made.push(await this.create(name, options.kinds?.[index]))
    for (const [index, each] of made.entries()) {
      const owner = made[(index + 1) % made.length]
      if (owner !== undefined) await this.own(each, [owner], options)
    }
    return made
  }

  async release(held: Seen): Promise<void> {
    await this.#merge(held, { finalizers: null })
  }

  async delete({ kind, name }: Seen, propagationPolicy: Policy): Promise<void> {
    await this.#ask('DELETE', `${pathOf(kind)}/${name}`, { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy })
  }

  async find({ kind, name }: Pick<Seen, 'kind' | 'name'>): Promise<Seen | undefined> {
    const { status, body } = await this.#ask('GET', `${pathOf(kind)}/${name}`)
    return status === 404 ? undefined : seen(kind, body)
  }

  /** Waits until none of the objects exists. */
  async untilGone(objects: readonly Seen[]): Promise<void> {
    await eventually(async () => {
      const left = (await Promise.all(objects.map((each) => this.find(each)))).filter((each) => each !== undefined)
      if (left.length > 0) throw new Error(`still there: ${JSON.stringify(left)}`)
    }, 240_000)
  }

  async #merge({ kind, name }: Seen, metadata: object): Promise<void> {
    await this.#ask('PATCH', `${pathOf(kind)}/${name}`, { metadata }, 'application/merge-patch+json')
  }

  async #ask(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, sent?: object, type = 'application/json') {
    const { url, token } = this.#served
    const answer = await request(url + path, {
      method,
      dispatcher: this.#agent,
      body: sent === undefined ? null : JSON.stringify(sent),
      headers: { authorization: `Bearer ${token}`, ...(sent !== undefined && { 'content-type': type }) },
    })
    const body: unknown = await answer.body.json()
    if (answer.statusCode >= 300 && answer.statusCode !== 404) {
      throw new Error(`${method} ${path}: ${JSON.stringify(body)}`)
    }
    return { status: answer.statusCode, body }
  }
}

function pathOf(kind: string): string {
  return `/api/v1/namespaces/default/${plurals[kind]}`
}

interface Answered {
  readonly metadata: {
    readonly name: string
    readonly uid: string
    readonly deletionTimestamp?: string
    readonly finalizers?: readonly string[]
    readonly ownerReferences?: readonly { readonly name: string; readonly blockOwnerDeletion?: boolean }[]
  }
}

function seen(kind: string, body: unknown): Seen {
  if (!isAnswered(body)) throw new Error(`no object: ${JSON.stringify(body)}`)
  const { name, uid, deletionTimestamp, finalizers = [], ownerReferences = [] } = body.metadata
  const owners = ownerReferences.map((each) => [each.name, each.blockOwnerDeletion === true] as const)
  return { name, uid, kind, isBeingDeleted: deletionTimestamp !== undefined, finalizers, owners }
}

function isAnswered(body: unknown): body is Answered {
  return typeof body === 'object' && body !== null && 'metadata' in body
}
