import { describe, expect, it } from 'vitest'
import { changed, copyOf, planned, rulesFor } from '../../../../tests/support/examples/worlds.ts'
import type { KubeObject } from '../../../api/object.ts'
import type { EphemeralContainer, Pod, PodSpec } from '../../../api/types/core-v1.ts'
import type { PartWrite } from '../../contract.ts'
import { hostDebuggerName } from '../../kinds/pods/debugging.ts'
import { podsSync } from '../../kinds/pods/pods.ts'
import { planObject } from '../../plan/plan.ts'
import { judgedDebuggers } from './debuggers.ts'

/** Ephemeral containers added to a running Pod, and what reaches the host. */

const rules = rulesFor(podsSync, 'Pod')
const debuggerName = hostDebuggerName('u1', 'shell')
const hostSecret = rules.setting.names.of('shop', 'mine').name

function podWith(...ephemeralContainers: readonly object[]): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'shop', uid: 'u1', resourceVersion: '1' },
    spec: {
      containers: [{ name: 'main', image: 'app:1', resources: {} }],
      volumes: [{ name: 'data', emptyDir: {} }],
      ...(ephemeralContainers.length > 0 && { ephemeralContainers }),
    },
    status: {},
  }
}

const shell = { name: 'shell', image: 'busybox:1', stdin: true, tty: true, resources: {} }

/** The copy on a host that added a container, a volume and an ephemeral container of its own. */
async function runningCopy(): Promise<Pod> {
  const copy = (await copyOf(podWith(), rules)) as Pod
  const spec = {
    ...copy.spec,
    containers: [...(copy.spec.containers ?? []), { name: 'proxy', image: 'mesh:1', resources: {} }],
    volumes: [...(copy.spec.volumes ?? []), { name: 'cloud-token', emptyDir: {} }],
    ephemeralContainers: [
      { name: 'operators', image: 'tools:1', resources: {}, securityContext: { privileged: true } },
    ],
  }
  return changed(copy, {}, { spec }) as Pod
}

async function added(container: object): Promise<readonly EphemeralContainer[] | undefined> {
  const plan = await planned({ virtual: podWith(container), copy: await runningCopy() }, rules)
  if (plan.action === 'nothing') return undefined
  const [part, ...others] = plan.action === 'update' ? (plan.parts ?? []) : []
  if (part === undefined) throw new Error(`expected a part, got ${JSON.stringify(plan)}`)
  expect(plan).not.toHaveProperty('host')
  expect(others).toEqual([])
  expect(part).toMatchObject({ subresource: 'ephemeralcontainers', copy: { metadata: { uid: 'h1' } } })
  return debuggersIn(part)
}

function debuggersIn({ body }: PartWrite): readonly EphemeralContainer[] | undefined {
  return (body as unknown as Pod).spec.ephemeralContainers
}

