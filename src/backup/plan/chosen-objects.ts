import { asMembers, asObjects } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { objectsRoot, parseRelativeKey, prefixOfKey } from '../../registry/storage-key.ts'
import type { StoredValue } from '../../storage/contract.ts'
import { BackupRefused } from '../backup-refused.ts'
import { kindOfKey } from '../records/tally.ts'
import { objectIn, shownPart } from '../verify-backup.ts'

/** Which part of a backup is wanted. */
export type RestoreChoice =
  /** The namespace itself and everything in it. */
  | { readonly type: 'namespace'; readonly namespace: string }
  | { readonly type: 'object'; readonly object: ObjectChoice }

export interface ObjectChoice {
  /** Empty: the core group. Absent: any group with that plural. */
  readonly group?: string
  readonly plural: string
  /** Empty for cluster-scoped objects. */
  readonly namespace: string
  readonly name: string
}

/** An object as stored. */
export interface ChosenObject {
  /** `apps/deployments` */
  readonly kind: string
  readonly group: string
  readonly plural: string
  readonly object: Readonly<Record<string, unknown>>
}

const mostBytes = 256 * 1024 * 1024
const definitions = 'apiextensions.k8s.io/customresourcedefinitions'

/** Picks objects from a backup while it is read. None of them may be used before the whole backup has been read. */
export class ChosenObjects {
  readonly #choice: RestoreChoice
  readonly #objects: ChosenObject[] = []
  /** For custom kinds: the version in which they are stored. */
  readonly #storedVersions = new Map<string, string>()
  #bytes = 0

  constructor(choice: RestoreChoice) {
    this.#choice = choice
  }

  get objects(): readonly ChosenObject[] {
    return this.#objects
  }

  /** Undefined: a builtin kind, which has one version. */
  storedVersionOf(kind: string): string | undefined {
    return this.#storedVersions.get(kind)
  }

  add({ key, value }: StoredValue): void {
    if (!key.startsWith(objectsRoot)) return
    const kind = kindOfKey(key)
    if (kind === definitions) this.#note(objectIn(shownPart(value), key))
    const [storedGroup = '', plural = ''] = kind.split('/')
    const group = storedGroup === 'core' ? '' : storedGroup
    if (!isChosen(this.#choice, { group, plural, ...parseRelativeKey(key.slice(prefixOfKey(key).length)) })) return
    this.#bytes += value.byteLength
    if (this.#bytes > mostBytes)
      throw new BackupRefused(`more than ${mostBytes} bytes are asked for at once: restore single objects by --object`)
    // The sealed part is left behind: it is not for clients.
    this.#objects.push({ kind, group, plural, object: objectIn(shownPart(value), key) })
  }

  #note({ spec }: Readonly<Record<string, unknown>>): void {
    const { group, names, versions } = asMembers(spec)
    const plural = isJsonObject(names) ? names.plural : ''
    const all = asObjects(versions)
    const stored = all.find(({ storage }) => storage === true)?.name
    if (typeof stored === 'string') this.#storedVersions.set(`${String(group)}/${String(plural)}`, stored)
  }
}

function isChosen(choice: RestoreChoice, at: ObjectChoice & { readonly group: string }): boolean {
  if (choice.type === 'namespace') {
    const isItself = at.group === '' && at.plural === 'namespaces' && at.name === choice.namespace
    return isItself || at.namespace === choice.namespace
  }
  const { group, plural, namespace, name } = choice.object
  const isKind = at.plural === plural && (group === undefined || group === at.group)
  return isKind && at.namespace === namespace && at.name === name
}

/** `configmaps/app`, `deployments.apps/web`. Undefined for anything else. */
export function parseObjectChoice(text: string, namespace: string): ObjectChoice | undefined {
  const match = /^([a-z0-9-]+)(?:\.([a-z0-9.-]+))?\/([^/\s]+)$/.exec(text)
  const [, plural, group, name] = match ?? []
  if (plural === undefined || name === undefined) return undefined
  return { plural, name, namespace, ...(group !== undefined && { group }) }
}
