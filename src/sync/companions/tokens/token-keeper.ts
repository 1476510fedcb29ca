import { isRefusal } from '../../../api/error.ts'
import type { KubeObject } from '../../../api/object.ts'
import type { Pod } from '../../../api/types/core-v1.ts'
import type { Clock } from '../../../base/clock.ts'
import type { Log } from '../../../base/log.ts'
import { podType, secretType } from '../../../client/builtin-types.ts'
import type { Informer, KubeClient } from '../../../client/contract.ts'
import { saysGone } from '../../../client/says-gone.ts'
import { withoutManagedFields } from '../../../client/watch/without-managed-fields.ts'
import type { ObjectName } from '../../../patches/contract.ts'
import { type Next, Reconciler } from '../../../reconcile/reconciler.ts'
import type { HostNames, Trouble } from '../../contract.ts'
import { copiedName, copiedUid, isCopyOf } from '../../names/markers.ts'
import { nameOf, parseName, printName, type TenantPlace } from '../../names/names.ts'
import { nameTaken, pauseAfter, ReadAgain, SyncTrouble, syncFailureOf } from '../../run/failures/failure.ts'
import { companionMetadata, companionSelector, isCompanion } from '../companion.ts'
import type { Companions } from '../contract.ts'
import { type IssuedEntries, issueEntries } from './issue-tokens.ts'
import { byUrgency, planTokens } from './plan-tokens.ts'
import { PreparedEntries } from './prepared-entries.ts'
import { RootCertificates } from './root-certificates.ts'
import { tokenTrouble } from './token-limits.ts'
import { issuedAtAnnotation, refreshAtAnnotation } from './token-times.ts'
import { tokenSecretName, type WantedEntries, wantedEntries } from './wanted-tokens.ts'

const purpose = 'tokens'
/** How often a Secret without a Pod is checked. */
const lookAgainMs = 30_000
/**
 * Limit of any timer, whatever the lifetime of a token: timers do not notice when the clock is set or the machine
 * sleeps.
 */
const longestWaitMs = 60_000
const workers = 8

export interface TokenKeeperOptions {
  readonly identity: TenantPlace
  readonly names: HostNames
  readonly virtual: KubeClient
  readonly host: KubeClient
  /** The namespace of all copies; undefined: any namespace. */
  readonly hostNamespace: string | undefined
  readonly mayWrite: () => boolean
  /** Warns the owner of a Pod. */
  readonly warn: (pod: KubeObject, trouble: Trouble) => void
  readonly clock: Clock
  readonly log: Log
}

/**
 * Keeps the tokens of Pods in Secrets of the host: created before the Pod, renewed in time, and deleted with it. The
 * Secrets record everything it must know, so that another process can continue.
 */
export class TokenKeeper implements Companions {
  readonly #options: TokenKeeperOptions
  readonly #secrets: Informer
  readonly #loop: Reconciler
  readonly #certificates: RootCertificates
  readonly #prepared: PreparedEntries
  /** By Secret: copies that were created but are not yet owners of their Secrets. */
  readonly #copies = new Map<string, KubeObject>()
  /** Recently created Secrets with their values, until they are handed over to their copies. */
  readonly #whole = new Map<string, KubeObject>()
  /** Recently created Secrets whose copies are about to be created. */
  readonly #awaited = new Set<string>()
  /** Secrets of Pods that the host refuses. */
  readonly #refused = new Set<string>()
  /** Secrets that were deleted, until it is known whether their Pods were, too. */
  readonly #lost = new Map<string, KubeObject>()