describe('an ephemeral container', () => {
  it('is added to the copy beside those of the host, under a unique name', async () => {
    const env = [{ name: 'A', valueFrom: { secretKeyRef: { name: 'mine', key: 'a' } } }]
    const volumeMounts = [{ name: 'data', mountPath: '/data' }]
    const [operators, own, ...more] = (await added({ ...shell, env, volumeMounts, targetContainerName: 'main' })) ?? []
    expect(more).toEqual([])
    expect(operators).toMatchObject({ name: 'operators', image: 'tools:1' })
    expect(own).toMatchObject({ name: debuggerName, image: 'busybox:1', targetContainerName: 'main', volumeMounts })
    expect(own?.env).toEqual([{ name: 'A', valueFrom: { secretKeyRef: { name: hostSecret, key: 'a' } } }])
    expect(debuggerName).toMatch(/^v-shell-[0-9a-z]{13}$/)
  })

  it('has the address of the virtual API and not that of the host', async () => {
    const own = (await added(shell))?.find(({ name }) => name === debuggerName)
    expect(own?.envFrom).toHaveLength(2)
  })

  it('is never part of a new copy, and follows as soon as that exists', async () => {
    const virtual = podWith(shell)
    const copy = await copyOf(virtual, rules)
    expect(copy.spec).not.toHaveProperty('ephemeralContainers')
    expect(await planned({ virtual, copy }, rules)).toMatchObject({ parts: [{ subresource: 'ephemeralcontainers' }] })
  })

  it('is written once', async () => {
    const copy = await runningCopy()
    const ephemeralContainers = await added(shell)
    const after = changed(copy, {}, { spec: { ...copy.spec, ephemeralContainers } })
    expect(await planned({ virtual: podWith(shell), copy: after }, rules)).toEqual({ action: 'nothing' })
  })

  it('is tried with all missing ones and then alone, latest first and within a limit, before a resize', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `shell-${index}`)
    const pod = podWith(...names.map((name) => ({ ...shell, name }))) as Pod
    const containers = pod.spec.containers?.map((each) => ({ ...each, resources: { requests: { cpu: '1' } } }))
    const virtual = { ...pod, spec: { ...pod.spec, containers } }
    const plan = await planned({ virtual, copy: await runningCopy() }, rules)
    const parts = plan.action === 'update' ? (plan.parts ?? []) : []
    const hostNames = names.map((name) => hostDebuggerName('u1', name))
    const tried = parts.slice(0, -1).map((part) => debuggersIn(part)?.map(({ name }) => name))
    const alone = hostNames.slice(2).toReversed()
    expect(tried).toEqual([['operators', ...hostNames], ...alone.map((name) => ['operators', name])])
    expect(parts.at(-1)).toMatchObject({ subresource: 'resize' })
  })

  it('reports its state under its own name, and nothing about those of the host', async () => {
    const copy = await runningCopy()
    const ephemeralContainers = await added(shell)
    const running = { state: { running: { startedAt: '2030-01-01T00:00:00Z' } } }
    const ephemeralContainerStatuses = [
      { name: 'operators', ...running },
      { name: debuggerName, ...running },
    ]
    const after = changed(
      copy,
      {},
      { spec: { ...copy.spec, ephemeralContainers }, status: { ephemeralContainerStatuses } },
    )
    expect(await planned({ virtual: podWith(shell), copy: after }, rules)).toMatchObject({
      virtual: { status: { status: { ephemeralContainerStatuses: [{ name: 'shell', ...running }] } } },
    })
  })

  it.each<[string, object]>([
    ['all privileges', { securityContext: { privileged: true } }],
    ['a capability', { securityContext: { capabilities: { add: ['SYS_PTRACE'] } } }],
    ['no seccomp', { securityContext: { seccompProfile: { type: 'Unconfined' } } }],
    ['a process of a Windows host', { securityContext: { windowsOptions: { hostProcess: true } } }],
    ['a port of the node', { ports: [{ containerPort: 80, hostPort: 80 }] }],
    ['a probe by the node', { livenessProbe: { httpGet: { port: 80, host: '169.254.169.254' } } }],
    ['a hook', { lifecycle: { postStart: { exec: { command: ['sh'] } } } }],
    ['to be started again and again', { restartPolicy: 'Always' }],
    ['a device', { resources: { claims: [{ name: 'gpu' }] } }],
    ['the processes of a container of the host', { targetContainerName: 'proxy' }],
    ['the processes of a debugger of the host', { targetContainerName: 'operators' }],
    ['a volume of the host', { volumeMounts: [{ name: 'cloud-token', mountPath: '/var/run/secrets' }] }],
    ['a device of the host', { volumeDevices: [{ name: 'cloud-token', devicePath: '/dev/x' }] }],
    ['a Secret by a path', { envFrom: [{ secretRef: { name: '../other/victim' } }] }],
    ['a field that comes with a later Kubernetes', { hostSomething: true }],
  ])('is dropped, and the Pod continues, if it asks for %s', async (_attempt, asked) => {
    const virtual = podWith({ ...shell, ...asked })
    const { plan, refusals } = await planObject({ virtual, copy: await runningCopy() }, rules, { isWanted: true })
    expect(plan).toEqual({ action: 'nothing' })
    expect(refusals).toEqual([
      expect.objectContaining({ field: expect.stringMatching(/^spec\.ephemeralContainers\[0\]/) }),
    ])
  })

  it('with the name of one of the host is a different one', async () => {
    const names = (await added({ ...shell, name: 'operators' }))?.map(({ name }) => name)
    expect(names).toEqual(['operators', hostDebuggerName('u1', 'operators')])
  })

  it('may use what an operator allows to all Pods', async () => {
    const open = rulesFor(podsSync, 'Pod', { policies: { pods: { security: 'privileged' } } })
    const virtual = podWith({ ...shell, securityContext: { privileged: true } })
    const copy = await copyOf(podWith(), open)
    expect(await planned({ virtual, copy }, open)).toMatchObject({ parts: [{ subresource: 'ephemeralcontainers' }] })
  })

  it('refers to nothing if names are kept: the Pod runs, and could not wait for a copy', async () => {
    const namespaces = { enabled: true, mappings: { byName: { '*': 'x-*' } } }
    const kept = rulesFor(podsSync, 'Pod', { sync: { toHost: { namespaces } } })
    const virtual = podWith({ ...shell, envFrom: [{ secretRef: { name: 'operators' } }] })
    const copy = await copyOf(podWith(), kept)
    expect(await planned({ virtual, copy }, kept)).toEqual({ action: 'nothing' })
  })

  it('is not refused for what its Pod refers to, even if names are kept', async () => {
    const namespaces = { enabled: true, mappings: { byName: { '*': 'x-*' } } }
    const kept = rulesFor(podsSync, 'Pod', { sync: { toHost: { namespaces } } })
    const pod = podWith() as Pod
    const spec = {
      ...pod.spec,
      containers: pod.spec.containers?.map((each) => ({ ...each, envFrom: [{ configMapRef: { name: 'settings' } }] })),
      volumes: [{ name: 'own', secret: { secretName: 'mine' } }],
      imagePullSecrets: [{ name: 'pull' }],
    }
    const copy = await copyOf({ ...pod, spec }, kept)
    const virtual = { ...pod, spec: { ...spec, ephemeralContainers: [shell] } }
    expect(await planned({ virtual, copy }, kept)).toMatchObject({ parts: [{ subresource: 'ephemeralcontainers' }] })
  })

  it('is checked with the settings of its Pod for all containers', async () => {
    const restricted = rulesFor(podsSync, 'Pod', { policies: { pods: { security: 'restricted' } } })
    const own = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } }
    const pod = podWith() as Pod
    const containers = pod.spec.containers?.map((each) => ({
      ...each,
      securityContext: { ...own, runAsNonRoot: true },
    }))
    const partsIn = async (securityContext: object) => {
      const spec = { ...pod.spec, containers, securityContext }
      const copy = await copyOf({ ...pod, spec }, restricted)
      const ephemeralContainers = [{ ...shell, securityContext: own }]
      return planned({ virtual: { ...pod, spec: { ...spec, ephemeralContainers } }, copy }, restricted)
    }
    const seccompProfile = { type: 'RuntimeDefault' }
    expect(await partsIn({ seccompProfile, runAsNonRoot: true })).toMatchObject({ parts: [{}] })
    expect(await partsIn({ seccompProfile })).toEqual({ action: 'nothing' })
  })

  it('is checked without the other containers, so that the cost is not the product of both', () => {
    const judged: PodSpec[] = []
    const spec = { ...(podWith() as Pod).spec, securityContext: { runAsNonRoot: true, sysctls: [] } }
    judgedDebuggers([shell], spec, (alone) => {
      judged.push(alone)
      return []
    })
    expect(judged).toEqual([{ containers: [], securityContext: { runAsNonRoot: true }, ephemeralContainers: [shell] }])
  })
})
