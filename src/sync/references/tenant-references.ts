import { parseApiVersion } from '../../api/object.ts'
import type { ObjectName, ReferencedKind } from '../../patches/contract.ts'
import type { Reference } from '../contract.ts'
import { parseName, printName } from '../names/names.ts'
import type { References } from '../run/kind-parts.ts'
import { Awaiting } from './awaiting.ts'
import { ReferenceIndex } from './reference-index.ts'

interface GroupKind {
  readonly group: string
  readonly kind: string
}

export interface TenantReferencesOptions {
  /** Called when an object gained its first reference or lost its last one. */
  readonly changed: (target: ReferencedKind, name: ObjectName, isReferenced: boolean) => void
  /** Whether every kind has checked all of its objects once. */
  readonly isEveryKindSettled: () => boolean
  /** Called when unreferenced objects may lose their copies from now on. */
  readonly completed: () => void
  /** Called when something changed that an object of a kind waited for. */
  readonly news: (id: string, owner: ObjectName) => void
}

/** The references between the objects of all kinds. */
export class TenantReferences {
  readonly #options: TenantReferencesOptions
  readonly #index: ReferenceIndex
  /** References in any version mean the same object; one version is enough to find its kind. */
  readonly #apiVersions = new Map<string, string>()
  readonly #awaiting = new Awaiting()
  #isComplete = false

  constructor(options: TenantReferencesOptions) {
    this.#options = options
    this.#index = new ReferenceIndex((target) => {
      const { kind, name } = parseTarget(target)
      const apiVersion = this.#apiVersions.get(keyOf(kind))
      if (apiVersion === undefined) return
      options.changed({ apiVersion, kind: kind.kind }, name, this.#index.isReferenced(target))
    })
  }

  /** Whether every reference is known. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  /** The view of one kind. */
  of(id: string, own: GroupKind): References {
    return {
      found: (owner, references) => this.#found(ownerOf(id, owner), references),
      isReferenced: (name) => this.#index.isReferenced(targetOf(own, name)),
      isComplete: () => this.#isComplete,
      awaits: (owner, target) => this.#awaiting.add(ownerOf(id, owner), targetOf(kindOf(target), target)),
      settled: (name) => {
        for (const owner of this.#awaiting.take(targetOf(own, name))) this.#tellNews(owner)
      },
    }
  }

  forgetKind(id: string): void {
    const isOfKind = (owner: string) => owner.startsWith(`${id} `)
    this.#index.forget(isOfKind)
    this.#awaiting.forget(isOfKind)
  }

  /** Checks again whether all references are known. */
  refresh(): void {
    const isComplete = this.#index.isComplete && this.#options.isEveryKindSettled()
    const isNews = isComplete && !this.#isComplete
    this.#isComplete = isComplete
    if (isNews) this.#options.completed()
  }

  #tellNews(owner: string): void {
    const [id = '', name = ''] = owner.split(' ')
    this.#options.news(id, parseName(name))
  }

  #found(owner: string, references: readonly Reference[] | undefined): void {
    for (const each of references ?? []) this.#apiVersions.set(keyOf(kindOf(each)), each.apiVersion)
    if (references === undefined) this.#index.setUnknown(owner)
    else this.#index.set(owner, new Set(references.map((each) => targetOf(kindOf(each), each))))
    if (this.#isComplete !== this.#index.isComplete) this.refresh()
  }
}

function ownerOf(id: string, owner: ObjectName): string {
  return `${id} ${printName(owner)}`
}

function kindOf({ apiVersion, kind }: Reference): GroupKind {
  return { group: parseApiVersion(apiVersion).group, kind }
}

function keyOf({ group, kind }: GroupKind): string {
  return `${group} ${kind}`
}

function targetOf(kind: GroupKind, name: ObjectName): string {
  return `${keyOf(kind)} ${printName(name)}`
}

function parseTarget(target: string): { readonly kind: GroupKind; readonly name: ObjectName } {
  const [group = '', kind = '', name = ''] = target.split(' ')
  return { kind: { group, kind }, name: parseName(name) }
}
