import { describe, expect, it } from 'vitest'
import { brief, problemsOf, warningsOf } from './support.ts'

describe('invalid patches', () => {
  it('are all reported at once', () => {
    const text = `sync:
  toHost:
    endpoints:
      patches:
        - path: a.b
        - path: a.b
          expression: value
          reference: {apiVersion: v1}
        - expression: 42
        - path: ""
          labels: {app: web}
        - metadata.labels
        -
        - path: c
          reverseExpression: value
          labels: {}
        - path: d
          reference: {kind: secret, kindPth: x, apiVersion: apps/v1/x}
`
    const list = 'sync.toHost.endpoints.patches'
    expect(problemsOf(text).map(brief)).toEqual([
      `5:11+4 ${list}[0] does nothing (give it one of expression, reverseExpression, reference or labels)`,
      `6:17+3 ${list}[1] has the same path as ${list}[0] (put both changes into one entry)`,
      `8:11+9 ${list}[1] has expression and reference, and only one of them is allowed (make two entries with different paths, or remove one of them)`,
      `8:23+10 ${list}[1].reference needs kind, kindPath or labels`,
      `9:11+10 ${list}[2] needs path`,
      `9:23+2 ${list}[2].expression must be text, not a number (put it in quotes)`,
      `10:17+2 ${list}[3].path is empty (give it a value such as metadata.annotations[*])`,
      `11:20+3 unknown field "app" in ${list}[3].labels (nothing can be set here; write {})`,
      `12:11+15 ${list}[4] must be a mapping, not text`,
      `13:10+0 ${list}[5] must be a mapping, but nothing is written (remove the dash, or write an entry behind it)`,
      `16:11+6 ${list}[6] has reverseExpression and labels, and only one of them is allowed (make two entries with different paths, or remove one of them)`,
      `18:29+6 ${list}[7].reference.kind must be the name of a kind such as Secret (an example is Secret)`,
      `18:37+7 unknown field "kindPth" in ${list}[7].reference (did you mean "kindPath"?)`,
      `18:61+9 ${list}[7].reference.apiVersion must be an API version such as v1 or apps/v1 (an example is cert-manager.io/v1)`,
    ])
  })

  it.each([
    '{path: a, expression: value}',
    '{path: a, reverseExpression: value}',
    '{path: a, expression: value, reverseExpression: value}',
    '{path: a, reference: {apiVersion: v1, kind: Secret}}',
    '{path: a, reference: {apiVersionPath: v, kindPath: k, namePath: name, namespacePath: ns}}',
    '{path: a, reference: {labels: {}}}',
    '{path: a, reference: {apiVersion: v1, kind: Pod, labels: {}}}',
    '{path: a, labels: {}}',
  ])('do not include %s', (patch) => {
    expect(problemsOf(`sync: {toHost: {endpoints: {patches: [${patch}]}}}`)).toEqual([])
  })

  it('include expressions for a direction that imports never take', () => {
    const text = `sync:
  fromHost:
    secrets:
      enabled: true
      mappings: {byName: {shared/*: shared/*}}
      patches:
      - {path: a, reverseExpression: value}
      - {path: b, expression: value}
`
    expect(problemsOf(text).map(brief)).toEqual([
      '8:19+10 expression is for the way to the host, and these objects only come from the host (call it reverseExpression)',
    ])
  })
})

