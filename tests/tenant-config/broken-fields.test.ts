import { describe, expect, it } from 'vitest'
import { brief, problemsOf } from './support.ts'

/** Errors in single fields: each document, and every problem in it. */
const broken: readonly (readonly [name: string, text: string, problems: readonly string[]])[] = [
  [
    'a misspelt field',
    'sync:\n  toHost:\n    endpoints:\n      enabeld: true\n',
    ['4:7+7 unknown field "enabeld" in sync.toHost.endpoints (did you mean "enabled"?)'],
  ],
  [
    'other spellings of known fields',
    'sync:\n  to-host: {}\n  fromhost: {}\nExternal: {}\n',
    [
      '2:3+7 unknown field "to-host" in sync (did you mean "toHost"?)',
      '3:3+8 unknown field "fromhost" in sync (did you mean "fromHost"?)',
      '4:1+8 unknown field "External" (did you mean "external"?)',
    ],
  ],
  [
    'a field in the wrong place',
    'endpoints: {enabled: true}\nsync: {apiKey: {}}\n',
    [
      '1:1+9 unknown field "endpoints" (its place is sync.toHost.endpoints)',
      '2:8+6 unknown field "apiKey" in sync (its place is external.platform.apiKey or platform.apiKey)',
    ],
  ],
  [
    'an unknown field',
    'zebra: 1\nnetworking: {"": 1}\n',
    [
      '1:1+5 unknown field "zebra" (known here: sync, policies, external, platform, networking, controlPlane, license)',
      '2:14+2 unknown field "" in networking (known here: clusterDomain, hostClusterDomain, apiAddress, dnsAddress)',
    ],
  ],
  [
    'names of the prototype',
    '__proto__: {enabled: true}\nconstructor: 1\nsync: {toString: {}, hasOwnProperty: 1}\n',
    [
      '1:1+9 unknown field "__proto__" (known here: sync, policies, external, platform, networking, controlPlane, license)',
      '2:1+11 unknown field "constructor" (known here: sync, policies, external, platform, networking, controlPlane, license)',
      '3:8+8 unknown field "toString" in sync (known here: toHost, fromHost)',
      '3:22+14 unknown field "hasOwnProperty" in sync (known here: toHost, fromHost)',
    ],
  ],
  [
    'wrong types',
    `sync:
  toHost:
    endpoints: true
    services:
      enabled: "true"
      patches: {path: a}
    secrets: {enabled: maybe, all: 1}
    configMaps: [enabled]
external:
  platform: shared
controlPlane:
  replicas: "2"
  image: 12
  storage: {size: [1Gi]}
`,
    [
      '3:16+4 sync.toHost.endpoints must be a mapping, not true (write endpoints: {enabled: true})',
      '5:16+6 sync.toHost.services.enabled must be true or false, not text (write true without quotes)',
      '6:16+9 sync.toHost.services.patches must be a list, not a mapping (start each entry with a dash)',
      '7:24+5 sync.toHost.secrets.enabled must be true or false, not text (write true or false)',
      '7:36+1 sync.toHost.secrets.all must be true or false, not a number (write true or false)',
      '8:17+9 sync.toHost.configMaps must be a mapping, not a list (remove the dashes)',
      '10:13+6 external.platform must be a mapping, not text',
      '12:13+3 controlPlane.replicas must be a whole number from 1 to 100, not text (remove the quotes)',
      '13:10+2 controlPlane.image must be text, not a number (put it in quotes)',
      '14:19+5 controlPlane.storage.size must be text, not a list',
    ],
  ],
  [
    'nothing where something should be',
    'sync:\n  toHost:\n    endpoints:\n      enabled:\n      patches:\n    services: ~\nexternal:\n  platform:\n',
    [
      '4:7+7 sync.toHost.endpoints.enabled must be true or false, but nothing is written (give it a value, or remove the line)',
      '5:7+7 sync.toHost.endpoints.patches must be a list, but nothing is written (write [] for an empty list, or remove the line)',
      '6:15+1 sync.toHost.services must be a mapping, not null (write {} if it has no settings, or remove the line)',
      '8:3+8 external.platform must be a mapping, but nothing is written (write {} if it has no settings, or remove the line)',
    ],
  ],
  [
    'values that are not allowed',
    `external:
  platform:
    apiKey:
      secretName: ""
      namespace: My_Namespace
      createRBAC: yes
networking: {clusterDomain: cluster.local., hostClusterDomain: "a b"}
controlPlane:
  replicas: 0
  storage: {size: large}
  virtualKubeconfig: {}
`,
    [
      '4:19+2 external.platform.apiKey.secretName is empty (remove the line to get tenant-platform-api-key)',
      '5:18+12 external.platform.apiKey.namespace must be the name of a namespace: lower-case letters, digits and - (an example is tenant-platform)',
      '7:29+14 networking.clusterDomain must be a domain: lower-case labels joined by dots, without a dot at the end (an example is cluster.local)',
      '7:64+5 networking.hostClusterDomain must be a domain: lower-case labels joined by dots, without a dot at the end (an example is cluster.local)',
      '9:13+1 controlPlane.replicas must be a whole number from 1 to 100, and this number is not',
      '10:19+5 controlPlane.storage.size must be an amount of storage such as 500Mi or 5Gi (an example is 5Gi)',
      '11:22+2 controlPlane.virtualKubeconfig needs secretName',
    ],
  ],
  [
    'numbers that JavaScript cannot hold, and those that are not whole',
    'controlPlane: {replicas: 9007199254740993}\n',
    ['1:26+16 controlPlane.replicas must be a whole number from 1 to 100, and this number is not'],
  ],
  [
    'repeated keys',
    'sync: {}\nsync: {}\nnetworking:\n  clusterDomain: a\n  "clusterDomain": b\n',
    [
      '2:1+4 "sync" is given more than once (keep one of them)',
      '5:3+15 "clusterDomain" is given more than once (keep one of them)',
    ],
  ],
  [
    'both forms of platform',
    'platform: {}\nexternal:\n  platform: {}\n',
    [
      '1:1+8 platform and external.platform are the same setting, and both are given (keep external.platform and remove this one)',
    ],
  ],
  [
    'a key instead of the Secret that holds it',
    'external:\n  platform:\n    apiKey: tpk_abc\n',
    [
      '3:13+7 external.platform.apiKey must be a mapping, not text (name the Secret that holds it with secretName; keys themselves do not belong into this file)',
    ],
  ],
  [
    'external controllers without a program',
    'controlPlane: {controllers: external}\n',
    [
      '1:29+8 external controllers need an image of kube-controller-manager (name it in controlPlane.controllerManager.image)',
    ],
  ],
  [
    'external controllers of an API server that has its own',
    'controlPlane: {controllers: external, virtualKubeconfig: {secretName: a}}\n',
    ['1:29+8 an existing API server already has controllers (remove controllers, or controlPlane.virtualKubeconfig)'],
  ],
  [
    'controllers of another kind',
    'controlPlane: {controllers: none}\n',
    ['1:29+4 controlPlane.controllers must be embedded or external (an example is embedded)'],
  ],
  [
    'several replicas with an embedded store',
    'controlPlane:\n  replicas: 3\n',
    [
      '2:13+1 a virtual cluster that keeps its objects in its volume cannot have several replicas (set replicas to 1, or name an etcd with controlPlane.storage.etcd, into which an upgrade moves its objects)',
    ],
  ],
  [
    'invalid settings for Pods of the control plane',
    `controlPlane:
  resources: {requests: {cpu: lots}, limits: {memory: 1GB}}
  tolerations: [{key: pool, operator: Is, effect: Never}]
  env: [{name: A-B, value: x}, {name: C}, {name: POD_NAME, value: x}]
  affinity: {nodeAffinity: {required: []}}
`,
    [
      '2:31+4 controlPlane.resources.requests.cpu must be an amount of processor time such as 500m or "2" (an example is 500m)',
      '2:55+3 controlPlane.resources.limits.memory must be an amount of memory such as 500Mi or 2Gi (an example is 512Mi)',
      '3:39+2 controlPlane.tolerations[0].operator must be Equal or Exists (an example is Equal)',
      '3:51+5 controlPlane.tolerations[0].effect must be NoSchedule, PreferNoSchedule or NoExecute (an example is NoSchedule)',
      '4:16+3 controlPlane.env[0].name must be the name of a variable: letters, digits and _ (an example is HTTPS_PROXY)',
      '4:33+4 controlPlane.env[1] does nothing (give it one of value or secret)',
      '4:50+8 POD_NAME is set by tenant create itself (remove it; its settings have their own flags and fields)',
      '5:29+8 unknown field "required" in controlPlane.affinity.nodeAffinity (known here: requiredDuringSchedulingIgnoredDuringExecution, preferredDuringSchedulingIgnoredDuringExecution)',
    ],
  ],
  [
    'a document that is not a mapping',
    '- sync\n',
    ['1:1+6 the document must be a mapping, not a list (remove the dashes)'],
  ],
  ['a word', 'sync', ['1:1+4 the document must be a mapping, not text']],
]

