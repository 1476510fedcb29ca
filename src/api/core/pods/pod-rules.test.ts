import { describe, expect, it } from 'vitest'
import { errorTexts, previewCreate } from '../../../../tests/support/strategy-steps.ts'
import { pod } from './pod.ts'

const container = { name: 'c', image: 'i:1' }
const texts = (spec: object, metadata: object = {}) =>
  errorTexts(
    previewCreate(pod, {
      metadata: { name: 'p', namespace: 'n', ...metadata },
      spec: { containers: [container], ...spec },
    }),
  )
const inContainer = (part: object, spec: object = {}) => texts({ ...spec, containers: [{ ...container, ...part }] })

describe('the containers of a Pod', () => {
  const origin = 'spec.containers[0].env[0].valueFrom'
  it.each<[object, readonly string[]]>([
    [
      { env: [{ name: 'A', valueFrom: {} }] },
      [
        `${origin}: Invalid value: "": must specify one of: \`fieldRef\`, \`resourceFieldRef\`, \`configMapKeyRef\` or \`secretKeyRef\``,
      ],
    ],
    [
      { env: [{ name: 'A', value: 'x', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }] },
      [`${origin}: Invalid value: "": may not be specified when \`value\` is not empty`],
    ],
    [
      { env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'spec.hostname' } } }] },
      [
        `${origin}.fieldRef.fieldPath: Invalid value: "spec.hostname": error converting fieldPath: field label not supported: spec.hostname`,
      ],
    ],
    [
      { env: [{ name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '2' } } }] },
      [
        `${origin}.resourceFieldRef.divisor: Invalid value: "limits.cpu": only divisor's values 1m and 1 are supported with the cpu resource`,
      ],
    ],
    [
      { env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: "metadata.labels['a b']" } } }] },
      [expect.stringContaining(`${origin}.fieldRef: Invalid value: "a b": name part must consist`)],
    ],
    [
      { volumeDevices: [{ name: 'x', devicePath: '' }] },
      [
        'spec.containers[0].volumeDevices[0].name: Not found: "x"',
        'spec.containers[0].volumeDevices[0].devicePath: Required value',
      ],
    ],
    [
      { livenessProbe: { httpGet: { port: 1, scheme: 'FTP', httpHeaders: [{ name: 'a b', value: '' }] } } },
      [
        'spec.containers[0].livenessProbe.httpGet.scheme: Unsupported value: "FTP": supported values: "HTTP", "HTTPS"',
        expect.stringContaining('livenessProbe.httpGet.httpHeaders: Invalid value: "a b": a valid HTTP header'),
      ],
    ],
    [
      { lifecycle: { preStop: { sleep: { seconds: 31 } } } },
      [
        expect.stringContaining(
          'lifecycle.preStop.sleep: Invalid value: 31: must be greater than 0 and less than terminationGracePeriodSeconds (30).',
        ),
      ],
    ],
    [
      { resources: { limits: { foo: '1' } } },
      expect.arrayContaining([
        'spec.containers[0].resources.limits[foo]: Invalid value: foo: must be a standard resource type or fully qualified',
      ]),
    ],
    [
      { resources: { limits: { 'hugepages-2Mi': '3Mi', cpu: '1' } } },
      expect.arrayContaining([
        'spec.containers[0].resources.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
      ]),
    ],
    [
      { resizePolicy: [{ resourceName: 'disk', restartPolicy: '' }] },
      [
        'spec.containers[0].resizePolicy: Unsupported value: disk: supported values: "cpu", "memory"',
        'spec.containers[0].resizePolicy: Required value',
      ],
    ],
    [
      { securityContext: { windowsOptions: { runAsUserName: 'a\\b\\c' } } },
      [
        'spec.containers[0].securityContext.windowsOptions.runAsUserName: Invalid value: "a\\\\b\\\\c": runAsUserName cannot contain more than one backslash',
      ],
    ],
    [
      { securityContext: { appArmorProfile: { type: 'Localhost' } } },
      [
        'spec.containers[0].securityContext.appArmorProfile.localhostProfile: Required value: must be set when AppArmor type is Localhost',
      ],
    ],
    [
      { securityContext: { seccompProfile: { type: '' } } },
      [
        'spec.containers[0].securityContext.seccompProfile.type: Required value: type is required when seccompProfile is set',
      ],
    ],
  ])('are refused for %j', (part, expected) => {
    expect(inContainer(part)).toEqual(expected)
  })

  it('mount and use volumes once each', () => {
    const volumes = [
      { name: 'a', emptyDir: {} },
      { name: 'p', persistentVolumeClaim: { claimName: 'x' } },
    ]
    const volumeMounts = [
      { name: 'a', mountPath: '/a', mountPropagation: 'Bidirectional' },
      { name: 'p', mountPath: '/d', recursiveReadOnly: 'Enabled' },
    ]
    const volumeDevices = [
      { name: 'p', devicePath: '/d' },
      { name: 'a', devicePath: '../x' },
    ]
    const at = 'spec.containers[0].volume'
    expect(inContainer({ volumeMounts, volumeDevices }, { volumes })).toEqual([
      `${at}Mounts[0].name: Invalid value: "a": must not already exist in volumeDevices`,
      `${at}Mounts.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers`,
      `${at}Mounts[1].name: Invalid value: "p": must not already exist in volumeDevices`,
      `${at}Mounts[1].mountPath: Invalid value: "/d": must not already exist as a path in volumeDevices`,
      `${at}Mounts.recursiveReadOnly: Forbidden: may only be specified when readOnly is true`,
      `${at}Devices[0].name: Invalid value: "p": must not already exist in volumeMounts`,
      `${at}Devices[0].devicePath: Invalid value: "/d": must not already exist as a path in volumeMounts`,
      `${at}Devices[1].name: Invalid value: "a": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode`,
      `${at}Devices[1].devicePath: Invalid value: "../x": can not contain backsteps ('..')`,
      `${at}Devices[1].name: Invalid value: "a": must not already exist in volumeMounts`,
    ])
  })
})

