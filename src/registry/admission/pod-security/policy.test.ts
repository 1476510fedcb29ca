import { describe, expect, it } from 'vitest'
import type { CheckedPod } from './check.ts'
import { type SecurityLevel, securityPolicyOf, securityViolations } from './policy.ts'

const hardened = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
}

function podWith(spec: object, securityContext: object = hardened, annotations = {}): CheckedPod {
  const containers = [{ name: 'c', image: 'i', resources: {}, securityContext }]
  return { metadata: { annotations }, spec: { containers, ...spec } }
}

function told(pod: CheckedPod, level: SecurityLevel, version = 'latest'): readonly string[] {
  return securityViolations(pod, { level, version }).map(({ reason, detail }) => `${reason} (${detail})`)
}

describe('the baseline level', () => {
  it.each<[string, CheckedPod, readonly string[]]>([
    ['a hardened pod', podWith({}), []],
    [
      'a volume of the host',
      podWith({ volumes: [{ name: 'v', hostPath: { path: '/' } }] }),
      ['hostPath volumes (volume "v")'],
    ],
    [
      'SELinux options',
      podWith({ securityContext: { seLinuxOptions: { type: 'spc_t', user: 'u' } } }),
      ['seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type "spc_t"; user may not be set)'],
    ],
    [
      'no seccomp profile at all',
      podWith({ securityContext: { seccompProfile: { type: 'Unconfined' } } }),
      ['seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined")'],
    ],
    [
      'a process of the host on Windows',
      podWith({}, { windowsOptions: { hostProcess: true } }),
      ['hostProcess (container "c" must not set securityContext.windowsOptions.hostProcess=true)'],
    ],
    [
      'an AppArmor annotation',
      podWith({}, hardened, { 'container.apparmor.security.beta.kubernetes.io/c': 'unconfined' }),
      [
        'forbidden AppArmor profile (annotation must not set AppArmor profile type to "container.apparmor.security.beta.kubernetes.io/c="unconfined"")',
      ],
    ],
    [
      'a mount of all processes',
      podWith({}, { procMount: 'Unmasked' }),
      ['procMount (container "c" must not set securityContext.procMount to "Unmasked")'],
    ],
  ])('%s', (_, pod, expected) => {
    expect(told(pod, 'baseline')).toEqual(expected)
    expect(told(pod, 'privileged')).toEqual([])
  })
})

describe('the restricted level', () => {
  it('names the types of volumes that it does not allow, once for each pod', () => {
    const volumes = [
      { name: 'a', hostPath: { path: '/' } },
      { name: 'b', nfs: { server: 's', path: '/' } },
      { name: 'c', emptyDir: {} },
    ]
    expect(told(podWith({ volumes }), 'restricted')).toEqual([
      'restricted volume types (volumes "a", "b" use restricted volume types "hostPath", "nfs")',
    ])
  })

  it('refuses what the pod says for its containers, even if they say otherwise', () => {
    const securityContext = { runAsNonRoot: false, seccompProfile: { type: 'Unconfined' } }
    expect(told(podWith({ securityContext }), 'restricted')).toEqual([
      'runAsNonRoot != true (pod must not set securityContext.runAsNonRoot=false)',
      'seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined")',
    ])
  })

  it.each<[string, CheckedPod, before: string, since: string, refusal: string]>([
    [
      'parameters of the kernel',
      podWith({ securityContext: { sysctls: [{ name: 'net.ipv4.tcp_keepalive_time', value: '1' }] } }),
      'v1.28',
      'v1.29',
      'forbidden sysctls (net.ipv4.tcp_keepalive_time)',
    ],
    [
      'types of SELinux',
      podWith({ securityContext: { seLinuxOptions: { type: 'container_engine_t' } } }),
      'v1.30',
      'v1.31',
      'seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type "container_engine_t")',
    ],
    [
      'the escalation that Windows does not know',
      podWith({ os: { name: 'windows' } }, { ...hardened, allowPrivilegeEscalation: undefined }),
      'v1.24',
      'v1.25',
      'allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false)',
    ],
    [
      'profiles in annotations',
      podWith({}, hardened, { 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' }),
      'v1.18',
      'v1.19',
      'seccompProfile (forbidden annotation seccomp.security.alpha.kubernetes.io/pod="unconfined")',
    ],
  ])('allows %s from a version on', (_, pod, before, since, refusal) => {
    expect(told(pod, 'restricted', before)).toEqual([refusal])
    expect(told(pod, 'restricted', since)).toEqual([])
  })

  it('asks of a version only what that version asked', () => {
    const plain = podWith({}, {})
    expect(told(plain, 'restricted', 'v1.7')).toEqual([
      'runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true)',
    ])
    expect(told(plain, 'restricted', 'v1.21')).toHaveLength(3)
    expect(told(plain, 'restricted', 'v1.32')).toHaveLength(4)
  })
})

describe('the policy of a namespace', () => {
  it('is the most open one without labels, and the strictest where a label makes no sense', () => {
    expect(securityPolicyOf(undefined, 'enforce')).toEqual({ level: 'privileged', version: 'latest' })
    expect(securityPolicyOf({ 'pod-security.kubernetes.io/enforce': 'odd' }, 'enforce')).toEqual({
      level: 'restricted',
      version: 'latest',
    })
  })

  it('warns of what it refuses, unless it says of what to warn', () => {
    const labels = (given: object) =>
      Object.fromEntries(Object.entries(given).map(([name, value]) => [`pod-security.kubernetes.io/${name}`, value]))
    const enforced = { enforce: 'baseline', 'enforce-version': 'v1.30' }
    expect(securityPolicyOf(labels(enforced), 'warn')).toEqual({ level: 'baseline', version: 'v1.30' })
    expect(securityPolicyOf(labels({ ...enforced, 'warn-version': 'v1.31' }), 'warn')).toEqual({
      level: 'baseline',
      version: 'v1.31',
    })
    expect(securityPolicyOf(labels({ ...enforced, warn: 'privileged' }), 'warn').level).toBe('privileged')
    expect(securityPolicyOf(labels(enforced), 'audit').level).toBe('privileged')
  })
})
