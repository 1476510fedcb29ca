import type { KubeObject } from '../../api/object.ts'
import type { Informer, UnreadableObject } from '../../client/contract.ts'
import { saysGone } from '../../client/says-gone.ts'
import { withoutManagedFields } from '../../client/watch/without-managed-fields.ts'
import type { ObjectName } from '../../patches/contract.ts'
import { copySelector, virtualNameOf } from '../names/markers.ts'
import { nameOf, printName, sameName } from '../names/names.ts'
import type { UseOfNode } from '../nodes/contract.ts'
import type { KindRules } from '../plan/rules.ts'
import { nameTaken, SyncTrouble } from './failures/failure.ts'
import type { ServedKind } from './kind-parts.ts'

export interface PairsParts {
  readonly virtual: ServedKind
  readonly host: ServedKind
  /** The namespace of all copies; undefined: any namespace. */
  readonly hostNamespace: string | undefined
  /** Called for virtual objects that cannot be read. */
  readonly unreadable: (object: UnreadableObject) => void
}

const byService = 'service'
const byNode = 'node'
const byHeld = 'held'

/** The objects of one kind on both sides, as known here. */
export class Pairs {
  readonly virtual: Informer
  readonly host: Informer
  readonly #parts: PairsParts
  /** Objects are immutable, so each is checked once per configuration. */
  #virtualNames = new WeakMap<KubeObject, { readonly name: ObjectName | undefined }>()
  #rules: KindRules

  constructor(parts: PairsParts, rules: KindRules) {
    const { virtual, host, hostNamespace, unreadable } = parts
    this.#parts = parts
    this.#rules = rules
    const { listsPodsOf, nodeOf, holds } = rules.kind
    const onNodes = nodeOf && { [byNode]: (object: KubeObject) => [nodeOf(object)] }
    this.virtual = virtual.client.informer(virtual.type, {
      keep: keptVirtual,
      onUnreadable: unreadable,
      indexes: {
        ...(listsPodsOf && { [byService]: (object) => listsPodsOf(object).map(printName) }),
        ...onNodes,
      },
    })
    this.host = host.client.informer(host.type, {
      labelSelector: copySelector(rules.owner.identity),
      indexes: { ...onNodes, ...(holds && { [byHeld]: (copy) => holds(copy).map(printName) }) },
      ...(hostNamespace !== undefined && host.type.namespaced && { namespace: hostNamespace }),
    })
  }

  /** Why a side cannot be followed now. */
  get trouble(): string | undefined {
    return this.virtual.trouble ?? this.host.trouble
  }

  useRules(rules: KindRules): void {
    this.#rules = rules
    this.#virtualNames = new WeakMap()
  }

  /** Rejects if it is stopped first. */
  async whenSynced(): Promise<void> {
    await Promise.all([this.virtual.whenSynced(), this.host.whenSynced()])
  }

  /** Reports virtual objects to check; at first, all of them. */
  onChange(changed: (virtual: ObjectName) => void): void {
    const copyChanged = (copy: KubeObject | undefined) => {
      const virtual = copy && this.virtualOf(copy)
      if (virtual !== undefined) changed(virtual)
    }
    this.virtual.onChange(({ before, after }) => {
      const object = after ?? before
      if (object !== undefined) changed(nameOf(object))
    })
    this.host.onChange(({ before, after }) => {
      copyChanged(after)
      copyChanged(before)
    })
  }

  /** Reports virtual objects that lost their copies, whatever happens to them. */
  onCopyLost(lost: (virtual: ObjectName) => void): void {
    this.host.onChange(({ before, after }) => {
      const virtual = before && this.virtualOf(before)
      if (virtual !== undefined && (after === undefined || !this.isCopyOf(after, virtual))) lost(virtual)
    })
  }

  *names(): Iterable<ObjectName> {
    for (const object of this.virtual.all()) yield nameOf(object)
    for (const object of this.host.all()) {
      const virtual = this.virtualOf(object)
      if (virtual !== undefined) yield virtual
    }
  }

  /** The objects that list the Pods of a Service. */
  listsOf(service: ObjectName): readonly KubeObject[] {
    const lists = this.#rules.kind.listsPodsOf !== undefined
    return lists ? this.virtual.indexed(byService, printName(service)) : []
  }

