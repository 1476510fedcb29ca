import { describe, expect, it } from 'vitest'
import { rulesFor } from '../../../../tests/support/examples/worlds.ts'
import type { KubeObject } from '../../../api/object.ts'
import type { Reference } from '../../contract.ts'
import { podsSync } from '../../kinds/pods/pods.ts'
import { NotYet, SyncTrouble } from '../failures/failure.ts'
import type { OtherKinds } from '../kind-parts.ts'
import { requireReferences } from './required-references.ts'

const single = rulesFor(podsSync, 'Pod')
const multi = rulesFor(podsSync, 'Pod', {
  sync: { toHost: { namespaces: { enabled: true, mappings: { byName: { '*': 'x-*' } } } } },
})

const secret = (name: string): Reference => ({ apiVersion: 'v1', kind: 'Secret', namespace: 'shop', name })

const main = { name: 'main', image: 'app:1' }

function podNaming(names: readonly string[]): KubeObject {
  return podOf({ volumes: names.map((name, index) => ({ name: `v${index}`, secret: { secretName: name } })) })
}

function podOf(fields: object): KubeObject {
  const spec = { containers: [main], ...fields }
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'shop' }, spec, status: {} }
}

/** A host on which some objects have a copy, and some will get one. */
function others({ copied = [], coming = [] }: { copied?: readonly string[]; coming?: readonly string[] }): OtherKinds {
  return {
    findService: async () => undefined,
    requirePlace: async () => {},
    isNotSynced: () => false,
    hasCopy: ({ name }) => copied.includes(name),
    lacksCopy: ({ name }) => !copied.includes(name),
    holdersOf: () => [],
    whyAwaited: async ({ name }) => (coming.includes(name) ? 'missing' : undefined),
  }
}

function outcome(rules: typeof single, known: OtherKinds, ...names: readonly string[]): Promise<unknown> {
  return outcomeOf(podNaming(names), rules, known, names.map(secret))
}

async function outcomeOf(
  virtual: KubeObject,
  rules: typeof single,
  known: OtherKinds,
  references: readonly Reference[] = [],
): Promise<unknown> {
  const { signal } = new AbortController()
  try {
    await requireReferences(references, { rules, others: known, signal, virtual, awaits: () => () => {} }, () => {})
    return 'made'
  } catch (error) {
    return error
  }
}

describe('a Pod that names objects', () => {
  it('waits for copies that are on their way', async () => {
    expect(await outcome(single, others({ coming: ['a'] }), 'a')).toBeInstanceOf(NotYet)
    expect(await outcome(multi, others({ coming: ['a'] }), 'a')).toBeInstanceOf(NotYet)
  })

  it('is created if names are translated, whether they exist or not', async () => {
    expect(await outcome(single, others({}), 'a')).toBe('made')
  })

  it('is created if names are kept only if each of them is a copy of the tenant', async () => {
    expect(await outcome(multi, others({ copied: ['a', 'b'] }), 'a', 'b')).toBe('made')
    const refused = await outcome(multi, others({ copied: ['a'] }), 'a', 'operators')
    expect(refused).toBeInstanceOf(SyncTrouble)
    expect(refused).toMatchObject({ trouble: { reason: 'ReferenceNotCopied' } })
  })

  it('is not created even if the foreign one is the last of many', async () => {
    const copied = Array.from({ length: 200 }, (_, index) => `s${index}`)
    expect(await outcome(multi, others({ copied }), ...copied, 'operators')).toBeInstanceOf(SyncTrouble)
  })

  const name = 'operators'
  const optional = true
  const volume = (source: object) => ({ volumes: [{ name: 'v', ...source }] })
  const projected = (source: object) => volume({ projected: { sources: [source] } })
  const variable = (valueFrom: object) => ({ env: [{ name: 'A', valueFrom }] })
  const inMain = (fields: object) => ({ containers: [{ ...main, ...fields }] })
  const inInit = (fields: object) => ({ initContainers: [{ ...main, name: 'init', ...fields }] })

  it.each<[string, object]>([
    ['a volume of a Secret', volume({ secret: { secretName: name } })],
    ['an optional volume of a Secret', volume({ secret: { secretName: name, optional } })],
    ['a volume of a ConfigMap', volume({ configMap: { name } })],
    ['an optional volume of a ConfigMap', volume({ configMap: { name, optional } })],
    ['a projected Secret', projected({ secret: { name } })],
    ['an optional projected Secret', projected({ secret: { name, optional } })],
    ['a projected ConfigMap', projected({ configMap: { name } })],
    ['an optional projected ConfigMap', projected({ configMap: { name, optional } })],
    ['a claim', volume({ persistentVolumeClaim: { claimName: name } })],
    ['a Secret for images', { imagePullSecrets: [{ name }] }],
    ['a variable of a Secret', inMain(variable({ secretKeyRef: { name, key: 'a' } }))],
    ['an optional variable of a Secret', inMain(variable({ secretKeyRef: { name, key: 'a', optional } }))],
    ['a variable of a ConfigMap', inMain(variable({ configMapKeyRef: { name, key: 'a' } }))],
    ['an optional variable of a ConfigMap', inMain(variable({ configMapKeyRef: { name, key: 'a', optional } }))],
    ['all variables of a Secret', inMain({ envFrom: [{ secretRef: { name } }] })],
    ['optional variables of a Secret', inMain({ envFrom: [{ secretRef: { name, optional } }] })],
    ['all variables of a ConfigMap', inMain({ envFrom: [{ configMapRef: { name } }] })],
    ['optional variables of a ConfigMap', inMain({ envFrom: [{ configMapRef: { name, optional } }] })],
    ['a variable of an init container', inInit(variable({ secretKeyRef: { name, key: 'a' } }))],
    ['optional variables of an init container', inInit({ envFrom: [{ secretRef: { name, optional } }] })],
  ])('is not made where names stay by %s that is not the tenant’s', async (_, fields) => {
    const refused = await outcomeOf(podOf(fields), multi, others({}))
    expect(refused).toMatchObject({ trouble: { reason: 'ReferenceNotCopied' } })
    expect(await outcomeOf(podOf(fields), multi, others({ copied: [name] }))).toBe('made')
  })
})