  constructor(options: TokenKeeperOptions) {
    this.#options = options
    const { identity, host, hostNamespace } = options
    this.#secrets = host.informer(secretType, {
      labelSelector: companionSelector(identity, purpose),
      ...(hostNamespace !== undefined && { namespace: hostNamespace }),
      keep: withoutValues,
    })
    this.#certificates = new RootCertificates(options.virtual)
    this.#prepared = new PreparedEntries(options.clock)
    this.#loop = new Reconciler({
      reconcile: (name, signal) => this.#reconcile(parseName(name), signal),
      failed: (name, error) => this.#failed(parseName(name), error),
      pauseMs: pauseAfter,
      workers,
    })
    void this.#begin()
  }

  prepare(virtual: KubeObject, signal: AbortSignal): void {
    const pod = virtual as Pod
    const wanted = wantedEntries(pod)
    if (wanted === undefined || tokenTrouble(wanted) !== undefined) return
    this.#prepared.begin(pod, () => this.#issue(pod, wanted, signal))
  }

  async provide(virtual: KubeObject, { namespace }: ObjectName, signal: AbortSignal): Promise<void> {
    const pod = virtual as Pod
    const place = { namespace, name: tokenSecretName(pod, this.#options.names) }
    this.#refused.delete(printName(place))
    const known = this.#secrets.get(place)
    if (wantedEntries(pod) === undefined || (known !== undefined && this.#isFor(known, pod))) return
    this.#awaited.add(printName(place))
    try {
      await this.#create(pod, place, undefined, signal)
    } catch (error) {
      this.#awaited.delete(printName(place))
      throw error
    }
  }

  made(virtual: KubeObject, copy: KubeObject): void {
    const pod = virtual as Pod
    if (wantedEntries(pod) === undefined) return
    const { namespace } = nameOf(copy)
    const name = printName({ namespace, name: tokenSecretName(pod, this.#options.names) })
    this.#awaited.delete(name)
    this.#copies.set(name, copy)
    this.#loop.add(name)
  }

  refused(virtual: KubeObject, { namespace }: ObjectName): void {
    const pod = virtual as Pod
    if (wantedEntries(pod) === undefined) return
    const name = printName({ namespace, name: tokenSecretName(pod, this.#options.names) })
    this.#awaited.delete(name)
    this.#whole.delete(name)
    this.#refused.add(name)
    this.#loop.add(name)
  }

  async stop(): Promise<void> {
    this.#secrets.stop()
    this.#certificates.stop()
    await this.#loop.stop()
  }

  /** A new process first checks tokens that are about to expire. */
  async #begin(): Promise<void> {
    try {
      await this.#secrets.whenSynced()
    } catch {
      return
    }
    for (const secret of [...this.#secrets.all()].sort(byUrgency)) this.#loop.add(printName(nameOf(secret)))
    this.#loop.follow(
      this.#secrets.onChange(({ before, after }) => {
        const secret = after ?? before
        if (secret === undefined) return
        if (after === undefined) this.#lost.set(printName(nameOf(secret)), secret)
        this.#loop.add(printName(nameOf(secret)))
      }),
    )
  }

  async #reconcile(place: ObjectName, signal: AbortSignal): Promise<Next> {
    const name = printName(place)
    const secret = this.#secrets.get(place)
    if (secret === undefined) return this.#replaceLost(name, signal)
    this.#lost.delete(name)
    if (!isCompanion(secret, this.#options.identity, purpose)) return 'done'
    const plan = planTokens(secret, this.#options.clock.now())
    switch (plan.action) {
      case 'refresh':
        return this.#refresh(secret, signal)
      case 'hand over':
        return this.#handOver(secret, signal)
      case 'wait':
        this.#copies.delete(name)
        this.#whole.delete(name)
        this.#refused.delete(name)
        if (plan.untilMs !== undefined) this.#lookAt(name, plan.untilMs - this.#options.clock.now())
        return 'done'
    }
  }

  #lookAt(name: string, inMs: number): void {
    this.#loop.addAfter(name, Math.min(Math.max(inMs, 0), longestWaitMs))
  }

  #requeueLater(name: string): Next {
    this.#lookAt(name, lookAgainMs)
    return 'done'
  }

  /** A Pod that has ended needs no more tokens. */
  async #refresh(secret: KubeObject, signal: AbortSignal): Promise<Next> {
    const pod = await this.#podOf(secret, signal)
    if (pod === undefined) return this.#withoutPod(secret, signal)
    const wanted = wantedEntries(pod)
    const isOver = pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed'
    const entries = wanted === undefined || isOver ? { data: {} } : await this.#issue(pod, wanted, signal)
    await this.#write(withEntries(secret, entries), signal)
    return 'again'
  }

  /** From then on the Secret is deleted with the Pod, whatever happens to this process. */
  async #handOver(secret: KubeObject, signal: AbortSignal): Promise<Next> {
    const name = printName(nameOf(secret))
    if (this.#awaited.delete(name)) return this.#requeueLater(name)
    const copy = this.#copies.get(name) ?? (await this.#copyOf(secret, signal))
    if (copy === undefined) {
      const isNeeded = !this.#refused.delete(name) && (await this.#podOf(secret, signal)) !== undefined
      return isNeeded ? this.#requeueLater(name) : this.#remove(secret, signal)
    }
    const whole = await this.#wholeOf(secret, signal)
    if (whole.metadata.uid !== secret.metadata.uid) return 'again'
    await this.#write({ ...whole, metadata: { ...whole.metadata, ownerReferences: [ownerReference(copy)] } }, signal)
    this.#copies.delete(name)
    return 'again'
  }

  /** Secrets are cached without values. One that was written in between is read again. */
  async #wholeOf(secret: KubeObject, signal: AbortSignal): Promise<KubeObject> {
    const name = printName(nameOf(secret))
    const made = this.#whole.get(name)
    this.#whole.delete(name)
    const isLatest = made?.metadata.resourceVersion === secret.metadata.resourceVersion
    return made !== undefined && isLatest ? made : this.#options.host.get(secretType, nameOf(secret), signal)
  }

  /** If a copy still exists, the Secret is deleted with it. */
  async #withoutPod(secret: KubeObject, signal: AbortSignal): Promise<Next> {
    const copy = await this.#copyOf(secret, signal)
    return copy === undefined ? this.#remove(secret, signal) : this.#requeueLater(printName(nameOf(secret)))
  }

  /** Creates a Secret again that was deleted although its Pod runs. */
  async #replaceLost(name: string, signal: AbortSignal): Promise<Next> {
    this.#whole.delete(name)
    const secret = this.#lost.get(name)
    const pod = secret && (await this.#podOf(secret, signal))
    const copy = secret && pod && (await this.#copyOf(secret, signal))
    const isNeeded = copy !== undefined && copy.metadata.deletionTimestamp === undefined
    if (pod !== undefined && isNeeded) await this.#create(pod, parseName(name), copy, signal)
    this.#lost.delete(name)
    this.#refused.delete(name)
    if (!isNeeded) this.#copies.delete(name)
    return 'done'
  }

  #issue(pod: Pod, wanted: WantedEntries, signal: AbortSignal): Promise<IssuedEntries> {
    const { virtual, clock } = this.#options
    return issueEntries(pod, wanted, { virtual, clock, certificates: this.#certificates }, signal)
  }

  async #create(pod: Pod, place: ObjectName, owner: KubeObject | undefined, signal: AbortSignal): Promise<void> {
    const { identity, host } = this.#options
    const wanted = wantedEntries(pod)
    if (wanted === undefined) return
    const trouble = tokenTrouble(wanted)
    if (trouble !== undefined) throw new SyncTrouble(trouble)
    const entries = await (this.#prepared.take(pod) ?? this.#issue(pod, wanted, signal))
    const metadata = companionMetadata(identity, purpose, pod, place)
    const owned = owner && { ownerReferences: [ownerReference(owner)] }
    const empty: KubeObject = { apiVersion: 'v1', kind: 'Secret', metadata: { ...metadata, ...owned } }
    this.#mustLead()
    try {
      const created = await host.create(secretType, withEntries(empty, entries), signal)
      if (owner === undefined) this.#whole.set(printName(place), created)
      this.#secrets.learn(created)
    } catch (error) {
      if (!isRefusal(error, 409)) throw error
      await this.#learnExisting(pod, place, signal)
    }
  }

  /** Either our own Secret, which the informer has yet to see, or one that belongs to others, which is not touched. */
  async #learnExisting(pod: Pod, place: ObjectName, signal: AbortSignal): Promise<void> {
    const there = await this.#options.host.get(secretType, place, signal)
    if (!this.#isFor(there, pod)) throw new SyncTrouble(nameTaken(secretType, place))
    this.#secrets.learn(there)
  }

  #isFor(secret: KubeObject, { metadata }: Pod): boolean {
    return isCompanion(secret, this.#options.identity, purpose) && copiedUid(secret) === metadata.uid
  }

  async #write(secret: KubeObject, signal: AbortSignal): Promise<void> {
    this.#mustLead()
    this.#secrets.learn(await this.#options.host.update(secretType, secret, signal))
  }

  async #remove(secret: KubeObject, signal: AbortSignal): Promise<Next> {
    const { uid = '' } = secret.metadata
    this.#mustLead()
    try {
      await this.#options.host.delete(secretType, nameOf(secret), { uid }, signal)
    } catch (error) {
      if (!saysGone(error, nameOf(secret))) throw error
    }
    return 'done'
  }

  /** The Pod with the same uid, read from the virtual cluster itself. */
  async #podOf(secret: KubeObject, signal: AbortSignal): Promise<Pod | undefined> {
    const pod = await this.#read(this.#options.virtual, copiedName(secret), signal)
    return pod?.metadata.uid === copiedUid(secret) ? (pod as Pod | undefined) : undefined
  }

  async #copyOf(secret: KubeObject, signal: AbortSignal): Promise<KubeObject | undefined> {
    const { identity, names, host } = this.#options
    const { namespace, name } = copiedName(secret)
    const copy = await this.#read(host, names.of(namespace, name), signal)
    if (copy === undefined || !isCopyOf(copy, identity)) return undefined
    return copiedUid(copy) === copiedUid(secret) ? copy : undefined
  }

  async #read(client: KubeClient, name: ObjectName, signal: AbortSignal): Promise<KubeObject | undefined> {
    try {
      return await client.get(podType, name, signal)
    } catch (error) {
      if (saysGone(error, name)) return undefined
      throw error
    }
  }

  #mustLead(): void {
    if (!this.#options.mayWrite()) throw new ReadAgain('another replica leads now')
  }

  #failed(place: ObjectName, error: unknown): void {
    const failure = syncFailureOf(error)
    if (failure.type !== 'trouble' && failure.type !== 'not yet') return
    const { log, warn } = this.#options
    log.warn('tokens of a Pod are not refreshed', { secret: printName(place), ...failure.trouble })
    const secret = this.#secrets.get(place)
    const uid = secret && copiedUid(secret)
    if (secret === undefined || uid === undefined) return
    warn({ apiVersion: 'v1', kind: 'Pod', metadata: { ...copiedName(secret), uid } }, failure.trouble)
  }
}

/** Tokens stay on the host and are not kept in memory. */
function withoutValues(secret: KubeObject): KubeObject {
  const { data: _, ...rest } = withoutManagedFields(secret)
  return rest
}

function withEntries(secret: KubeObject, { data, times }: IssuedEntries): KubeObject {
  const { [refreshAtAnnotation]: _, [issuedAtAnnotation]: __, ...annotations } = secret.metadata.annotations ?? {}
  const noted = times && { [refreshAtAnnotation]: times.refreshAt, [issuedAtAnnotation]: times.issuedAt }
  return {
    ...secret,
    metadata: { ...secret.metadata, annotations: { ...annotations, ...noted } },
    type: 'Opaque',
    data,
  }
}

function ownerReference({ metadata: { name = '', uid = '' } }: KubeObject) {
  return { apiVersion: 'v1', kind: 'Pod', name, uid }
}