  /** Whether copies are on a node, or only virtual objects name it. */
  useOf(node: string): Exclude<UseOfNode, 'unknown'> {
    if (this.#rules.kind.nodeOf === undefined) return 'none'
    if (this.host.indexed(byNode, node).some((copy) => this.virtualOf(copy) !== undefined)) return 'copy'
    return this.virtual.indexed(byNode, node).length > 0 ? 'virtual' : 'none'
  }

  /** Reports nodes that an object was assigned to or has left. */
  onUseOfNodes(changed: (node: string) => void): void {
    const { nodeOf } = this.#rules.kind
    if (nodeOf === undefined) return
    for (const informer of [this.virtual, this.host]) {
      informer.onChange(({ before, after }) => {
        const [from, to] = [before, after].map((object) => (object === undefined ? '' : nodeOf(object)))
        if (from === to) return
        if (from) changed(from)
        if (to) changed(to)
      })
    }
  }

  /** The virtual objects whose copies hold an object of the host. */
  holdersOf(place: ObjectName): readonly ObjectName[] {
    if (this.#rules.kind.holds === undefined) return []
    return this.host.indexed(byHeld, printName(place)).flatMap((copy) => this.virtualOf(copy) ?? [])
  }

  copyOf(name: ObjectName): KubeObject | undefined {
    const place = this.#rules.hostOf(name)
    const object = place && this.host.get(place)
    return object && this.isCopyOf(object, name) ? object : undefined
  }

  isCopyOf(object: KubeObject, name: ObjectName): boolean {
    const virtual = this.virtualOf(object)
    return virtual !== undefined && sameName(virtual, name)
  }

  /** The virtual object that an object of the host is the copy of. */
  virtualOf(object: KubeObject): ObjectName | undefined {
    const known = this.#virtualNames.get(object)
    if (known !== undefined) return known.name
    const name = virtualNameOf(object, this.#rules.owner, this.#rules.hostOf)
    this.#virtualNames.set(object, { name })
    return name
  }

  /** Reads from the server itself. Undefined only if it confirms that the object does not exist. */
  async readVirtual(name: ObjectName, signal: AbortSignal): Promise<KubeObject | undefined> {
    const { client, type } = this.#parts.virtual
    const object = await this.#read(client.get(type, name, signal), name)
    if (object !== undefined) this.virtual.learn(object)
    return object
  }

  /**
   * The copy read from the host itself; undefined only if the host confirms that it does not exist. An object without
   * the marks may still be the copy: it is where only the copy can be.
   */
  async readCopy(name: ObjectName, signal: AbortSignal): Promise<KubeObject | undefined> {
    const object = await this.readPlace(name, signal)
    if (object === undefined || this.isCopyOf(object, name)) return object
    throw new SyncTrouble(nameTaken(this.#parts.host.type, nameOf(object)))
  }

  /** The copy, read from the host itself; undefined also if another object is in its place. */
  async findCopy(name: ObjectName, signal: AbortSignal): Promise<KubeObject | undefined> {
    const object = await this.readPlace(name, signal)
    return object && this.isCopyOf(object, name) ? object : undefined
  }

  /**
   * The object in the place of the copy, read from the host itself, whether it is the copy or not; undefined only if
   * the host confirms that there is none.
   */
  async readPlace(name: ObjectName, signal: AbortSignal): Promise<KubeObject | undefined> {
    const { client, type } = this.#parts.host
    const place = this.#rules.hostOf(name)
    const object = place && (await this.#read(client.get(type, place, signal), place))
    if (object !== undefined && this.isCopyOf(object, name)) this.host.learn(object)
    return object
  }

  stop(): void {
    this.virtual.stop()
    this.host.stop()
  }

  async #read(answer: Promise<KubeObject>, name: ObjectName): Promise<KubeObject | undefined> {
    try {
      return await answer
    } catch (error) {
      if (saysGone(error, name)) return undefined
      throw error
    }
  }
}

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

/** The part of a virtual object to cache. Complete copies that clients leave in annotations are never synced. */
function keptVirtual(object: KubeObject): KubeObject {
  const kept = withoutManagedFields(object)
  const { annotations } = kept.metadata
  if (annotations === undefined || !Object.hasOwn(annotations, lastApplied)) return kept
  const { [lastApplied]: _, ...rest } = annotations
  return { ...kept, metadata: { ...kept.metadata, annotations: rest } }
}
