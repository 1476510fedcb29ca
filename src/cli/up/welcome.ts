import { shellPath } from '../output/shell-word.ts'
import { textTable } from '../output/text-table.ts'
import { contextName } from './files.ts'
import type { RunningUp } from './start-up.ts'

/** What to look at first, and where. `tenant`: the name of the command. */
export function welcome(running: RunningUp, tenant: string): string {
  const { platformUrl, hostUrl, realHost, kubeconfig, adminKeyFile, newAdminKey, tenants } = running
  const contexts = ['platform', ...(realHost === undefined ? ['host'] : []), ...tenants.map(contextName)]
  const places = textTable([
    ['console', `${platformUrl}/`],
    ['platform', platformUrl],
    ['host', realHost === undefined ? hostUrl : `${hostUrl} (${realHost.context})`],
    ['kubeconfig', `${shellPath(kubeconfig)} (${contexts.join(', ')})`],
    ['admin key', newAdminKey === undefined ? `in ${shellPath(adminKeyFile)}` : newAdminKey],
    ...(newAdminKey === undefined ? [] : [['', `shown once, kept in ${shellPath(adminKeyFile)}`] as const]),
  ])
  return `${places}\n${nextSteps(running, tenant)}\n`
}

function nextSteps(running: RunningUp, tenant: string): string {
  const { kubeconfig, platformUrl, adminKeyFile, caFile, realHost } = running
  const steps = [
    ...(realHost === undefined ? [`export KUBECONFIG=${shellPath(kubeconfig)}`, ...looks(running)] : []),
    `${tenant} platform login ${platformUrl} --ca ${shellPath(caFile)} --access-key-stdin < ${shellPath(adminKeyFile)}`,
    `${tenant} create my-cluster`,
  ]
  return `Next:\n${steps.map((step) => `  ${step}\n`).join('')}`
}

function looks({ tenants: [first] }: RunningUp): readonly string[] {
  return first === undefined
    ? ['kubectl --context host get namespaces']
    : [
        `kubectl --context ${contextName(first)} create deployment web --image=nginx`,
        `kubectl --context ${contextName(first)} get pods     # as the tenant sees them`,
        `kubectl --context host -n ${first.namespace} get pods -o wide     # as the host does; nothing runs on its node`,
      ]
}