describe('mappings', () => {
  function mapped(kind: string, mappings: readonly string[]): readonly string[] {
    const lines = mappings.map((mapping) => `          ${mapping}`)
    const [section, name] = kind.split('.')
    const text = `sync:\n  ${section}:\n    ${name}:\n      enabled: true\n      mappings:\n        byName:\n${lines.join('\n')}\n`
    return problemsOf(text)
      .filter(({ severity }) => severity === 'error')
      .map((problem) => `${problem.line}:${problem.column} ${problem.message}`)
  }

  it.each<[string, readonly string[], readonly string[]]>([
    ['toHost.namespaces', ['a: host-a', 'b-*: host-b-*', `"*": \${name}-*`, 'b-x: host-b-x'], []],
    [
      'toHost.namespaces',
      ['team-*: one', 'one: team-*'],
      ['7:19 "team-*" and "one" do not fit together', '8:16 "one" and "team-*" do not fit together'],
    ],
    ['toHost.namespaces', ['a: host', 'b: host'], ['8:14 "b" can end up in the same place as "a"']],
    ['toHost.namespaces', ['a-*: host-*', 'b: host-1'], ['8:14 "b" can end up in the same place as "a-*"']],
    ['toHost.namespaces', ['b-*: host-x-*', 'a-*: host-*'], ['8:16 "a-*" can end up in the same place as "b-*"']],
    ['toHost.namespaces', ['a-*: host-*', 'a-x-*: host-x-*', 'a-1: host-1'], []],
    [
      'toHost.namespaces',
      ['a*b: c', 'A: d', 'e: f_g'],
      [
        '7:11 sync.toHost.namespaces.mappings.byName has "a*b", where it takes a namespace, or the start of one and * at its end',
        '8:11 sync.toHost.namespaces.mappings.byName has "A", where it takes a namespace, or the start of one and * at its end',
        `9:14 sync.toHost.namespaces.mappings.byName.e must be a namespace, or the start of one and * at its end; \${name} stands for the tenant's name`,
      ],
    ],
    [
      'toHost.namespaces',
      ['a: {}', 'b:', '"": c', 'd: ""'],
      [
        '7:14 sync.toHost.namespaces.mappings.byName.a must be text, not a mapping',
        '8:11 sync.toHost.namespaces.mappings.byName.b must be text, but nothing is written',
        '9:11 sync.toHost.namespaces.mappings.byName has an empty name, where it takes a namespace, or the start of one and * at its end',
        '10:14 sync.toHost.namespaces.mappings.byName.d is empty',
      ],
    ],
    ['fromHost.configMaps', ['shared/a: default/a', 'shared/*: all/*'], []],
    [
      'fromHost.configMaps',
      ['a: b'],
      [
        '7:11 sync.fromHost.configMaps.mappings.byName has "a", where it takes namespace/name, or namespace/* for all of a namespace',
        '7:14 sync.fromHost.configMaps.mappings.byName.a must be namespace/name, or namespace/* for all of a namespace',
      ],
    ],
    ['fromHost.secrets', ['a/*: all/*', 'b/*: all/*'], ['8:16 "b/*" can end up in the same place as "a/*"']],
    ['fromHost.secrets', ['a/*: all/one'], ['7:16 "a/*" and "all/one" do not fit together']],
  ])('%s %j', (kind, mappings, expected) => {
    expect(mapped(kind, mappings)).toEqual(expected)
  })

  it('are required if nothing happens without them', () => {
    const text =
      'sync: {toHost: {namespaces: {enabled: true}}, fromHost: {secrets: {enabled: true, mappings: {byName: {}}}}}'
    expect(problemsOf(text).map(({ column, code }) => [column, code])).toEqual([
      [30, 'missing-field'],
      [68, 'missing-field'],
    ])
    const custom = 'sync: {fromHost: {customResources: {issuers.cert-manager.io: {enabled: true}}}}'
    expect(problemsOf(custom).map(({ code }) => code)).toEqual(['missing-field'])
  })

  it('of cluster-scoped custom resources have no namespaces', () => {
    const issuers = (mapping: string) =>
      problemsOf(
        `sync: {fromHost: {customResources: {clusterissuers.cert-manager.io: {enabled: true, mappings: {byName: {${mapping}}}}}}}`,
      ).map(({ message }) => message)
    expect(issuers('"*": "*"')).toEqual([])
    expect(issuers('main: shared')).toEqual([])
    expect(issuers('main: ns/shared')).toEqual(['"main" and "ns/shared" do not fit together'])
  })

  it('are compared with each other, however many there are', () => {
    const many = Array.from({ length: 3_000 }, (_, index) => `n${index}: h${index % 2_999}`)
    expect(mapped('toHost.namespaces', many)).toEqual(['3006:18 "n2999" can end up in the same place as "n0"'])
  })
})

describe('custom resources', () => {
  it('are named by plural and group', () => {
    const text = `sync:
  toHost:
    customResources:
      certificates.cert-manager.io: {enabled: true}
      certificates: {enabled: true}
      Certificate: {enabled: true}
      configmaps: {enabled: true}
      ingresses.networking.k8s.io: {}
  fromHost:
    customResources: {namespaces: {}, secrets: {}}
`
    expect(problemsOf(text).map(brief)).toEqual([
      '6:7+11 sync.toHost.customResources has "Certificate", where it takes the plural of a resource and its group, in lower case (an example is certificates.cert-manager.io)',
      '7:7+10 "configmaps" is not a custom resource (its place is sync.toHost.configMaps)',
      '8:7+27 "ingresses.networking.k8s.io" is not a custom resource (its place is sync.toHost.ingresses)',
      '10:23+10 "namespaces" is not a custom resource (objects of this kind cannot come from the host)',
      '10:39+7 "secrets" is not a custom resource (its place is sync.fromHost.secrets)',
    ])
  })
})

describe('warnings', () => {
  it.each([
    [
      'settings of a disabled kind',
      'sync: {toHost: {endpointSlices: {patches: [{path: a, expression: value}]}, secrets: {enabled: false, all: true}}}',
      [
        '1:34+7 sync.toHost.endpointSlices.patches has no effect, because sync.toHost.endpointSlices is not enabled (set enabled: true in sync.toHost.endpointSlices)',
        '1:102+3 sync.toHost.secrets.all has no effect, because sync.toHost.secrets is not enabled (set enabled: true in sync.toHost.secrets)',
      ],
    ],
    [
      'an unused controller manager',
      'controlPlane: {controllerManager: {image: a}}',
      [
        '1:16+17 controlPlane.controllerManager has no effect, because the tenant itself acts on workloads (set controllers: external in controlPlane)',
      ],
    ],
    [
      'Services without Endpoints',
      'sync:\n  toHost:\n    endpoints: {enabled: false}\n',
      [
        '3:26+5 Services are synced and Endpoints are not, so Services have no addresses in the host (enable endpoints, or disable services as well)',
      ],
    ],
    ['neither', 'sync:\n  toHost:\n    endpoints: {enabled: false}\n    services: {enabled: false}\n', []],
    [
      'namespaces that mix with those of the host',
      'sync: {toHost: {namespaces: {enabled: true, mappings: {byName: {"*": "*"}}}}}',
      [
        `1:70+3 every namespace of the virtual cluster, kube-system too, becomes the namespace of the same name in the host (keep them apart, for example with \${name}-*)`,
      ],
    ],
  ])('%s', (_name, text, expected) => {
    expect(warningsOf(text).map(brief)).toEqual(expected)
    expect(problemsOf(text)).toEqual([])
  })
})
