import { type Seen, type SeenSpec, type SeenStatus, type Sight, versionLabel } from './history.ts'

/** Histories for tests of the checker: each step is the next revision. */
export class Story {
  readonly sights: Sight[] = []
  readonly #now = new Map<string, Seen>()
  #revision = 0

  /** `uid` is the name by default. */
  put(kind: string, name: string, change: Partial<Seen['metadata']> & { spec?: SeenSpec; status?: SeenStatus }): this {
    const { spec, status, ...metadata } = change
    const uid = metadata.uid ?? name
    const before = this.#now.get(uid)
    const object: Seen = {
      kind,
      metadata: { ...before?.metadata, ...metadata, name, uid, resourceVersion: String(++this.#revision) },
      spec: { ...before?.spec, ...spec },
      status: { ...before?.status, ...status },
    }
    this.#now.set(uid, object)
    this.sights.push({ type: before === undefined ? 'ADDED' : 'MODIFIED', object })
    return this
  }

  gone(uid: string): this {
    const before = this.#now.get(uid)
    if (before === undefined) throw new Error(`there is no ${uid}`)
    const object = { ...before, metadata: { ...before.metadata, resourceVersion: String(++this.#revision) } }
    this.#now.delete(uid)
    this.sights.push({ type: 'DELETED', object })
    return this
  }

  /** Adds the status that its controllers would write. */
  settled(kind: string, name: string, generation: number, replicas: number): this {
    const counts = { replicas, updatedReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas }
    return this.put(kind, name, { generation, status: { observedGeneration: generation, ...counts } })
  }

  readyPod(owner: string, name: string, version = 'v1'): this {
    const ownerReferences = [{ uid: owner, controller: true }]
    this.put('Pod', name, { ownerReferences, labels: { [versionLabel]: version } })
    return this.put('Pod', name, { status: ready })
  }
}

export const ready: SeenStatus = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }
export const unready: SeenStatus = { phase: 'Running', conditions: [{ type: 'Ready', status: 'False' }] }
export const template = (version: string): SeenSpec => ({
  template: { metadata: { labels: { [versionLabel]: version } } },
})
export const told = { deletionTimestamp: '2026-01-01T00:00:00Z' }
