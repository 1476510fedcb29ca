import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { effectiveConfig } from '../../src/api/tenant-config/defaults.ts'
import type { ConfigField, ValueOf } from '../../src/api/tenant-config/field.ts'
import { documentField, type documentFields } from '../../src/api/tenant-config/fields.ts'
import { tenantConfigSchema } from '../../src/api/tenant-config/json-schema.ts'
import { parseTenantConfig } from '../../src/api/tenant-config/parse.ts'
import type { patchFields } from '../../src/api/tenant-config/patch-fields.ts'
import { fitsFormat } from '../../src/api/tenant-config/text-format.ts'
import type { EffectiveConfig, PatchConfig, PlatformConfig, TenantConfig } from '../../src/api/tenant-config/types.ts'
import { isJsonObject } from '../../src/base/json/member.ts'
import { toYaml } from '../../src/base/json/to-yaml.ts'
import { parseYaml } from '../../src/base/json/yaml.ts'

/** The types with all intersections resolved, so that they can be compared. */
type Resolved<T> = T extends readonly (infer Item)[]
  ? readonly Resolved<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Resolved<T[K]> }
    : T

interface Document extends EffectiveConfig {
  readonly platform?: PlatformConfig
}

const kind = { enabled: false, patches: [] }
const imported = { enabled: false, mappings: { byName: {} }, patches: [] }

/** Written by hand: the documented defaults. */
const defaults: EffectiveConfig = {
  sync: {
    toHost: {
      endpoints: { enabled: true, patches: [] },
      services: { enabled: true, patches: [] },
      endpointSlices: kind,
      secrets: { enabled: true, all: false, patches: [] },
      configMaps: { enabled: true, all: false, patches: [] },
      namespaces: { enabled: false, mappings: { byName: {} }, patches: [] },
      serviceAccounts: kind,
      ingresses: kind,
      networkPolicies: kind,
      persistentVolumeClaims: { enabled: true, patches: [] },
      pods: { enabled: true, patches: [] },
      podDisruptionBudgets: kind,
      customResources: {},
    },
    fromHost: { configMaps: imported, secrets: imported, customResources: {}, nodes: { mode: 'used', labels: {} } },
  },
  policies: {
    sync: {
      externalIPs: { allowed: [] },
      loadBalancerIP: { allowed: [] },
      externalNames: { allowed: [] },
      nodePorts: { enabled: false },
      loadBalancers: { enabled: false, classes: [] },
      annotations: { allowed: [], denied: [] },
      labels: { allowed: [], denied: [] },
      endpointAddresses: { denied: [], allowed: [] },
      ingresses: { hosts: [] },
      storageClasses: { allowed: [] },
      volumeAttributesClasses: { allowed: [] },
    },
    pods: {
      security: 'baseline',
      tolerations: { allowed: [] },
      nodeSelector: {},
      priorityClasses: {},
      runtimeClasses: { allowed: [] },
      csiDrivers: { allowed: [] },
    },
    isolation: {
      networkPolicies: { enabled: true, allowed: [], fromNamespaces: [], podRanges: [] },
      resourceQuota: { enabled: true, hard: {} },
      limitRange: { enabled: true, defaultRequest: {}, default: {} },
    },
  },
  external: {},
  networking: { clusterDomain: 'cluster.local', hostClusterDomain: 'cluster.local' },
  controlPlane: {
    imagePullSecrets: [],
    replicas: 1,
    resources: { requests: { cpu: '50m', memory: '128Mi' }, limits: {} },
    storage: { size: '1Gi', maxObjects: 50_000, maxTotalSize: '512Mi' },
    labels: {},
    nodeSelector: {},
    affinity: {},
    tolerations: [],
    env: [],
    adminKubeconfig: {},
    controllers: 'embedded',
  },
  license: {},
}

function parsed(text: string): TenantConfig {
  const result = parseTenantConfig(text, 'tenant.yaml')
  if ('config' in result) return result.config
  throw new Error(result.problems.map(({ message }) => message).join('\n'))
}

function allFields(field: ConfigField): readonly ConfigField[] {
  if (field.type === 'list') return [field, ...allFields(field.items)]
  if (field.type === 'map') return [field, ...allFields(field.values)]
  return field.type === 'object' ? [field, ...Object.values(field.members).flatMap(allFields)] : [field]
}

describe('types, defaults and schema', () => {
  it('describe the same document', () => {
    expectTypeOf<Resolved<ValueOf<typeof documentFields>>>().toEqualTypeOf<Resolved<Document>>()
    expectTypeOf<Resolved<ValueOf<typeof patchFields>>>().toEqualTypeOf<Resolved<PatchConfig>>()
  })

  it('agree on the defaults', () => {
    expect(effectiveConfig({})).toEqual(defaults)
    expect(effectiveConfig(parsed(''))).toEqual(defaults)
    expect(effectiveConfig(parsed(toYaml(defaults)))).toEqual(defaults)
  })

  it('have only valid defaults and examples', () => {
    for (const field of allFields(documentField)) {
      if (field.type !== 'text') continue
      expect(fitsFormat(field.default ?? field.format.example, field.format), field.description).toBe(true)
    }
  })

  it('are described throughout, in sentences', () => {
    for (const { description } of allFields(documentField)) expect(description).toMatch(/^[A-Z].*\.$/)
  })

  it('have no place for a secret value: keys are referenced by their Secret', () => {
    const names = allFields(documentField).flatMap((field) =>
      field.type === 'object' ? Object.entries(field.members) : [],
    )
    const telling = names.filter(([name, field]) => field.type === 'text' && /key|token|password|secret/i.test(name))
    expect([...new Set(telling.map(([name]) => name))].sort()).toEqual([
      'issuerKey',
      'key',
      'secretName',
      'topologyKey',
    ])
  })
})

