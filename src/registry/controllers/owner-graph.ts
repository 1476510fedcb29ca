import { type OwnerReference, parseApiVersion } from '../../api/object.ts'
import { MemberCursor } from '../../base/json/member-cursor.ts'
import type { Cache } from '../cache.ts'
import type { StoredDocument } from '../document.ts'
import { parseRelativeKey, relativeKey } from '../storage-key.ts'
import { SubjectsByOwner } from './subjects-by-owner.ts'

/** An object, as its dependents name it. */
export interface Owner {
  /** Empty for a cluster-scoped owner: objects in every namespace may name it. */
  readonly namespace: string
  readonly uid: string
  readonly group: string
  readonly kind: string
}

const none: readonly OwnerReference[] = []

/**
 * Which objects name which owners, across all kinds, kept up to date from the caches. The writer of a dependent chooses
 * its references, so a matching uid alone does not make an owner: a namespaced owner has dependents only in its
 * namespace.
 */
export class OwnerGraph {
  /** By the owner's uid. */
  readonly #dependents = new SubjectsByOwner()
  /** By the owner's kind and uid: the right to block was checked for the kind that the reference names. */
  readonly #blockers = new SubjectsByOwner()
  readonly #references = new Map<string, readonly OwnerReference[]>()

  /** The subjects (see subjectOf) that name the owner. */
  dependentsOf({ uid, namespace }: Owner): Iterable<string> {
    return this.#dependents.of(uid, namespace)
  }

  hasDependents({ uid, namespace }: Owner): boolean {
    return this.#dependents.has(uid, namespace)
  }

  /** Whether a dependent blocks the owner's deletion. */
  isBlocked(owner: Owner): boolean {
    return this.#blockers.has(blockedKey(owner), owner.namespace)
  }

  referencesOf(subject: string): readonly OwnerReference[] {
    return this.#references.get(subject) ?? none
  }

  /** The subject's references to owners whose deletion it blocks. */
  blockingReferences(subject: string): readonly OwnerReference[] {
    return this.referencesOf(subject).filter(isBlocking)
  }

  get isEmpty(): boolean {
    return this.#references.size === 0
  }

  update(subject: string, references: readonly OwnerReference[]): void {
    this.remove(subject)
    if (references.length === 0) return
    const namespace = namespaceOf(subject)
    this.#references.set(subject, references)
    for (const reference of references) {
      this.#dependents.add(reference.uid, namespace, subject)
      if (isBlocking(reference)) this.#blockers.add(blockedKey(namedBy(reference)), namespace, subject)
    }
  }

  remove(subject: string): void {
    const namespace = namespaceOf(subject)
    for (const reference of this.referencesOf(subject)) {
      this.#dependents.delete(reference.uid, namespace, subject)
      if (isBlocking(reference)) this.#blockers.delete(blockedKey(namedBy(reference)), namespace, subject)
    }
    this.#references.delete(subject)
  }
}

/** Whether a blocking reference of the subject refers to the owner. */
export function mayBlock(reference: OwnerReference, subject: string, owner: Owner): boolean {
  const isInReach = owner.namespace === '' || owner.namespace === namespaceOf(subject)
  const { group, kind, uid } = namedBy(reference)
  return isInReach && uid === owner.uid && kind === owner.kind && group === owner.group
}

type NamedOwner = Pick<Owner, 'group' | 'kind' | 'uid'>

function namedBy({ apiVersion, kind, uid }: OwnerReference): NamedOwner {
  return { group: parseApiVersion(apiVersion).group, kind, uid }
}

function blockedKey({ group, kind, uid }: NamedOwner): string {
  return JSON.stringify([group, kind, uid])
}

function isBlocking({ blockOwnerDeletion }: OwnerReference): boolean {
  return blockOwnerDeletion === true
}

/** Identifies one object among all kinds: its storage prefix and its key below it. */
export function subjectOf(cache: Cache, document: StoredDocument): string {
  return `${cache.prefix}\n${relativeKey(document)}`
}

export function parseSubject(subject: string): { readonly prefix: string; readonly key: string } {
  const [prefix = '', key = ''] = subject.split('\n')
  return { prefix, key }
}

function namespaceOf(subject: string): string {
  return parseRelativeKey(parseSubject(subject).key).namespace
}

/** Most objects have no owner. For the others, only the references are parsed. */
export function ownerReferencesOf(document: StoredDocument): readonly OwnerReference[] {
  if (!document.mentions('ownerReferences')) return none
  return document.readShown(referencesIn) ?? document.object.metadata.ownerReferences ?? none
}

/**
 * Undefined: the references are not where the server writes them. The text was stored by this server, so the rest need
 * not be walked.
 */
function referencesIn(bytes: Buffer, start: number, end: number): readonly OwnerReference[] | undefined {
  const cursor = new MemberCursor(bytes, start, end)
  const isAtMetadata = cursor.enter() && cursor.next() && cursor.isNamed('metadata')
  for (let more = isAtMetadata && cursor.enter() && cursor.next(); more; more = cursor.next()) {
    const value = cursor.isNamed('ownerReferences') ? cursor.value() : cursor.passOver()
    if (Array.isArray(value)) return value
  }
  return undefined
}
