import { controllerOf, type Seen, type Sight } from './history.ts'

/** The objects at one moment of a history, by uid. */
export class World {
  readonly #objects = new Map<string, Seen>()
  /** By ReplicaSet, including deleted ones. */
  readonly #ownerOfSet = new Map<string, string>()
  readonly #podsOf = new Map<string, Set<string>>()

  /** Returns the previous object. */
  apply({ type, object }: Sight): Seen | undefined {
    const { uid } = object.metadata
    const before = this.#objects.get(uid)
    if (object.kind === 'ReplicaSet') this.#noteSet(object)
    if (object.kind === 'Pod') this.#notePod(object, type !== 'DELETED')
    if (type === 'DELETED') this.#objects.delete(uid)
    else this.#objects.set(uid, object)
    return before
  }

  get(uid: string): Seen | undefined {
    return this.#objects.get(uid)
  }

  all(kind: string): readonly Seen[] {
    return [...this.#objects.values()].filter((each) => each.kind === kind)
  }

  /** The Deployment, StatefulSet or Job that a Pod belongs to. */
  workloadOf(pod: Seen): Seen | undefined {
    const uid = this.#workloadUid(pod)
    return uid === undefined ? undefined : this.#objects.get(uid)
  }

  podsOf(workloadUid: string): readonly Seen[] {
    return [...(this.#podsOf.get(workloadUid) ?? [])].flatMap((uid) => this.#objects.get(uid) ?? [])
  }

  setsOf(deploymentUid: string): readonly Seen[] {
    return this.all('ReplicaSet').filter((each) => controllerOf(each) === deploymentUid)
  }

  #workloadUid(pod: Seen): string | undefined {
    const owner = controllerOf(pod)
    return owner === undefined ? undefined : (this.#ownerOfSet.get(owner) ?? owner)
  }

  #noteSet(set: Seen): void {
    const owner = controllerOf(set)
    if (owner !== undefined) this.#ownerOfSet.set(set.metadata.uid, owner)
  }

  #notePod(pod: Seen, isThere: boolean): void {
    const workload = this.#workloadUid(pod)
    if (workload === undefined) return
    const pods = this.#podsOf.get(workload) ?? new Set()
    this.#podsOf.set(workload, pods)
    if (isThere) pods.add(pod.metadata.uid)
    else pods.delete(pod.metadata.uid)
  }
}
