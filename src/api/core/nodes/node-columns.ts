import type { Node } from '../../types/core-v1.ts'
import type { TypedColumn } from '../builtin-kind.ts'
import { ageColumn, column, nameColumn, orNone, wideColumn } from '../columns.ts'

const rolePrefix = 'node-role.kubernetes.io/'
const roleLabel = 'kubernetes.io/role'

export const nodeColumns: readonly TypedColumn<Node>[] = [
  nameColumn,
  column('Status', 'Whether the node is ready and accepts pods.', statusText),
  column('Roles', 'Roles of the node.', ({ metadata }) => orNone(rolesOf(metadata.labels ?? {}).join(','))),
  ageColumn,
  column('Version', 'Version of the kubelet.', ({ status }) => status.nodeInfo.kubeletVersion),
  wideColumn('Internal-IP', 'Address inside the cluster.', (node) => addressOf(node, 'InternalIP')),
  wideColumn('External-IP', 'Address outside the cluster.', (node) => addressOf(node, 'ExternalIP')),
  wideColumn('OS-Image', 'Operating system.', ({ status }) => orUnknown(status.nodeInfo.osImage)),
  wideColumn('Kernel-Version', 'Version of the kernel.', ({ status }) => orUnknown(status.nodeInfo.kernelVersion)),
  wideColumn('Container-Runtime', 'Container runtime of the node.', ({ status }) =>
    orUnknown(status.nodeInfo.containerRuntimeVersion),
  ),
]

function statusText({ spec, status }: Node): string {
  const ready = status.conditions?.find(({ type }) => type === 'Ready')?.status
  const text = ready === undefined ? 'Unknown' : ready === 'True' ? 'Ready' : 'NotReady'
  return spec.unschedulable === true ? `${text},SchedulingDisabled` : text
}

function rolesOf(labels: Readonly<Record<string, string>>): readonly string[] {
  const roles = Object.entries(labels).flatMap(([key, value]) => {
    if (key.startsWith(rolePrefix)) return [key.slice(rolePrefix.length)]
    return key === roleLabel ? [value] : []
  })
  return [...new Set(roles)].filter((role) => role !== '').sort()
}

function addressOf({ status }: Node, type: string): string {
  return orNone(status.addresses?.find((each) => each.type === type)?.address)
}

function orUnknown(text: string): string {
  return text === '' ? '<unknown>' : text
}