const unreadable: readonly (readonly [name: string, text: string, problems: readonly string[]])[] = [
  [
    'a ternary without quotes',
    'sync:\n  toHost:\n    endpoints:\n      patches:\n      - path: a\n        expression: value ? "a" : "b"\n',
    [
      '6:21+1 a value cannot hold ": " unless it is quoted (put the whole value in quotes, or write |- and the value on the next line)',
    ],
  ],
  [
    'an expression that starts with quotes',
    'a:\n  expression: "x-" + value\n',
    ['2:20+7 this does not belong here (put the whole value in quotes, or write |- and the value on the next line)'],
  ],
  ['tabs', 'sync:\n\ttoHost: {}\n', ['2:1+1 a tab cannot indent a line (indent with spaces)']],
  ['an open bracket', 'sync: {toHost: {}\nx: 1', ['2:1+1 expected } before this (close the { that is still open)']],
  [
    'two documents',
    'sync: {}\n---\nsync: {}\n',
    [
      '3:1+1 a second document starts here, and only one is allowed (remove the line --- before it, or move it to a separate file)',
    ],
  ],
  ['an alias without anchor', 'sync: *base\n', ['1:7+5 there is no anchor &base before this alias']],
]

describe('a tenant.yaml with errors', () => {
  it.each(broken)('%s: every problem is reported with its position', (_name, text, expected) => {
    expect(problemsOf(text).map(brief)).toEqual(expected)
  })

  it.each(unreadable)('invalid YAML because of %s: the error says where and what to do', (_name, text, expected) => {
    expect(problemsOf(text).map(brief)).toEqual(expected)
    expect(problemsOf(text).every(({ code }) => code === 'syntax')).toBe(true)
  })

  it('counts columns like editors, even after a byte order mark and with Windows line ends', () => {
    expect(
      problemsOf('\ufeffzebra: 1\r\n"😀": 2\r\nsync: {x😀: 1}').map(({ line, column, length }) => [
        line,
        column,
        length,
      ]),
    ).toEqual([
      [1, 1, 5],
      [2, 1, 4],
      [3, 8, 3],
    ])
  })

  it('reports problems once if an alias repeats them', () => {
    const text = 'sync:\n  toHost:\n    endpoints: &kind {enabeld: true}\n    services: *kind\n'
    expect(problemsOf(text).map(({ line, column, field }) => [line, column, field])).toEqual([
      [3, 23, 'sync.toHost.endpoints.enabeld'],
      [3, 23, 'sync.toHost.services.enabeld'],
    ])
  })

  it('refuses an oversized file', () => {
    expect(problemsOf(`# ${'x'.repeat(2 ** 18)}`)[0]?.code).toBe('too-large')
    expect(problemsOf(`# ${'x'.repeat(2 ** 18 - 10)}`)).toEqual([])
  })
})
