import { describe, expect, it } from 'vitest'
import { parseTenantConfig } from '../../src/api/tenant-config/parse.ts'

const under = (text: string) => `policies:\n  sync:\n    ${text}\n`

/** The place and the message of every problem. */
function problemsOf(text: string): readonly string[] {
  const parsed = parseTenantConfig(text, 'tenant.yaml')
  const problems = 'problems' in parsed ? parsed.problems : parsed.warnings
  const lines = text.split('\n')
  return problems.map(({ severity, line, column, length, message, suggestion }) => {
    const pointedAt = lines[line - 1]?.slice(column - 1, column - 1 + length)
    return `${severity} at ${pointedAt}: ${message} (${suggestion})`
  })
}

/** Errors and warnings about policies: each document, and every problem in it. */
const broken: readonly (readonly [name: string, text: string, problems: readonly RegExp[]])[] = [
  [
    'addresses that not all programs read alike',
    under('externalIPs: {allowed: [010.0.0.1, 10.0.0.0/33, 10.0.0, "::ffff:10.0.0.1", 1::2::3, fe80::1%eth0]}'),
    ['010.0.0.1', '10.0.0.0/33', '10.0.0', '"::ffff:10.0.0.1"', '1::2::3', 'fe80::1%eth0'].map(
      (at) => new RegExp(`^error at ${at}: .* must be an address or a range of addresses`),
    ),
  ],
  [
    'prefixes without a slash, and invalid keys',
    under('labels: {allowed: [example.com, "*.example.com", Example.com/, a b]}'),
    ['example.com', '"\\*.example.com"', 'Example.com/', 'a b'].map(
      (at) => new RegExp(`^error at ${at}: .* must be a prefix with / at its end`),
    ),
  ],
  [
    'keys that components of the host act on',
    under('annotations: {allowed: [cert-manager.io/, "*.k8s.io/", service.beta.kubernetes.io/a, example.com/, "*"]}'),
    ['cert-manager.io/', '"\\*.k8s.io/"', 'service.beta.kubernetes.io/a'].map(
      (at) => new RegExp(`^warning at ${at}: components of the host act on annotations such as`),
    ),
  ],
  [
    'a label that components of the host select by',
    under('labels: {allowed: [k8s-app, app]}'),
    [/^warning at k8s-app: components of the host act on labels such as "k8s-app"/],
  ],
  [
    'every address',
    under('endpointAddresses: {allowed: [0.0.0.0/0], denied: ["::/0"]}'),
    [/^warning at 0.0.0.0\/0: "0.0.0.0\/0" means every address/],
  ],
  [
    'Ingresses without a host name that they may ask for',
    'sync: {toHost: {ingresses: {enabled: true}}}',
    [/^warning at true: Ingresses are synced, .* \(name the host names in policies.sync.ingresses.hosts\)$/],
  ],
  [
    'kinds that give tenants the host',
    'sync: {toHost: {customResources: {roles.rbac.authorization.k8s.io: {enabled: true}, pods: {enabled: true}, jobs.batch: {}}}}',
    [/^warning at roles.rbac.authorization.k8s.io: .* gives tenants the host/, /^error at pods: .* sync.toHost.pods/],
  ],
  ['all privileges', 'policies: {pods: {security: privileged}}', [/^warning at privileged: .* root on its node/]],
  ['an invalid level', 'policies: {pods: {security: lax}}', [/privileged, baseline or restricted/]],
  ['a switch that is a boolean', under('nodePorts: true'), [/\(write nodePorts: \{enabled: true\}\)$/]],
]

describe('policies in a tenant.yaml', () => {
  it.each(broken)('%s: every problem is reported with its position', (_name, text, expected) => {
    expect(problemsOf(text)).toEqual(expected.map((pattern) => expect.stringMatching(pattern)))
  })

  it('report nothing if they are valid', () => {
    const settings = [
      'externalIPs: {allowed: [203.0.113.7, 203.0.113.0/24, "2001:db8::/32", "::1", "1:2:3:4:5:6:7:8"]}',
      'externalNames: {allowed: ["*", "*.example.com", db.example.com]}',
      'labels: {allowed: ["*.example.com/", example.com/a.b, "*"], denied: [team]}',
      'loadBalancers: {enabled: true, classes: [example.com/internal, plain]}',
      'ingresses: {hosts: ["*.example.com"]}',
      'endpointAddresses: {host: []}',
    ]
    expect(problemsOf(under(settings.join('\n    ')))).toEqual([])
  })
})
