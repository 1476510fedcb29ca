import { expect, it } from 'vitest'
import { previewCreate, previewUpdate, type SentObject } from '../../../../tests/support/strategy-steps.ts'
import { deployment } from '../../apps/deployment.ts'
import { cronJob } from '../../batch/cron-job.ts'
import { pod } from './pod.ts'

const container = { name: 'c', image: 'v1' }

function warningsOf(spec: object, annotations: Readonly<Record<string, string>> = {}): readonly string[] {
  const body: SentObject = { metadata: { name: 'p', annotations }, spec: { containers: [container], ...spec } }
  return previewCreate(pod, body).warnings
}

it.each([
  [{}, []],
  [
    { nodeSelector: { 'beta.kubernetes.io/os': 'linux' } },
    ['spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead'],
  ],
  [
    { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }] },
    ['spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod'],
  ],
  [{ volumes: [{ name: 'v', gitRepo: { repository: 'r' } }] }, ['spec.volumes[0].gitRepo: deprecated in v1.11']],
  [
    {
      volumes: [
        {
          name: 'v',
          configMap: {
            name: 'm',
            items: [
              { key: 'a', path: 'x' },
              { key: 'b', path: 'x/y' },
            ],
          },
        },
      ],
    },
    ['volume "v" (ConfigMap "m"): overlapping paths: "x/y" with "x"'],
  ],
  [
    {
      hostAliases: [{ ip: '10.0.0.1' }, { ip: '10.0.0.1' }],
      imagePullSecrets: [{ name: 'a' }, { name: 'a' }, { name: '' }],
    },
    [
      'spec.hostAliases[1].ip: duplicate ip "10.0.0.1"',
      'spec.imagePullSecrets[1].name: duplicate name "a"',
      'spec.imagePullSecrets[2].name: invalid empty name ""',
    ],
  ],
  [
    { containers: [{ ...container, resources: { requests: { memory: '100m' } } }] },
    ['spec.containers[0].resources.requests[memory]: fractional byte value "100m" is invalid, must be an integer'],
  ],
  [
    {
      containers: [
        {
          ...container,
          env: [
            { name: 'A', value: '1' },
            { name: 'A', value: '$(A)2' },
            { name: 'A', value: '3' },
          ],
        },
      ],
    },
    ['spec.containers[0].env[2]: hides previous definition of "A", which may be dropped when using apply'],
  ],
  [
    { containers: [{ ...container, ports: [{ containerPort: 80, protocol: 'TCP', hostIP: '10.0.0.1' }] }] },
    [
      'spec.containers[0].ports[0]: hostIP set without hostPort: {Name: HostPort:0 ContainerPort:80 Protocol:TCP HostIP:10.0.0.1}',
    ],
  ],
  [
    { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone' }] } } },
    [
      'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector: a null labelSelector results in matching no pod',
    ],
  ],
])('a Pod with %j', (spec, expected) => {
  expect(warningsOf(spec)).toEqual(expected)
})

it('deprecated annotations that have fields', () => {
  const annotations = {
    'container.apparmor.security.beta.kubernetes.io/c': 'unconfined',
    'seccomp.security.alpha.kubernetes.io/pod': 'docker/default',
  }
  expect(warningsOf({}, annotations)).toEqual([
    'metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: deprecated since v1.30; use the "appArmorProfile" field instead',
    'metadata.annotations[seccomp.security.alpha.kubernetes.io/pod]: non-functional in v1.27+; use the "seccompProfile" field instead',
  ])
})

it('an invalid body does not get a response many times its size', () => {
  const ports = Array.from({ length: 2_000 }, () => ({ containerPort: 80, protocol: 'TCP' }))
  expect(warningsOf({ containers: [{ ...container, ports }] })).toHaveLength(100)
})

const volumeOf = (paths: readonly string[]) => ({
  volumes: [{ name: 'v', configMap: { name: 'm', items: paths.map((path) => ({ key: 'k', path })) } }],
})

it('a path with very many slashes is parsed once', () => {
  expect(warningsOf(volumeOf([`a${'/'.repeat(1_000_000)}b`, 'c']))).toEqual([])
  expect(warningsOf(volumeOf([`a${'/'.repeat(1_000_000)}`, 'a']))).toEqual([
    'volume "v" (ConfigMap "m"): overlapping paths: "a" with "a"',
  ])
})

it('duplicate long paths produce at most 100 warnings of limited length', () => {
  const warnings = warningsOf(volumeOf(Array.from({ length: 200 }, () => 'x'.repeat(15_000))))
  expect(warnings).toHaveLength(100)
  expect(Math.max(...warnings.map(({ length }) => length))).toBeLessThan(2 * 15_000)
})

it('very many container ports with one number are not compared in pairs', () => {
  const port = { containerPort: 80, protocol: 'TCP' }
  const ports = Array.from({ length: 65_000 }, (_, index) => ({ ...port, hostPort: index + 1 }))
  const twice = { ...port, hostPort: 1 }
  expect(warningsOf({ containers: [{ ...container, ports: [...ports, twice] }] })).toEqual([
    'spec.containers[0].ports[65000]: duplicate port definition with spec.containers[0].ports[0]',
  ])
})

it('a Deployment name with dots', () => {
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } }
  const spec = { selector: { matchLabels: { a: 'b' } }, template }
  const { object, warnings } = previewCreate(deployment, { metadata: { name: 'a.b' }, spec })
  const told =
    'metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]'
  expect(warnings).toEqual([told])
  expect(previewUpdate(deployment, { metadata: { name: 'a.b' }, spec }, object).warnings).toEqual([])
})

it('warnings for a template are repeated on each change of the spec, and only then', () => {
  const old = { containers: [container], nodeSelector: { 'beta.kubernetes.io/os': 'linux' } }
  const template = { metadata: { labels: { a: 'b' } }, spec: old }
  const spec = { selector: { matchLabels: { a: 'b' } }, template }
  const { object, warnings } = previewCreate(deployment, { metadata: { name: 'a' }, spec })
  expect(warnings).toHaveLength(1)
  const changed = { metadata: { name: 'a' }, spec: { ...spec, minReadySeconds: 5 } }
  expect(previewUpdate(deployment, changed, object).warnings).toEqual(warnings)
  const labeled = { metadata: { name: 'a', labels: { c: 'd' } }, spec }
  expect(previewUpdate(deployment, labeled, object).warnings).toEqual([])
})

it('a time zone inside the schedule of an existing CronJob', () => {
  const template = { spec: { containers: [container], restartPolicy: 'Never' } }
  const body = { metadata: { name: 'a' }, spec: { schedule: 'TZ=UTC 0 0 * * *', jobTemplate: { spec: { template } } } }
  const { object, warnings } = previewCreate(cronJob, body)
  expect(warnings).toEqual([])
  expect(previewUpdate(cronJob, body, object).warnings).toEqual([
    expect.stringContaining('cannot use TZ or CRON_TZ in spec.spec.schedule'),
  ])
})
