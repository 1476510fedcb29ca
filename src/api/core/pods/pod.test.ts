import { describe, expect, it } from 'vitest'
import { errorTexts, previewCreate, previewUpdate } from '../../../../tests/support/strategy-steps.ts'
import { pullPolicyOf } from '../pull-policy.ts'
import { pod } from './pod.ts'

const metadata = { name: 'p', namespace: 'default' }
const container = { name: 'c', image: 'busybox:1.36' }
const created = (spec: object) => previewCreate(pod, { metadata, spec })

describe('Pod defaults', () => {
  it('are those of the pod and of each container', () => {
    const { object } = created({
      containers: [{ ...container, ports: [{ containerPort: 80 }], livenessProbe: { httpGet: { port: 80 } } }],
    })
    expect(object).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata,
      spec: {
        containers: [
          {
            ...container,
            ports: [{ containerPort: 80, protocol: 'TCP' }],
            resources: {},
            livenessProbe: {
              httpGet: { path: '/', port: 80, scheme: 'HTTP' },
              timeoutSeconds: 1,
              periodSeconds: 10,
              successThreshold: 1,
              failureThreshold: 3,
            },
            terminationMessagePath: '/dev/termination-log',
            terminationMessagePolicy: 'File',
            imagePullPolicy: 'IfNotPresent',
          },
        ],
        restartPolicy: 'Always',
        terminationGracePeriodSeconds: 30,
        dnsPolicy: 'ClusterFirst',
        securityContext: {},
        schedulerName: 'default-scheduler',
        enableServiceLinks: true,
      },
      status: { phase: 'Pending', qosClass: 'BestEffort' },
    })
  })

  it('complete volumes by their source', () => {
    const volumes = [
      { name: 'a' },
      { name: 'b', secret: { secretName: 's' } },
      { name: 'c', hostPath: { path: '/x' } },
      {
        name: 'd',
        projected: {
          sources: [
            { serviceAccountToken: { path: 't' } },
            { downwardAPI: { items: [{ path: 'n', fieldRef: { fieldPath: 'metadata.name' } }] } },
          ],
        },
      },
      { name: '__proto__', emptyDir: {} },
    ]
    expect(created({ volumes, containers: [container] }).object.spec).toMatchObject({
      volumes: [
        { name: 'a', emptyDir: {} },
        { name: 'b', secret: { secretName: 's', defaultMode: 420 } },
        { name: 'c', hostPath: { path: '/x', type: '' } },
        {
          name: 'd',
          projected: {
            defaultMode: 420,
            sources: [
              { serviceAccountToken: { path: 't', expirationSeconds: 3600 } },
              { downwardAPI: { items: [{ path: 'n', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } }] } },
            ],
          },
        },
        { name: '__proto__', emptyDir: {} },
      ],
    })
  })

  it.each([
    ['busybox', 'Always'],
    ['busybox:latest', 'Always'],
    ['registry:5000/busybox', 'Always'],
    ['registry:5000/busybox:1', 'IfNotPresent'],
    ['busybox@sha256:abc', 'IfNotPresent'],
  ])('pull %s %s', (image, policy) => {
    expect(pullPolicyOf(image)).toBe(policy)
  })

  it.each([
    ['nothing', {}, 'BestEffort'],
    ['some', { requests: { cpu: '1' } }, 'Burstable'],
    ['limits of both', { limits: { cpu: '1', memory: '1Gi' } }, 'Guaranteed'],
    [
      'the same in other words',
      { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1000m', memory: '1024Mi' } },
      'Guaranteed',
    ],
    ['more than it asks for', { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '1' } }, 'Burstable'],
  ])('class a pod that gets %s', (_, resources, qosClass) => {
    expect(created({ containers: [{ ...container, resources }] }).object.status).toEqual({ phase: 'Pending', qosClass })
  })
})

