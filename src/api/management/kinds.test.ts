import { describe, expect, it } from 'vitest'
import type { Kind } from '../kind.ts'
import type { KubeObject } from '../object.ts'
import type { Schema } from '../schema.ts'
import { managementKinds } from './kinds.ts'

const kinds = managementKinds('example.com')

describe('management kinds', () => {
  it('are these, in one group of the platform domain', () => {
    expect(kinds.map((kind) => `${kind.plural}.${kind.group}/${kind.version}`)).toEqual([
      'ownedaccesskeys.management.example.com/v1',
      'projects.management.example.com/v1',
      'spaceinstances.management.example.com/v1',
      'virtualclusterinstances.management.example.com/v1',
      'clusters.management.example.com/v1',
      'users.management.example.com/v1',
      'teams.management.example.com/v1',
      'connectors.management.example.com/v1',
      'trustedissuers.management.example.com/v1',
      'oidcclients.management.example.com/v1',
    ])
    expect(kinds.filter((kind) => kind.namespaced).map((kind) => kind.kind)).toEqual([
      'SpaceInstance',
      'VirtualClusterInstance',
    ])
  })

  it.each(kinds.map((kind) => [kind.kind, kind] as const))('%s is described down to the last field', (_, kind) => {
    const silent = fieldsOf(kind).filter(([, schema]) => (schema.description ?? '') === '')
    expect(silent.map(([path]) => path)).toEqual([])
  })

  it.each(kinds.map((kind) => [kind.kind, kind] as const))('%s says how appliers share its lists', (_, kind) => {
    for (const [path, schema] of fieldsOf(kind)) {
      if (schema.type !== 'array') continue
      expect(schema.listType, path).toBeDefined()
      for (const key of schema.listMapKeys ?? []) {
        expect(path === 'metadata.ownerReferences' || schema.items?.required, path).toBeTruthy()
        expect(schema.items?.required, path).toContain(key)
      }
    }
  })

  it('names are those of kubectl', () => {
    const names = kinds.flatMap((kind) => [kind.plural, kind.singular, ...(kind.shortNames ?? [])])
    expect(new Set(names).size).toBe(names.length)
    expect(kinds.map((kind) => kind.schema.name)).toContain('com.example.management.v1.OwnedAccessKey')
  })
})

describe('OwnedAccessKey', () => {
  const key = kindNamed('OwnedAccessKey')

  it('has every field of the specification', () => {
    const paths = fieldsOf(key).map(([path]) => path)
    expect(paths).toEqual(expect.arrayContaining(specified))
  })

  const now = Date.parse('2026-01-10T00:00:00Z')
  const object: KubeObject = {
    apiVersion: 'management.example.com/v1',
    kind: 'OwnedAccessKey',
    metadata: { name: 'k1', creationTimestamp: '2026-01-07T00:00:00Z' },
    spec: { displayName: 'CI', team: 'builders', type: 'User' },
    status: { phase: 'Active', expiresAt: '2026-01-31T00:00:00Z', lastActivity: '2026-01-09T23:59:00Z', keyId: 'abc' },
  }

  it('shows what matters in kubectl get, and the rest with -o wide', () => {
    expect(cellsOf(key, object, now)).toEqual({
      Name: 'k1',
      'Display Name': 'CI',
      Owner: 'builders',
      Phase: 'Active',
      Expires: 'in 21d',
      'Last Activity': '60s ago',
      Age: '3d',
    })
    expect(key.columns?.filter((column) => column.priority === 1).map((column) => column.name)).toEqual([
      'Type',
      'Key Id',
    ])
  })

  it('shows an object that has nothing but a name', () => {
    const bare: KubeObject = { apiVersion: 'v1', kind: 'OwnedAccessKey', metadata: { name: 'k1' } }
    expect(cellsOf(key, bare, now)).toMatchObject({ Owner: '', Phase: '', Expires: 'never', Age: '<unknown>' })
  })

  it('can be selected by its owner', () => {
    expect(key.selectableFields?.['spec.team']?.(object)).toBe('builders')
    expect(key.selectableFields?.['spec.user']?.(object)).toBe('')
  })

  it('refuses a negative ttl and an unknown type', () => {
    const messages = key.strategy.validate?.({ ...object, spec: { ttl: -1, type: 'Robot' } })
    expect(messages?.map(({ field, message }) => `${field}: ${message}`)).toEqual([
      'spec.ttl: Invalid value: -1: must be greater than or equal to 0',
      'spec.type: Unsupported value: "Robot": supported values: "User", "Login", "Other", "Reset", "OIDCRefreshToken", "NetworkPeer", "Workspace"',
    ])
    expect(key.strategy.validate?.(object)).toEqual([])
  })

  it('is given the grace period that the delete request asks for', () => {
    expect(key.goesWhenGraceEnds).toBe(true)
    expect(key.strategy.gracePeriodSeconds?.(object, 30)).toBe(30)
    expect(key.strategy.gracePeriodSeconds?.(object, undefined)).toBe(0)
  })
})

const specified = [
  'spec.displayName spec.description spec.user spec.team spec.subject spec.groups spec.key spec.disabled spec.ttl',
  'spec.ttlAfterLastActivity spec.type spec.parent spec.scope.roles.role spec.scope.roles.projects',
  'spec.scope.roles.virtualClusters spec.scope.projects.project spec.scope.spaces.project spec.scope.spaces.space',
  'spec.scope.virtualClusters.project spec.scope.virtualClusters.virtualCluster spec.scope.clusters.cluster',
  'spec.scope.rules.verbs spec.scope.rules.resources.group spec.scope.rules.resources.resources',
  'spec.scope.rules.resources.resourceNames spec.scope.rules.namespaces spec.scope.rules.nonResourceURLs',
  'spec.scope.rules.requestTargets spec.scope.rules.cluster spec.scope.rules.virtualClusters.name',
  'spec.scope.rules.virtualClusters.namespace spec.scope.allowPlatformCli spec.identity.userId',
  'spec.identity.username spec.identity.preferredUsername spec.identity.email spec.identity.emailVerified',
  'spec.identity.extraClaims spec.identity.groups spec.identity.connector spec.identity.connectorData',
  'spec.identity.identityRefresh spec.oidcProvider.clientId spec.oidcProvider.nonce spec.oidcProvider.redirectUri',
  'spec.oidcProvider.scopes spec.oidcLogin.idToken spec.oidcLogin.accessToken spec.oidcLogin.refreshToken',
  'spec.oidcLogin.lastRefresh status.lastActivity status.phase status.expiresAt status.keyId status.lastUsedFrom',
  'status.rotation',
].flatMap((line) => line.split(' '))

function kindNamed(name: string): Kind {
  const kind = kinds.find((each) => each.kind === name)
  if (kind === undefined) throw new Error(`There is no kind ${name}.`)
  return kind
}

/** Every named field below a kind, with its dotted path. */
function fieldsOf(kind: Kind): readonly (readonly [string, Schema])[] {
  return membersOf('', kind.schema)
}

function membersOf(prefix: string, schema: Schema): readonly (readonly [string, Schema])[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`
    return [[path, member] as const, ...membersOf(path, member)]
  })
  return schema.items === undefined ? own : [...own, ...membersOf(prefix, schema.items)]
}

function cellsOf(kind: Kind, object: KubeObject, nowMs: number): Record<string, unknown> {
  const shown = (kind.columns ?? []).filter((column) => (column.priority ?? 0) === 0)
  return Object.fromEntries(shown.map((column) => [column.name, column.value(object, nowMs)]))
}
