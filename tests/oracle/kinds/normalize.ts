import { canonical } from './canonical.ts'
import { nameSuffix, normalText, uuid } from './normal-text.ts'
import { isObject } from './paths.ts'

const times = new Set([
  'creationTimestamp',
  'deletionTimestamp',
  'time',
  'lastTransitionTime',
  'expirationTimestamp',
  'renewTime',
  'acquireTime',
])
const uids = new Set(['uid', 'controller-uid', 'batch.kubernetes.io/controller-uid'])
const hashLabels = new Set(['pod-template-hash', 'controller-revision-hash', 'controller.kubernetes.io/hash'])
/** Written by a controller whenever it has looked at an autoscaler; the recording was always faster. */
const lateAnnotation = 'autoscaling.alpha.kubernetes.io/conditions'
const certificates = new Set(['caBundle', 'ca.crt', 'certificate'])
const age = /^(?=\d)(\d+y)?(\d+d)?(\d+h)?(\d+m)?(\d+s)?$|^<invalid>$/
const hashInName = new RegExp(`(?<=[a-z0-9]-)${nameSuffix}{6,10}(?![a-z0-9])`, 'g')

export interface Normalizer {
  /** Learns the names and hashes that an answer mentions. */
  scan(value: unknown): void
  normal(value: unknown): unknown
}

/**
 * Replaces the differences between two runs on one server, separately for every story: uids become `<uid:NAME#nth>`,
 * versions `<rv>`, times `<time>`, hashes of pod templates `<hash:nth>`, and names made from generateName end in
 * `<sfx>`.
 */
export function createNormalizer(): Normalizer {
  const knownUids = new Map<string, string>()
  const uidCounts = new Map<string, number>()
  const hashes = new Map<string, string>()
  const names = new Map<string, string>()

  const learnHash = (hash: string) => {
    if (!hashes.has(hash)) hashes.set(hash, `<hash:${hashes.size + 1}>`)
  }
  const uidName = (uid: string, owner: string): string => {
    if (/^(\d)\1{7}-/.test(uid)) return uid
    const known = knownUids.get(uid)
    if (known !== undefined) return known
    const count = (uidCounts.get(owner) ?? 0) + 1
    uidCounts.set(owner, count)
    const name = `<uid:${owner}#${count}>`
    knownUids.set(uid, name)
    return name
  }
  const learnGeneratedName = (metadata: unknown) => {
    if (!isObject(metadata)) return
    const { name, generateName } = metadata
    if (typeof name !== 'string' || typeof generateName !== 'string' || generateName === '') return
    if (name.startsWith(generateName) && name.length === generateName.length + 5) {
      names.set(name, `${generateName}<sfx>`)
    }
  }
  const scan = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) scan(each)
    if (typeof value === 'string' && value.length < 1000) {
      for (const [hash] of value.replace(new RegExp(uuid, 'g'), '').matchAll(hashInName)) learnHash(hash)
    }
    if (!isObject(value)) return
    learnGeneratedName(value.metadata)
    for (const [key, member] of Object.entries(value)) {
      if (hashLabels.has(key) && typeof member === 'string' && member !== '') learnHash(member.split('-').at(-1) ?? '')
      scan(member)
    }
  }
  const text = (value: string): string => knownUids.get(value) ?? normalText(value, names, hashes)

  const member = (key: string, value: unknown, holder: Record<string, unknown>, parent: string): unknown => {
    if (typeof value === 'string') {
      if (key === 'description' && parent === 'columnDefinitions') return '<doc>'
      if (uids.has(key) && new RegExp(`^${uuid}$`).test(value)) {
        return uidName(value, key === 'uid' ? text(String(holder.name ?? '')) : '')
      }
      if (key === 'resourceVersion' && value !== '' && value !== '0') return '<rv>'
      if (key === 'continue' && value !== '') return '<continue>'
      if (times.has(key)) return '<time>'
      if (key === 'token' && value.split('.').length === 3) return '<jwt>'
      if (key === 'clusterIP' && value.startsWith('10.')) return '<ip>'
      if (certificates.has(key) && value.length > 100) return '<pem>'
    }
    if (key === 'clusterIPs' && Array.isArray(value)) {
      return value.map((address: string) => (address.startsWith('10.') ? '<ip>' : address))
    }
    if ((key === 'nodePort' || key === 'healthCheckNodePort') && typeof value === 'number' && value !== 0) {
      return '<nodePort>'
    }
    return walk(value, key)
  }
  const walk = (value: unknown, key = ''): unknown => {
    if (typeof value === 'string') return text(value)
    if (Array.isArray(value)) return key === 'cells' ? value.map(cell) : value.map((each) => walk(each, key))
    if (!isObject(value)) return value
    const result: Record<string, unknown> = {}
    for (const [name, each] of Object.entries(value)) {
      if (name === 'annotations' && isObject(each) && Object.keys(each).join() === lateAnnotation) continue
      result[name.includes('-') ? text(name) : name] = member(name, each, value, key)
    }
    if (Array.isArray(result.managedFields)) result.managedFields = sortedManagers(result.managedFields)
    return result
  }
  const cell = (value: unknown): unknown => {
    if (typeof value !== 'string') return walk(value)
    if (age.test(value)) return '<age>'
    return /^10\.\d+\.\d+\.\d+$/.test(value) ? '<ip>' : text(value).replace(/:3\d{4}\//g, ':<nodePort>/')
  }
  return {
    scan,
    normal: (value) => {
      scan(value)
      return walk(value)
    },
  }
}

function sortedManagers(entries: readonly unknown[]): unknown[] {
  const key = (entry: unknown) =>
    isObject(entry)
      ? [entry.manager, entry.operation, entry.subresource ?? '', canonical(entry)].join('\n')
      : canonical(entry)
  return entries
    .filter((entry) => !isObject(entry) || entry.manager !== 'kube-controller-manager')
    .sort((left, right) => (key(left) < key(right) ? -1 : 1))
}