describe('Pod validation', () => {
  it.each([
    ['no containers', {}, ['spec.containers: Required value']],
    [
      'containers without name and image',
      { containers: [{}] },
      ['spec.containers[0].name: Required value', 'spec.containers[0].image: Required value'],
    ],
    [
      'one name twice',
      { containers: [container, container], initContainers: [container] },
      ['spec.containers[1].name: Duplicate value: "c"', 'spec.initContainers[0].name: Duplicate value: "c"'],
    ],
    [
      'ports out of range',
      { containers: [{ ...container, ports: [{ containerPort: 70000, hostPort: -1, name: 'a-' }, {}] }] },
      [
        'spec.containers[0].ports[0].name: Invalid value: "a-": must not begin or end with a hyphen',
        'spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
        'spec.containers[0].ports[0].hostPort: Invalid value: -1: must be between 1 and 65535, inclusive',
        'spec.containers[0].ports[1].containerPort: Required value',
      ],
    ],
    [
      'a mount of nothing',
      { containers: [{ ...container, volumeMounts: [{ name: 'v', mountPath: '/a' }] }] },
      ['spec.containers[0].volumeMounts[0].name: Not found: "v"'],
    ],
    [
      'unknown policies',
      { containers: [{ ...container, imagePullPolicy: 'Often' }], restartPolicy: 'Maybe', dnsPolicy: 'x' },
      [
        'spec.containers[0].imagePullPolicy: Unsupported value: "Often": supported values: "Always", "IfNotPresent", "Never"',
        'spec.restartPolicy: Unsupported value: "Maybe": supported values: "Always", "OnFailure", "Never"',
        'spec.dnsPolicy: Unsupported value: "x": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"',
      ],
    ],
    [
      'probes of init containers',
      { containers: [container], initContainers: [{ name: 'i', image: 'x', readinessProbe: {} }] },
      [
        'spec.initContainers[0].readinessProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
      ],
    ],
    [
      'tolerations that make no sense',
      { containers: [container], tolerations: [{ tolerationSeconds: 1 }] },
      [
        'spec.tolerations[0].operator: Invalid value: "": operator must be Exists when `key` is empty, which means "match all values and all keys"',
        'spec.tolerations[0].effect: Invalid value: "": effect must be \'NoExecute\' when `tolerationSeconds` is set',
      ],
    ],
  ])('refuses %s', (_, spec, errors) => {
    expect(errorTexts(created(spec))).toEqual(errors)
  })

  it('warns of names that are no host names', () => {
    const named = previewCreate(pod, { metadata: { name: 'a.b' }, spec: { containers: [container] } })
    expect(named.warnings).toEqual([
      "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]",
    ])
  })
})

describe('Pod updates', () => {
  const tolerations = [{ key: 'a', operator: 'Exists' }]
  const spec = { containers: [container], activeDeadlineSeconds: 10, tolerations }
  const { object: old } = created(spec)
  const updated = (change: object) => previewUpdate(pod, { ...old, spec: { ...Object(old.spec), ...change } }, old)

  it.each([
    [
      'another image and a shorter deadline',
      { containers: [{ ...container, image: 'other:2' }], activeDeadlineSeconds: 5 },
      [],
    ],
    [
      'a longer deadline',
      { activeDeadlineSeconds: 20 },
      ['spec.activeDeadlineSeconds: Invalid value: 20: must be less than or equal to previous value'],
    ],
    [
      'one more container',
      { containers: [container, { name: 'd', image: 'x:1' }] },
      ['spec.containers: Forbidden: pod updates may not add or remove containers'],
    ],
    [
      'fewer tolerations',
      { tolerations: [] },
      ['spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds'],
    ],
    [
      'another node',
      { nodeName: 'n2' },
      [
        expect.stringContaining(
          'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,',
        ),
      ],
    ],
  ])('with %s', (_, change, errors) => {
    expect(errorTexts(updated(change))).toEqual(errors)
  })
})

describe('Pod status', () => {
  const { object: old } = created({ containers: [container] })
  const reported = (status: object) => {
    const object = { ...old, status }
    return pod.strategy.prepareForStatusUpdate?.(object, old) ?? object
  }

  it('keeps the QoS class when the client omits it', () => {
    expect(reported({ phase: 'Running' }).status).toEqual({ phase: 'Running', qosClass: 'BestEffort' })
  })

  it('refuses another QoS class', () => {
    const errors = pod.strategy.validateStatusUpdate?.(reported({ qosClass: 'Guaranteed' }), old)
    expect(errors).toMatchObject([{ field: 'status.qosClass' }])
  })
})

describe('Pod deletion', () => {
  const grace = (spec: object, status: object, requested?: number) =>
    pod.strategy.gracePeriodSeconds?.({ ...created({ containers: [container], ...spec }).object, status }, requested)

  it.each([
    ['a pod without a node', {}, {}, undefined, 0],
    ['a running pod', { nodeName: 'n' }, { phase: 'Running' }, undefined, 30],
    ['a running pod, soon', { nodeName: 'n' }, { phase: 'Running' }, 5, 5],
    ['a running pod, sooner than possible', { nodeName: 'n' }, { phase: 'Running' }, -1, 1],
    ['a pod that has ended', { nodeName: 'n' }, { phase: 'Succeeded' }, 5, 0],
  ])('of %s', (_, spec, status, requested, seconds) => {
    expect(grace(spec, status, requested)).toBe(seconds)
  })
})

