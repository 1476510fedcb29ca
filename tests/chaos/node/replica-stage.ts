import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { balanceLoad } from '../../node/support/load-balancer.ts'
import { loadImage, nameImage } from '../../support/clusters/real-node.ts'
import { tenantIn } from '../../support/programs/command.ts'
import { type Kubectl, kubectlOn } from '../../support/programs/kubectl.ts'
import { askForShared, releaseShared } from '../../support/shared/ask-for-shared.ts'
import { type EtcdMembers, startEtcdMembers } from '../../support/stores/etcd-members.ts'
import type { Access } from '../../sync/support/cluster-client.ts'
import { homeOf } from './stage.ts'

/**
 * A platform and a virtual cluster with three replicas each, all of them Pods of one node, on an etcd with three
 * members.
 */
export interface ReplicaStage {
  readonly access: Access
  readonly onHost: Kubectl
  readonly members: EtcdMembers
  /** Upgrades to the same program under another name, by `tenant platform upgrade` and `tenant create --upgrade`. */
  upgradePlatform(): Promise<void>
  upgradeVirtualCluster(): Promise<void>
  remove(): Promise<void>
}

export const platformNamespace = 'tenant-platform'
export const onEtcd = 'on-etcd'
const platformAddress = '192.0.2.30'

export async function setReplicaStage(): Promise<ReplicaStage> {
  const [node, image] = await Promise.all([askForShared('node'), askForShared('image')])
  await loadImage(image.archive)
  const members = await startEtcdMembers(node.address)
  const home = homeOf(node.kubeconfig)
  const onHost = kubectlOn(node.kubectl, node.kubeconfig)
  const balancer = balanceLoad(node, platformNamespace, 'tenant-platform', platformAddress)
  const tenant = tenantIn(home)
  const flags = ['--store', members.store, '--replicas', '3', '--expose', 'load-balancer', '--address', platformAddress]
  const shown = await tenant(['platform', 'install', '--image', image.name, ...flags])
  const token = /^admin key +(tpk_\w+)$/m.exec(shown)?.[1] ?? ''
  const entry = `-n ${platformNamespace} get secret tenant-platform-authority -o jsonpath={.data.tls\\.crt}`
  const authority = Buffer.from(await onHost(entry), 'base64').toString()
  const [ca, file] = [join(home, 'ca.crt'), join(home, 'tenant.yaml')]
  writeFileSync(ca, authority)
  const addresses = members.store.slice('etcd:'.length)
  writeFileSync(file, JSON.stringify({ controlPlane: { replicas: 3, storage: { etcd: { addresses } } } }))
  const url = `https://${platformAddress}`
  await tenant(['platform', 'login', url, '--ca', ca, '--access-key-stdin'], token)
  await tenant(['create', onEtcd, '--driver', 'kubernetes', '--image', image.name, '-f', file])
  let upgrades = 0
  const nextImage = async () => {
    upgrades += 1
    const next = `${image.name}-upgrade-${upgrades}`
    await nameImage(image.name, next)
    return next
  }
  return {
    access: { url, token, authority: readFileSync(ca, 'utf8') },
    onHost,
    members,
    upgradePlatform: async () => {
      await tenant(['platform', 'upgrade', '--image', await nextImage()])
    },
    upgradeVirtualCluster: async () => {
      await tenant(['create', onEtcd, '--upgrade', '--image', await nextImage(), '-f', file])
    },
    remove: async () => {
      await balancer.end()
      await releaseShared('node')
      await members.remove()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