describe('the spec of a Pod', () => {
  const term = (more: object) => ({
    affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [more] } },
  })
  const at = 'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]'
  const spread = { maxSkew: 1, topologyKey: 'z', whenUnsatisfiable: 'ScheduleAnyway' }
  it.each<[object, readonly string[]]>([
    [
      { dnsConfig: { nameservers: ['x'], options: [{}] } },
      [
        'spec.dnsConfig.nameservers[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        'spec.dnsConfig.options[0]: Required value: must not be empty',
      ],
    ],
    [
      { dnsConfig: { searches: ['a.b.', 'a_b'] } },
      [expect.stringContaining('spec.dnsConfig.searches[1]: Invalid value: "a_b": a lowercase RFC 1123 subdomain')],
    ],
    [
      {
        securityContext: { sysctls: [{ name: '' }, { name: 'A' }, { name: 'net.x' }, { name: 'net.x' }] },
        hostNetwork: true,
      },
      [
        'spec.securityContext.sysctls[0].name: Required value',
        expect.stringContaining(
          'spec.securityContext.sysctls[1].name: Invalid value: "A": must have at most 253 characters',
        ),
        'spec.securityContext.sysctls[2].name: Invalid value: "net.x": may not be specified when \'hostNetwork\' is true',
        'spec.securityContext.sysctls[3].name: Duplicate value: "net.x"',
        'spec.securityContext.sysctls[3].name: Invalid value: "net.x": may not be specified when \'hostNetwork\' is true',
      ],
    ],
    [
      { overhead: { 'x.io/y': '-1' } },
      ['spec.overhead.limits[x.io/y]: Invalid value: "-1": must be greater than or equal to 0'],
    ],
    [{ os: { name: 'plan9' } }, ['spec.os: Unsupported value: "plan9": supported values: "linux", "windows"']],
    [
      { os: { name: 'windows' }, hostPID: true, securityContext: { runAsUser: 1 } },
      [
        'spec.hostPID: Forbidden: cannot be set for a windows pod',
        'spec.securityContext.runAsUser: Forbidden: cannot be set for a windows pod',
      ],
    ],
    [
      { os: { name: 'linux' }, securityContext: { windowsOptions: { runAsUserName: 'u' } } },
      ['spec.securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod'],
    ],
    [
      { securityContext: { windowsOptions: { hostProcess: true } } },
      ['spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers'],
    ],
    [
      { preemptionPolicy: 'Ask' },
      ['spec.preemptionPolicy: Unsupported value: "Ask": supported values: "PreemptLowerPriority", "Never"'],
    ],
    [
      term({ topologyKey: '', matchLabelKeys: ['a'] }),
      [
        `${at}.matchLabelKeys: Forbidden: must not be specified when labelSelector is not set`,
        `${at}.topologyKey: Required value: can not be empty`,
        `${at}.topologyKey: Invalid value: "": name part must be non-empty`,
        expect.stringContaining(`${at}.topologyKey`),
      ],
    ],
    [
      term({
        topologyKey: 'z',
        namespaces: ['A'],
        labelSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] },
      }),
      [
        `${at}.labelSelector.matchExpressions[0].values: Required value: must be specified when \`operator\` is 'In' or 'NotIn'`,
        expect.stringContaining(`${at}.namespace: Invalid value: "A"`),
      ],
    ],
    [
      { topologySpreadConstraints: [{ ...spread, minDomains: 1, nodeTaintsPolicy: 'No' }, spread] },
      [
        'spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}: Duplicate value: "{z, ScheduleAnyway}"',
        'spec.topologySpreadConstraints[0].minDomains: Invalid value: 1: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway',
        'spec.topologySpreadConstraints[0].nodeTaintsPolicy: Unsupported value: "No": supported values: "Honor", "Ignore"',
      ],
    ],
    [
      { hostNetwork: true, containers: [{ ...container, ports: [{ containerPort: 80, hostPort: 81 }] }] },
      [
        'spec.containers[0].ports[0].hostPort: Invalid value: 81: must match `containerPort` when `hostNetwork` is true',
      ],
    ],
    [
      { volumes: [{ name: 't', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }] },
      [
        'spec.volumes[0].projected.sources[0].serviceAccountToken: Forbidden: must not be specified when serviceAccountName is not set',
      ],
    ],
    [
      { ephemeralContainers: [container].map((each) => ({ ...each, name: 'd' })) },
      ['spec.ephemeralContainers: Forbidden: cannot be set on create'],
    ],
    [
      { initContainers: [{ ...container, name: 'i', restartPolicy: '' }] },
      ['spec.initContainers[0].restartPolicy: Unsupported value: "": supported values: "Always"'],
    ],
  ])('is refused for %j', (spec, expected) => {
    expect(texts(spec)).toEqual(expected)
  })

  it.each<[Record<string, string>, readonly string[]]>([
    [
      { 'kubernetes.io/config.mirror': 'x' },
      [
        'metadata.annotations[kubernetes.io/config.mirror]: Invalid value: "x": must set spec.nodeName if mirror pod annotation is set',
      ],
    ],
    [
      { 'controller.kubernetes.io/pod-deletion-cost': '+1' },
      [
        'metadata.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: "+1": must be a 32bit integer',
      ],
    ],
    [{ 'controller.kubernetes.io/pod-deletion-cost': '-2147483648' }, []],
    [
      { 'container.apparmor.security.beta.kubernetes.io/x': 'strict' },
      [
        'metadata.annotations[container.apparmor.security.beta.kubernetes.io/x]: Invalid value: "x": container not found',
        'metadata.annotations[container.apparmor.security.beta.kubernetes.io/x]: Invalid value: "strict": invalid AppArmor profile name: "strict"',
      ],
    ],
  ])('has readable annotations: %j', (annotations, expected) => {
    expect(texts({}, { annotations })).toEqual(expected)
  })
})