describe('effectiveConfig', () => {
  it('adds defaults and keeps given values', () => {
    const config = parsed(
      'sync: {toHost: {endpoints: {enabled: false}, customResources: {a.b: {}}}}\nplatform: {apiKey: {}}',
    )
    const effective = effectiveConfig(config)
    expect(effective.sync.toHost.endpoints).toEqual({ enabled: false, patches: [] })
    expect(effective.sync.toHost.customResources).toEqual({ 'a.b': kind })
    expect(effective.external).toEqual({
      platform: { apiKey: { secretName: 'tenant-platform-api-key', createRBAC: true } },
    })
    expect(effectiveConfig(effective)).toEqual(effective)
  })

  it('distinguishes the three ways to link: none, dedicated, shared', () => {
    expect(parsed('{}')).toEqual({})
    expect(parsed('external: {platform: {}}')).toEqual({ external: { platform: {} } })
    expect(parsed('platform: {apiKey: {namespace: shared}}')).toEqual({
      external: { platform: { apiKey: { namespace: 'shared' } } },
    })
    expect(parsed('external: {}\nplatform: {}')).toEqual({ external: { platform: {} } })
  })

  it('keeps names of the prototype as user-defined names', () => {
    const config = parsed('sync: {toHost: {customResources: {constructor: {enabled: true}}}}')
    expect(Object.hasOwn(effectiveConfig(config).sync.toHost.customResources, 'constructor')).toBe(true)
    expect(effectiveConfig({}).sync.toHost.customResources).not.toHaveProperty('constructor.enabled')
  })
})

describe('the JSON Schema', () => {
  const validate = new Ajv2020({ strict: true, strictRequired: false, allErrors: true }).compile(tenantConfigSchema())

  it('has a description for every property', () => {
    const silent: string[] = []
    const walk = (node: unknown, name: string): void => {
      if (!isJsonObject(node)) return
      if (isJsonObject(node.properties) && node.additionalProperties === false) {
        for (const [key, property] of Object.entries(node.properties)) {
          if (!isJsonObject(property) || typeof property.description !== 'string') silent.push(`${name}.${key}`)
        }
      }
      for (const [key, child] of Object.entries(node)) walk(child, `${name}.${key}`)
    }
    walk(tenantConfigSchema(), '')
    expect(silent).toEqual([])
  })

  it.each([
    '{}',
    'sync: {toHost: {secrets: {all: true}, customResources: {certificates.cert-manager.io: {enabled: true}}}}',
    'external: {platform: {}}',
    'platform: {apiKey: {secretName: a, namespace: b, createRBAC: false}}',
    'sync: {toHost: {endpoints: {patches: [{path: a, expression: value, reverseExpression: value}]}}}',
    'sync: {toHost: {endpoints: {patches: [{path: a, reference: {apiVersion: v1, kind: Secret}}, {path: b, labels: {}}]}}}',
    `sync: {toHost: {namespaces: {enabled: true, mappings: {byName: {a-*: "x-\${name}-*"}}}}}`,
    'sync: {fromHost: {secrets: {enabled: true, mappings: {byName: {a/b: c/d}}}}}',
    toYaml(defaults),
  ])('accepts %s as the checker does', (text) => {
    expect(parseTenantConfig(text, '')).toHaveProperty('config')
    expect(validate(parseYaml(text).value), JSON.stringify(validate.errors)).toBe(true)
  })

  it.each([
    'sink: {}',
    'sync: {toHost: {endpoints: {enabled: "true"}}}',
    'sync: {toHost: {endpoints: {patches: [{expression: value}]}}}',
    'sync: {toHost: {endpoints: {patches: [{path: a}]}}}',
    'sync: {toHost: {endpoints: {patches: [{path: a, expression: value, labels: {}}]}}}',
    'sync: {toHost: {endpoints: {patches: [{path: a, reference: {kind: Secret}}]}}}',
    'sync: {toHost: {endpoints: {patches: [{path: "", labels: {}}]}}}',
    'sync: {toHost: {customResources: {Certificate: {}}}}',
    'sync: {toHost: {namespaces: {mappings: {byName: {a: B}}}}}',
    'external: {platform: {}}\nplatform: {}',
    'external: {platform: {apiKey: {secretName: ""}}}',
    'controlPlane: {replicas: 0}',
    'controlPlane: {virtualKubeconfig: {}}',
    'networking: {clusterDomain: "."}',
    'external: {platform: null}',
  ])('refuses %s as the checker does', (text) => {
    expect(parseTenantConfig(text, '')).toHaveProperty('problems')
    expect(validate(parseYaml(text).value)).toBe(false)
  })
})
