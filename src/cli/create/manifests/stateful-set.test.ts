import { describe, expect, it } from 'vitest'
import { deployment } from '../../../../tests/support/examples/tenant-deployment.ts'
import type { TenantConfig } from '../../../api/tenant-config/types.ts'
import { serviceManifest, tenantManifests } from './all.ts'
import type { TenantDeployment } from './contract.ts'

describe('the pod of a tenant', () => {
  const podOf = (given: TenantDeployment) => {
    const set = tenantManifests(given).find(({ kind }) => kind === 'StatefulSet')
    return JSON.parse(JSON.stringify(set)).spec
  }

  it('runs as a non-root user, writes only to its volumes, and cannot escalate privileges', () => {
    const { template } = podOf(deployment())
    expect(template.spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    })
    expect(template.spec.containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
  })

  it('has the placement, resources and security settings of the configuration, and its own labels', () => {
    const hasDisk = { key: 'disk', operator: 'Exists', values: [] }
    const tolerations = [{ key: 'pool', operator: 'Equal', value: 'tenants', effect: 'NoSchedule' }]
    const { selector, template } = podOf(
      deployment({
        controlPlane: {
          imagePullSecrets: ['registry'],
          resources: { requests: { cpu: '1' }, limits: { memory: '1Gi' } },
          labels: { team: 'a', 'app.kubernetes.io/name': 'other' },
          nodeSelector: { zone: 'b' },
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [hasDisk] }] },
            },
          },
          tolerations,
          env: [
            { name: 'HTTPS_PROXY', value: 'http://192.0.2.1' },
            { name: 'TOKEN', secret: { secretName: 'proxy', key: 'token' } },
          ],
        },
      }),
    )
    expect(template.metadata.labels).toEqual({ team: 'a', ...selector.matchLabels })
    expect(template.spec).toMatchObject({
      imagePullSecrets: [{ name: 'registry' }],
      nodeSelector: { zone: 'b' },
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'disk', operator: 'Exists' }] }],
          },
        },
      },
      tolerations,
      containers: [{ resources: { requests: { cpu: '1', memory: '128Mi' }, limits: { memory: '1Gi' } } }],
    })
    expect(JSON.stringify(template.spec.affinity)).not.toContain('[]')
    expect(template.spec.containers[0].env.slice(0, 2)).toEqual([
      { name: 'HTTPS_PROXY', value: 'http://192.0.2.1' },
      { name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'proxy', key: 'token' } } },
    ])
  })

  it('has no placement settings unless the configuration has some', () => {
    const { spec } = podOf(deployment()).template
    for (const name of ['imagePullSecrets', 'nodeSelector', 'affinity', 'tolerations'])
      expect(spec).not.toHaveProperty(name)
    expect(spec.containers[0].resources).toEqual({ requests: { cpu: '50m', memory: '128Mi' }, limits: {} })
  })

  it('stores its data in a volume of the configured size and class', () => {
    const { volumeClaimTemplates } = podOf(
      deployment({ controlPlane: { storage: { size: '5Gi', className: 'fast' } } }),
    )
    expect(volumeClaimTemplates).toMatchObject([
      { spec: { storageClassName: 'fast', resources: { requests: { storage: '5Gi' } } } },
    ])
  })

  it('stores its objects in etcd, with the credentials of its Secrets', () => {
    const etcd = {
      addresses: 'https://a:2379,https://b:2379',
      certificates: { secretName: 'etcd-tls' },
      user: { secretName: 'etcd-user' },
    }
    const { template, volumeClaimTemplates } = podOf(deployment({ controlPlane: { storage: { etcd } } }))
    const [container] = template.spec.containers
    const file = '/etc/tenant-etcd'
    expect(container.args).toContain(
      `--store=etcd:https://a:2379,https://b:2379?prefix=/virtual-clusters/tenant-demo/demo&cafile=${file}/ca.crt&certfile=${file}/tls.crt&keyfile=${file}/tls.key&userfile=${file}-user/user`,
    )
    expect(container.volumeMounts).toContainEqual({ name: 'etcd', mountPath: file, readOnly: true })
    expect(template.spec.volumes).toContainEqual({ name: 'etcd-user', secret: { secretName: 'etcd-user' } })
    expect(volumeClaimTemplates).toHaveLength(1)
  })

  it('has a kube-controller-manager that can reach the virtual cluster but not the host', () => {
    const controllerManager = {
      image: 'example/manager:1',
      resources: { requests: { cpu: '20m', memory: '64Mi' }, limits: {} },
    }
    const external = deployment({ controlPlane: { controllers: 'external', controllerManager } })
    const { spec } = podOf(external).template
    const [tenant, manager] = spec.containers
    expect(tenant.args).toContain('--controllers-kubeconfig=/var/run/tenant-controllers/kubeconfig')
    expect(manager).toMatchObject({ image: 'example/manager:1', command: ['kube-controller-manager'] })
    expect(manager.args).toContain('--kubeconfig=/var/run/tenant-controllers/kubeconfig')
    expect(manager.securityContext).toEqual(tenant.securityContext)
    const mounted: readonly { name: string; mountPath: string }[] = manager.volumeMounts
    expect(mounted.map(({ mountPath }) => mountPath)).toContain('/var/run/secrets/kubernetes.io/serviceaccount')
    expect(mounted.map(({ name }) => name)).toEqual(['controllers', 'no-account'])
    expect(podOf(deployment()).template.spec.containers).toHaveLength(1)
    // A manager that cannot start makes the Pod unready, and the tenant must be reachable all the same.
    expect(serviceManifest(external).spec).toMatchObject({ publishNotReadyAddresses: true })
  })

  it('delays the shutdown of each of several replicas until no requests arrive', () => {
    const delays = (controlPlane: TenantConfig['controlPlane']) =>
      podOf(deployment({ controlPlane: { ...controlPlane } })).template.spec.containers[0].env.filter(
        ({ name }: { name: string }) => name === 'TENANT_SHUTDOWN_DELAY',
      )
    const storage = { etcd: { addresses: 'https://etcd:2379' } }
    expect(delays({ replicas: 3, storage })).toEqual([{ name: 'TENANT_SHUTDOWN_DELAY', value: '5s' }])
    expect(delays({})).toEqual([])
    expect(delays({ replicas: 2, virtualKubeconfig: { secretName: 'vk' } })).toEqual([])
  })

  it('updates replicas one at a time, spreads them over nodes, and starts them in parallel', () => {
    const storage = { etcd: { addresses: 'https://etcd:2379' } }
    const replicated = deployment({ controlPlane: { replicas: 3, storage } }, { podManagement: 'Parallel' })
    const { replicas, podManagementPolicy, selector, template } = podOf(replicated)
    expect({ replicas, podManagementPolicy }).toEqual({ replicas: 3, podManagementPolicy: 'Parallel' })
    expect(template.spec.topologySpreadConstraints).toMatchObject([
      { topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway', labelSelector: selector },
    ])
    const budget = tenantManifests(replicated).find(({ kind }) => kind === 'PodDisruptionBudget')
    expect(budget).toMatchObject({ apiVersion: 'policy/v1', spec: { maxUnavailable: 1, selector } })
    expect(serviceManifest(replicated).spec).toMatchObject({ publishNotReadyAddresses: false })
    const alone = deployment({ controlPlane: { storage } })
    expect(podOf(alone)).not.toHaveProperty('podManagementPolicy')
    expect(podOf(alone).template.spec).not.toHaveProperty('topologySpreadConstraints')
    expect(tenantManifests(alone).map(({ kind }) => kind)).not.toContain('PodDisruptionBudget')
  })

  it('elects one of several kube-controller-managers', () => {
    const controllerManager = { image: 'example/manager:1' }
    const storage = { etcd: { addresses: 'https://etcd:2379' } }
    const argsOf = (replicas: number) =>
      podOf(deployment({ controlPlane: { replicas, storage, controllers: 'external', controllerManager } })).template
        .spec.containers[1].args
    expect(argsOf(3)).toContain('--leader-elect=true')
    expect(argsOf(1)).toContain('--leader-elect=false')
  })

  it('needs no volume if it uses an existing API server', () => {
    const config: TenantConfig = { controlPlane: { replicas: 2, virtualKubeconfig: { secretName: 'vk' } } }
    const { template, replicas, volumeClaimTemplates } = podOf(deployment(config))
    expect({ replicas, volumeClaimTemplates }).toEqual({ replicas: 2, volumeClaimTemplates: undefined })
    expect(template.spec.containers[0].args).toContain('--virtual-kubeconfig=/etc/tenant-virtual/config')
    expect(template.spec.volumes).toContainEqual({ name: 'virtual', secret: { secretName: 'vk' } })
  })
})