describe('a new Pod', () => {
  it('keeps fields that only newer hosts support', () => {
    const spec = {
      volumes: [{ name: 'i', image: { reference: 'x' } }],
      securityContext: { supplementalGroupsPolicy: 'Strict' },
      containers: [{ ...container, volumeMounts: [{ name: 'i', mountPath: '/i' }] }],
    }
    const { object, errors } = previewCreate(pod, { metadata: { name: 'p', namespace: 'n' }, spec })
    expect(errors).toEqual([])
    expect(object.spec).toMatchObject(spec)
  })

  it('resolves matchLabelKeys of its affinity from its own labels', () => {
    const labelSelector = { matchLabels: { app: 'a' } }
    const term = { topologyKey: 'z', labelSelector, matchLabelKeys: ['rev', 'none'], mismatchLabelKeys: ['team'] }
    const { object, errors } = previewCreate(pod, {
      metadata: { name: 'p', namespace: 'n', labels: { rev: '1', team: 't' } },
      spec: {
        containers: [container],
        affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
      },
    })
    expect(errors).toEqual([])
    const matchExpressions = [
      { key: 'rev', operator: 'In', values: ['1'] },
      { key: 'team', operator: 'NotIn', values: ['t'] },
    ]
    expect(object.spec).toMatchObject({
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: { ...labelSelector, matchExpressions } }],
        },
      },
    })
  })

  it('repeats its AppArmor profile in the annotation that older nodes read', () => {
    const key = 'container.apparmor.security.beta.kubernetes.io/c'
    const create = (metadata: object, spec: object) =>
      previewCreate(pod, { metadata: { name: 'p', ...metadata }, spec: { containers: [container], ...spec } }).object
    expect(create({}, { securityContext: { appArmorProfile: { type: 'RuntimeDefault' } } })).toMatchObject({
      metadata: { annotations: { [key]: 'runtime/default' } },
    })
  })
})