describe('Pod columns', () => {
  const running = (change: object = {}) => ({
    name: 'c',
    ready: true,
    restartCount: 0,
    state: { running: {} },
    lastState: {},
    ...change,
  })
  const now = Date.parse('2026-01-01T01:00:00Z')
  const cells = (status: object, spec: object = {}, meta: object = {}) => {
    const { object } = created({ containers: [container], ...spec })
    const shown = { ...object, metadata: { ...object.metadata, ...meta }, status }
    return pod.columns?.slice(1, 4).map((each) => each.value(shown, now))
  }

  it.each([
    ['pending', { phase: 'Pending' }, {}, ['0/1', 'Pending', '0']],
    ['running', { phase: 'Running', containerStatuses: [running()] }, {}, ['1/1', 'Running', '0']],
    [
      'crashing',
      {
        phase: 'Running',
        containerStatuses: [
          running({
            ready: false,
            restartCount: 4,
            state: { waiting: { reason: 'CrashLoopBackOff' } },
            lastState: { terminated: { exitCode: 1, finishedAt: '2026-01-01T00:58:00Z' } },
          }),
        ],
      },
      {},
      ['0/1', 'CrashLoopBackOff', '4 (2m ago)'],
    ],
    [
      'killed',
      {
        phase: 'Failed',
        containerStatuses: [running({ ready: false, state: { terminated: { exitCode: 137, signal: 9 } } })],
      },
      {},
      ['0/1', 'Signal:9', '0'],
    ],
    [
      'failed',
      { phase: 'Failed', containerStatuses: [running({ ready: false, state: { terminated: { exitCode: 3 } } })] },
      {},
      ['0/1', 'ExitCode:3', '0'],
    ],
    ['evicted', { phase: 'Failed', reason: 'Evicted' }, {}, ['0/1', 'Evicted', '0']],
    [
      'initializing',
      { phase: 'Pending', initContainerStatuses: [running({ name: 'i', ready: false, restartCount: 2 })] },
      {
        initContainers: [
          { name: 'i', image: 'x:1' },
          { name: 'j', image: 'x:1' },
        ],
      },
      ['0/1', 'Init:0/2', '2'],
    ],
    [
      'failing to initialize',
      {
        phase: 'Pending',
        initContainerStatuses: [running({ name: 'i', state: { terminated: { exitCode: 1, reason: 'Error' } } })],
      },
      { initContainers: [{ name: 'i', image: 'x:1' }] },
      ['0/1', 'Init:Error', '0'],
    ],
    [
      'running with a sidecar',
      {
        phase: 'Running',
        initContainerStatuses: [running({ name: 'i', started: true, restartCount: 1 })],
        containerStatuses: [running()],
      },
      { initContainers: [{ name: 'i', image: 'x:1', restartPolicy: 'Always' }] },
      ['2/2', 'Running', '1'],
    ],
    [
      'gated',
      { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] },
      {},
      ['0/1', 'SchedulingGated', '0'],
    ],
    [
      'half completed',
      {
        phase: 'Running',
        containerStatuses: [
          running({ ready: false, state: { terminated: { exitCode: 0, reason: 'Completed' } } }),
          running({ name: 'd' }),
        ],
      },
      {},
      ['1/1', 'NotReady', '0'],
    ],
  ])('of a pod that is %s', (_, status, spec, expected) => {
    expect(cells(status, spec)).toEqual(expected)
  })

  it('show a Pod that is being deleted', () => {
    const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z' }
    expect(cells({ phase: 'Running' }, {}, deleted)?.[1]).toBe('Terminating')
    expect(cells({ phase: 'Succeeded' }, {}, deleted)?.[1]).toBe('Succeeded')
    expect(cells({ phase: 'Running', reason: 'NodeLost' }, {}, deleted)?.[1]).toBe('Unknown')
  })

  it('show its IP, node and readiness gates with -o wide', () => {
    const { object } = created({
      containers: [container],
      nodeName: 'n',
      readinessGates: [{ conditionType: 'a/b' }, { conditionType: 'c/d' }],
    })
    const shown = { ...object, status: { podIPs: [{ ip: '10.0.0.1' }], conditions: [{ type: 'a/b', status: 'True' }] } }
    expect(pod.columns?.slice(5).map((each) => [each.priority, each.value(shown, 0)])).toEqual([
      [1, '10.0.0.1'],
      [1, 'n'],
      [1, '<none>'],
      [1, '1/2'],
    ])
  })
})
