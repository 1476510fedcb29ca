import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findKubectls } from '../support/clusters/kubectl.ts'
import type { Kubernetes } from '../support/clusters/kubernetes.ts'
import { findKubernetes } from '../support/clusters/kubernetes-programs.ts'
import { builtCli } from '../support/programs/built-cli.ts'
import { type Kubectl, kubectlOn } from '../support/programs/kubectl.ts'
import { ClusterClient } from './support/cluster-client.ts'
import { type Cluster, startCluster, startRealCluster } from './support/clusters.ts'
import { isRealRequired } from './support/pairings.ts'
import { exampleKeysAllowed } from './support/policies.ts'
import { soon } from './support/soon.ts'
import { openStage, type Stage, type Tenant } from './support/stage.ts'

const [kubectl] = findKubectls()
const search = findKubernetes()
const missing = [
  ...(kubectl === undefined ? ['no kubectl on this machine'] : []),
  ...(search.outcome === 'missing' ? [`no kube-apiserver: ${search.reason}`] : []),
].join(', ')

const service = `
apiVersion: v1
kind: Service
metadata:
  name: legacy-database
spec:
  ports:
    - name: sql
      protocol: TCP
      port: 80
      targetPort: 9376
`

const addresses = `
apiVersion: v1
kind: Endpoints
metadata:
  name: legacy-database
subsets:
  - addresses:
      - ip: 192.0.2.42
      - ip: 192.0.2.43
    ports:
      - name: sql
        port: 9376
`

describe.skipIf(missing !== '' && !isRealRequired())(
  `a Service without selector and its Endpoints${missing === '' ? '' : ` (${missing})`}`,
  () => {
    let host: Kubernetes
    let virtual: Cluster
    let stage: Stage
    let tenant: Tenant
    let onVirtual: Kubectl
    let onHost: Kubectl

    beforeAll(async () => {
      const command = kubectl?.command ?? ''
      ;[host, virtual] = await Promise.all([startRealCluster(), startCluster('embedded')])
      await host.startControllers('endpointslicemirroring')
      const client = new ClusterClient(host)
      const hostCluster: Cluster = { flavor: 'real', server: host, client, remove: () => client.close() }
      stage = openStage({ virtual: 'embedded', host: 'real' }, { virtual, host: hostCluster })
      const hostNamespace = await stage.newHostNamespace()
      tenant = await stage.newTenant({ name: 'shop', hostNamespace, config: { policies: exampleKeysAllowed } })
      onVirtual = kubectlOn(command, virtual.server.kubeconfig)
      onHost = kubectlOn(command, host.kubeconfig)
      await onVirtual('apply -f -', service)
      await onVirtual('apply -f -', addresses)
    })

    afterAll(async () => {
      await stage?.clear()
      await virtual?.remove()
      await host?.remove()
    })

    /** As a person finds the name. */
    const translated = () =>
      execFileSync(
        process.execPath,
        [
          builtCli(),
          'translate',
          'legacy-database',
          '--tenant',
          'shop',
          '--host-namespace',
          tenant.hostNamespace,
          '-o',
          'name',
        ],
        { encoding: 'utf8' },
      ).trim()

    it('created with kubectl in the virtual cluster, are visible with kubectl on the host under the translated name', async () => {
      const name = translated()
      expect(name).toBe(tenant.hostName('default', 'legacy-database'))
      await soon(async () => {
        const shown = await onHost(`-n ${tenant.hostNamespace} get endpoints ${name} --no-headers`)
        expect(shown).toContain('192.0.2.42:9376,192.0.2.43:9376')
      })
      await soon(async () => {
        const shown = JSON.parse(await onHost(`-n ${tenant.hostNamespace} get service ${name} -o json`))
        expect(shown.spec.ports).toMatchObject([{ name: 'sql', port: 80, targetPort: 9376 }])
      })
    })

    it('are mirrored by the controllers of the host into an EndpointSlice', async () => {
      const selector = `kubernetes.io/service-name=${translated()}`
      await soon(async () => {
        const shown = JSON.parse(await onHost(`-n ${tenant.hostNamespace} get endpointslices -l ${selector} -o json`))
        expect(shown.items).toHaveLength(1)
        expect(shown.items[0].metadata.labels['endpointslice.kubernetes.io/managed-by']).toBe(
          'endpointslicemirroring-controller.k8s.io',
        )
        const listed = shown.items[0].endpoints.flatMap((each: { addresses: string[] }) => each.addresses)
        expect(listed.toSorted()).toEqual(['192.0.2.42', '192.0.2.43'])
        expect(shown.items[0].ports).toMatchObject([{ name: 'sql', port: 9376 }])
      })
    })

    it('follow changes by kubectl, and are deleted with kubectl', async () => {
      const name = translated()
      await onVirtual('annotate endpoints legacy-database example.com/owner=team-a')
      await soon(async () => {
        const shown = await onHost(`-n ${tenant.hostNamespace} describe endpoints ${name}`)
        expect(shown).toContain('example.com/owner: team-a')
      })
      await onHost(`-n ${tenant.hostNamespace} label endpoints ${name} seen-by=host`)
      await soon(async () => {
        expect(await onVirtual('get endpoints legacy-database --show-labels')).toContain('seen-by=host')
      })
      await onVirtual('delete service,endpoints legacy-database')
      await soon(async () => {
        expect(
          await onHost(`-n ${tenant.hostNamespace} get service,endpoints --no-headers --ignore-not-found`),
        ).not.toContain(name)
      })
    })
  },
)
